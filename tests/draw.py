"""Which of many cases are tried besides those that always are: drawn by what the captures are.

The same captures draw the same; each one that is added or changed draws anew. `STREAMSHARK_DRAW`
makes another draw, and `make test-sweep` tries all.
"""

import hashlib
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

VARIABLE = "STREAMSHARK_DRAW"
ROOT = Path(__file__).parents[1]
ONE_OF = 10
"""One in so many is drawn."""


@cache
def draw() -> str:
    """Return what decides: the variable's value, else a digest of `captures`."""
    given = os.environ.get(VARIABLE)
    if given:
        return given
    digest = hashlib.sha256()
    for path in sorted(ROOT.glob("captures/*/*/traffic.*")):
        digest.update(f"{path.relative_to(ROOT)}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def is_drawn(name: str, one_of: int = ONE_OF) -> bool:
    """Whether a case is among those that are drawn, one in so many."""
    return number_of(name) % one_of == 0


def some(names: Iterable[str], count: int) -> list[str]:
    """Return so many cases that are drawn."""
    return sorted(names, key=number_of)[:count]


def number_of(name: str) -> int:
    """Return the number of a case in this draw."""
    return int.from_bytes(hashlib.sha256(f"{draw()} {name}".encode()).digest()[:4], "big")


def command() -> str:
    """Return the command that draws the same again."""
    return f"{VARIABLE}={draw()} make test"
