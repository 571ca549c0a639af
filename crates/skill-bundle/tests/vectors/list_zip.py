#!/usr/bin/env python3
"""Prints what a zip's list says of each entry, as Python's own module reads it: mode, system, versions, flags, method,
time, size, bytes of extra fields and comments, name.
"""

import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    print(f"comment {len(archive.comment)}, test {archive.testzip()}")
    for entry in archive.infolist():
        print(
            f"{entry.external_attr >> 16:o}+{entry.external_attr & 0xFFFF} by {entry.create_system}.{entry.create_version}",
            f"needs {entry.extract_version} flags {entry.flag_bits:#06x} method {entry.compress_type}",
            f"{entry.date_time} {entry.file_size} {len(entry.extra)} {len(entry.comment)} {entry.filename}",
        )
