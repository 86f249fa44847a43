"""What rules ask that no table can say: a predicate each, over the columns that the rule names.

Those that give text say what they have found; it is empty where the condition does not hold.
"""

import ipaddress
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from streamshark.conversations.units import counted
from streamshark.decoding.codecs import unpack
from streamshark.findings.announced_content import differs
from streamshark.protocols.rabbitmq_stream import amqp_items
from streamshark.protocols.rabbitmq_stream.codes import Compression
from streamshark.protocols.rabbitmq_stream.sub_batch import SUB_BATCH_RECORDS
from streamshark.protocols.rabbitmq_stream.types import MAX_UNPACKED

Values = Mapping[str, Any]
CODECS: Final = {int(each): each.name.lower() for each in Compression}
NO_BROKER: Final = 0xFFFF
"""A leader's reference where there is none."""


def refers_to_no_broker(row: Values) -> str:
    """Return the leaders and replicas in Metadata that are not among the brokers beside them."""
    known = set(row["brokers.reference"] or ())
    named = {*(row["streams.leader"] or ()), *(row["streams.replicas"] or ())}
    return ", ".join(map(str, sorted(named - known - {NO_BROKER})))


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


def is_on_leader(row: Values) -> bool:
    """Return whether the connection is to the node of the leader."""
    leader = _leader(row)
    return leader is not None and leader == _own_node(row)


def is_beside_leader(row: Values) -> str:
    """Return the node of the leader if the connection is to another node of the cluster."""
    leader, own = _leader(row), _own_node(row)
    if leader is None or leader == own or own not in _nodes(row).values():
        return ""
    return f"{leader[0]}:{leader[1]}"


def _nodes(row: Values) -> dict[int, tuple[str, int]]:
    """Return the brokers of Metadata by their references."""
    brokers = row["placed.brokers"] or ()
    return {
        each["reference"]: (each["host"], each["port"])
        for each in brokers
        if None not in (each.get("reference"), each.get("host"), each.get("port"))
    }


def _leader(row: Values) -> tuple[str, int] | None:
    return _nodes(row).get(row["placed.leader"])


def _own_node(row: Values) -> tuple[str | None, int | None]:
    return row["conn.advertised_host"], row["conn.advertised_port"]


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


def is_not_announced(row: Values) -> str:
    """Return what the body of a message is not, although its properties announce it."""
    for entry in (row["published_messages"] or ())[:_FIRST]:
        kind = encoding = ""
        for code, value in amqp_items.sections(entry.get("message") or b""):
            if code == amqp_items.PROPERTIES:
                kind, encoding = _content(amqp_items.items(value))
            elif code in _BODIES and (kind or encoding):
                found = differs(kind, encoding, amqp_items.scalar(value))
                if found:
                    return found
    return ""


def _content(items: list[bytes]) -> tuple[str, str]:
    """Return content type and content encoding of the properties of a message."""
    named = [amqp_items.scalar(each).decode("ascii", "replace") for each in items[6:8]]
    return (named[0] if named else "", named[1] if len(named) > 1 else "")


def has_another_key(row: Values) -> str:
    """Return which message lacks the routing key, if the first message after Route has it."""
    key = (row["router.key"] or "").encode()
    entries = (row["published_messages"] or ())[:_SAMPLE]
    messages = [each.get("message") or b"" for each in entries]
    sample: bytes = row["router.sample"] or (messages[0] if messages else b"")
    if key and key in sample:
        for number, message in enumerate(messages, 1):
            if message and key not in message:
                return f"message {number} of the frame, which does not contain this key,"
    return ""


_FIRST: Final = 4
"""Messages of a frame of which the body is compared with its content type."""
_BODIES: Final = (0x75, 0x77)
"""Sections whose value is the body: data, a value."""
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
        at = value + amqp_items.size(message, value)


_SEVERAL: Final = (0x75, 0x76)
"""Sections of a body that may come several times: data, sequences."""
_NAMES: Final = (
    "header", "delivery-annotations", "message-annotations", "properties",
    "application-properties", "data", "amqp-sequence", "amqp-value", "footer",
)  # fmt: skip
"""Of the sections, from code 0x70 on."""


def _sections(message: bytes) -> Iterator[int]:
    """Codes of a message's sections, as far as it is made of them."""
    for code, _ in amqp_items.sections(message):
        if not 0x70 <= code <= 0x78:  # noqa: PLR2004 - those of messages
            return
        yield code


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
