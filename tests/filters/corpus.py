"""Draws display filters over every operator and type, with values that a capture holds.

The same captures draw the same filters. Each is judged by Wireshark with our plugins.
"""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from streamshark.fields.field import FieldInfo
from streamshark.fields.registry import Fields
from streamshark.filters.filter import compile_for_packets
from streamshark.filters.packets import Packet
from streamshark.filters.predicate import EVENTS
from streamshark.filters.typed import FieldValue

COMPARISONS = ("==", "!=", "===", "!==", ">", ">=", "<", "<=", "eq", "ne", "gt", "le")
QUANTIFIERS = ("", "any ", "all ")
ABSENT = "udp.port"
"""A field that no packet of the captures has."""
HEADERS = (
    "frame.number", "frame.len", "frame.time_relative", "frame.time_delta", "frame.time", "ip.src",
    "ip.addr", "ip.proto", "tcp.port", "tcp.srcport", "tcp.stream", "tcp.len", "tcp.seq", "tcp.ack",
    "tcp.flags", "tcp.flags.syn", "tcp.flags.push", "tcp.flags.str", "tcp.payload", "tcp", "frame",
    "tcp.window_size_value", "ip.ttl", "udp.port",
)  # fmt: skip


def literal(field: FieldInfo, value: Any) -> str:
    """Return a value as a literal of a field's type."""
    kind = field.type.kind
    if kind == "text":
        inside = "".join(
            each
            if each.isalnum()
            else f"\\x{each:02x}"
            if isinstance(each, int)
            else "".join(f"\\x{b:02x}" for b in each.encode(errors="surrogateescape"))
            for each in value
        )
        return f'"{inside}"'
    if kind == "uuid":
        text = value.hex()
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
    if kind in {"bytes", "protocol"}:
        return ":".join(f"{each:02x}" for each in value[:12]) or '""'
    if kind == "ipv4":
        return ".".join(map(str, value.to_bytes(4)))
    if kind in {"duration", "time"}:
        return f"{value // 10**9}.{value % 10**9:09}"
    if kind == "bool":
        return str(int(value))
    return repr(value)


def filters_of(field: FieldInfo, values: list[Any], draw: random.Random) -> Iterator[str]:  # noqa: C901
    """Yield filters of one field, with values that it has."""
    name, kind = field.name, field.type.kind
    yield name
    yield f"not {name}"
    yield f"count({name}) > 1"
    if kind in {"record", "unknown", "none"}:
        return
    chosen = draw.sample(values, min(2, len(values)))
    for value in chosen:
        if kind == "bytes" and not value:
            continue
        text = literal(field, value)
        if kind in {"bytes", "protocol"} and ":" not in text:
            text += ":"
        yield f"{draw.choice(QUANTIFIERS)}{name} {draw.choice(COMPARISONS)} {text}"
        yield f"{name} {draw.choice(COMPARISONS)} {text}"
        yield f"{draw.choice(QUANTIFIERS)}{name} {draw.choice(('in', 'not in'))} {{{text}, {text} .. {text}}}"
        yield f"not {name} {draw.choice(COMPARISONS)} {text} {draw.choice(('and', 'or', 'xor'))} tcp.len > 20"
    if len(chosen) == 2:
        low, high = sorted(chosen)
        low, high = literal(field, low), literal(field, high)
        yield f"{low} <= {name} <= {high}"
        yield f"{name} in {{{low} .. {high}}}"
    yield f"max({name}) == {name}"
    yield f"{name} == {name}"
    yield from _of_kind(field, chosen, draw)


def _of_kind(field: FieldInfo, chosen: list[Any], draw: random.Random) -> Iterator[str]:
    name, kind = field.name, field.type.kind
    if kind in {"int", "frame"}:
        number = draw.randrange(1, 9)
        for symbol in "+-*/%&":
            yield f"{name} {symbol} {number} {draw.choice(('==', '>', '<'))} {draw.randrange(40)}"
        yield f"{name} & 1"
        yield f'string({name}) matches "[13579]$"'
        yield f"abs({name}) > {number}"
        yield f"-{name} < 0"
        for word in list((field.names or {}).values())[:2]:
            yield f'{name} == "{word}"'
            yield f'{name} matches "{word[:2]}"' if word[:2].isalnum() else name
    if kind in {"text", "bytes", "protocol"}:
        first, second = draw.randrange(4), draw.randrange(1, 4)
        for value in chosen:
            part = value[first : first + second]
            if len(part) == second:
                text = literal(field, part)
                text = text if kind == "text" or ":" in text else f"{text}:"
                yield f"{name}[{first}:{second}] == {text}"
                yield f"{name} contains {text}"
        yield f"len({name}) {draw.choice(COMPARISONS)} {draw.randrange(20)}"
        yield f'{name} matches "{"" if kind == "protocol" else "^."}[a-m]"'
        yield f'{name} matches "[0-9]"'
        yield f'{name}[-1] == "{draw.choice("aeiou019")}"'
        yield f'{name}[{first}-{first + second}] > "m"'
        yield f'{name}[40:] != "a"'
    if kind == "text":
        yield f'upper({name}) contains "A"'
        yield f'lower({name}) > "m"'


def drawn(
    packets: Iterable[Packet], names: Iterable[str], fields: Fields, seed: str, most: int
) -> list[str]:
    """Return filters of the fields that packets have, and of headers."""
    draw = random.Random(seed)
    packets = list(packets)
    out: list[str] = []
    for name in (*HEADERS, *names):
        chosen = compile_for_packets(name, fields)
        (used,) = chosen.used
        getter = chosen.fields.getter(FieldValue(used.field, used.field.type), EVENTS)
        values = []
        for packet in packets:
            values += [
                each
                for each in getter.values(packet)
                if each is not None and each not in values[:50]
            ]
        out += filters_of(used.field, values[:50], draw)
    out = list(dict.fromkeys(out))
    return sorted(draw.sample(out, min(most, len(out))))
