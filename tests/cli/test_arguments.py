"""Arguments that are a file, standard input, or what is meant itself."""

from pathlib import Path

import pytest
from tests.madeup import parrot_traffic

from streamshark.cli.arguments import is_file, read, text_of
from streamshark.errors import StreamsharkError


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are completed by name; a text that cannot be a name has no completions."""
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    parrot_traffic.feeding(monkeypatch, b"def")

    assert is_file(str(path))
    assert not any(map(is_file, ("", "\0", "x" * 5000, "{}")))
    assert read(str(path)) == (str(path), b"abc")
    assert read("-") == ("standard input", b"def")
    with pytest.raises(StreamsharkError, match="cannot read: Is a directory"):
        read(str(tmp_path))


def test_text() -> None:
    """UTF-8 without NUL; for anything else the error says what to do."""
    assert text_of("é".encode(), "a", "") == "é"
    for data in (b"\xff", b"\0"):
        with pytest.raises(StreamsharkError, match="a: not text; do that"):
            text_of(data, "a", "do that")
