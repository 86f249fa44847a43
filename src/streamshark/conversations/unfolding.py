"""Replaces behaviours by the tables that they stand for, and their triggers by rows."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from streamshark.conversations.tables import Behaviour, Lifecycle, Relief, Unfolded, Watch
from streamshark.errors import SchemaError

AnyWatch = TypeVar("AnyWatch", bound=Watch)


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
    return tuple(kept), (*made, *reliefs)


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
