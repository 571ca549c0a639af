#!/usr/bin/env python3
"""检查周报的格式，逐行列出需要修改的地方。

周报从标准输入传入，UTF-8。结果只取决于输入，只用标准库。
退出码：0 格式正确，1 有需要修改的行，2 用法错误，3 输入为空或不是 UTF-8。
"""

import argparse
import re
import sys

SECTIONS = ["本周结果", "进行中", "风险", "下周计划"]
VAGUE = ["基本", "大概", "差不多", "等等"]
LONGEST = 60


def faults(text):
    """(行号, 说明)，按行号排序。"""
    found, order, section = [], [], None
    lines = text.splitlines()
    if not lines[0].startswith("# 周报："):
        found.append((1, "第一行应为“# 周报：日期”"))
    for number, line in enumerate(lines, 1):
        if line.startswith("## "):
            section = line[3:].strip()
            order.append(section)
            if section not in SECTIONS:
                found.append((number, f"没有“{section}”这一栏"))
        elif line.startswith("- "):
            item = line[2:].strip()
            if item == "无":
                continue
            if len(item) > LONGEST:
                found.append((number, f"{len(item)} 字，超过 {LONGEST} 字"))
            if "：" not in item:
                found.append((number, "缺少“：”，应写成“事项：结果”"))
            if section == "本周结果" and not re.search(r"\d|暂无数据", item):
                found.append((number, "没有数据，补上数字或“暂无数据”"))
            found += [(number, f"用了“{word}”") for word in VAGUE if word in item]
    if [section for section in order if section in SECTIONS] != SECTIONS:
        found.append((len(lines), "栏目应依次为：" + "、".join(SECTIONS)))
    return sorted(found)


def main(arguments):
    argparse.ArgumentParser(description="检查周报的格式。").parse_args(arguments)
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig").strip("\n")
    except UnicodeDecodeError:
        text = ""
    if not text.strip():
        print("jiancha.py: 输入为空或不是 UTF-8", file=sys.stderr)
        return 3
    found = faults(text)
    for number, message in found:
        print(f"第 {number} 行：{message}")
    if not found:
        print("格式正确")
    return 1 if found else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stderr.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
