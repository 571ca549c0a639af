#!/usr/bin/env python3
"""Runs the scripts of this skill as an agent would: `python3 tests/test_scripts.py`."""

import json
import pathlib
import subprocess
import sys
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "scripts"


def run(script, text, *arguments):
    command = [sys.executable, str(SCRIPTS / script), *arguments]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout.splitlines()


def issue(number, title, labels=(), updated="2026-08-01"):
    names = [{"name": label} for label in labels]
    return {"number": number, "title": title, "labels": names, "updatedAt": f"{updated}T10:00:00Z"}


class IssueTable(unittest.TestCase):
    def test_a_table(self):
        code, lines = run("issue_table.py", json.dumps([issue(7, "Wrong unit", ["ui", "bug"])]))
        self.assertEqual(code, 0)
        self.assertEqual(lines[2:], ["| #7 | Wrong unit | bug, ui | 2026-08-01 |"])

    def test_nothing_is_a_table_without_rows(self):
        self.assertEqual(run("issue_table.py", "[]"), (0, ["| # | title | labels | updated |", "|---|---|---|---|"]))

    def test_exit_codes(self):
        self.assertEqual(run("issue_table.py", "not json")[0], 1)
        self.assertEqual(run("issue_table.py", '[{"number": 1}]')[0], 1)
        self.assertEqual(run("issue_table.py", "[]", "--no-such-option")[0], 2)


if __name__ == "__main__":
    unittest.main()
