#!/usr/bin/env python3
"""Runs scripts/sections.py as an agent would: `python3 tests/test_sections.py`."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "sections.py"
TEXT = """Foreword of four words.

# One

The board “expects” growth
of 3 percent.

```
# not a heading

code
```

## Two ##

年度报告共有三章。
"""


class Sections(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_on(self, text, command, *arguments, stdin=""):
        path = pathlib.Path(self.folder.name, "document.md")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        call = [sys.executable, str(SCRIPT), command, str(path), *arguments]
        done = subprocess.run(call, input=stdin, capture_output=True, encoding="utf-8")
        return done.returncode, done.stdout

    def test_list(self):
        self.assertEqual(self.run_on(TEXT, "list"), (0, "1\t4\t(beginning)\n2\t16\tOne\n3\t8\tTwo\n"))

    def test_show_gives_every_word_once(self):
        shown = "".join(self.run_on(TEXT, "show", str(number))[1] for number in (1, 2, 3))
        self.assertEqual(shown.split(), TEXT.split())

    def test_long_sections_are_cut_at_paragraphs(self):
        text = "# Long\n\n" + "\n\n".join(["word " * 500] * 5)
        code, out = self.run_on(text, "list")
        self.assertEqual((code, [line.split("\t")[2] for line in out.splitlines()]), (0, ["Long", "Long (2)", "Long (3)"]))

    def test_quotes(self):
        self.assertEqual(self.run_on(TEXT, "check", stdin='The board "expects" growth of 3 percent.\n共有三章\n'), (0, "2 found\n"))
        self.assertEqual(self.run_on(TEXT, "check", stdin="growth of 4 percent\n三章\n"), (1, "growth of 4 percent\n"))

    def test_exit_codes(self):
        self.assertEqual(self.run_on("", "list"), (0, ""))
        self.assertEqual(self.run_on(TEXT, "show", "4")[0], 2)
        self.assertEqual(self.run_on(TEXT, "print")[0], 2)
        self.assertEqual(self.run_on(b"caf\xe9", "list")[0], 3)


if __name__ == "__main__":
    unittest.main()
