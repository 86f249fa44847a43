"""What rules ask that no table can say: a predicate each, over the columns that the rule names.

Those that give text say what they have found; it is empty where the condition does not hold.
"""

import ipaddress
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from streamshark.conversations.units import counted
from streamshark.decoding.codecs import unpack
from streamshark.protocols.rabbitmq_stream.codes import Compression
from streamshark.protocols.rabbitmq_stream.sub_batch import SUB_BATCH_RECORDS
from streamshark.protocols.rabbitmq_stream.types import MAX_UNPACKED

Values = Mapping[str, Any]
CODECS: Final = {int(each): each.name.lower() for each in Compression}
NOBODY: Final = 0xFFFF
"""A leader's reference where there is none."""


def refers_to_no_broker(row: Values) -> str:
    """Return the leaders and replicas in Metadata that are not among the brokers beside them."""
    known = set(row["brokers.reference"] or ())
    named = {*(row["streams.leader"] or ()), *(row["streams.replicas"] or ())}
    return ", ".join(map(str, sorted(named - known - {NOBODY})))


def is_another_host(row: Values) -> bool:
    """Whether the advertised host is not the address that was dialled.

    A name may be that of any address; on a loopback address any but `localhost` is another host,
    elsewhere only what has no dot: the name of a container.
    """
    host, server = row["conn.advertised_host"], row["server"]
    if not isinstance(host, str) or not isinstance(server, str):
        return False
    dialled = server.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host) != ipaddress.ip_address(dialled)
    except ValueError:
        loopback = dialled.startswith("127.") or dialled == "::1"
        return host != "localhost" if loopback else "." not in host


def is_port_dialled(row: Values) -> bool:
    """Whether the port that the broker advertises is the one dialled: no proxy is between."""
    server, port = row["server"], row["conn.advertised_port"]
    return isinstance(server, str) and server.rpartition(":")[2] == str(port)


def has_bad_sub_batch(row: Values) -> str:
    """Return how the first bad sub-batch differs from its header, and which it is."""
    entries = row.get("published_messages") or row.get("chunk.entries") or ()
    for number, entry in enumerate(entries, 1):
        if "records" in entry and (fault := _fault(entry)):
            return f"{fault} (entry {number} of {len(entries)})"
    return ""


def has_sections_out_of_order(row: Values) -> str:
    """Return which section of the first message comes after which other one that it must precede.

    The header, two kinds of annotations and two of properties come before the body, of one kind,
    and a footer after it (AMQP 1.0 part 3, 3.2). What does not begin as a section is taken for
    raw.
    """
    for entry in row["published_messages"] or ():
        message = entry.get("message")
        if message is not None:
            for one, other in pairwise(_sections(message)):
                if other < one or (one == other and one not in _SEVERAL):
                    return f"{_NAMES[other - 0x70]} after {_NAMES[one - 0x70]}"
            break
    return ""


def has_null_property(row: Values) -> str:
    """Return an application property that is null in one message and not in another one."""
    null, valued = set[bytes](), set[bytes]()
    for entry in (row["published_messages"] or ())[:_SAMPLE]:
        message = entry.get("message")
        for name, constructor in _properties(message) if message is not None else ():
            (null if constructor == _NULL else valued).add(name)
    found = sorted(null & valued)
    return f"'{found[0].decode('utf-8', 'replace')}'" if found else ""


_SAMPLE: Final = 16
"""Messages of a frame of which the properties are compared."""
_NULL: Final = 0x40
"""The constructor of null."""
_PROPERTIES: Final = b"\0\x53\x74"
"""The descriptor of a section of application properties."""
_MAPS: Final = {0xC1: 1, 0xD1: 4}
"""Constructor of a map to the bytes of its size and of its count."""
_TEXTS: Final = {0xA1: 1, 0xB1: 4}
"""Constructor of text to the bytes of its length."""


def _properties(message: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the names of the application properties with the constructors of their values."""
    start = message.find(_PROPERTIES) + len(_PROPERTIES)
    width = _MAPS.get(message[start]) if len(_PROPERTIES) <= start < len(message) else None
    if width is None:
        return
    at, end = start + 1 + 2 * width, start + 1 + width
    end += int.from_bytes(message[start + 1 : end], "big")
    while at < min(end, len(message)) and message[at] in _TEXTS:
        body = at + 1 + _TEXTS[message[at]]
        value = body + int.from_bytes(message[at + 1 : body], "big")
        if value >= len(message):
            return
        yield message[body:value], message[value]
        at = value + _size(message, value)


def _size(message: bytes, at: int) -> int:
    """Return the bytes of a value with its constructor; of an unknown one all that follows."""
    kind = message[at] >> 4
    if kind in _FIXED:
        return 1 + _FIXED[kind]
    if kind not in _COUNTED:
        return len(message)
    before = at + 1 + _COUNTED[kind]
    return before - at + int.from_bytes(message[at + 1 : before], "big")


_SEVERAL: Final = (0x75, 0x76)
"""Sections of a body that may come several times: data, sequences."""
_NAMES: Final = (
    "header", "delivery-annotations", "message-annotations", "properties",
    "application-properties", "data", "amqp-sequence", "amqp-value", "footer",
)  # fmt: skip
"""Of the sections, from code 0x70 on."""
_FIXED: Final = {0x4: 0, 0x5: 1, 0x6: 2, 0x7: 4, 0x8: 8, 0x9: 16}
"""Bytes of a value by the upper half of its constructor (AMQP 1.0 part 1, 1.2)."""
_COUNTED: Final = {0xA: 1, 0xC: 1, 0xE: 1, 0xB: 4, 0xD: 4, 0xF: 4}
"""Bytes of the size before it."""


def _sections(message: bytes) -> Iterator[int]:
    """Codes of a message's sections, as far as it is made of them."""
    at = 0
    while message[at : at + 2] == b"\0\x53" and b"\x70" <= message[at + 2 : at + 3] <= b"\x78":
        yield message[at + 2]
        kind = message[at + 3] >> 4 if at + 3 < len(message) else 0
        size, before = _FIXED.get(kind, 0), _COUNTED.get(kind, 0)
        start = at + 4 + before
        if kind not in _FIXED and not before:
            return
        size += int.from_bytes(message[at + 4 : start], "big")
        at = start + size
        if at + 3 > len(message):
            return


def _fault(entry: Mapping[str, Any]) -> str:
    """Return what is wrong with a sub-batch; empty for nothing."""
    codec, size, count = entry["compression"], entry["uncompressed_size"], entry["record_count"]
    if codec not in CODECS:
        return f"no codec {codec} is known"
    if not count:
        return "0 messages announced"
    if size < 4 * count:
        return f"{count} messages announced in {counted(size, 'byte')}, too few"
    data, problem = unpack(CODECS[codec], entry["records"], size=size, cap=MAX_UNPACKED)
    if problem is not None or data is None:
        return problem or "it does not unpack"
    value, problems = SUB_BATCH_RECORDS.decode(data)
    if problems:
        return problems[0].message
    differs = len(value) != count
    return f"{count} messages announced, {len(value)} present" if differs else ""
