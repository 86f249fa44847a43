"""What `check` says when a program of a healthy capture behaves otherwise throughout.

    python -m tests.recorded.program_mutants nats/drains ... [--kind never] [--all]

For each kind of message of each side: its sender never sends it, and the other side goes on at once
or waits for it for half a minute; sends each one twice; or sends each one half a minute late. And
each connection is made again ten times after it has ended, or by a second program at the same
time. TCP is written anew. Prints the mutants of which `check` says nothing that it does not say of
the healthy capture, as `tests.recorded.mutants` does for one message.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tests.recorded.mutants import Altered, Original, placed, run

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


def mutants(original: Original, kinds: tuple[str, ...]) -> Iterator[Altered]:
    """Yield the capture with each alteration."""
    groups: dict[tuple[str, str], list[int]] = {}
    for each in original.messages:
        groups.setdefault((each.sender, each.name), []).append(each.at)
    for (sender, name), places in groups.items():
        for kind in KINDS[:4]:
            if kind in kinds and (kind != "each twice" or len(places) >= FEWEST):
                flows, parts = _altered(original, kind, set(places))
                yield Altered(kind, f"{kind} {sender} {name} ({len(places)})", flows, parts)
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
    parts: list[Part] = []
    for at, part in enumerate(original.parts):
        if at in places and kind in ("awaited", "each late"):
            late[part.flow] += LATE_NS
        if at in places and kind in ("never", "awaited"):
            continue
        moved = part._replace(at=(part.at[0] + late[part.flow], *part.at[1:]))
        parts += [moved, moved] if at in places and kind == "each twice" else [moved]
    flows = [
        flow._replace(ends=tuple(_later(each, late[each.flow]) for each in flow.ends))
        for flow in original.flows
    ]
    return flows, sorted(placed(parts), key=lambda part: part.order)


def _copied(original: Original, flow: RecordedFlow, kind: str, times: int) -> Altered:
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
    return Altered(kind, f"{kind} connection {flow.flow.number}", flows, parts)


def _later(event: FlowEvent, shift: int, number: int | None = None) -> FlowEvent:
    """Return an event at a later time, also of another connection."""
    flow = event.flow if number is None else number
    return event._replace(flow=flow, time_ns=event.time_ns + shift)


if __name__ == "__main__":
    run("program_mutants", KINDS, mutants)
