#!/usr/bin/env python3
"""Runs scripts/render.py as an agent would: `python3 tests/test_render.py`."""

import json
import pathlib
import subprocess
import sys
import unittest

SKILL = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = json.loads((SKILL / "assets/example.json").read_text(encoding="utf-8"))


def run(data, *arguments):
    text = data if isinstance(data, str) else json.dumps(data)
    call = [sys.executable, str(SKILL / "scripts/render.py"), *arguments]
    done = subprocess.run(call, input=text, capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


class Render(unittest.TestCase):
    maxDiff = None

    def test_the_example(self):
        self.assertEqual(run(EXAMPLE), (0, (SKILL / "assets/example.txt").read_text(encoding="utf-8"), ""))

    def test_chinese(self):
        lines = run(EXAMPLE, "--lang", "zh")[1].splitlines()
        self.assertEqual(lines[0], "2026-12-01 星期二　Hangzhou")
        self.assertIn("  15:00-16:00 Call with Lin [与「Design review」冲突]", lines)

    def test_nothing_and_unknown_are_different(self):
        quiet = {**EXAMPLE, "mail": [], "tasks": [], "unavailable": ["tasks"]}
        self.assertIn("Waiting for an answer\n  nothing\n\nTasks\n  not known: the tool did not answer\n", run(quiet)[1])

    def test_long_lists_are_cut_and_counted(self):
        lines = run({**EXAMPLE, "mail": [{"from": "A", "subject": str(n)} for n in range(8)]})[1].splitlines()
        self.assertIn("  A: 4", lines)
        self.assertIn("  and 3 more", lines)
        self.assertNotIn("  A: 5", lines)

    def test_line_ends_in_a_title_cannot_break_the_layout(self):
        self.assertIn("  A: x y\n", run({**EXAMPLE, "mail": [{"from": "A", "subject": "x\n\ny"}]})[1])

    def test_faults_are_named(self):
        for change, message in [
            ({"city": None}, "city is missing or of a wrong type"),
            ({"date": "1.12."}, "date is not a date like 2026-12-01"),
            ({"appointments": [{"start": "9:30", "end": "10:00", "title": "x"}]}, "appointments[0].start is not a time like 09:30"),
            ({"weather": {"low": "6"}}, "weather.low is missing or of a wrong type"),
        ]:
            code, out, err = run({**EXAMPLE, **change})
            self.assertEqual((code, out, err), (3, "", f"render.py: {message}\n"))

    def test_exit_codes(self):
        self.assertEqual(run("not json")[0], 3)
        self.assertEqual(run("[]")[0], 3)
        self.assertEqual(run(EXAMPLE, "--lang", "fr")[0], 2)


if __name__ == "__main__":
    unittest.main()
