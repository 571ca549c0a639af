#!/usr/bin/env python3
"""Runs scripts/changed_lines.py on real diffs: `python3 tests/test_changed_lines.py`."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "changed_lines.py"


def run(diff, *arguments):
    done = subprocess.run([sys.executable, str(SCRIPT), *arguments], input=diff, capture_output=True)
    return done.returncode, json.loads(done.stdout) if done.returncode == 0 else done.stderr.decode()


class Diffs(unittest.TestCase):
    def test_added_changed_and_removed(self):
        diff = (
            b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n"
            b"@@ -1,3 +1,4 @@\n a\n-b\n+B\n+b2\n c\n@@ -9 +10 @@ def f():\n-old\n+new\n"
            b"diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n"
        )
        self.assertEqual(run(diff), (0, {"x.py": ["2-3", "10"]}))

    def test_added_text_that_looks_like_a_header(self):
        diff = b"diff --git a/d b/d\n--- a/d\n+++ b/d\n@@ -0,0 +1,3 @@\n++++ b/other\n+@@ -1 +1 @@\n+x\n"
        self.assertEqual(run(diff), (0, {"d": ["1-3"]}))

    def test_no_newline_at_the_end(self):
        diff = b"diff --git a/d b/d\n--- a/d\n+++ b/d\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
        self.assertEqual(run(diff), (0, {"d": ["1"]}))

    def test_quoted_path(self):
        diff = b'diff --git "a/\\345\\244\\251.md" "b/\\345\\244\\251.md"\n--- /dev/null\n+++ "b/\\345\\244\\251.md"\n@@ -0,0 +1 @@\n+x\n'
        self.assertEqual(run(diff), (0, {"天.md": ["1"]}))

    def test_exit_codes(self):
        self.assertEqual(run(b""), (0, {}))
        self.assertEqual(run(b"hello\n")[0], 3)
        self.assertEqual(run(b"diff --git a/d b/d\n--- a/d\n+++ b/d\n@@ -0,0 +1,9 @@\n+x\n")[0], 3)
        self.assertEqual(run(b"", "--no-such-option")[0], 2)

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_what_git_itself_prints(self):
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org"]
            file = pathlib.Path(folder, "a b.txt")
            subprocess.run([*git, "init", "-q"], check=True)
            file.write_text("".join(f"{n}\n" for n in range(1, 21)))
            subprocess.run([*git, "add", "."], check=True)
            subprocess.run([*git, "commit", "-qm", "one"], check=True)
            file.write_text("".join(f"{n}\n" for n in [1, 2, "two and a half", *range(3, 15), "x", "y"]))
            for context in ("0", "3"):
                diff = subprocess.run([*git, "diff", f"--unified={context}"], check=True, capture_output=True).stdout
                self.assertEqual(run(diff), (0, {"a b.txt": ["3", "16-17"]}))


if __name__ == "__main__":
    unittest.main()
