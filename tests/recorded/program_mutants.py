"""What `check` says when a program of a healthy capture behaves otherwise throughout.

    python -m tests.recorded.program_mutants nats/drains ... [--kind never] [--all]

For each kind of message of each side: its sender never sends it, and the other side goes on at once
or waits for it for half a minute; sends each one twice; or sends each one half a minute late. And
each connection is made again ten times after it has ended, or by a second program at the same
time. TCP is written anew. Prints the mutants of which `check` says nothing that it does not say of
the healthy capture, as `tests.recorded.mutants` does for one message.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from tests.recorded.mutants import Original, said

from streamshark.flows import FlowEvent
from streamshark.sharing.recorded_streams import Part, RecordedFlow

KINDS = ("never", "awaited", "each twice", "each late", "again", "at once")
"""How a program behaves."""
LATE_NS: Final = 30_000_000_000
"""How late a message is."""
TIMES: Final = 10
"""How often a connection is made again."""
PAUSE_NS: Final = 20_000_000
"""Between the end of a connection and the next."""
FEWEST: Final = 2
"""Messages of a kind from which on sending each one twice differs from sending one twice."""


class Mutant(NamedTuple):
    """A capture in which one program behaves otherwise."""

    kind: str
    what: str
    flows: list[RecordedFlow]
    parts: list[Part]


def mutants(original: Original, kinds: tuple[str, ...]) -> Iterator[Mutant]:
    """Yield the capture with each alteration."""
    groups: dict[tuple[str, str], list[int]] = {}
    for each in original.messages:
        groups.setdefault((each.sender, each.name), []).append(original.at[each.place])
    for (sender, name), places in groups.items():
        for kind in KINDS[:4]:
            if kind in kinds and (kind != "each twice" or len(places) >= FEWEST):
                flows, parts = _altered(original, kind, set(places))
                yield Mutant(kind, f"{sender} {name} ({len(places)})", flows, parts)
    for flow in original.flows:
        for kind, times in (("again", TIMES), ("at once", 1)):
            if kind in kinds and flow.opened is not None and flow.parts:
                yield _copied(original, flow, kind, times)


def _altered(
    original: Original, kind: str, places: set[int]
) -> tuple[list[RecordedFlow], list[Part]]:
    """Return the capture with the messages in some places left out, twice or late.

    Whatever comes after a late message on its connection is as late.
    """
    late: Counter[int] = Counter()
    ends: Counter[tuple[int, int]] = Counter()
    parts: list[Part] = []
    for at, part in enumerate(original.parts):
        if at in places and kind in ("awaited", "each late"):
            late[part.flow] += LATE_NS
        if at in places and kind in ("never", "awaited"):
            continue
        time_ns, file, packet = part.at
        for _ in range(2 if at in places and kind == "each twice" else 1):
            offset = ends[part.flow, part.side]
            ends[part.flow, part.side] += part.size
            parts.append(part._replace(at=(time_ns + late[part.flow], file, packet), offset=offset))
    flows = [
        flow._replace(ends=tuple(_later(each, late[each.flow]) for each in flow.ends))
        for flow in original.flows
    ]
    return flows, sorted(parts, key=lambda part: part.order)


def _copied(original: Original, flow: RecordedFlow, kind: str, times: int) -> Mutant:
    """Return the capture with copies of one connection, each from a port of its own."""
    flows, parts = list(original.flows), list(original.parts)
    begin = flow.opened.time_ns if flow.opened else flow.parts[0].at[0]
    last = max([flow.parts[-1].at[0], *(each.time_ns for each in flow.ends)])
    for time in range(1, times + 1):
        number = len(flows)
        shift = (last - begin + PAUSE_NS) * time if kind == "again" else 1_000_000
        side = flow.client or 0
        addresses, ports = list(flow.flow.addresses), list(flow.flow.ports)
        ports[side] = (ports[side] - 1024 + 20_011 + 7 * time) % 64_000 + 1024
        addresses[side] = f"{addresses[side].rpartition(':')[0]}:{ports[side]}"
        copy = replace(
            flow.flow, number=number, addresses=(addresses[0], addresses[1]),
            ports=(ports[0], ports[1]),
        )  # fmt: skip
        moved = [
            each._replace(at=(each.at[0] + shift, *each.at[1:]), flow=number) for each in flow.parts
        ]
        opened = None if flow.opened is None else _later(flow.opened, shift, number)
        ended = tuple(_later(each, shift, number) for each in flow.ends)
        flows.append(flow._replace(flow=copy, opened=opened, ends=ended, parts=tuple(moved)))
        parts += moved
    return Mutant(kind, f"connection {flow.flow.number}", flows, parts)


def _later(event: FlowEvent, shift: int, number: int | None = None) -> FlowEvent:
    """Return an event at a later time, also of another connection."""
    flow = event.flow if number is None else number
    return event._replace(flow=flow, time_ns=event.time_ns + shift)


def main() -> None:
    """Print the mutants of which nothing is said, and how many there were of each kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorded.program_mutants")
    parser.add_argument("captures", nargs="+")
    parser.add_argument("--kind", action="append", choices=KINDS, dest="kinds")
    parser.add_argument("--all", action="store_true", help="print named mutants, too")
    arguments = parser.parse_args()
    made: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for capture in arguments.captures:
        original = Original(capture)
        before = said(original.flows, original.parts)
        for mutant in mutants(original, tuple(arguments.kinds or KINDS)):
            made[mutant.kind] += 1
            new = said(mutant.flows, mutant.parts) - before
            named[mutant.kind] += bool(new)
            rules = " ".join(f"{rule}({severity})" for rule, severity in sorted(new))
            if not new or arguments.all:
                line = f"{capture} {mutant.kind} {mutant.what} {rules or 'nothing'}\n"
                sys.stdout.write(line)
    for kind in made:
        sys.stdout.write(f"{kind}: {named[kind]} of {made[kind]} named\n")


if __name__ == "__main__":
    main()
