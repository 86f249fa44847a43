"""Files are read one after the other as one capture."""

import os
from pathlib import Path

from streamshark.capture.growing_files import GrowingFiles
from streamshark.capture.pcap import FILE_HEADER

HEADER = bytes.fromhex("d4c3b2a1").ljust(FILE_HEADER, b"h")


def test_only_the_first_header_of_pcap_files_is_read(tmp_path: Path) -> None:
    """Records of pcap files follow each other; a file that was deleted has no part in it."""
    paths = [tmp_path / name for name in ("deleted", "first", "second")]
    for path in paths[1:]:
        path.write_bytes(HEADER + path.name.encode())
    names, writer = os.pipe()
    os.write(writer, "".join(f"{path}\n" for path in paths).encode())
    os.close(writer)
    with os.fdopen(names, "rb", buffering=0) as pipe:
        source = GrowingFiles(pipe)
        assert source.read(100) == HEADER + b"first"
        assert source.read(100) == b""
        source.leave_file()
        assert source.read(100) == b"second"
        assert source.lost == 1
        source.close()
