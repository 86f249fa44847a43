"""What rules ask that no table can say: a predicate each, over the columns that the rule names."""

import ipaddress
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from streamshark.frames.codecs import unpack
from streamshark.protocols.rabbitmq_stream.codes import Compression
from streamshark.protocols.rabbitmq_stream.sub_batch import SUB_BATCH_RECORDS
from streamshark.protocols.rabbitmq_stream.types import MAX_UNPACKED

Values = Mapping[str, Any]
CODECS: Final = {int(each): each.name.lower() for each in Compression}
NOBODY: Final = 0xFFFF
"""A leader's reference where there is none."""


def refers_to_no_broker(row: Values) -> bool:
    """Whether a leader or replica in Metadata is none of the brokers in the same answer."""
    known = set(row["brokers.reference"] or ())
    named = {*(row["streams.leader"] or ()), *(row["streams.replicas"] or ())}
    return bool(named - known - {NOBODY})


def is_another_host(row: Values) -> bool:
    """Whether the advertised host is not the address that was dialled.

    A name may stand for any address; on a loopback address any but `localhost` is another host,
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


def has_bad_sub_batch(row: Values) -> bool:
    """Whether a sub-batch does not unpack, or not to what its header says."""
    entries = row.get("published_messages") or row.get("chunk.entries") or ()
    return any("records" in entry and _is_bad(entry) for entry in entries)


def has_sections_out_of_order(row: Values) -> bool:
    """Whether the first message is made of AMQP 1.0 sections, and they are not in their order.

    The header, two kinds of annotations and two of properties come before the body, of one kind,
    and a footer behind it (AMQP 1.0 part 3, 3.2). What does not begin as a section is taken for
    raw.
    """
    for entry in row["published_messages"] or ():
        message = entry.get("message")
        if message is not None:
            codes = list(_sections(message))
            return codes != sorted(codes) or any(
                one == other and one not in _SEVERAL for one, other in pairwise(codes)
            )
    return False


_SEVERAL: Final = (0x75, 0x76)
"""Sections of a body that may come several times: data, sequences."""
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


def _is_bad(entry: Mapping[str, Any]) -> bool:
    codec, size = entry["compression"], entry["uncompressed_size"]
    if codec not in CODECS or not entry["record_count"] or size < 4 * entry["record_count"]:
        return True
    data = entry["records"]
    if codec:
        made, problem = unpack(CODECS[codec], data, size=size, cap=MAX_UNPACKED)
        if problem is not None:
            return True
        data = made
    elif len(data) != size:
        return True
    value, problems = SUB_BATCH_RECORDS.decode(data)
    return bool(problems) or len(value) != entry["record_count"]
