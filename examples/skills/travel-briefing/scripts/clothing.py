#!/usr/bin/env python3
"""Turns a temperature and a weather description into advice on clothes.

Deterministic: the same input gives the same bytes. Needs the standard library only.

Exit codes: 0 advice printed, 2 wrong usage, 3 unknown weather words, 4 temperature out of range.
"""

import argparse
import json
import sys

# Feels-like temperature from which a band begins, and what it means to wear.
BANDS = [
    (28, "hot", "a T-shirt and light trousers or a skirt", "短袖，薄长裤或裙子"),
    (22, "warm", "a T-shirt, with a thin layer for indoors", "短袖，室内备薄外套"),
    (16, "mild", "a long-sleeved shirt and a light jacket", "长袖衬衫加薄外套"),
    (10, "cool", "a sweater and a jacket", "毛衣加外套"),
    (3, "cold", "a warm coat over a sweater", "毛衣加厚大衣"),
    (-8, "freezing", "a winter coat, warm trousers, hat and gloves", "羽绒服、厚裤子、帽子和手套"),
    (-100, "arctic", "a down coat over two layers, lined boots, hat, gloves and scarf", "加厚羽绒服、两层内搭、棉靴、帽子、手套和围巾"),
]

# What a kind of weather adds. The order is that of the output.
EXTRAS = [
    ("storm", "stay indoors while it thunders", "打雷时留在室内"),
    ("rain", "a waterproof jacket or an umbrella", "雨衣或雨伞"),
    ("sleet", "waterproof shoes", "防水鞋"),
    ("snow", "boots with a grip", "防滑靴"),
    ("fog", "something bright to be seen in", "显眼的衣服"),
    ("dust", "a mask", "口罩"),
    ("wind", "a windproof layer instead of an umbrella", "防风外套，不要带伞"),
    ("sun", "sunglasses and sunscreen", "墨镜和防晒霜"),
]

# Words and the kinds they stand for. The longest word that matches wins over the words inside of it.
WORDS = {
    "clear": ["sun"], "sunny": ["sun"], "晴": ["sun"],
    "partly cloudy": [], "cloud": [], "overcast": [], "多云": [], "阴": [],
    "fog": ["fog"], "mist": ["fog"], "haze": ["dust"], "smog": ["dust"], "雾": ["fog"], "霾": ["dust"],
    "rain": ["rain"], "drizzle": ["rain"], "shower": ["rain"], "雨": ["rain"],
    "thunder": ["storm", "rain"], "storm": ["storm", "rain"], "雷": ["storm", "rain"], "暴雨": ["storm", "rain"],
    "snowstorm": ["snow", "wind"], "sandstorm": ["dust", "wind"], "sleet": ["sleet", "rain"],
    "freezing rain": ["sleet", "rain"], "雨夹雪": ["sleet", "rain"], "冻雨": ["sleet", "rain"],
    "snow": ["snow"], "blizzard": ["snow", "wind"], "hail": ["storm"], "雪": ["snow"], "冰雹": ["storm"],
    "wind": ["wind"], "gale": ["wind"], "大风": ["wind"], "台风": ["storm", "rain", "wind"],
    "typhoon": ["storm", "rain", "wind"], "dust": ["dust"], "sand": ["dust"], "沙": ["dust"], "扬尘": ["dust"],
}

WINDY = 30  # km/h from which wind counts as weather and takes 3 degrees off


def kinds_of(weather):
    """The kinds of weather that a description names, or None if no word of it is known."""
    rest, kinds, known = weather.lower(), set(), False
    for word in sorted(WORDS, key=lambda word: (-len(word), word)):
        if word in rest:
            rest, known = rest.replace(word, "\0"), True
            kinds.update(WORDS[word])
    return kinds if known else None


def advise(celsius, weather, wind):
    """The advice as data; None if the weather is not known."""
    kinds = kinds_of(weather)
    if kinds is None:
        return None
    if wind >= WINDY:
        kinds.add("wind")
    feels = celsius - 3 if "wind" in kinds else celsius
    band = next(band for band in BANDS if feels >= band[0])
    if "sun" in kinds and feels < 10:
        kinds.discard("sun")
    return {"feels": round(feels, 1), "band": band, "extras": [extra for extra in EXTRAS if extra[0] in kinds]}


def main(arguments):
    parser = argparse.ArgumentParser(description="Advice on clothes from temperature and weather.")
    parser.add_argument("--temp", type=float, required=True, metavar="NUMBER", help="temperature")
    parser.add_argument("--weather", required=True, metavar="WORDS", help="description, English or Chinese")
    parser.add_argument("--wind", type=float, default=0, metavar="KMH", help="wind in km/h (default 0)")
    parser.add_argument("--unit", choices=["C", "F"], default="C", help="unit of --temp (default C)")
    parser.add_argument("--lang", choices=["auto", "en", "zh"], default="auto", help="language of the advice")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="text or json (default text)")
    options = parser.parse_args(arguments)

    celsius = options.temp if options.unit == "C" else (options.temp - 32) * 5 / 9
    if not -60 <= celsius <= 60:
        print(f"clothing.py: {celsius:.1f} °C is outside -60..60", file=sys.stderr)
        return 4
    advice = advise(celsius, options.weather, options.wind)
    if advice is None:
        print(f"clothing.py: no weather word is known in: {options.weather}", file=sys.stderr)
        return 3

    chinese = any("\u4e00" <= character <= "\u9fff" for character in options.weather)
    language = options.lang if options.lang != "auto" else ("zh" if chinese else "en")
    column = 2 if language == "zh" else 1
    wear = advice["band"][column + 1]
    extras = [extra[column] for extra in advice["extras"]]
    text = ("；" if language == "zh" else "; ").join([wear, *extras])
    if options.format == "json":
        document = {
            "feelsLikeCelsius": advice["feels"],
            "band": advice["band"][1],
            "wear": wear,
            "extras": extras,
            "language": language,
            "advice": text,
        }
        print(json.dumps(document, ensure_ascii=False))
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stderr.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
