"""The summary of captures for `info`: files, times, protocols, connections, and what was lost.

`document` returns it as JSON; `text` formats that as text.
"""

import os
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from streamshark.capture import Capture
from streamshark.conversations.statistics import OTHER_FLOWS, Statistics, Traffic
from streamshark.conversations.units import counted, duration, size
from streamshark.flows.link_layer import link_name
from streamshark.schema.secrets import scrubbed_members
from streamshark.session import Session
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable, quoted
from streamshark.views.json import SCHEMA_VERSION
from streamshark.views.statistics_tables import StatisticsTable, TableColumn
from streamshark.views.statistics_tables import text as table
from streamshark.views.times import Rfc3339

MOST_SHOWN = 40
"""Most connections written in text."""
MOST_UNRECOGNISED = 20
"""Most unrecognised connections written in text."""
OF_ROWS = frozenset({"stream", "reference"})
"""Members of a context that belong to a row's object, not to its connection."""


def document(session: Session, statistics: Statistics) -> dict[str, Any]:
    """Return the summary as JSON, once all rows are read."""
    times = [
        each
        for capture in session.captures
        for each in (capture.first_ns, capture.last_ns)
        if each is not None
    ]
    totals = session.dissector.totals()
    skipped = dict(totals.skipped or {})
    return {
        "schema_version": SCHEMA_VERSION,
        "files": [_file(each) for each in session.captures],
        **_times(min(times, default=None), max(times, default=None)),
        "packets": sum(each.packets for each in session.captures),
        "frames": session.frames,
        "protocols": _protocols(session, statistics),
        "connections": [
            _connection(number, traffic) for number, traffic in statistics.connections.items()
        ],
        "attempts": [
            {
                "endpoint": endpoint,
                "refused": counts["refused"],
                "unanswered": counts["unanswered"],
            }
            for endpoint, counts in statistics.attempts.items()
        ],
        "bytes": {
            "framed": totals.framed,
            "skipped": skipped,
            "lost": totals.lost,
            "total": totals.framed + sum(skipped.values()) + totals.lost,
        },
        "events": dict(statistics.events),
        "no_tcp": _no_tcp(session),
        "unrecognised": [
            {
                "flow": each.flow,
                "ends": list(each.addresses),
                "payload": each.payload,
                "carrier": each.carrier,
                "tls": each.is_tls,
            }
            for each in session.dissector.unrecognised
        ],
        "notes": [*session.dissector.notes, *statistics.capped],
    }


def _file(capture: Capture) -> dict[str, Any]:
    interfaces = []
    for number, each in enumerate(capture.interfaces):
        counted_by = capture.statistics.get(number)
        interfaces.append(
            {
                "name": each.name or None,
                "link": link_name(each.link),
                "snap_length": each.snap_length or None,
                "received": counted_by.received if counted_by else None,
                "dropped": counted_by.dropped if counted_by else None,
                "dropped_by_system": counted_by.dropped_by_system if counted_by else None,
            }
        )
    return {
        "name": printable(capture.name),
        "format": capture.format,
        "compression": capture.compression,
        "bytes": os.path.getsize(capture.name) if os.path.isfile(capture.name) else None,  # noqa: PTH113, PTH202 - one look
        "packets": capture.packets,
        **_times(capture.first_ns, capture.last_ns),
        "interfaces": interfaces,
        "comments": [printable(each.text) for each in capture.comments[:MOST_SHOWN]],
        "secrets": len(capture.secrets),
        "damage": capture.damage and printable(capture.damage),
    }


def _times(first: int | None, last: int | None) -> dict[str, Any]:
    time = Rfc3339()
    return {
        "first": None if first is None else time(first),
        "first_ns": first,
        "last": None if last is None else time(last),
        "last_ns": last,
        "duration_ns": None if first is None or last is None else last - first,
    }


def _protocols(session: Session, statistics: Statistics) -> list[dict[str, Any]]:
    found: dict[tuple[str, str | None], dict[str, Any]] = {
        key: {"protocol": key[0], "carrier": key[1], "connections": count, "frames": 0, "bytes": 0}
        for key, count in session.dissector.spoken.items()
    }
    for traffic in statistics.connections.values():
        if traffic.connection is None:
            continue
        entry = found[traffic.connection.spoken]
        for way in traffic.ways.values():
            entry["frames"] += way.frames
            entry["bytes"] += way.size
    inner = (
        {"protocol": name, "carrier": each.outer, "connections": len(each.flows),
         "frames": each.frames, "bytes": each.size}
        for name, each in statistics.carried.items()
    )  # fmt: skip
    return [*found.values(), *inner]


def _connection(number: int, traffic: Traffic) -> dict[str, Any]:
    if number == OTHER_FLOWS:
        return {"flow": None, "protocol": traffic.protocol, **_counts(traffic)}
    connection = traffic.connection
    if connection is None:
        raise ValueError(number)
    flow, client, (protocol, carrier) = connection.flow, connection.client, connection.spoken
    return {
        "flow": number,
        "protocol": protocol,
        "carrier": carrier,
        "client": None if client is None else flow.addresses[client],
        "server": None if client is None else flow.addresses[1 - client],
        "ends": list(flow.addresses),
        "recognised_by": connection.reason,
        **_times(traffic.first_ns, traffic.last_ns),
        **_counts(traffic),
        "handshake_ns": sum(flow.handshake_ns) if flow.handshake_ns else None,
        "lost_bytes": connection.lost,
        "context": {
            name: value
            for name, value in scrubbed_members(traffic.context).items()
            if name not in OF_ROWS
        },
        "agreed": {
            name: value
            for name, value in connection.agreed.items()
            if isinstance(value, (str, int))
        },
    }


def _counts(traffic: Traffic) -> dict[str, int]:
    ways = traffic.ways.values()
    return {"frames": sum(each.frames for each in ways), "bytes": sum(each.size for each in ways)}


def _no_tcp(session: Session) -> dict[str, int]:
    """Return the number of packets that belong to no TCP connection, by reason; without zeros."""
    counters = session.dissector.tracker.counters
    names = ("not_ip", "not_tcp", "fragments", "truncated", "bad", "unsupported")
    return {name: count for name in names if (count := getattr(counters, name))}


class _Page:
    """The summary as text."""

    def __init__(self, palette: Palette, width: int) -> None:
        self.palette = palette
        self.width = width

    def text(self, facts: Mapping[str, Any]) -> str:
        """Return all parts, separated by empty lines."""
        parts = [*map(self.file, facts["files"])]
        if len(parts) > 1:
            parts.append(self.block("Together", _together(facts)))
        if facts["protocols"]:
            columns = ("protocol", "carrier", "connections", "frames", "bytes")
            kinds = {"connections": "count", "frames": "count", "bytes": "bytes"}
            sheet = StatisticsTable(
                "protocols",
                "Protocols",
                tuple(
                    TableColumn(each, each, kinds.get(each, "text"), each == "carrier")
                    for each in columns
                ),
                [[each[name] for name in columns] for each in facts["protocols"]],
            )
            parts.append(table(sheet, self.palette, self.width))
            parts.append(self.connections(facts["connections"]))
        if facts["attempts"]:
            parts.append(self.block("Failed connection attempts", _attempts(facts)))
        parts.append(self.block("Bytes", _bytes(facts)))
        rest = [*_rest(facts)]
        if rest:
            parts.append(self.block("Not read", rest))
        return "\n".join(parts)

    def file(self, facts: Mapping[str, Any]) -> str:
        """Return the block of one file."""
        compression = f", {facts['compression']}" if facts["compression"] else ""
        length = f", {size(facts['bytes'])}" if facts["bytes"] is not None else ""
        rows = [("format", f"{facts['format']}{compression}{length}")]
        rows += [("packets", f"{facts['packets']:,}"), *_span(facts)]
        for each in facts["interfaces"]:
            snap = each["snap_length"]
            name = f"{each['name']}: " if each["name"] else ""
            parts = [f"{name}link type {each['link']}"]
            parts += [f"snap length {snap:,}"] if snap else []
            parts += [
                f"{each[key]:,} {word}"
                for key, word in (
                    ("received", "received"),
                    ("dropped", "dropped"),
                    ("dropped_by_system", "dropped by the system"),
                )
                if each[key] is not None
            ]
            rows.append(("interface", printable(", ".join(parts))))
        rows += [("comment", each) for each in facts["comments"]]
        if facts["secrets"]:
            rows.append(("secrets", counted(facts["secrets"], "TLS key log")))
        if facts["damage"]:
            rows.append(("damage", facts["damage"]))
        return self.block(facts["name"], rows)

    def connections(self, found: Iterable[Mapping[str, Any]]) -> str:
        """Return the connections, each with what it announced and negotiated."""
        found = list(found)
        lines = [self.palette.paint("command", "Connections")]
        for each in found[:MOST_SHOWN]:
            lines += self.connection(each)
        more = len(found) - MOST_SHOWN
        if more > 0:
            lines.append(f"... and {more:,} more; -T json has them all")
        return "".join(f"{line}\n" for line in lines)

    def connection(self, facts: Mapping[str, Any]) -> Iterator[str]:
        """Yield the lines of one connection."""
        counts = f"{counted(facts['frames'], 'frame')}, {size(facts['bytes'])}"
        if facts["flow"] is None:
            yield f"  all others: {counts}"
            return
        arrow = " <-> ".join(facts["ends"])
        if facts["client"]:
            arrow = f"{facts['client']} -> {facts['server']}"
        over = f" over {facts['carrier']}" if facts["carrier"] else ""
        head = f"  flow {facts['flow']}  {arrow}  {facts['protocol']}{over}"
        yield self.palette.paint("name", head)
        lasted = duration(facts["duration_ns"])
        lost = f", {size(facts['lost_bytes'])} lost" if facts["lost_bytes"] else ""
        trip = facts["handshake_ns"]
        handshake = f", handshake {duration(trip)}" if trip is not None else ""
        yield f"    {counts} in {lasted}{handshake}{lost}"
        known = facts["context"]
        agreed = {
            name: value for name, value in facts["agreed"].items() if value not in known.values()
        }
        for members in (known, agreed):
            text = "  ".join(f"{name}={_value(value)}" for name, value in members.items())
            if text:
                yield from self.wrapped("    ", text)

    def block(self, title: str, rows: Iterable[tuple[str, str]]) -> str:
        """Return a title, and below it labels with their texts."""
        lines = [self.palette.paint("command", title)]
        for label, text in rows:
            lines += self.wrapped(f"  {label:<13}", text, " " * 15)
        return "".join(f"{line}\n" for line in lines)

    def wrapped(self, first: str, text: str, rest: str = "      ") -> list[str]:
        """Wrap text into lines."""
        if not self.width:
            return [first + text]
        return textwrap.wrap(
            text,
            max(self.width, 40),
            initial_indent=first,
            subsequent_indent=rest,
            break_on_hyphens=False,
        )


def text(facts: Mapping[str, Any], palette: Palette, width: int = 0) -> str:
    """Return the summary as text; lines are wrapped at `width`, 0 for never."""
    return _Page(palette, width).text(facts)


def _value(value: object) -> str:
    """Return a value as an argument of a line."""
    return str(value).lower() if isinstance(value, bool) else quoted(str(value), 80)


def _span(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    if facts["duration_ns"] is None:
        return []
    shown = [("first", facts["first"]), ("last", facts["last"])]
    return [*((name, at) for name, at in shown if at), ("duration", duration(facts["duration_ns"]))]


def _together(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [("packets", f"{facts['packets']:,}"), *_span(facts)]


def _bytes(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield how the payload was read; the parts add up to its total."""
    counts = facts["bytes"]
    yield "framed", f"{counts['framed']:,}"
    for reason, count in counts["skipped"].items():
        yield "skipped", f"{count:,} ({reason})"
    yield "lost", f"{counts['lost']:,}"
    yield "total", f"{counts['total']:,} bytes of the TCP payload of these connections"


def _attempts(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for each in facts["attempts"][:MOST_SHOWN]:
        for how in ("refused", "unanswered"):
            if each[how]:
                yield how, f"{each[how]:,} to {each['endpoint']}"
    more = len(facts["attempts"]) - MOST_SHOWN
    if more > 0:
        yield "...", f"and {counted(more, 'endpoint')} more; -T json has them all"


def _rest(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what was not read, and why."""
    for name, count in facts["no_tcp"].items():
        yield "packets", f"{count:,} {name.replace('_', ' ')}"
    unknown = sorted(facts["unrecognised"], key=lambda each: -each["payload"])
    for each in unknown[:MOST_UNRECOGNISED]:
        ends = " <-> ".join(each["ends"])
        kind = "TLS" if each["tls"] else each["carrier"]
        over = f" of {printable(kind)}" if kind else ""
        sentence = f"flow {each['flow']}  {ends}, {size(each['payload'])} of payload{over}"
        yield "unrecognised", sentence
    if len(unknown) > MOST_UNRECOGNISED:
        yield "unrecognised", f"... and {len(unknown) - MOST_UNRECOGNISED:,} more connections"
    for each in facts["notes"]:
        yield "note", printable(each)
