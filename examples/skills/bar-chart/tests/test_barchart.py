#!/usr/bin/env python3
"""Runs scripts/barchart.py as an agent would: `python3 tests/test_barchart.py`."""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

SKILL = pathlib.Path(__file__).resolve().parent.parent
WIDTH, HEIGHT = 640, 400


def pixels(data):
    """The pixels of a PNG as this script writes it. Every checksum is checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, found = 8, {}
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        found[kind], at = body, at + 12 + length
    assert found[b"IHDR"] == struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    raw = zlib.decompress(found[b"IDAT"])
    assert len(raw) == HEIGHT * (3 * WIDTH + 1)
    return raw


class BarChart(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.picture = pathlib.Path(self.folder.name, "chart.png")

    def run_on(self, document, picture=None):
        data = pathlib.Path(self.folder.name, "data.json")
        data.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        call = [sys.executable, str(SKILL / "scripts/barchart.py"), str(data), str(picture or self.picture)]
        done = subprocess.run(call, capture_output=True, encoding="utf-8")
        return done.returncode, done.stdout, done.stderr

    def test_the_example_is_what_the_script_draws(self):
        code, out, _ = self.run_on((SKILL / "assets/example.json").read_text(encoding="utf-8"))
        self.assertEqual((code, out), (0, f"{self.picture}: 5 bars, highest 24\n"))
        # Pixels are compared, for another zlib may pack them differently.
        self.assertEqual(pixels(self.picture.read_bytes()), pixels((SKILL / "assets/example.png").read_bytes()))

    def test_heights_are_in_proportion(self):
        self.run_on({"values": {"a": 10, "b": 5}})
        raw = pixels(self.picture.read_bytes())
        column = lambda x: sum(raw[y * (3 * WIDTH + 1) + 1 + 3 * x:][:3] == bytes((46, 110, 190)) for y in range(HEIGHT))
        self.assertEqual(column(170), 2 * column(466))

    def test_nothing_but_zeros(self):
        self.assertEqual(self.run_on({"values": {"a": 0}})[0], 0)

    def test_labels_that_are_too_long_or_not_in_the_font(self):
        self.assertEqual(self.run_on({"title": "标题" * 50, "values": {f"label {n} " * 9: n for n in range(24)}})[0], 0)

    def test_exit_codes(self):
        for bad in ["no json", "[]", {"values": {}}, {"values": {"a": -1}}, {"values": {"a": "1"}}, {"values": {"a": True}},
                    '{"values": {"a": NaN}}', {"title": 1, "values": {"a": 1}}, {"values": {str(n): n for n in range(25)}}]:
            self.assertEqual(self.run_on(bad)[:2], (3, ""), bad)
            self.assertFalse(self.picture.exists())
        self.assertEqual(self.run_on({"values": {"a": 1}}, self.folder.name)[0], 4)
        script = str(SKILL / "scripts/barchart.py")
        self.assertEqual(subprocess.run([sys.executable, script], capture_output=True).returncode, 2)


if __name__ == "__main__":
    unittest.main()
