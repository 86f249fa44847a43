"""The conversations of a live capture that have not ended, in a file that is replaced."""

import marshal
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from streamshark.index.columns import MODE

NAME: Final = "open"
MOST: Final = 4096
"""Most conversations that are stored: the first ones."""


def write_open(folder: Path, records: Sequence[tuple[Any, ...]]) -> bool:
    """Store conversations, as `packed_conversation` packs them, in place of those before.

    Returns:
        Whether they are others.
    """
    if read_open(folder) == list(records[:MOST]):
        return False
    fresh = folder / f"{NAME}.new"
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, MODE)
    with os.fdopen(file, "wb") as stream:
        marshal.dump(list(records[:MOST]), stream)
    fresh.replace(folder / NAME)
    return True


def read_open(folder: Path) -> list[tuple[Any, ...]]:
    """Return the conversations that are stored; none if there are none or they are damaged."""
    try:
        found = marshal.loads((folder / NAME).read_bytes())  # noqa: S302 - a file of the user's own
    except (OSError, ValueError, EOFError, TypeError):
        return []
    return found if isinstance(found, list) else []
