"""What rules ask of messages that are read and published: their order, and their results.

Each takes the columns that its rule names; the text that it returns is what it found, and is empty
if the condition does not hold.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from streamshark.protocols.rabbitmq_stream import amqp_items

Values = Mapping[str, Any]

_MESSAGE_ID, _CORRELATION_ID, _GROUP_ID, _GROUP_SEQUENCE = 0, 5, 10, 11
"""Places in the list of properties."""
_NEAR: Final = 4
"""Most places by which a message comes late; one that comes later still begins anew."""
_CROSSING: Final = 5_000_000
"""Time in ns in which messages on two connections have no order."""
_GROUPS: Final = 2
"""Groups whose messages are out of order."""
_ANSWERED: Final = 3
"""Messages with a result that show that each has one."""
_LEFT: Final = 2
"""Messages without a result that are left; a single one may need none."""


@lru_cache(maxsize=4096)
def _properties(message: bytes) -> tuple[bytes, ...]:
    """Return the properties of a message: texts, or numbers as text."""
    for code, value in amqp_items.sections(message):
        if code == amqp_items.PROPERTIES:
            return tuple(amqp_items.scalar(each) for each in amqp_items.items(value))
    return ()


def _property(message: bytes, place: int) -> bytes:
    found = _properties(bytes(message))
    return found[place] if place < len(found) else b""


def _step(message: bytes) -> tuple[bytes, int] | None:
    """Return the group of a message and its place in it."""
    group, sequence = _property(message, _GROUP_ID), _property(message, _GROUP_SEQUENCE)
    return (group, int(sequence)) if group and sequence.isdigit() else None


def is_behind(row: Values) -> str:
    """Return which message of a frame comes after one of its group with a higher number.

    It has to be new, and messages of another group have to be out of order as well.
    """
    now = [
        step
        for each in row["published_messages"] or ()
        if (step := _step(each.get("message") or b""))
    ]
    if not now:
        return ""
    seen: dict[bytes, dict[int, tuple[int, int]]] = {}
    late: set[bytes] = set()
    for n, t, _, message in row["course.steps"] or ():
        if n < row["n"] and (step := _step(message or b"")):
            group, sequence = step
            if _ahead(seen.get(group, {}), sequence, t):
                late.add(group)
            seen.setdefault(group, {}).setdefault(sequence, (n, t))
    for group, sequence in now:
        ahead = _ahead(seen.get(group, {}), sequence, row["t"])
        if ahead and len(late | {group}) >= _GROUPS:
            name = group.decode("utf-8", "replace")
            return f"number {sequence} of {name} after number {ahead[0]} in frame {ahead[1]}"
    return ""


def _ahead(seen: Mapping[int, tuple[int, int]], sequence: int, t: int) -> tuple[int, int] | None:
    """Return the number and the frame of a message that should come later than another one."""
    most = max(seen, default=-1)
    if sequence in seen or not sequence < most <= sequence + _NEAR:
        return None
    n, at = seen[most]
    return (most, n) if t - at > _CROSSING else None


def has_no_result(row: Values) -> str:
    """Return which message at or below the stored offset has no result, after others that do.

    A result is a message whose correlation-id is the id of a message that the client has read.
    """
    stored = row["intake.before_stored"]
    items = sorted(each for each in row["intake.before"] or () if each[0] <= stored)
    results = _ids(row["plant.results"] or ())
    taken = [(at, _property(message or b"", _MESSAGE_ID)) for at, _, message in items]
    named = [(at, name) for at, name in taken if name]
    answered = [name in results for _, name in named]
    many = answered.index(False) if False in answered else len(answered)
    if many < _ANSWERED or any(answered[many:]) or len(named) - many < _LEFT:
        return ""
    at, name = named[many]
    return f"{name.decode('utf-8', 'replace')} at offset {at}"


def _ids(messages: Iterable[bytes]) -> set[bytes]:
    return {found for each in messages if (found := _property(each, _CORRELATION_ID))}


FOR_PLUGINS: Final[Mapping[str, object]] = {
    "near_step": _NEAR, "crossing": _CROSSING, "groups_behind": _GROUPS, "answered": _ANSWERED,
    "left": _LEFT,
}  # fmt: skip
"""What the predicates in Lua share with these."""
