#!/usr/bin/env python3
"""Turns the JSON of `gh issue list` or `gh pr list` into a Markdown table.

Reads standard input: a list of objects with number, title, labels and updatedAt.
Exit codes: 0 table printed, 1 the input is not what gh prints, 2 wrong usage.
"""

import argparse
import datetime
import json
import sys

LONGEST = 60


def day(text):
    return datetime.date.fromisoformat(text[:10])


def clipped(title):
    title = " ".join(title.split()).replace("|", "\\|")
    return title if len(title) <= LONGEST else title[: LONGEST - 1] + "…"


def row(issue, today, stale_days):
    labels = ", ".join(sorted(label["name"] for label in issue["labels"]))
    updated = issue["updatedAt"][:10]
    if stale_days and (today - day(updated)).days >= stale_days:
        updated += " (stale)"
    return f"| #{issue['number']} | {clipped(issue['title'])} | {labels} | {updated} |"


def main(arguments):
    parser = argparse.ArgumentParser(description="A Markdown table from the JSON of gh.")
    parser.add_argument("--stale-days", type=int, default=0, metavar="N", help="mark what is older (0: nothing)")
    parser.add_argument("--today", type=day, default=None, metavar="YYYY-MM-DD", help="the day to count from")
    options = parser.parse_args(arguments)
    if options.stale_days and options.today is None:
        parser.error("--stale-days needs --today")
    try:
        issues = sorted(json.load(sys.stdin), key=lambda issue: issue["number"])
        rows = [row(issue, options.today, options.stale_days) for issue in issues]
    except (ValueError, KeyError, TypeError) as error:
        print(f"issue_table.py: not the JSON of gh: {error!r}", file=sys.stderr)
        return 1
    print("| # | title | labels | updated |", "|---|---|---|---|", *rows, sep="\n")
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
