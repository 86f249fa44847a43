"""Fragmented frames: metadata that fragments cut is replaced as a whole."""

from pathlib import Path

from tests.recorded import index

import streamshark
from streamshark.sharing.policy import Policy
from streamshark.sharing.redaction import redact


def test_reassembled_metadata_is_read_alike(tmp_path: Path) -> None:
    """The entries of composite metadata have their types and sizes."""
    line = index.lines()["rsocket/composite_metadata_in_fragments_java"]
    out = tmp_path / "out.pcapng"
    redact([str(line.path)], str(out), Policy(), b"key")
    found = []
    for path in (line.path, out):
        with streamshark.open(str(path)) as session:
            wholes = [each.reassembled for each in session if each.reassembled]
        found.append([{name: len(part) for name, part in each.items()} for each in wholes])
    assert found[0] == found[1] != []
