#!/usr/bin/env python3
"""Shows the command that would create an issue. Runs nothing.

Reads one JSON object on standard input: repository, title, body and, if wanted, labels.
Exit codes: 0 draft printed, 2 wrong usage, 3 the draft is incomplete or holds an unknown key.
"""

import argparse
import json
import re
import shlex
import sys

KEYS = {"repository", "title", "body", "labels"}


def fault(draft):
    """What is wrong with a draft, or None."""
    if not isinstance(draft, dict):
        return "not an object"
    unknown = sorted(set(draft) - KEYS)
    if unknown:
        return f"unknown key {unknown[0]}"
    for key in ("repository", "title", "body"):
        if not isinstance(draft.get(key), str) or not draft[key].strip():
            return f"{key} is missing or blank"
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", draft["repository"]):
        return "repository is not owner/name"
    labels = draft.get("labels", [])
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        return "labels is not a list of texts"
    return None


def main(arguments):
    argparse.ArgumentParser(description="The command that would create an issue.").parse_args(arguments)
    try:
        draft = json.load(sys.stdin)
        problem = fault(draft)
    except ValueError as error:
        problem = f"not JSON: {error}"
    if problem:
        print(f"draft.py: {problem}", file=sys.stderr)
        return 3
    command = ["gh", "issue", "create", "--repo", draft["repository"], "--title", draft["title"]]
    for label in draft.get("labels", []):
        command += ["--label", label]
    print(shlex.join([*command, "--body-file", "-"]))
    print("----")
    print(draft["body"])
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
