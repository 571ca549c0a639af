#!/usr/bin/env python3
"""Cuts a long text into sections, shows one, and checks quotes against the text.

    sections.py list FILE            a line per section: number, words, heading
    sections.py show FILE NUMBER     the text of one section
    sections.py check FILE           quotes on standard input, one a line; prints those not found

A section begins at a Markdown heading; one of more than 1,200 words is cut at paragraphs.
Exit codes: 0 done, 1 a quote was not found, 2 wrong usage, 3 the file cannot be read.
"""

import argparse
import re
import sys
import unicodedata

LONGEST = 1200
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def words(text):
    """Words of a text, where two CJK characters count as one."""
    return len(CJK.sub(" ", text).split()) + (len(CJK.findall(text)) + 1) // 2


def paragraphs(lines):
    """The lines between headings and blank lines, fenced code kept whole."""
    block, fence = [], False
    for line in lines:
        fence ^= line.lstrip().startswith("```")
        heading = not fence and re.match(r"#{1,6} ", line)
        if (heading or (not fence and not line.strip())) and block:
            yield block
            block = []
        if line.strip() or fence:
            block.append(line)
    if block:
        yield block


def sections(text):
    """(heading, text) of each section, in order."""
    found, heading, part = [], "(beginning)", 0
    body = []

    def close():
        if body:
            name = heading if part == 0 else f"{heading} ({part + 1})"
            found.append((name, "\n\n".join(body)))
            body.clear()

    for block in paragraphs(text.splitlines()):
        paragraph = "\n".join(block)
        if match := re.match(r"#{1,6} +(.*?)[ #]*$", block[0]):
            close()
            heading, part = match.group(1), 0
        elif body and words("\n".join([*body, paragraph])) > LONGEST:
            close()
            part += 1
        body.append(paragraph)
    close()
    return found


def plain(text):
    """A text as quotes are compared: one blank between words, no difference of quotes and dashes."""
    text = unicodedata.normalize("NFC", text).translate(str.maketrans("“”„‘’–—", '""\"\'\'--'))
    return " ".join(text.split())


def main(arguments):
    parser = argparse.ArgumentParser(description="Sections of a long text.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("list", "show", "check"):
        command = commands.add_parser(name)
        command.add_argument("file")
        if name == "show":
            command.add_argument("number", type=int)
    options = parser.parse_args(arguments)
    try:
        with open(options.file, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        print(f"sections.py: {options.file}: {error}", file=sys.stderr)
        return 3

    if options.command == "check":
        whole = plain(text)
        quotes = [line.strip() for line in sys.stdin if line.strip()]
        missing = [quote for quote in quotes if plain(quote) not in whole]
        print("\n".join(missing) if missing else f"{len(quotes)} found")
        return 1 if missing else 0
    found = sections(text)
    if options.command == "list":
        for number, (heading, body) in enumerate(found, 1):
            print(f"{number}\t{words(body)}\t{heading}")
        return 0
    if not 1 <= options.number <= len(found):
        parser.error(f"there are sections 1 to {len(found)}")
    print(found[options.number - 1][1])
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))
