"""States of a protocol's objects, and the rules that name what contradicts them.

A row for every operation or event that a state allows or does not allow:
`docs/findings/<protocol>_states.md` is made from them.
The objects may also be parts of a program, such as a handler or a timer. The states are then the
ways in which they fail, with a row for each: `docs/findings/<protocol>_parts.md`.
"""

from typing import Final

from streamshark.light_dataclass import record

UNSEEN: Final = "-"
"""Begins what a row has instead of rules: why the wire cannot show the mistake."""


@record
class Cell:
    """One state of an object, and one mistake that a client may make in it."""

    state: str
    mistake: str
    """What a client does, or what a failure looks like, as the wire shows it."""
    rules: tuple[str, ...] = ()
    """Ids of rules; an id without its letter means all of its family."""
    why: str = ""
    """Why the wire cannot show it."""


@record
class ObjectStates:
    """The states of one kind of object, or of one part of a program."""

    object: str
    cells: tuple[Cell, ...]


def states(name: str, table: str) -> ObjectStates:
    """Return the states of an object from lines of `state | mistake | rules`.

    Blanks separate rules; the last column is `- reason` if the wire cannot show the mistake.
    """
    return ObjectStates(name, tuple(map(_cell, table.strip().splitlines())))


def _cell(line: str) -> Cell:
    """Return the cell of a line."""
    state, mistake, last = (each.strip() for each in line.split("|"))
    if last.startswith(UNSEEN):
        return Cell(state, mistake, why=last.removeprefix(UNSEEN).strip())
    return Cell(state, mistake, tuple(last.split()))
