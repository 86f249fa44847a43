"""Replaces behaviours by the tables that they stand for, and their triggers by rows.

So does it with the need `all`: an object that all connections share, `captures`, notes that
something of one of them was not captured.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, TypeVar

from streamshark.conversations.tables import (
    CAPTURED,
    Action,
    Behaviour,
    Lifecycle,
    Relief,
    Unfolded,
    Watch,
)
from streamshark.errors import SchemaError
from streamshark.framing.proxy_protocol import HARMLESS

AnyWatch = TypeVar("AnyWatch", bound=Watch)
ALL: Final = "all"
"""The need of what other connections may contradict: all bytes of all of them."""
CAPTURES: Final = "captures"
"""The object that notes whether they were captured."""
_LOSSES: Final = "tcp.gap tcp.resync"
_IS_LOSS: Final = f"not ({' or '.join(f'starts(reason, {each!r})' for each in HARMLESS)})"


def unfolded(
    tables: Iterable[object], watches: Iterable[Watch]
) -> tuple[tuple[object, ...], tuple[Watch, ...]]:
    """Return tables and watches without behaviours; those without a watch are left out.

    The watches keep their numbers; those that lower findings come after them.
    """
    tables, watches = tuple(tables), tuple(watches)
    behaviours = {f"{e.kind}:{e.name}": e for e in tables if isinstance(e, Behaviour)}
    lifecycles = {each.name: each for each in tables if isinstance(each, Lifecycle)}
    used: dict[str, Unfolded] = {}
    made: list[Watch] = []
    reliefs: list[Watch] = []
    for index, watch in enumerate(watches):
        triggers = [each for each in watch.on.split() if each in behaviours]
        if not triggers:
            made.append(watch)
            continue
        if watch.on not in behaviours:
            raise SchemaError(f"{watch.on!r}: the trigger of a behaviour stands alone")
        if watch.on not in used:
            used[watch.on] = behaviours[watch.on].unfold(lifecycles)
        made.append(on_rows(watch, used[watch.on]))
        if used[watch.on].eased_on:
            reliefs.append(_relief(watch, used[watch.on], index))
    kept: list[object] = []
    for each in tables:  # actions keep their order
        if not isinstance(each, Behaviour):
            kept.append(each)
        elif (behaviour := used.get(f"{each.kind}:{each.name}")) is not None:
            kept += behaviour.tables
    made = [*made, *reliefs]
    kept += _captures(made)
    return tuple(kept), tuple(map(_with_captures, made))


def _captures(watches: Iterable[Watch]) -> tuple[object, ...]:
    """Return the tables that note whether something was not captured, if a watch asks for it."""
    asking = [each for each in watches if ALL in each.needs.split()]
    if not asking:
        return ()
    asked: dict[str, list[str]] = {}
    for each in asking:
        for word in each.on.split():
            asked.setdefault(word, []).append(each.when)
    # Only what seems to be missing meets the object: objects met together are judged together.
    keys = {
        word: f"0 * t if {' or '.join(f'({when})' for when in conditions)} else None"
        for word, conditions in asked.items()
    }
    return (
        Lifecycle(
            name=CAPTURES,
            scope="capture",
            doc="Whether all bytes of all connections were captured.",
            key={
                _LOSSES: f"0 * t if {_IS_LOSS} else None",
                "end:conn": f"None if {CAPTURED} else 0 * t",
                **keys,
            },
        ),
        Action(on=_LOSSES, when=_IS_LOSS, do="captures.are_partial = 1"),
        Action(on="end:conn", when=f"not ({CAPTURED})", do="captures.are_partial = 1"),
    )


def _with_captures(watch: Watch) -> Watch:
    """Return a watch with the condition that its need `all` stands for."""
    needs = watch.needs.split()
    if ALL not in needs:
        return watch
    return replace(
        watch,
        needs=" ".join(each for each in needs if each != ALL),
        when=f"({watch.when}) and coalesce(captures.are_partial, 0) == 0",
    )


def on_rows(watch: AnyWatch, behaviour: Unfolded) -> AnyWatch:
    """Return a watch on the trigger of a behaviour as one on its rows."""
    needs = dict.fromkeys((*watch.needs.split(), *behaviour.needs.split()))
    conditions = [each for each in (behaviour.when, watch.when) if each]
    return replace(
        watch,
        on=behaviour.on,
        when=" and ".join(f"({each})" for each in conditions),
        needs=" ".join(needs),
        of=watch.of or behaviour.of,
        evidence=behaviour.evidence if watch.evidence == "n" else watch.evidence,
    )


def _relief(watch: Watch, behaviour: Unfolded, index: int) -> Relief:
    """Return the watch that makes a note of the findings of another one."""
    of = watch.of or behaviour.of
    on, when = behaviour.eased_on, behaviour.eased_when
    return Relief(on=on, when=when, needs="", of=of, per=watch.per, eases=index)
