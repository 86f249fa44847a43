"""What rules ask that no table can say: a predicate each, over the columns that the rule names."""

import ipaddress
from collections.abc import Mapping
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
