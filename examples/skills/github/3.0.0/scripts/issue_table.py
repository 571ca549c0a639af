#!/usr/bin/env python3
"""Turns the JSON of `gh issue list` or `gh pr list` into a Markdown table.

Reads standard input: a list of objects with number, title, labels and updatedAt.
Exit codes: 0 table printed, 1 the input is not what gh prints, 2 wrong usage.
"""

import argparse
import json
import sys


def row(issue):
    labels = ", ".join(sorted(label["name"] for label in issue["labels"]))
    return f"| #{issue['number']} | {issue['title']} | {labels} | {issue['updatedAt'][:10]} |"


def main(arguments):
    argparse.ArgumentParser(description="A Markdown table from the JSON of gh.").parse_args(arguments)
    try:
        issues = json.load(sys.stdin)
        rows = [row(issue) for issue in issues]
    except (ValueError, KeyError, TypeError) as error:
        print(f"issue_table.py: not the JSON of gh: {error!r}", file=sys.stderr)
        return 1
    print("| # | title | labels | updated |", "|---|---|---|---|", *rows, sep="\n")
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
