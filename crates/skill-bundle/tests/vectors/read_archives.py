#!/usr/bin/env python3
"""Reads every archive in a folder as Python's own modules do.

Prints a JSON object: for each file's name either null, where Python refuses it, or an object. Its `files` are
lists: path as hex, whether the owner may execute it or null where the archive does not say, SHA-256 of the content;
folders are left out. Of a zip's path that is not marked as UTF-8 its bytes follow: Python takes them for DOS's code
page. Its `quirks` are what other readers are known to get wrong about it.
"""

import hashlib
import io
import json
import os
import struct
import subprocess
import sys
import tarfile
import zipfile

UNIX = 3
DESCRIPTOR = 0x8
UTF8_NAME = 0x800
UNICODE_PATH = b"up"
ZIP64 = b"\x01\0"


def from_zip(path):
    """Path, executable, content and unmarked bytes of the path, of each file."""
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            content = archive.read(entry)
            if entry.is_dir():
                continue
            unmarked = None if entry.flag_bits & UTF8_NAME else entry.orig_filename.encode("cp437")
            mode = entry.external_attr >> 16
            says = entry.create_system == UNIX and mode != 0
            yield entry.filename.encode("utf-8"), bool(mode & 0o100) if says else None, content, unmarked


def local_extra(file, entry):
    """The extra fields in front of an entry's data."""
    file.seek(entry.header_offset + 26)
    name, extra = struct.unpack("<HH", file.read(4))
    file.seek(name, os.SEEK_CUR)
    return file.read(extra)


def quirks(path):
    """What Info-ZIP's unzip 6.0 is known to get wrong."""
    if not path.endswith(".zip"):
        return
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
    # It takes names made on other systems than unix for DOS's code page even where they are marked as UTF-8.
    if any(not entry.orig_filename.isascii() and entry.create_system != UNIX for entry in entries):
        yield "unzip spells names otherwise"
    # It sees an overlap where a descriptor follows one entry and another has an extra field with 64-bit sizes or a name:
    # once it has seen one of these, it takes all descriptors for the longer kind.
    with open(path, "rb") as file:
        extras = b"".join(entry.extra + local_extra(file, entry) for entry in entries)
    if any(entry.flag_bits & DESCRIPTOR for entry in entries) and (UNICODE_PATH in extras or ZIP64 in extras):
        yield "unzip sees an overlap"


def from_tar(file):
    """The same of a tar."""
    with tarfile.open(fileobj=file) as archive:
        for entry in archive:
            if entry.isdir():
                continue
            if not entry.isfile():
                raise ValueError("neither a file nor a folder")
            raw = entry.name.encode("utf-8", "surrogateescape")
            yield raw, bool(entry.mode & 0o100) if entry.mode else None, archive.extractfile(entry).read(), None


def contents(path):
    """Whatever the format."""
    if path.endswith(".zip"):
        return list(from_zip(path))
    if path.endswith(".zst"):
        unpacked = subprocess.run(["zstd", "-dqc", path], check=True, capture_output=True).stdout
        return list(from_tar(io.BytesIO(unpacked)))
    with open(path, "rb") as file:
        return list(from_tar(file))


def main(folder):
    """Prints what is in the folder."""
    answer = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        try:
            files = [
                [raw.hex(), may, hashlib.sha256(content).hexdigest(), unmarked and unmarked.hex()]
                for raw, may, content, unmarked in contents(path)
            ]
            answer[name] = {"files": files, "quirks": list(quirks(path))}
        except Exception:  # whatever it says, it has not read it
            answer[name] = None
    json.dump(answer, sys.stdout)


main(sys.argv[1])
