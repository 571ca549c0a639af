#!/usr/bin/env python3
"""Lists the lines that a diff adds: {"path": ["12", "20-24"]}, as JSON.

Reads a unified diff of git on standard input, with any number of context lines.
Exit codes: 0 lines printed, 2 wrong usage, 3 the input is no diff of git.
"""

import argparse
import json
import re
import sys

HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def path_of(line):
    """The path of a `+++ ` line; None for a deleted file. Git quotes paths that are not plain ASCII."""
    name = line[4:].split("\t")[0].rstrip("\r")
    if name.startswith('"') and name.endswith('"'):
        parts = re.findall(r"\\([0-7]{3})|\\(.)|([^\\]+)", name[1:-1])
        name = b"".join(
            bytes([int(octal, 8)]) if octal else ESCAPES.get(escape, escape).encode() if escape else text.encode()
            for octal, escape, text in parts
        ).decode(errors="replace")
    return None if name == "/dev/null" else name[2:] if name.startswith("b/") else name


def spans(numbers):
    """Numbers as texts, neighbours joined: 1, 2, 3, 7 is 1-3 and 7."""
    joined = []
    for number in numbers:
        if joined and joined[-1][1] == number - 1:
            joined[-1][1] = number
        else:
            joined.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in joined]


def added(lines):
    """The numbers of the added lines by path."""
    found, path, old, new, number = {}, None, 0, 0, 0
    for line in lines:
        if old or new:
            if line.startswith("+"):
                if path is not None:
                    found.setdefault(path, []).append(number)
                number, new = number + 1, new - 1
            elif line.startswith("-"):
                old -= 1
            elif not line.startswith("\\"):
                number, old, new = number + 1, old - 1, new - 1
        elif line.startswith("+++ "):
            path = path_of(line)
        elif hunk := HUNK.match(line):
            before, start, after = hunk.groups()
            old, new = int(before or 1), int(after or 1)
            number = int(start)
    if old > 0 or new > 0:
        raise ValueError("the diff is cut off")
    return found


def main(arguments):
    argparse.ArgumentParser(description="The lines that a diff adds, as JSON.").parse_args(arguments)
    text = sys.stdin.buffer.read().decode("utf-8", errors="replace")
    lines = text.split("\n")
    try:
        if text.strip() and not any(line.startswith("diff --git ") for line in lines):
            raise ValueError("no `diff --git` line")
        found = added(lines)
    except ValueError as error:
        print(f"changed_lines.py: not a diff of git: {error}", file=sys.stderr)
        return 3
    print(json.dumps({path: spans(numbers) for path, numbers in sorted(found.items())}, ensure_ascii=False, indent=2))
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
