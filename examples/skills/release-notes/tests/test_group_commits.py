#!/usr/bin/env python3
"""Runs scripts/group_commits.py as an agent would: `python3 tests/test_group_commits.py`."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "group_commits.py"
FORMAT = "--format=%H%x1f%s%x1f%b%x1e"


def run(text, *arguments):
    done = subprocess.run([sys.executable, str(SCRIPT), *arguments], input=text, capture_output=True, encoding="utf-8")
    groups = json.loads(done.stdout) if done.returncode == 0 else {}
    return done.returncode, {group: entries for group, entries in groups.items() if entries}


def commit(number, subject, body=""):
    return f"{number:040x}\x1f{subject}\x1f{body}\x1e\n"


class Groups(unittest.TestCase):
    def test_types(self):
        text = commit(1, "feat(cli): add pin") + commit(2, "fix: 修复路径") + commit(3, "ci: newer image") + commit(4, "Tidy up")
        self.assertEqual(run(text), (0, {
            "added": [{"commit": "0000000", "text": "add pin", "scope": "cli"}],
            "fixed": [{"commit": "0000000", "text": "修复路径"}],
            "internal": [{"commit": "0000000", "text": "newer image"}],
            "other": [{"commit": "0000000", "text": "Tidy up"}],
        }))

    def test_breaking_with_and_without_a_way_out(self):
        text = commit(1, "feat!: drop 1.x") + commit(2, "fix: keys", "Why.\n\nBREAKING CHANGE: run migrate\nonce\nRefs: 7")
        breaking = run(text)[1]["breaking"]
        self.assertEqual([entry.get("migration") for entry in breaking], [None, "run migrate once"])

    def test_a_revert_takes_both_out(self):
        text = commit(2, 'Revert "feat: x"', f"This reverts commit {1:040x}.") + commit(1, "feat: x") + commit(3, "fix: y")
        self.assertEqual(list(run(text)[1]), ["fixed"])

    def test_exit_codes(self):
        self.assertEqual(run(""), (0, {}))
        self.assertEqual(run("abc def\n")[0], 3)
        self.assertEqual(run("", "--no-such-option")[0], 2)

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_what_git_itself_prints(self):
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org"]
            subprocess.run([*git, "init", "-q"], check=True)
            for message in ("feat: one", "fix: two\n\nBREAKING CHANGE: call it twice"):
                subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", message], check=True)
            log = subprocess.run([*git, "log", FORMAT], check=True, capture_output=True, encoding="utf-8").stdout
            code, groups = run(log)
            self.assertEqual((code, groups["added"][0]["text"], groups["breaking"][0]["migration"]), (0, "one", "call it twice"))


if __name__ == "__main__":
    unittest.main()
