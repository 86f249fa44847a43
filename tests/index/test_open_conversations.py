"""Conversations that have not ended, in a file of their own."""

from pathlib import Path

from streamshark.index.open_conversations import MOST, NAME, read_open, write_open


def test_what_is_stored_is_replaced(tmp_path: Path) -> None:
    """The last ones are read, at most so many; a damaged or missing file has none."""
    assert read_open(tmp_path) == []
    assert write_open(tmp_path, [(1, "a", ...)])
    assert not write_open(tmp_path, [(1, "a", ...)])
    write_open(tmp_path, [(each, "b", None) for each in range(MOST + 1)])
    assert read_open(tmp_path) == [(each, "b", None) for each in range(MOST)]
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600
    for damaged in (b"", b"\xff" * 9, b"i\x01\x00\x00\x00"):
        (tmp_path / NAME).write_bytes(damaged)
        assert read_open(tmp_path) == []
