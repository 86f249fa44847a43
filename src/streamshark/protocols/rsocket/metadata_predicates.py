"""What rules ask of metadata that no table can say: it takes the embedded records to read it.

Each takes `{"metadata": bytes or None}` of a row on a connection whose metadata is composite, and
says what the first fault in it is, if it is of its kind; else its text is empty.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.findings.mistaken_text import mistaken_name
from streamshark.findings.near_names import similar
from streamshark.findings.trace_contexts import constant_context, context_fault, trace_context
from streamshark.findings.web_tokens import TOKEN, token_fault
from streamshark.protocols.rsocket import composite_metadata, predicates
from streamshark.protocols.rsocket.authentication import AUTHENTICATION
from streamshark.protocols.rsocket.codes import MIME_TYPES, AuthType
from streamshark.protocols.rsocket.composite_metadata import COMPOSITE_METADATA, ENTRIES
from streamshark.protocols.rsocket.mime_types import ACCEPT_MIME_TYPES, DATA_MIME_TYPE
from streamshark.protocols.rsocket.routing import ROUTING
from streamshark.protocols.rsocket.tracing import TRACING
from streamshark.protocols.rsocket.types import VEILED

ROUTING_ID = 0x7E
TRACING_ID = 0x7D
AUTHENTICATION_ID = 0x7C
MASK = 0x7F
_MARKED = {
    b"\xfe": ROUTING, b"\xfa": DATA_MIME_TYPE, b"\xfb": ACCEPT_MIME_TYPES, b"\xfd": TRACING,
}  # fmt: skip
"""First byte of an entry of a type that is named by number, and how it is read."""
_BARE: Final = re.compile(rb"(?P<jwt>eyJ[\w-]+\.)|(?i:bearer|basic) ")
"""What credentials without a type begin with."""
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
    if problems and not _BARE.match(data):
        return f"it is malformed ({problems[0].message})"
    kind = value.get("auth_id")
    if kind is None and (found := _BARE.match(data)):
        what = "a JSON Web Token" if found.lastgroup == "jwt" else "the name of a scheme of HTTP"
        return f"it begins with {what} where the type of authentication belongs"
    if kind is not None and kind not in tuple(AuthType):
        return f"type {kind} is not assigned"
    user, token = value.get("username"), value.get("token") or ""
    wrong = {
        "the user is empty, or the length of its name is wrong": (
            kind == AuthType.SIMPLE and not user
        ),
        "the length of the user has 8 bits instead of 16": (
            kind == AuthType.SIMPLE and _is_short(data)
        ),
        "the token is empty": kind == AuthType.BEARER and not token,
        "the token begins with the name of a scheme of HTTP": (
            kind == AuthType.BEARER and token.lower().startswith(("bearer ", "basic "))
        ),
    }
    return next((each for each, is_so in wrong.items() if is_so), "")


def _is_short(data: bytes) -> bool:
    """Return whether the length of a user has 8 bits: read as 16, it is beyond the end."""
    return len(data) > 2 and int.from_bytes(data[1:3], "big") > len(data) - 3  # noqa: PLR2004


def has_bad_entry(row: Values) -> str:
    """Return what is wrong with an entry that is a route, MIME types, or tracing."""
    metadata = row["metadata"]
    for mark, embedded in _MARKED.items():
        if mark not in metadata:
            continue
        for entry in _entries(row):
            if entry.get("mime_id") != mark[0] & MASK or (content := entry.get("content")) is None:
                continue
            if embedded is ROUTING:
                if not any(content):
                    return "the route is empty"
            elif wrong := _wrong(embedded, content):
                return f"{entry['mime_id']:#x} is malformed ({wrong})"
            elif embedded is TRACING and (zero := context_fault(_trace(content))):
                return f"of the tracing metadata {zero}"
    return _misspelt_type(row) if b"ocket" in metadata else ""


def _misspelt_type(row: Values) -> str:
    """Return the name of a type that is nearly one of RSocket."""
    for entry in _entries(row):
        name = entry.get("mime_type")
        if isinstance(name, str) and name not in _TYPES and "x.rsocket" in name.lower():
            return f"no type of RSocket has the name {name}"
    return ""


def has_entry_twice(row: Values) -> str:
    """Return the type of metadata that a request has twice, although one is meant to count."""
    metadata = row["metadata"]
    if not any(metadata.count(mark) > 1 for mark in _ONCE):
        return ""
    ids = [entry.get("mime_id") for entry in _entries(row)]
    return next((what for mark, what in _ONCE.items() if ids.count(mark[0] & MASK) > 1), "")


_ONCE: Final = {b"\xfe": "a route", b"\xfc": "authentication", b"\xfa": "a MIME type of its data"}
"""First bytes of entries of which a request has one."""


def routes(metadata: bytes | None) -> list[str]:
    """Return the tags of routing metadata in composite metadata, or of nothing but a route."""
    found: list[str] = []
    for entry in _entries({"metadata": metadata}):
        named = entry.get("mime_type") in ROUTING.types
        if (entry.get("mime_id") == ROUTING_ID or named) and (content := entry.get("content")):
            value, problems = ROUTING.decode(content)
            if not problems:
                found += [each for each in value if isinstance(each, str)]
    return found


def has_mistaken_route(row: Values) -> str:
    """Return the route of a request that was not meant."""
    for route in routes(row["metadata"]):
        if found := mistaken_name(route):
            return f"{route!r}, {found}"
    return ""


def is_nearly_served(row: Values) -> str:
    """Return the route of a refused request, and the one that it nearly is and that is served."""
    served = [route for each in row["served.metadata"] or () for route in routes(each)]
    for route in routes(row["stream.metadata"]):
        if meant := "" if route in served else similar(route, served):
            return f"'{route}', while '{meant}' is answered"
    return ""


def lacks_entry(row: Values) -> str:
    """Return the type of metadata that each served request has, and a refused one has not."""
    return _missing(row["stream.metadata"], row["served.metadata"] or ())


def lacks_usual(row: Values) -> str:
    """Return the type of metadata that each request before has, and this one has not."""
    earlier = [each[1] for each in row["me.traced"] or ()]
    return _missing(row["metadata"], earlier) if len(earlier) >= row["TRACE_LIMIT"] - 1 else ""


def _missing(metadata: bytes, others: Iterable[bytes]) -> str:
    """Return the types of entries that all others have, and some metadata has not."""
    kinds = [_types(each) for each in others]
    common = frozenset.intersection(*kinds) if kinds else frozenset()
    return " and no ".join(sorted(common - _types(metadata)))


def _types(metadata: bytes) -> frozenset[str]:
    """Return the MIME types of the entries of composite metadata."""
    entries = _entries({"metadata": metadata})
    return frozenset(
        each.get("mime_type") or MIME_TYPES.get(each.get("mime_id", -1), "") for each in entries
    ) - {""}


def is_not_accepted(row: Values) -> str:
    """Return the MIME type of an answer, and those that the request accepts, if it is none of them.

    The answer has that of its metadata, or of the connection.
    """
    accepted = _named(row["stream.metadata"], ACCEPT_MIME_TYPES)
    own = _named(row["metadata"], DATA_MIME_TYPE)
    given = (own or [row["conn.data_mime_type"] or ""])[0]
    if not accepted or not given or any(_covers(each, given) for each in accepted):
        return ""
    return f"{given}, but the request accepts {', '.join(accepted)}"


def _named(metadata: bytes | None, embedded: EmbeddedRecord) -> list[str]:
    """Return the MIME types that the entries of one type name."""
    found: list[str] = []
    for entry in _entries({"metadata": metadata}):
        name = entry.get("mime_type") or MIME_TYPES.get(entry.get("mime_id", -1), "")
        if name not in embedded.types or (content := entry.get("content")) is None:
            continue
        value = embedded.decode(content).value
        for each in value if isinstance(value, list) else [value]:
            type_ = each.get("mime_type") or MIME_TYPES.get(each.get("mime_id", -1), "")
            found += [type_] if type_ else []
    return found


def _covers(accepted: str, given: str) -> bool:
    """Return whether a MIME type is one that is accepted, which may have `*` and parameters.

    >>> _covers("application/*", "application/json"), _covers("text/plain;q=1", "text/css")
    (True, False)
    """
    wanted, own = (each.partition(";")[0].strip().lower() for each in (accepted, given))
    return wanted in {own, "*/*", f"{own.partition('/')[0]}/*"}


def is_another_model(row: Values) -> str:
    """Return why a route was refused for its interaction model."""
    if found := _MODEL.search(row["error_data"] or ""):
        return f"the server says '{found[0]}'"
    model, asked = row["stream.model"], routes(row["stream.metadata"])
    served = row["served.models"] or ()
    others = {other for other, each in served if asked and routes(each) == asked}
    return f"its route is answered as {min(others)}" if others and model not in others else ""


_MODEL: Final = re.compile(r"does not support \w+|[Uu]nsupported (?:interaction|frame) type\S*")
"""What servers say of a route that is requested as another model."""


def is_name_of_type(row: Values) -> str:
    """Return the name of a MIME type that metadata consists of."""
    name = bytes(row["metadata"]).strip(b"\0").decode("latin-1")
    if len(name) > 1 and ord(name[0]) == len(name) - 1:
        name = name[1:]
    return f"the name {name}" if name in _TYPES else ""


_TYPES: Final = frozenset(MIME_TYPES.values())


def has_marked_credentials(row: Values) -> str:
    """Return what is odd about refused credentials, without repeating them."""
    (metadata,) = row.values()
    for entry in _entries({"metadata": metadata}):
        named = entry.get("mime_type") in AUTHENTICATION.types
        content = entry.get("content")
        if content and (entry.get("mime_id") == AUTHENTICATION_ID or named):
            value, problems = AUTHENTICATION.decode(content)
            parts = {} if problems else {k: value.get(k) for k in ("username", "password", "token")}
            for what, text in parts.items():
                if isinstance(text, str) and (found := _mark(text)):
                    return f"the {what} {found}"
    return ""


def _mark(text: str) -> str:
    """Return what is odd about a user, a password or a token."""
    if text != text.strip():
        return "has white space at an end, such as the line break of a file"
    if len(text) > 1 and text[0] in "'\"" and text[0] == text[-1]:
        return "is in quotation marks"
    if text in ("undefined", "null", "None") or text.startswith(("${", "{{")):
        return "is the text of an unset variable"
    return "is percent-encoded" if _PERCENT.search(text) else ""


_PERCENT: Final = re.compile(r"%[0-9A-Fa-f]{2}")


def has_expired_token(row: Values) -> str:
    """Return why the token in metadata is not valid at the time of the packet."""
    return token_fault(bytes(row["metadata"]), row["t"])


def has_clear_credentials(row: Values) -> str:
    """Return what credentials metadata has; nothing of them."""
    metadata = bytes(row["metadata"])
    if b"eyJ" in metadata and TOKEN.search(metadata):
        return "a token"
    if b"\xfc" in metadata or b"authentication" in metadata:
        for entry in _entries(row):
            named = entry.get("mime_type") in VEILED
            if (entry.get("mime_id") == AUTHENTICATION_ID or named) and entry.get("content"):
                return "authentication metadata"
    return ""


def repeats_credentials(row: Values) -> bool:
    """Return whether a request has the authentication of SETUP once more."""
    former = _authentication({"metadata": row["conn.setup_metadata"]})
    return former is not None and former == _authentication(row)


def _authentication(row: Values) -> bytes | None:
    entries = (e for e in _entries(row) if e.get("mime_id") == AUTHENTICATION_ID)
    return next((each.get("content") for each in entries), None)


def has_constant_trace(row: Values) -> str:
    """Return the trace and span of this request, and of those before it, if it is the same one."""
    metadata = row["metadata"]
    if b"\xfd" not in metadata and b"-" not in metadata and b"trac" not in metadata:
        return ""
    earlier = sorted(row["me.traced"] or (), key=lambda each: each[0])[1 - row["TRACE_LIMIT"] :]
    if len({(each[1], each[2]) for each in earlier}) < len(earlier):
        return ""
    contexts = [_context(each[1]) for each in earlier]
    return constant_context([*contexts, _context(metadata)], row["TRACE_LIMIT"])


def _context(metadata: bytes) -> tuple[bytes, bytes] | None:
    """Return the ids of the trace and of the span of a request, of whatever kind."""
    if b"\xfd" in metadata or b"tracing" in metadata:
        for entry in _entries({"metadata": metadata}):
            named = entry.get("mime_type") in TRACING.types
            if (entry.get("mime_id") == TRACING_ID or named) and (content := entry.get("content")):
                return _trace(content)
    return trace_context(metadata)


def _trace(content: bytes) -> tuple[bytes, bytes] | None:
    """Return the ids of tracing metadata."""
    value, problems = TRACING.decode(content)
    if problems or value.get("span_id") is None:
        return None
    return bytes(value["trace_id_low"]).hex().encode(), bytes(value["span_id"]).hex().encode()


def is_other_metadata(row: Values) -> str:
    """Return why metadata is not of the MIME type that SETUP announces."""
    mime_type, metadata = row["conn.metadata_mime_type"], bytes(row["metadata"])
    if is_composite(metadata):
        return "it is composite metadata"
    if mime_type not in ("application/json", "application/xml", "text/plain"):
        return ""
    return predicates.is_another_type({"agreed.data_mime_type": mime_type, "data": metadata})


def is_composite(metadata: bytes) -> bool:
    """Return whether bytes divide into entries, the first of which is a route or a token."""
    return metadata[:1] in (b"\xfe", b"\xfc") and bool(composite_metadata.sure(metadata))


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


def differs_in_id(row: Values) -> str:
    """Return two routes that differ in an id only: those of a request and of the one before."""
    now, former = routes(row["metadata"]), routes(row["conn.routed_singly_value"])
    if len(now) != 1 or len(former) != 1 or now == former:
        return ""
    alike = _ID.sub("#", now[0]) == _ID.sub("#", former[0])
    return f"'{former[0]}', '{now[0]}'" if alike else ""


_ID: Final = re.compile(r"(?<![^./:])(?=[^./:]*\d)[^./:]+")
"""A part of a route that has a digit."""


def has_credentials_as_data(row: Values) -> str:
    """Return what credentials data has; nothing of them."""
    data = bytes(row["data"][:_JUDGED])
    if b"eyJ" in data and TOKEN.search(data):
        return "a token"
    return "a password" if _PASSWORD.search(data) else ""


_JUDGED: Final = 1024
"""Bytes of data that are searched for credentials."""
_PASSWORD: Final = re.compile(rb'"(?i:password|passwd|pwd|client_secret)" ?: ?"[^"]')
