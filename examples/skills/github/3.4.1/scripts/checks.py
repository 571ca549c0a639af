#!/usr/bin/env python3
"""Summarises the checks of a pull request: what failed first, then what is pending.

Reads the JSON of `gh pr checks --json name,state,link` on standard input.
Exit codes: 0 summary printed, 1 the input is not what gh prints, 2 wrong usage.
"""

import argparse
import json
import sys

PASSED = {"SUCCESS", "NEUTRAL", "SKIPPED"}
PENDING = {"PENDING", "QUEUED", "IN_PROGRESS", "EXPECTED", "WAITING", "REQUESTED"}


def outcome(check):
    state = check["state"].upper()
    return "passed" if state in PASSED else "pending" if state in PENDING else "failed"


def main(arguments):
    argparse.ArgumentParser(description="A summary of the checks of a pull request.").parse_args(arguments)
    try:
        document = json.load(sys.stdin)
        if not isinstance(document, list):
            raise TypeError("not a list")
        checks = [(outcome(check), check["name"], check["link"]) for check in document]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"checks.py: not the JSON of gh: {error!r}", file=sys.stderr)
        return 1
    if not checks:
        print("no checks")
        return 0
    order = ["failed", "pending", "passed"]
    counts = [(sum(check[0] == kind for check in checks), kind) for kind in order]
    print(", ".join(f"{count} {kind}" for count, kind in counts if count))
    for kind, name, link in sorted(checks, key=lambda check: (order.index(check[0]), check[1])):
        if kind != "passed":
            print(f"- {kind}: {name} {link}")
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
