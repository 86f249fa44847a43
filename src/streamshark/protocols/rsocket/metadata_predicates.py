"""What rules ask of metadata that no table can say: it takes the embedded records to read it.

Each takes `{"metadata": bytes or None}` of a row on a connection whose metadata is composite, and
says what the first fault in it is, if it is of its kind; else its text is empty.
"""

from collections.abc import Mapping
from typing import Any

from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.protocols.rsocket.authentication import AUTHENTICATION
from streamshark.protocols.rsocket.codes import MIME_TYPES, AuthType
from streamshark.protocols.rsocket.composite_metadata import COMPOSITE_METADATA, ENTRIES
from streamshark.protocols.rsocket.routing import ROUTING

ROUTING_ID = 0x7E
AUTHENTICATION_ID = 0x7C
Values = Mapping[str, Any]


def is_broken(row: Values) -> str:
    """Return why the bytes do not divide into entries."""
    return _wrong(COMPOSITE_METADATA, row["metadata"])


def has_unknown_type(row: Values) -> str:
    """Return the numbers of entries by which no MIME type is known."""
    ids = (entry.get("mime_id", ROUTING_ID) for entry in _entries(row))
    return ", ".join(dict.fromkeys(str(each) for each in ids if each not in MIME_TYPES))


def has_broken_route(row: Values) -> str:
    """Return what is wrong with the tags of routing metadata: one goes past its end."""
    for entry in _entries(row):
        is_route = entry.get("mime_id") == ROUTING_ID or entry.get("mime_type") in ROUTING.types
        if is_route and (wrong := _wrong(ROUTING, entry.get("content"))):
            return wrong
    return ""


def has_bad_authentication(row: Values) -> str:
    """Return what is wrong with the first authentication entry; nothing of a secret."""
    if b"\xfc" not in row["metadata"] and b"authentication" not in row["metadata"]:
        return ""
    for entry in _entries(row):
        named = entry.get("mime_type") in AUTHENTICATION.types
        if (entry.get("mime_id") == AUTHENTICATION_ID or named) and (
            wrong := _bad_authentication(entry.get("content"))
        ):
            return wrong
    return ""


def _bad_authentication(data: bytes | None) -> str:
    """Return what is wrong with authentication metadata."""
    if not data:
        return "it is empty"
    value, problems = AUTHENTICATION.decode(data)
    if problems:
        return f"it is malformed ({problems[0].message})"
    kind = value.get("auth_id")
    if kind is not None and kind not in tuple(AuthType):
        return f"type {kind} is not assigned"
    if kind == AuthType.SIMPLE and not value.get("username"):
        return "the user is empty, or the length of its name is wrong"
    if kind == AuthType.BEARER and not value.get("token"):
        return "the token is empty"
    return ""


def is_broken_route(row: Values) -> str:
    """Return the same of metadata that is nothing but a route."""
    return _wrong(ROUTING, row["metadata"])


def _wrong(embedded: EmbeddedRecord, data: bytes | None) -> str:
    """Return the first problem of some bytes; empty without one."""
    problems = [] if data is None else embedded.decode(data).problems
    return problems[0].message if problems else ""


def _entries(row: Values) -> list[dict[str, Any]]:
    metadata = row["metadata"]
    if metadata is None:
        return []
    entries: list[dict[str, Any]] = COMPOSITE_METADATA.decoder.read(metadata)[0].get(ENTRIES, [])
    return entries
