#!/usr/bin/env python3
"""An independent implementation of the tree digest, after docs/FORMAT.md alone. Python's standard library only.

Prints the vectors that tree_digest.json holds: for each input the preimage and the digest.
"""

import hashlib
import json
import unicodedata

INPUTS = [
    ("one file", [("SKILL.md", False, "# hi\n")]),
    ("an empty file", [("SKILL.md", False, ""), ("empty", True, "")]),
    ("executable bit", [("SKILL.md", False, "x"), ("scripts/run.sh", True, "#!/bin/sh\n")]),
    ("byte order, not letter order", [("b", False, "1"), ("C", False, "2"), ("a/z", False, "3"), ("a-z", False, "4"),
                                      ("a.z", False, "5"), ("SKILL.md", False, "6"), ("_", False, "7")]),
    ("paths outside ASCII", [("SKILL.md", False, "技能\n"), ("数据/天气.md", False, "晴"), ("é.md", False, "nfc"),
                             ("𝔸.md", False, "astral"), ("ﬁ.md", False, "ligature")]),
    ("decomposed in, composed out", [("SKILL.md", False, "x"), ("e\u0301tude.md", False, "nfd")]),
    ("blanks in a path", [("SKILL.md", False, "x"), ("a b/c d.md", False, "y")]),
    ("line ends are bytes", [("SKILL.md", False, "a\r\nb\n\r\n")]),
]


def digest(files):
    """Preimage and digest of a list of (path, executable, text)."""
    lines = []
    for path, executable, text in files:
        raw_path = unicodedata.normalize("NFC", path).encode("utf-8")
        raw = text.encode("utf-8")
        mode = b"100755" if executable else b"100644"
        fields = [mode, b"%d" % len(raw), hashlib.sha256(raw).hexdigest().encode(), b"%d" % len(raw_path), raw_path]
        lines.append((raw_path, b" ".join(fields) + b"\n"))
    preimage = b"skill-tree-v1\n" + b"".join(line for _, line in sorted(lines))
    return preimage.decode("utf-8"), "sha256:" + hashlib.sha256(preimage).hexdigest()


def main():
    vectors = []
    for name, files in INPUTS:
        preimage, tree = digest(files)
        listed = [{"path": path, "executable": executable, "text": text} for path, executable, text in files]
        vectors.append({"name": name, "files": listed, "preimage": preimage, "digest": tree})
    print(json.dumps(vectors, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
