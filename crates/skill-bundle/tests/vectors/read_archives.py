#!/usr/bin/env python3
"""Reads the archives named on its command line as Python's own modules do.

Prints one line for each: the sorted SHA-256 digests of its files, or `refused`.
"""

import hashlib
import sys
import tarfile
import zipfile


def contents(path):
    """The bytes of every file in an archive."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return [archive.read(entry) for entry in archive.infolist() if not entry.is_dir()]
    with tarfile.open(path) as archive:
        return [archive.extractfile(entry).read() for entry in archive if entry.isfile()]


for name in sys.argv[1:]:
    try:
        print(*sorted(hashlib.sha256(content).hexdigest() for content in contents(name)))
    except Exception:  # whatever it says, it has not read it
        print("refused")
