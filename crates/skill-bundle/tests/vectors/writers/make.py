#!/usr/bin/env python3
"""Packs each folder `my` below the work directory's folders with every writer in Python's library, into the folder
that is named: zips seekable and streamed, stored and deflated, with and without zip64, and tars of three formats.
"""

import io
import os
import sys
import tarfile
import zipfile

OUT = sys.argv[1]


class Pipe(io.RawIOBase):
    """A file that cannot be sought in."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


def files(tree):
    """Paths relative to the tree, folders first."""
    for folder, folders, names in os.walk(os.path.join(tree, "my")):
        folders.sort()
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), tree)


def zip_of(tree, path, method, streamed, wide):
    """A zip of the tree."""
    with open(path, "wb") as file, zipfile.ZipFile(Pipe(file) if streamed else file, "w", method) as archive:
        for name in files(tree):
            info = zipfile.ZipInfo.from_file(os.path.join(tree, name), name)
            info.compress_type = method
            with open(os.path.join(tree, name), "rb") as source, archive.open(info, "w", force_zip64=wide) as entry:
                entry.write(source.read())


for tree in sorted(os.listdir(".")):
    for method, kind in [(zipfile.ZIP_STORED, "stored"), (zipfile.ZIP_DEFLATED, "deflated")]:
        for streamed in (False, True):
            for wide in (False, True):
                name = f"python-{kind}{'-streamed' * streamed}{'-zip64' * wide}-{tree}.zip"
                zip_of(tree, os.path.join(OUT, name), method, streamed, wide)
    for number, kind in enumerate(["ustar", "gnu", "pax"]):
        for ending in ("tar", "tar.gz"):
            mode = "w:gz" if ending == "tar.gz" else "w"
            name = os.path.join(OUT, f"python-{kind}-{tree}.{ending}")
            with tarfile.open(name, mode, format=number) as archive:
                archive.add(os.path.join(tree, "my"), "my")
