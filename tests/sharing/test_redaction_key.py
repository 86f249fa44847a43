"""Keys: which are refused, and why."""

from pathlib import Path

import pytest
from tests.failures import every

from streamshark.errors import StreamsharkError
from streamshark.sharing.redaction_key import random_key, read_key


def test_a_good_key_is_read(tmp_path: Path) -> None:
    """As it is in the file."""
    path, key = tmp_path / "key", random_key()
    path.touch(0o600)
    path.write_bytes(key)
    assert read_key(str(path)) == key


@every(
    ("key", "mode", "says"),
    [
        (None, 0, "cannot be read.*urandom"),
        (b"short", 0o600, "weak"),
        (b"a" * 64, 0o600, "weak"),
        (bytes(range(32)), 0o640, "chmod 600"),
        (bytes(range(32)), 0o604, "chmod 600"),
    ],
)
def test_a_bad_key_is_refused(key: bytes | None, mode: int, says: str, tmp_path: Path) -> None:
    """With what to do."""
    path = tmp_path / f"key{mode}{len(key or b'')}"
    if key is not None:
        path.touch()
        path.write_bytes(key)
        path.chmod(mode)
    with pytest.raises(StreamsharkError, match=says):
        read_key(str(path))
