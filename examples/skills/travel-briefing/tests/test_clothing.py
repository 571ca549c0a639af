#!/usr/bin/env python3
"""Runs scripts/clothing.py as an agent would: `python3 tests/test_clothing.py`."""

import json
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "clothing.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPT.parent))

import clothing  # noqa: E402


def run(*arguments):
    done = subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout.rstrip("\n"), done.stderr


class Clothing(unittest.TestCase):
    def advice(self, *arguments):
        code, out, err = run(*arguments)
        self.assertEqual((code, err), (0, ""))
        return out

    def test_english(self):
        self.assertEqual(
            self.advice("--temp", "6", "--weather", "light rain"),
            "a warm coat over a sweater; a waterproof jacket or an umbrella",
        )

    def test_chinese_is_recognised(self):
        self.assertEqual(self.advice("--temp", "-24", "--weather", "小雪"), "加厚羽绒服、两层内搭、棉靴、帽子、手套和围巾；防滑靴")
        self.assertEqual(self.advice("--temp", "31", "--weather", "晴转多云"), "短袖，薄长裤或裙子；墨镜和防晒霜")

    def test_language_can_be_chosen(self):
        self.assertEqual(self.advice("--temp", "18", "--weather", "多云", "--lang", "en"), "a long-sleeved shirt and a light jacket")

    def test_the_longest_word_counts(self):
        self.assertEqual(self.advice("--temp", "1", "--weather", "雨夹雪"), "羽绒服、厚裤子、帽子和手套；雨衣或雨伞；防水鞋")
        self.assertIn("a mask", self.advice("--temp", "20", "--weather", "sandstorm"))
        self.assertNotIn("thunders", self.advice("--temp", "20", "--weather", "sandstorm"))

    def test_wind_makes_it_colder(self):
        calm = json.loads(self.advice("--temp", "11", "--weather", "cloudy", "--format", "json"))
        windy = json.loads(self.advice("--temp", "11", "--weather", "cloudy", "--wind", "35", "--format", "json"))
        self.assertEqual((calm["band"], windy["band"]), ("cool", "cold"))
        self.assertEqual(windy["extras"], ["a windproof layer instead of an umbrella"])

    def test_bands_meet_without_a_gap(self):
        bands = [clothing.advise(celsius, "cloudy", 0)["band"][1] for celsius in range(-60, 61)]
        self.assertEqual(list(dict.fromkeys(bands)), ["arctic", "freezing", "cold", "cool", "mild", "warm", "hot"])

    def test_fahrenheit(self):
        self.assertEqual(self.advice("--temp", "50", "--unit", "F", "--weather", "cloudy"), self.advice("--temp", "10", "--weather", "cloudy"))

    def test_exit_codes(self):
        self.assertEqual(run("--temp", "10")[0], 2)
        self.assertEqual(run("--temp", "warm", "--weather", "clear")[0], 2)
        self.assertEqual(run("--temp", "10", "--weather", "plasma")[0], 3)
        self.assertEqual(run("--temp", "100", "--weather", "clear")[0], 4)
        self.assertEqual(run("--temp", "nan", "--weather", "clear")[0], 4)

    def test_the_same_input_gives_the_same_bytes(self):
        arguments = ("--temp", "3", "--weather", "thunderstorm with hail", "--format", "json")
        self.assertEqual(len({run(*arguments) for _ in range(3)}), 1)


if __name__ == "__main__":
    unittest.main()
