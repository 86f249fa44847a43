"""The key of a redaction: equal values have equal replacements in all captures with one key."""

import os
import secrets
import stat
from pathlib import Path
from typing import Final

from streamshark.errors import StreamsharkError

SHORTEST: Final = 16
"""Fewest bytes of a key."""
LONGEST: Final = 4096
_DIFFERENT: Final = 8
"""Fewest different bytes of a key."""
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
HOW: Final = "make one with: (umask 077; head -c 32 /dev/urandom > FILE)"
"""How to make a key."""


def random_key() -> bytes:
    """Return a key that is used once."""
    return secrets.token_bytes(32)


def read_key(path: str) -> bytes:
    """Read a key from a file.

    Raises:
        StreamsharkError: It cannot be read, others can read it, or it is weak.
    """
    try:
        with Path(path).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            key = file.read(LONGEST)
    except OSError as error:
        raise StreamsharkError(
            f"{path}: the key cannot be read: {error.strerror or error}; {HOW}"
        ) from None
    if stat.S_ISREG(mode) and mode & _OTHERS:
        raise StreamsharkError(f"{path}: others can read the key; run: chmod 600 {path}")
    if len(key.strip()) < SHORTEST or len(set(key)) < _DIFFERENT:
        raise StreamsharkError(
            f"{path}: the key is weak: it needs {SHORTEST} random bytes or more; {HOW}"
        )
    return key
