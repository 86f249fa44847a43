"""Probes of the parts of programs: made traffic in which a part fails, and near misses."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from streamshark.findings.object_states import Cell
from streamshark.findings.rule import selected
from streamshark.protocols.protocol import Protocol


class Probe(NamedTuple):
    """Traffic for one row: in the first talk the part fails, in the others it does not."""

    part: str
    failure: str
    talks: Callable[[], tuple[Any, ...]]


def wrong(protocol: Protocol, probe: Probe, found: Callable[[Any], Iterable[str]]) -> list[str]:
    """Return what a probe shows otherwise than its row says; `found` gives the rules of a talk."""
    cell = _cells(protocol).get((probe.part, probe.failure))
    if cell is None:
        return [f"{probe.part}, {probe.failure}: no such row"]
    fault, *near = probe.talks()
    out = []
    if not _own(cell, found(fault)):
        out.append(f"{probe.part}, {probe.failure}: not named by {cell.rules}")
    for number, talk in enumerate(near):
        if own := _own(cell, found(talk)):
            out.append(f"{probe.part}, {probe.failure}: near miss {number} is accused by {own}")
    return out


def unprobed(protocol: Protocol, probes: Iterable[Probe]) -> list[str]:
    """Return the rows that name rules and have no probe."""
    done = {(each.part, each.failure) for each in probes}
    return [
        ", ".join(key) for key, cell in _cells(protocol).items() if cell.rules and key not in done
    ]


def _cells(protocol: Protocol) -> dict[tuple[str, str], Cell]:
    """Return the rows of a protocol by part and failure."""
    return {(each.object, cell.state): cell for each in protocol.parts for cell in each.cells}


def _own(cell: Cell, found: Iterable[str]) -> list[str]:
    """Return the rules of a row among those that were found."""
    found = set(found)
    return sorted({rule for name in cell.rules for rule in selected(name, found)})
