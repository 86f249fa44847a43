"""What rules ask that no table can say: a predicate each, over the columns that the rule names.

Those that give text say what they have found; it is empty where the condition does not hold.
"""

import re
import struct
from collections.abc import Iterable, Mapping
from typing import Any, Final

from streamshark.conversations.units import duration
from streamshark.findings.mistaken_text import (
    first_mistaken_name,
    mistaken_content,
    text_of_bytes,
)
from streamshark.findings.web_tokens import part_of
from streamshark.protocols.pravega.append_content import blank
from streamshark.protocols.pravega.append_reassembly import joined
from streamshark.protocols.pravega.codes import RecordType

Values = Mapping[str, Any]

_HEAD: Final = struct.Struct(">ii")
SECOND: Final = 1_000_000_000
JUST: Final = 30
"""Seconds within which a store closes a connection whose token has expired."""
LONGEST: Final = 8 << 20
"""Most bytes of an event (`Serializer.MAX_EVENT_SIZE`)."""
LONGEST_KEY: Final = 8192
"""Most bytes of a key of a table (`TableStore.MAXIMUM_KEY_LENGTH`)."""
LONGEST_VALUE: Final = (1 << 20) - LONGEST_KEY
"""Most bytes of a value (`TableStore.MAXIMUM_VALUE_LENGTH`)."""
JUDGED: Final = 4
"""Events of an append whose content is judged."""
PAIRS: Final = 3
"""Events in a row that are each written twice."""
_PERMISSIONS: Final = frozenset({"READ", "READ_UPDATE"})
_RESOURCE: Final = re.compile(r"(?:prn::)?/?scope:([^/]+)(?:/[a-z-]+:([^/]+))?")
"""What a token is for: a scope, or a stream, reader group or table of it."""


def _events(data: bytes) -> int | None:
    """EVENT records from the first byte to the last; None where the bytes are anything else."""
    at, count = 0, 0
    if blank(data):
        return None
    while at + _HEAD.size <= len(data):
        kind, length = _HEAD.unpack_from(data, at)
        if kind != RecordType.EVENT or length < 0:
            return None
        at += _HEAD.size + length
        count += 1
    return count if at == len(data) else None


def _appended(row: Values) -> bytes | None:
    """Return the bytes that an append stores; None if its end does not fit its block."""
    if row["C.block"] is None:
        return row["data"]  # type: ignore[no-any-return]
    whole = joined({"data": row["C.block"]}, row)
    return None if isinstance(whole, str) else whole["data"]


def _events_of(row: Values) -> list[bytes]:
    """Return the events of an append; none where its bytes are anything else."""
    return _whole_events(_appended(row) or b"")


def _whole_events(data: bytes) -> list[bytes]:
    """Return the events in bytes; none where these are anything else."""
    events, at = list[bytes](), 0
    if not data or _events(data) is None:
        return []
    while at < len(data):
        _, length = _HEAD.unpack_from(data, at)
        events.append(bytes(data[at + _HEAD.size : at + _HEAD.size + length]))
        at += _HEAD.size + length
    return events


def is_mistaken(row: Values) -> str:
    """Return what an event of an append is that was converted wrongly."""
    return next(filter(None, map(mistaken_content, _events_of(row)[:JUDGED])), "")


def is_text_of_bytes(row: Values) -> str:
    """Return what an event of an append is that was written as text, though it need not be."""
    return next(filter(None, map(text_of_bytes, _events_of(row)[:JUDGED])), "")


def is_doubled(row: Values) -> str:
    """Return how many events an append has, if each of them comes twice in a row."""
    events = _events_of(row)
    pairs = list(zip(events[::2], events[1::2], strict=False))
    is_twice = len(events) % 2 == 0 and all(one == other for one, other in pairs)
    former = None
    for one, _ in pairs:
        is_twice, former = is_twice and one != former, one
    return f"{len(events)}" if len(pairs) >= PAIRS and is_twice else ""


def has_another_written(row: Values) -> str:
    """Return when another writer has appended this event and the two before it, in this order."""
    now, writer = row["t"], row["writer_id"]
    sent = sorted(row["archive.sent"] or ())
    own = [content for _, _, by, content in sent if by == writer]
    wanted = [*own[-2:], row["digest(coalesce(C.block,data))"]]
    if len(set(wanted)) < len(wanted) or len(wanted) < 3:  # noqa: PLR2004 - three events
        return ""
    for other in {by for _, _, by, _ in sent if by != writer}:
        theirs = [(content, t) for _, t, by, content in sent if by == other]
        for at in range(len(theirs) - 2):
            if [content for content, _ in theirs[at : at + 3]] == wanted:
                return f"{duration(int(now - theirs[at + 2][1]))} before"
    return ""


_FORMATS: Final = (
    (b"\xac\xed\x00\x05", "a serialized object of Java"),
    (b"Obj\x01", "a file of Avro"),
    (b"\x1f\x8b", "compressed (gzip)"),
    (b"\x28\xb5\x2f\xfd", "compressed (Zstandard)"),
    (b"\x80\x04\x95", "a pickle of Python"),
    (b"<", "XML"),
    (b"{", "JSON"),
    (b"[", "JSON"),
)
"""First bytes of an event, and what it is."""


def has_another_format(row: Values) -> str:
    """Return what the format of an event is, if the first event of its stream has another one."""
    now, former = _format(_events_of(row)), _format(_whole_events(row["archive.sample"] or b""))
    is_other = now and former and now != former
    return f"{now}, and the first one of its stream {former}" if is_other else ""


def _format(events: list[bytes]) -> str:
    """Return the format of the first of some events."""
    first = events[0] if events else b""
    known = next((what for mark, what in _FORMATS if first.startswith(mark)), "")
    if known:
        return known
    return "text" if first and _is_text(first) else ""


def _is_text(data: bytes) -> bool:
    """Whether bytes are letters, digits and signs of ASCII."""
    return data.isascii() and all(each >= 32 or each in b"\t\r\n" for each in data)  # noqa: PLR2004


def is_mistaken_name(row: Values) -> str:
    """Return a name of a request that no program would choose, and what it is."""
    return first_mistaken_name(row.values())


def misfits(row: Values) -> str:
    """Return why the end of a block does not fit it."""
    whole = "" if row["C.block"] is None else joined({"data": row["C.block"]}, row)
    return whole if isinstance(whole, str) else ""


def is_miscounted(row: Values) -> str:
    """Return how many events an append has, if more than it says; appends of nothing count too."""
    data = _appended(row)
    count = _events(data) if data else None
    return str(count) if count is not None and count > row["num_events"] else ""


def is_overstated(row: Values) -> str:
    """Return how many events an append has, if fewer than it says."""
    if row["C.block_n"] is not None and row["C.block"] is None:
        return ""
    count = _events(_appended(row) or b"")
    return f"{count}" if count and count < row["num_events"] else ""


def has_long_event(row: Values) -> str:
    """Return the length of the last whole event of an append, if it is longer than what is left.

    Those of a block are whole up to the size that its end says.
    """
    block, size = row["C.block"], row["size_of_whole_events"]
    data, end = (row["data"], len(row["data"])) if block is None else (block, size)
    if not _HEAD.size <= end <= len(data) or (end > _HEAD.size and not any(data[: 2 * _HEAD.size])):
        return ""
    at = length = 0
    while at + _HEAD.size <= end:
        kind, length = _HEAD.unpack_from(data, at)
        if kind != RecordType.EVENT or not 0 <= length <= LONGEST:
            return ""
        at += _HEAD.size + length
    return f"{length:,} bytes, of which {length - (at - end):,} are" if at > end else ""


def is_torn(row: Values) -> bool:
    """Whether whole events are followed by a truncated one that is malformed when reassembled."""
    block, size, data = row["C.block"], row["size_of_whole_events"], _appended(row)
    if block is None or data is None or not 0 < size < len(data) or not _events(block[:size]):
        return False
    return _events(data[size:]) is None


def has_expired(row: Values) -> str:
    """Return for how long a token (JWT) was no longer valid, by its own word, when it was shown."""
    ago = _expired(row["delegation_token"], row["t"])
    return duration(ago) if ago > 0 else ""


def has_run_out(row: Values) -> str:
    """Return how long ago the token of a connection expired, if that was just before it ended."""
    ago = _expired(row["conn.bearer"], row["t"])
    return duration(ago) if 0 < ago <= JUST * SECOND else ""


def _expired(token: str | None, now: int) -> int:
    """Return how long ago a token (JWT) expired in ns; 0 if it does not say when."""
    _, _, rest = (token or "").partition(".")
    expiry = (part_of(rest.partition(".")[0]) or {}).get("exp")
    if not isinstance(expiry, int | float):  # a product with text or a list takes gigabytes
        return 0
    try:
        return int(now - expiry * SECOND)
    except OverflowError:
        return 0


def has_empty_key(row: Values) -> str:
    """Return which key is empty: its version, if it was written, has become something else."""
    empty = (each.index(b"") + 1 for each in row.values() if each is not None and b"" in each)
    return str(next(empty, ""))


def has_large_entry(row: Values) -> str:
    """Return which key or value of a table is longer than segment stores accept."""
    for each in row["entries"]:
        key, value = len(each["key"]["data"]), len(each["value"]["data"])
        if key > LONGEST_KEY:
            return f"a key of {key:,} bytes; {LONGEST_KEY:,} are allowed"
        if value > LONGEST_VALUE:
            return f"a value of {value:,} bytes; {LONGEST_VALUE:,} are allowed"
    return ""


def has_foreign_token(row: Values) -> bool:
    """Whether a token names what it is for, and the stream of a segment is not among it."""
    granted = _granted(row["delegation_token"])
    return bool(granted) and not any(True for _ in _permissions(granted, row["segment"]))


def has_read_only_token(row: Values) -> bool:
    """Whether all that a token says of the stream of a segment is that it may be read."""
    granted = _granted(row["delegation_token"])
    found = set(_permissions(granted, row["segment"]))
    return found == {"READ"}


def _granted(token: str | None) -> dict[str, str]:
    """Return what a token (JWT) is for, with the permissions."""
    claims = part_of((token or "").partition(".")[2].partition(".")[0]) or {}
    return {name: each for name, each in claims.items() if isinstance(each, str) and
            each in _PERMISSIONS}  # fmt: skip


def _permissions(granted: Mapping[str, str], segment: str) -> Iterable[str]:
    """Yield the permissions for the stream of a segment; of what is not understood too."""
    scope, _, rest = segment.partition("/")
    stream = rest.partition("/")[0]
    names = {stream, stream.removesuffix("_kvtable"), stream.removeprefix("_RG"),
             stream.removeprefix("_MARK")}  # fmt: skip
    for name, permission in granted.items():
        found = _RESOURCE.fullmatch(name)
        known = (found[1], found[2]) if found else tuple(name.strip("/").split("/"))
        in_scope = len(known) == 2 and known[0] == scope  # noqa: PLR2004 - a scope and a name
        unclear = "*" in name or (found is None and len(known) != 2)  # noqa: PLR2004 - the same
        if unclear or (in_scope and (known[1] is None or known[1] in names)):
            yield permission


FOR_PLUGINS: Final[Mapping[str, object]] = {
    "formats": _FORMATS, "longest_key": LONGEST_KEY, "longest_value": LONGEST_VALUE,
    "just": float(JUST * SECOND),
}  # fmt: skip
"""What the predicates in Lua share with these."""
