#!/usr/bin/env python3
"""Groups commits for release notes, as JSON.

Reads `git log --format=%H%x1f%s%x1f%b%x1e` on standard input. Subjects like `fix(parser): text` are
grouped by their type, `!` or a `BREAKING CHANGE:` footer makes a change breaking, a revert takes the
reverted commit out, and what has no type goes to `other`.
Exit codes: 0 groups printed, 2 wrong usage, 3 the input is not that format.
"""

import argparse
import json
import re
import sys

GROUPS = ["breaking", "security", "added", "fixed", "changed", "internal", "other"]
TYPES = {
    "feat": "added", "fix": "fixed", "perf": "changed", "refactor": "internal", "docs": "internal",
    "test": "internal", "tests": "internal", "chore": "internal", "ci": "internal", "build": "internal",
    "style": "internal", "security": "security", "sec": "security", "change": "changed", "remove": "changed",
}
SUBJECT = re.compile(r"(?P<type>[a-z]+)(?:\((?P<scope>[^)]*)\))?(?P<breaking>!)?: (?P<text>.+)")
FOOTER = re.compile(r"^BREAKING[ -]CHANGE: (.+(?:\n(?!\n|[A-Za-z-]+: ).+)*)", re.MULTILINE)
REVERTS = re.compile(r"This reverts commit ([0-9a-f]{7,40})")


def commits(text):
    for record in text.split("\x1e"):
        record = record.strip("\r\n")
        if not record:
            continue
        parts = record.split("\x1f")
        if len(parts) != 3 or not re.fullmatch(r"[0-9a-f]{40,64}", parts[0]):
            raise ValueError(f"not hash, subject and body: {record[:60]!r}")
        yield parts


def entry(digest, subject, body):
    """The group of a commit, and what to say about it."""
    match = SUBJECT.fullmatch(subject)
    found = {"commit": digest[:7], "text": match["text"] if match else subject}
    if match and match["scope"]:
        found["scope"] = match["scope"]
    footer = FOOTER.search(body)
    if footer:
        found["migration"] = " ".join(footer.group(1).split())
    if footer or (match and match["breaking"]):
        return "breaking", found
    return (TYPES.get(match["type"], "other") if match else "other"), found


def main(arguments):
    argparse.ArgumentParser(description="Groups commits for release notes.").parse_args(arguments)
    try:
        history = list(commits(sys.stdin.read()))
    except ValueError as error:
        print(f"group_commits.py: {error}", file=sys.stderr)
        return 3
    gone = set()
    for digest, _, body in history:
        for reverted in REVERTS.findall(body):
            match = next((other for other, _, _ in history if other.startswith(reverted)), None)
            if match and digest not in gone:
                gone.update((digest, match))
    groups = {group: [] for group in GROUPS}
    for digest, subject, body in history:
        if digest not in gone:
            group, found = entry(digest, subject, body)
            groups[group].append(found)
    print(json.dumps(groups, ensure_ascii=False, indent=2))
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
