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

    def test_titles_cannot_break_the_table(self):
        _, lines = run("issue_table.py", json.dumps([issue(2, "a | b\n c"), issue(1, "x" * 70)]))
        self.assertEqual(lines[2], "| #1 | " + "x" * 59 + "… |  | 2026-08-01 |")
        self.assertEqual(lines[3], "| #2 | a \\| b c |  | 2026-08-01 |")

    def test_stale(self):
        text = json.dumps([issue(1, "old", updated="2026-05-01"), issue(2, "new", updated="2026-08-30")])
        _, lines = run("issue_table.py", text, "--stale-days", "90", "--today", "2026-09-01")
        self.assertEqual([line.split("|")[4].strip() for line in lines[2:]], ["2026-05-01 (stale)", "2026-08-30"])
        self.assertEqual(run("issue_table.py", "[]", "--stale-days", "90")[0], 2)


class Checks(unittest.TestCase):
    def test_failing_checks_come_first(self):
        text = json.dumps([
            {"name": "lint", "state": "SUCCESS", "link": "https://example.org/1"},
            {"name": "test", "state": "FAILURE", "link": "https://example.org/2"},
            {"name": "docs", "state": "PENDING", "link": "https://example.org/3"},
        ])
        self.assertEqual(run("checks.py", text), (0, [
            "1 failed, 1 pending, 1 passed",
            "- failed: test https://example.org/2",
            "- pending: docs https://example.org/3",
        ]))

    def test_exit_codes(self):
        self.assertEqual(run("checks.py", "[]"), (0, ["no checks"]))
        self.assertEqual(run("checks.py", "{}")[0], 1)
        self.assertEqual(run("checks.py", "[]", "x")[0], 2)


class Width(unittest.TestCase):
    def test_wide_characters_take_two_columns(self):
        _, lines = run("issue_table.py", json.dumps([issue(1, "标" * 40)]))
        self.assertEqual(lines[2].split("|")[2].strip(), "标" * 29 + "…")

    def test_an_emoji_in_the_title_leaves_the_labels_alone(self):
        _, lines = run("issue_table.py", json.dumps([issue(1, "🎉 done", ["bug"])]))
        self.assertEqual(lines[2], "| #1 | 🎉 done | bug | 2026-08-01 |")


class Draft(unittest.TestCase):
    def test_the_command_is_shown_and_not_run(self):
        draft = json.dumps({"repository": "acme/weather", "title": "It's wrong", "body": "a\nb", "labels": ["bug"]})
        self.assertEqual(run("draft.py", draft), (0, [
            "gh issue create --repo acme/weather --title 'It'\"'\"'s wrong' --label bug --body-file -",
            "----",
            "a",
            "b",
        ]))

    def test_exit_codes(self):
        for bad in ["", "[]", "{}", '{"repository": "weather", "title": "x", "body": "y"}',
                    '{"repository": "acme/weather", "title": " ", "body": "y"}',
                    '{"repository": "a/b", "title": "x", "body": "y", "assignee": "z"}']:
            self.assertEqual(run("draft.py", bad)[0], 1, bad)
        self.assertEqual(run("draft.py", "{}", "x")[0], 2)


if __name__ == "__main__":
    unittest.main()
