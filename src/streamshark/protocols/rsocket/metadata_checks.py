"""What rules ask of metadata that no table can say: it takes the riders to read it.

Each takes `{"metadata": bytes or None}` of a row on a connection whose metadata is composite, and
says whether the first fault in it is of its kind.
"""

from collections.abc import Mapping
from typing import Any

from streamshark.protocols.rsocket.codes import MIME_TYPES
from streamshark.protocols.rsocket.composite_metadata import COMPOSITE_METADATA, ENTRIES
from streamshark.protocols.rsocket.routing import ROUTING

ROUTING_ID = 0x7E
Values = Mapping[str, Any]


def is_broken(row: Values) -> bool:
    """Whether the bytes do not divide into entries."""
    metadata = row["metadata"]
    return metadata is not None and bool(COMPOSITE_METADATA.decode(metadata).problems)


def has_unknown_type(row: Values) -> bool:
    """Whether an entry has a number that no MIME type is known by."""
    return any(entry.get("mime_id", ROUTING_ID) not in MIME_TYPES for entry in _entries(row))


def has_broken_route(row: Values) -> bool:
    """Whether a tag of routing metadata goes past its end."""
    return any(
        "content" in entry
        and (entry.get("mime_id") == ROUTING_ID or entry.get("mime_type") in ROUTING.types)
        and ROUTING.decode(entry["content"]).problems
        for entry in _entries(row)
    )


def is_broken_route(row: Values) -> bool:
    """The same of metadata that is nothing but a route."""
    metadata = row["metadata"]
    return metadata is not None and bool(ROUTING.decode(metadata).problems)


def _entries(row: Values) -> list[dict[str, Any]]:
    metadata = row["metadata"]
    if metadata is None:
        return []
    entries: list[dict[str, Any]] = COMPOSITE_METADATA.decoder.read(metadata)[0].get(ENTRIES, [])
    return entries
