#!/usr/bin/env python3
"""Draws a bar chart as a PNG: `barchart.py DATA.json PICTURE.png`.

DATA holds {"title": text, "values": {label: number, ...}}. Needs the standard library only.
Exit codes: 0 picture written, 2 wrong usage, 3 the input is not as described, 4 it cannot be written.
"""

import argparse
import json
import math
import struct
import sys
import zlib

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 24, 24, 56, 40
MOST = 24
WHITE, INK, GREY, BAR = (255, 255, 255), (32, 33, 36), (208, 211, 217), (46, 110, 190)

# A font of 5 by 7 pixels: seven rows of five bits for each character, as hexadecimal.
FONT = dict(zip(
    " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.,:;-+/%()!?'&=#_",
    (bytes.fromhex(glyph) for glyph in (
        "00000000000000 0e11131519110e 040c040404040e 0e11010204081f 1f02040201110e 02060a121f0202 1f101e0101110e "
        "0608101e11110e 1f010204080808 0e11110e11110e 0e11110f01020c 0e11111f111111 1e11111e11111e 0e11101010110e "
        "1c12111111121c 1f10101e10101f 1f10101e101010 0e11101711110f 1111111f111111 0e04040404040e 0702020202120c "
        "11121418141211 1010101010101f 111b1515111111 11111915131111 0e11111111110e 1e11111e101010 0e11111115120d "
        "1e11111e141211 0f10100e01011e 1f040404040404 1111111111110e 11111111110a04 1111111515150a 11110a040a1111 "
        "1111110a040404 1f01020408101f 00000000000c0c 000000000c0408 000c0c000c0c00 000c0c000c0408 0000001f000000 "
        "0004041f040400 00010204081000 18190204081303 02040808080402 08040202020408 04040404000004 0e110102040004 "
        "0c040800000000 0c12140815120d 00001f001f0000 0a0a1f0a1f0a0a 0000000000001f"
    ).split()),
))


class Fault(Exception):
    """The input is not as described."""


class Picture:
    """Pixels, and what can be drawn on them."""

    def __init__(self):
        self.rows = [bytearray(WHITE * WIDTH) for _ in range(HEIGHT)]

    def box(self, left, top, right, bottom, colour):
        for row in self.rows[max(top, 0):max(bottom, 0)]:
            row[3 * left:3 * right] = bytes(colour) * max(right - left, 0)

    def text(self, middle, top, text, scale):
        left = middle - width(text, scale) // 2
        for index, character in enumerate(text.upper()):
            for y, bits in enumerate(FONT.get(character, FONT["?"])):
                for x in range(5):
                    if bits >> (4 - x) & 1:
                        at = left + (6 * index + x) * scale
                        if 0 <= at <= WIDTH - scale:
                            self.box(at, top + y * scale, at + scale, top + (y + 1) * scale, INK)

    def png(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + row for row in self.rows), 9)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def width(text, scale):
    return (6 * len(text) - 1) * scale


def fitted(text, room, scale):
    """The text, cut to what fits into `room` pixels."""
    return text[:max((room // scale + 1) // 6, 0)]


def number(value):
    return f"{value:g}" if abs(value) < 1e6 else f"{value:.2e}"


def read(document):
    """Title and values of the input, checked."""
    if not isinstance(document, dict) or not isinstance(document.get("values"), dict):
        raise Fault("values is missing or no object")
    title, values = document.get("title", ""), document["values"]
    if not isinstance(title, str):
        raise Fault("title is no text")
    if not 1 <= len(values) <= MOST:
        raise Fault(f"{len(values)} values; 1 to {MOST} can be drawn")
    for label, value in values.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
            raise Fault(f"the value of {label} is no number from 0 upwards")
    return title, values


def draw(title, values):
    picture = Picture()
    picture.text(WIDTH // 2, 16, fitted(title, WIDTH - LEFT - RIGHT, 2), 2)
    floor, room = HEIGHT - BOTTOM, HEIGHT - TOP - BOTTOM - 16
    most = max(values.values()) or 1
    slot = (WIDTH - LEFT - RIGHT) // len(values)
    for index, (label, value) in enumerate(values.items()):
        left, top = LEFT + index * slot, floor - round(room * value / most)
        picture.box(left + slot // 6, top, left + slot - slot // 6, floor, BAR)
        picture.text(left + slot // 2, top - 12, fitted(number(value), slot, 1), 1)
        picture.text(left + slot // 2, floor + 10, fitted(label, slot - 2, 1), 1)
    picture.box(LEFT, floor, WIDTH - RIGHT, floor + 2, GREY)
    return picture


def main(arguments):
    parser = argparse.ArgumentParser(description="Draws a bar chart as a PNG.")
    parser.add_argument("data", metavar="DATA.json")
    parser.add_argument("picture", metavar="PICTURE.png")
    options = parser.parse_args(arguments)
    try:
        with open(options.data, encoding="utf-8") as file:
            title, values = read(json.load(file))
    except (OSError, ValueError, Fault) as error:
        print(f"barchart.py: {options.data}: {error}", file=sys.stderr)
        return 3
    try:
        with open(options.picture, "wb") as file:
            file.write(draw(title, values).png())
    except OSError as error:
        print(f"barchart.py: {error}", file=sys.stderr)
        return 4
    print(f"{options.picture}: {len(values)} bars, highest {number(max(values.values()))}")
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stderr.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
