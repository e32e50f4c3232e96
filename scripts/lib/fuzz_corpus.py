"""Keeps what fuzz targets learned in small archives: Fuzz/Corpora/TARGET.tar.gz.

    fuzz_corpus.py pack FOLDER ARCHIVE      the cases of a folder, the smallest first, as many as fit into the limit of bytes
    fuzz_corpus.py unpack ARCHIVE FOLDER    puts them into a folder

Equal cases make equal archives: names are digests, times and owners are zero.
"""
import gzip
import hashlib
import io
import sys
import tarfile
from pathlib import Path

# The most bytes of an archive, and of a case: larger ones are seldom more than repetition.
LIMIT = 256 << 10
CASE = 64 << 10


def packed(cases):
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(cases):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(tar.getvalue(), 9, mtime=0)


def pack(folder, archive):
    contents = {path.read_bytes() for path in folder.iterdir() if path.is_file()}
    cases = [(hashlib.sha1(data).hexdigest(), data) for data in sorted(contents, key=lambda data: (len(data), data)) if len(data) <= CASE]
    # The most cases that fit; each more makes the archive larger.
    low, high = 0, len(cases)
    while low < high:
        middle = (low + high + 1) // 2
        if len(packed(cases[:middle])) <= LIMIT:
            low = middle
        else:
            high = middle - 1
    if not low:
        return
    data = packed(cases[:low])
    archive.parent.mkdir(parents=True, exist_ok=True)
    archive.write_bytes(data)
    print(f"{archive}: {low} of {len(contents)} cases, {len(data)} bytes")


def unpack(archive, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "r:gz") as tar:
        for entry in tar:
            # Names are digests; nothing else is written anywhere.
            if entry.isfile() and "/" not in entry.name and not entry.name.startswith("."):
                (folder / entry.name).write_bytes(tar.extractfile(entry).read())


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    {"pack": pack, "unpack": unpack}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
