"""Draws some of many cases, besides those that every run tries.

The draw depends on the captures alone, so that any new or changed capture makes another draw.
`STREAMSHARK_DRAW` makes another one too; `make test-sweep` tries all cases of its tests, and
`STREAMSHARK_DRAW=all`, as `make test-all` has it, those of tests that take some.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

Case = TypeVar("Case")
VARIABLE = "STREAMSHARK_DRAW"
ALL = "all"
"""The variable's value with which `some` leaves out no case."""
ROOT = Path(__file__).parents[1]
ONE_OF = 10
"""One case of this many is drawn."""


@cache
def draw() -> str:
    """Return the seed of the draw: the variable's value, else a digest of `captures`."""
    given = os.environ.get(VARIABLE)
    if given:
        return given
    digest = hashlib.sha256()
    for path in sorted(ROOT.glob("captures/*/*/traffic.*")):
        digest.update(f"{path.relative_to(ROOT)}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def is_drawn(name: str, one_of: int = ONE_OF) -> bool:
    """Whether a case is among those that are drawn."""
    return number_of(name) % one_of == 0


def some(names: Iterable[str], count: int) -> list[str]:
    """Return this many cases of the draw, or all."""
    return sorted(names, key=number_of)[: None if draw() == ALL else count]


def some_of(cases: Mapping[str, Case], count: int) -> list[Case]:
    """Return this many cases of the draw, or all, by their names."""
    return [cases[each] for each in some(cases, count)]


def number_of(name: str) -> int:
    """Return the number of a case in this draw."""
    return int.from_bytes(hashlib.sha256(f"{draw()} {name}".encode()).digest()[:4], "big")


def command() -> str:
    """Return the command that draws the same again."""
    return f"{VARIABLE}={draw()} make test"
