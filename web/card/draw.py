"""Draws web/static/card.png, the picture that a shared link to this registry shows: 1200 x 630, as Open Graph readers
expect it. Python's standard library only. Run it after a change: python3 web/card/draw.py"""

import math
import pathlib
import struct
import zlib

WIDTH, HEIGHT = 1200, 630
PAPER, INK, BLUE, LIGHT, WHITE, LINE = "fafaf8", "1a1e1c", "17528f", "8fbcf7", "ffffff", "d8dbd6"

canvas = [[tuple(bytes.fromhex(PAPER))] * WIDTH for _ in range(HEIGHT)]


def blend(x, y, colour, share):
    if 0 <= x < WIDTH and 0 <= y < HEIGHT and share > 0:
        new, old = bytes.fromhex(colour), canvas[y][x]
        canvas[y][x] = tuple(round(o + (n - o) * min(share, 1)) for n, o in zip(new, old))


def fill(points, colour):
    """A convex polygon, its corners clockwise."""
    edges = list(zip(points, points[1:] + points[:1]))
    for y in range(int(min(p[1] for p in points)) - 1, int(max(p[1] for p in points)) + 2):
        for x in range(int(min(p[0] for p in points)) - 1, int(max(p[0] for p in points)) + 2):
            inside = 1.0
            for (ax, ay), (bx, by) in edges:
                across = (bx - ax) * (y + 0.5 - ay) - (by - ay) * (x + 0.5 - ax)
                inside = min(inside, across / math.hypot(bx - ax, by - ay) + 0.5)
            blend(x, y, colour, inside)


def strokes(lines, width, colour):
    """Lines with round ends; what lies over each other is not darker."""
    near = {}
    for line in lines:
        for (ax, ay), (bx, by) in zip(line, line[1:] or line):
            long = (bx - ax) ** 2 + (by - ay) ** 2
            for y in range(int(min(ay, by) - width), int(max(ay, by) + width) + 1):
                for x in range(int(min(ax, bx) - width), int(max(ax, bx) + width) + 1):
                    px, py = x + 0.5, y + 0.5
                    along = max(0, min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / long)) if long else 0
                    apart = math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay))
                    near[x, y] = min(near.get((x, y), width), apart)
    for (x, y), apart in near.items():
        blend(x, y, colour, width / 2 - apart + 0.5)


def arc(cx, cy, rx, ry, begin, end):
    steps = [math.radians(begin + (end - begin) * step / 24) for step in range(25)]
    return [(cx + rx * math.cos(at), cy + ry * math.sin(at)) for at in steps]


# Letters of one line width: how wide each is, and its lines; 0 is the foot of the line, 1 the height of an x.
LETTERS = {
    "s": (0.62, [arc(0.31, 0.75, 0.29, 0.25, 25, 270) + arc(0.31, 0.25, 0.31, 0.25, 90, -155)]),
    "k": (0.62, [[(0, 0), (0, 1.5)], [(0.58, 1), (0, 0.4)], [(0.2, 0.6), (0.62, 0)]]),
    "i": (0.0, [[(0, 0), (0, 1)], [(0, 1.42)]]),
    "l": (0.0, [[(0, 0), (0, 1.5)]]),
    "r": (0.42, [[(0, 0), (0, 1)], arc(0.4, 0.58, 0.4, 0.42, 180, 85)]),
    "e": (0.84, [[(0, 0.53), (0.84, 0.53)], arc(0.42, 0.5, 0.42, 0.5, 4, 318)]),
    "g": (0.84, [arc(0.42, 0.5, 0.42, 0.5, 0, 360), [(0.84, 1), (0.84, -0.1)], arc(0.42, -0.1, 0.42, 0.38, 0, -150)]),
    "t": (0.42, [[(0.14, 1.38), (0.14, 0.26)] + arc(0.4, 0.26, 0.26, 0.26, 180, 275), [(-0.08, 1), (0.42, 1)]]),
    "y": (0.76, [[(0, 1), (0.39, 0.04)], [(0.76, 1), (0.28, -0.28), (0.2, -0.42), (0.02, -0.46)]]),
}


def write(text, left, foot, size, width, colour):
    lines = []
    for letter in text:
        if letter == " ":
            left += size * 0.5
            continue
        wide, shapes = LETTERS[letter]
        lines += [[(left + x * size, foot - y * size) for x, y in shape] for shape in shapes]
        left += (wide + 0.42) * size
    strokes(lines, width, colour)


def icon(left, top, scale):
    """What icon.svg shows."""
    at = lambda *points: [(left + x * scale, top + y * scale) for x, y in points]
    fill(at((6, 3), (21, 3), (21, 29), (6, 29)), BLUE)
    fill(at((20.9, 3), (21, 3), (27, 9), (27, 29), (20.9, 29)), BLUE)
    fill(at((21, 3), (27, 9), (21, 9)), LIGHT)
    strokes([at((11, 18.5), (15, 22.5), (22.5, 14))], 3 * scale, WHITE)


def png():
    rows = b"".join(b"\0" + bytes(part for pixel in row for part in pixel) for row in canvas)
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


fill([(0, 606), (1200, 606), (1200, 630), (0, 630)], BLUE)
strokes([[(442, 398), (1128, 398)]], 3, LINE)
icon(60, 130, 11)
write("skill registry", 444, 334, 66, 12.5, INK)
pathlib.Path(__file__).parents[1].joinpath("static", "card.png").write_bytes(png())
