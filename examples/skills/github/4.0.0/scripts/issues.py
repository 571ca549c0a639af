#!/usr/bin/env python3
"""Tidies the JSON of `gh issue list` or `gh pr list`: sorted, labels as names, stale ones marked.

Reads standard input: a list of objects with number, title, labels and updatedAt.
Exit codes: 0 list printed, 2 wrong usage, 3 the input is not what gh prints.
"""

import argparse
import datetime
import json
import sys
import unicodedata

LONGEST = 60


def day(text):
    return datetime.date.fromisoformat(text[:10])


def width(text):
    """Columns that a text takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def clipped(title):
    title = " ".join(title.split()).replace("|", "\\|")
    if width(title) <= LONGEST:
        return title
    kept = ""
    for character in title:
        if width(kept + character) >= LONGEST:
            break
        kept += character
    return kept + "…"


def tidy(issue, today, stale_days):
    updated = issue["updatedAt"][:10]
    return {
        "number": issue["number"],
        "title": " ".join(issue["title"].split()),
        "labels": sorted(label["name"] for label in issue["labels"]),
        "updated": updated,
        "stale": bool(stale_days) and (today - day(updated)).days >= stale_days,
    }


def row(issue):
    updated = issue["updated"] + (" (stale)" if issue["stale"] else "")
    return f"| #{issue['number']} | {clipped(issue['title'])} | {', '.join(issue['labels'])} | {updated} |"


def main(arguments):
    parser = argparse.ArgumentParser(description="A tidy list from the JSON of gh.")
    parser.add_argument("--format", choices=["json", "table"], default="json", help="default json")
    parser.add_argument("--stale-days", type=int, default=0, metavar="N", help="mark what is older (0: nothing)")
    parser.add_argument("--today", type=day, default=None, metavar="YYYY-MM-DD", help="the day to count from")
    options = parser.parse_args(arguments)
    if options.stale_days and options.today is None:
        parser.error("--stale-days needs --today")
    try:
        issues = [tidy(issue, options.today, options.stale_days) for issue in json.load(sys.stdin)]
        issues.sort(key=lambda issue: issue["number"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"issues.py: not the JSON of gh: {error!r}", file=sys.stderr)
        return 3
    if options.format == "json":
        print(json.dumps(issues, ensure_ascii=False, indent=2))
    else:
        print("| # | title | labels | updated |", "|---|---|---|---|", *map(row, issues), sep="\n")
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
