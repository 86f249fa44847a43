"""Draws display filters over every operator and type, with values that a capture holds.

The same capture draws the same filters; Wireshark with our plugins judges them.
"""
# ruff: noqa: S311 - seeds

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import FieldInfo
from streamshark.fields.registry import Fields
from streamshark.fields.rows import MEMBERS
from streamshark.filters.filter import compile_for_packets
from streamshark.filters.packets import Packet
from streamshark.filters.predicate import EVENTS
from streamshark.filters.row_fields import HEADERS as ROW_HEADERS
from streamshark.filters.row_fields import RowFields
from streamshark.filters.typed import FieldValue

COMPARISONS = ("==", "!=", "===", "!==", ">", ">=", "<", "<=", "eq", "ne", "gt", "le")
QUANTIFIERS = ("", "any ", "all ")
HEADERS = (
    "frame.number", "frame.len", "frame.time_relative", "frame.time_delta", "frame.time", "ip.src",
    "ip.addr", "ip.proto", "tcp.port", "tcp.srcport", "tcp.stream", "tcp.len", "tcp.seq", "tcp.ack",
    "tcp.flags", "tcp.flags.syn", "tcp.flags.push", "tcp.flags.str", "tcp.payload", "tcp", "frame",
    "tcp.window_size_value", "ip.ttl", "tcp.window_size", "ip.len", "ip.id", "ip.flags.df",
    "tcp.seq_raw", "tcp.time_relative", "eth.addr", "eth.type", "arp", "udp.port",
)  # fmt: skip
"""Headers that are drawn beside the fields of the protocols; no packet has the last one."""
MOST = 50
"""Values of a field among which those of its filters are drawn."""

DIFFERS = {
    (4, 4): (
        r" xor | not in |^\S+ <= \S+ <= |frame\.time |frame\.time\[|\[.*\] |\) (in|>|<)|time_delta"
        r"|(?<!command)(?<!str) matches \"[A-Za-z]{2}"
        r"|json\.(value\.number|path|member_with)"
        r"|[0-9a-f]{2}:($| |,|})|(>=?|<=?|gt|ge|lt|le|in) {?[0-9a-f]{2}:|-tcp\.(seq|ack)_raw"
    ),
    (4, 6): r"time_delta|-\d|\.key matches ",
}  # fmt: skip
"""Filters that releases before this one reject, or read in another way; see docs/filters.md."""
REJECTED = (
    "tcp.port == 70000", "tcp.port == 3.5", 'tcp.port == "80"', "tcp.port contains 8", "tcp &&",
    "tcp.port == ip.src", "ip.src == 1.2.3", "ip.src == 1.2.3.4/33", "tcp.port in {}", "(tcp",
    "tcp.port in {1 2}", "tcp.port-1 == 3", "5", '"a"', "not", "tcp udp",
    'tcp.payload ~ "("', "tcp.port[0] == 1", "tcp.payload[1:0] == 00",
    'upper(tcp.port) == "A"', "foo(tcp.port) == 1", "any tcp.port",
    "tcp.flags.syn + 1", "tcp.payload + 1",
    "-tcp.payload == 1", 'frame.time == "x"', "tcp.port = 5",
    'tcp.payload == "\\q"', "tcp.payload == 'ab'", "max() == 5", "1 == 2", "tcp.port == (1)",
    "frame.time_relative & 1", 'frame.time_relative > "1"', "tcp.port # 1 == 80",
    "tcp.payload[0:2] in {00:01}", "count(tcp.port, tcp.port) == 1", "frame.number == true",
    "frame.time_relative > .5", "tcp.port == 09", "tcp.port == 0x", "ip.src + 1 == 1.2.3.4",
)  # fmt: skip
"""What every release rejects."""


def literal(field: FieldInfo, value: Any) -> str:  # noqa: ANN401, PLR0911 - one row a kind
    """Return a value as a literal of a field's type."""
    match field.type.kind:
        case "text":
            data = value.encode(errors="surrogateescape")
            return '"' + "".join(f"\\x{each:02x}" for each in data) + '"'
        case "uuid":
            text = value.hex()
            return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
        case "bytes" | "protocol":
            text = ":".join(f"{each:02x}" for each in value[:12])
            return text if ":" in text else f"{text}:"
        case "ipv4":
            return ".".join(map(str, value.to_bytes(4)))
        case "duration" | "time":
            return f"{value // 10**9}.{value % 10**9:09}"
        case "bool" | "int" | "frame":
            return str(int(value))
        case "double":
            return f"{value:.6f}"
        case _:
            return repr(value)


def filters_of(field: FieldInfo, values: Sequence[Any], draw: random.Random) -> Iterator[str]:
    """Yield filters of one field, with values that it has."""
    name, pick = field.name, draw.choice
    yield from (name, f"not {name}", f"count({name}) > 1")
    if field.type.kind in {"record", "unknown", "none"}:
        return
    chosen = draw.sample(values, min(2, len(values)))
    for value in chosen:
        text = literal(field, value)
        one, two, three = (f"{name} {pick(COMPARISONS)} {text}" for _ in range(3))
        yield pick(QUANTIFIERS) + one
        yield two
        yield f"not {three} {pick(('and', 'or', 'xor'))} tcp.len > 20"
        yield f"{pick(QUANTIFIERS)}{name} {pick(('in', 'not in'))} {{{text}, {text} .. {text}}}"
    if len(chosen) > 1:
        low, high = (literal(field, each) for each in sorted(chosen))
        yield f"{low} <= {name} <= {high}"
        yield f"{name} in {{{low} .. {high}}}"
    yield f"max({name}) == {name}"
    yield f"{name} == {name}"
    if field.type.kind in {"int", "frame"}:
        yield from _of_numbers(field, draw)
    if field.type.kind in {"text", "bytes", "protocol"}:
        yield from _of_bytes(field, chosen, draw)


def _of_numbers(field: FieldInfo, draw: random.Random) -> Iterator[str]:
    name, number = field.name, draw.randrange(1, 9)
    for symbol in "+-*/%&":
        yield f"{name} {symbol} {number} {draw.choice(('==', '>', '<'))} {draw.randrange(40)}"
    yield f"{name} & 1"
    yield f'string({name}) matches "[13579]$"'
    yield f"abs({name}) > {number}"
    yield f"-{name} < 0"
    for word in list((field.names or {}).values())[:2]:
        yield f'{name} == "{word}"'
        if word[:2].isalnum():
            yield f'{name} matches "{word[:2]}"'


def _of_bytes(field: FieldInfo, chosen: Iterable[Any], draw: random.Random) -> Iterator[str]:
    name, first, size = field.name, draw.randrange(4), draw.randrange(1, 4)
    for value in chosen:
        if len(part := value[first : first + size]) == size:
            yield f"{name}[{first}:{size}] == {literal(field, part)}"
            yield f"{name} contains {literal(field, part)}"
    yield f"len({name}) {draw.choice(COMPARISONS)} {draw.randrange(20)}"
    yield f'{name} matches "{"" if field.type.kind == "protocol" else "^."}[a-m]"'
    yield f'{name} matches "[0-9]"'
    yield f'{name}[-1] == "{draw.choice("aeiou019")}"'
    yield f'{name}[{first}-{first + size}] > "m"'
    yield f'{name}[40:] != "a"'
    if field.type.kind == "text":
        yield f'upper({name}) contains "A"'
        yield f'lower({name}) > "m"'


def drawn(
    packets: Sequence[Packet], names: Iterable[str], fields: Fields, seed: str, most: int
) -> list[str]:
    """Return at most so many filters of headers, and of the named fields that packets have."""
    draw = random.Random(seed)
    out: list[str] = []
    for name in (*HEADERS, *names):
        chosen = compile_for_packets(name, fields)
        (used,) = chosen.used
        getter = chosen.fields.getter(FieldValue(used.field, used.field.type), EVENTS)
        values: list[Any] = []
        for packet in packets:
            found = (each for each in getter.values(packet) if each not in (None, b""))  # type: ignore[arg-type, union-attr]
            values += [each for each in found if len(values) < MOST and each not in values]
        out += filters_of(used.field, values, draw)
    return _some(out, draw, most)


def drawn_of_rows(rows: Sequence[Row], fields: Fields, seed: str, most: int) -> list[str]:
    """Return at most so many filters of the fields that rows have, and of their absence."""
    draw, known = random.Random(seed), RowFields(fields)
    names: dict[str, None] = dict.fromkeys((*MEMBERS, *ROW_HEADERS))
    for decoder, short in {
        (row.decoder, row.connection.wire.short) for row in rows if isinstance(row, FrameRow)
    }:
        own = fields.protocols[short]
        names |= dict.fromkeys([short, *own.headers, *own.common])
        if decoder is not None:
            names |= dict.fromkeys(
                [decoder.tree.prefix, *map(decoder.tree.name, decoder.tree.named())]
            )
    out: list[str] = []
    for name in sorted(names):
        field = known.find(name)
        if field is None:
            continue
        get, values = known.values_in(FieldValue(field, field.type)), list[Any]()
        for row in rows:
            found = (each for each in get(row) if each not in (None, b""))
            values += [each for each in found if len(values) < MOST and each not in values]
        out += (
            each.replace("tcp.len > 20", "frame.number > 20")
            for each in filters_of(field, values, draw)
        )
    return _some(out, draw, most)


def _some(filters: Iterable[str], draw: random.Random, most: int) -> list[str]:
    out = list(dict.fromkeys(filters))
    return sorted(draw.sample(out, min(most, len(out))))
