#!/usr/bin/env python3
"""Renders the daily briefing: JSON on standard input, a fixed layout on standard output.

Deterministic: the same input gives the same bytes. Needs the standard library only.
Exit codes: 0 briefing printed, 2 wrong usage, 3 the input lacks a key or holds a wrong type.
"""

import argparse
import datetime
import json
import re
import sys

MOST = 5  # entries of mail and tasks
TEXTS = {
    "en": {
        "days": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        "title": "{day}, {date} - {city}", "weather": "Weather", "appointments": "Appointments", "mail": "Waiting for an answer",
        "tasks": "Tasks", "none": "nothing", "unknown": "not known: the tool did not answer", "more": "and {count} more",
        "overlap": "overlaps with {title}", "overdue": "overdue since {due}", "wear": "Wear: {clothes}",
    },
    "zh": {
        "days": ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"],
        "title": "{date} {day}　{city}", "weather": "天气", "appointments": "日程", "mail": "待回复", "tasks": "任务",
        "none": "无", "unknown": "未知：工具没有响应", "more": "另有 {count} 项", "overlap": "与「{title}」冲突",
        "overdue": "已逾期（{due}）", "wear": "穿着：{clothes}",
    },
}
SECTIONS = ["weather", "appointments", "mail", "tasks"]


class Fault(Exception):
    """The input is not what it should be."""


def need(table, key, kind, where):
    value = table.get(key) if isinstance(table, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Fault(f"{where}{key} is missing or of a wrong type")
    return " ".join(value.split()) if isinstance(value, str) else value


def clock(table, key, where):
    text = need(table, key, str, where)
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text):
        raise Fault(f"{where}{key} is not a time like 09:30")
    return text


def day(table, key, where):
    try:
        return datetime.date.fromisoformat(need(table, key, str, where))
    except ValueError:
        raise Fault(f"{where}{key} is not a date like 2026-12-01") from None


def weather(data, text):
    low, high = need(data, "low", (int, float), "weather."), need(data, "high", (int, float), "weather.")
    lines = [f"{low:g} / {high:g} °C, {need(data, 'condition', str, 'weather.')}"]
    if data.get("clothes"):
        lines.append(text["wear"].format(clothes=need(data, "clothes", str, "weather.")))
    return lines


def appointments(data, text):
    entries = []
    for index, item in enumerate(data):
        where = f"appointments[{index}]."
        entries.append((clock(item, "start", where), clock(item, "end", where), need(item, "title", str, where), item.get("place")))
    entries.sort(key=lambda entry: entry[:3])
    lines = []
    for index, (start, end, title, place) in enumerate(entries):
        line = f"{start}-{end} {title}" + (f" ({place})" if place else "")
        clash = next((other for other in entries[:index] if other[1] > start), None)
        lines.append(line + (f" [{text['overlap'].format(title=clash[2])}]" if clash else ""))
    return lines


def cut(lines, text):
    rest = len(lines) - MOST
    return lines if rest <= 0 else [*lines[:MOST], text["more"].format(count=rest)]


def mail(data, text):
    return cut([f"{need(item, 'from', str, f'mail[{i}].')}: {need(item, 'subject', str, f'mail[{i}].')}" for i, item in enumerate(data)], text)


def tasks(data, text, today):
    entries = sorted((day(item, "due", f"tasks[{i}]."), need(item, "title", str, f"tasks[{i}].")) for i, item in enumerate(data))
    return cut([title + (f" [{text['overdue'].format(due=due)}]" if due < today else "") for due, title in entries], text)


def render(data, language):
    text = TEXTS[language]
    today = day(data, "date", "")
    unavailable = need(data, "unavailable", list, "")
    title = text["title"].format(day=text["days"][today.weekday()], date=today, city=need(data, "city", str, ""))
    lines = [title, "=" * 40]
    for section in SECTIONS:
        lines += ["", text[section]]
        if section in unavailable:
            entries = [text["unknown"]]
        elif section == "weather":
            entries = weather(need(data, section, dict, ""), text)
        else:
            items = need(data, section, list, "")
            entries = {"appointments": appointments, "mail": mail}[section](items, text) if section != "tasks" else tasks(items, text, today)
        lines += [f"  {entry}" for entry in entries or [text["none"]]]
    return "\n".join(lines)


def main(arguments):
    parser = argparse.ArgumentParser(description="Renders the daily briefing from JSON.")
    parser.add_argument("--lang", choices=sorted(TEXTS), default="en", help="default en")
    options = parser.parse_args(arguments)
    try:
        print(render(json.load(sys.stdin), options.lang))
    except (Fault, ValueError) as error:
        print(f"render.py: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
