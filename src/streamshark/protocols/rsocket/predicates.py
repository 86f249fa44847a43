"""Conditions of rules that no expression can say, each over the columns that the rule names.

The text that they return is what they found; it is empty if the condition does not hold.
"""

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from streamshark.findings.internals import CREDENTIALS, QUERY, TRACES, inner_detail, stack_trace
from streamshark.findings.mistaken_text import mistaken_content, text_of_bytes, wide_text
from streamshark.findings.near_names import similar
from streamshark.protocols.rsocket.codes import MIME_TYPES

Values = Mapping[str, Any]

_NAMES: Final = {
    "metadata_mime_type": "MIME type of metadata",
    "data_mime_type": "MIME type of data",
    "error_data": "error data",
}
BINARY: Final = (
    "application/cbor", "application/avro", "application/x-hessian", "application/x-java-object",
    "application/vnd.google.protobuf", "application/vnd.apache.thrift.binary",
)  # fmt: skip
"""MIME types whose values never are a JSON object as text."""
JUDGED: Final = ("application/json", "application/xml", "text/plain", *BINARY)
"""MIME types whose data is judged."""
JUDGED_METADATA: Final = (
    "application/json", "application/xml", "text/plain", "application/octet-stream",
    "application/binary", "message/x.rsocket.routing.v0",
)  # fmt: skip
"""MIME types whose metadata is judged."""
SHORT: Final = 512
"""Bytes of JSON that is parsed; of longer data the first and last characters are judged."""
_WELL_KNOWN: Final = frozenset(MIME_TYPES.values())
_WELL_KNOWN_SORTED: Final = tuple(sorted(_WELL_KNOWN))
_SPRING_TYPE: Final = re.compile(r"message/x\.rsocket\.[a-z.-]+\.v[0-9]+\Z")
"""Form of the types of RSocket and its extensions."""
LENGTH: Final = 3
"""Bytes of a metadata length."""
HEADER: Final = 6
"""Bytes of a stream id, a type and flags."""
REQUESTS: Final = {
    4: "REQUEST_RESPONSE", 5: "REQUEST_FNF", 6: "REQUEST_STREAM", 7: "REQUEST_CHANNEL",
}  # fmt: skip
"""Types of frames that open a stream."""
UNUSED_FLAGS: Final = 0x1F
"""Flags that no frame has."""


def ends_with_null(row: Values) -> str:
    """Return the names of the texts that end with a zero byte."""
    wrong = (name for name, value in row.items() if value and value[-1] in ("\0", 0))
    return " and ".join(_NAMES.get(each, each) for each in wrong)


def holds_another_frame(row: Values) -> str:
    """Return the request at the end of data: the header of a frame on the sender's next stream."""
    stream, data = row["fields.stream_id"], bytes(row["data"])
    follows = (stream + 2 if stream else 1).to_bytes(4, "big")
    at = data.find(follows)
    while at >= 0:
        head = int.from_bytes(data[at + 4 : at + HEADER], "big")
        name = REQUESTS.get(head >> 10)
        if name is not None and not head & UNUSED_FLAGS and len(data) - at >= HEADER:
            return f"{name} on stream {int.from_bytes(follows, 'big')}"
        at = data.find(follows, at + 1)
    return ""


def is_no_type(row: Values) -> str:
    """Return which MIME type of SETUP no peer knows: one without a slash, or nearly a known one."""
    for name, value in row.items():
        what = _NAMES[name]
        if value is None or value.strip("\0") in _WELL_KNOWN:
            continue
        if not value:
            return f"an empty {what}"
        if "/" not in value.strip("/"):
            return f"{value!r} as {what}, which is not of the form type/subtype"
        if "*" in value:
            return f"{value!r} as {what}, which is a pattern and no type"
        if "x.rsocket" in value.lower() and not _SPRING_TYPE.match(value):
            return f"{value!r} as {what}, which is not a type of RSocket"
    return ""


def has_similar_type(row: Values) -> str:
    """Return which MIME type of SETUP is nearly a well-known one."""
    for name, value in row.items():
        if value and value not in _WELL_KNOWN and "x.rsocket" not in value.lower():
            bare = value.partition(";")[0].strip()
            meant = bare if bare in _WELL_KNOWN else similar(bare, _WELL_KNOWN_SORTED)
            if meant:
                return f"{value!r} as {_NAMES[name]}, which may be meant as {meant}"
    return ""


def is_guessable(row: Values) -> str:
    """Return why others may guess a resume token."""
    token = bytes(row["resume_identification_token"])
    if len(token) < _TOKEN_BYTES:
        return f"it has {len(token)} byte{'' if len(token) == 1 else 's'}"
    if len(set(token)) <= 2:  # noqa: PLR2004 - one byte and another
        return "it is hardly more than one byte repeated"
    return "it is a number" if token.isdigit() else ""


_TOKEN_BYTES: Final = 8
"""Bytes of a token that is not guessed."""


def is_mistaken(row: Values) -> str:
    """Return what data is that was converted wrongly."""
    return mistaken_content(bytes(row["data"]))


def is_text_of_bytes(row: Values) -> str:
    """Return what data is that was written as text, though it need not be."""
    return text_of_bytes(bytes(row["data"]))


def has_trace(row: Values) -> str:
    """Return what of the inside of a program an error text shows."""
    text = row["error_data"]
    if language := stack_trace(text):
        return f"a stack trace of {language}"
    return "credentials" if inner_detail(text) == "credentials" else ""


def has_query(row: Values) -> str:
    """Return whether an error text shows a query, or the error of a database."""
    return "" if has_trace(row) else inner_detail(row["error_data"])


def is_placeholder(row: Values) -> bool:
    """Return whether the text of an ERROR is one that programmers leave for later."""
    return _PLACEHOLDER.search(row["error_data"]) is not None


_PLACEHOLDER: Final = re.compile(
    r"\b(?:TO-?DO|FIX-?ME|TBD)\b|"
    r"(?i:lorem ipsum|not (?:yet )?implemented yet|should be error details)"
)


def breaks_order(row: Values) -> str:
    """Return the number of an item that does not follow those of the items before it."""
    data, earlier = bytes(row["data"]), sorted(row["stream.firsts"])
    numbers, before = _NUMBER.findall(data), _NUMBER.findall(earlier[-1][1])
    if not numbers or any(
        int(one) + 1 == int(two) for one, two in zip(before, numbers, strict=False)
    ):
        return ""
    shape = _NUMBER.sub(b"#", data)
    alike = [each for _, each in earlier[-_COMPARED:] if _NUMBER.sub(b"#", each) == shape]
    if len(alike) < row["IN_ORDER"]:
        return ""
    items = [[int(each) for each in _NUMBER.findall(item)] for item in (*alike, data)]
    rows = [each for each in zip(*items, strict=True) if each[-1] < _LARGE]
    for numbered in rows:
        if _counts_up(numbered[-1 - row["IN_ORDER"] : -1]):
            carried = any(each[-1] != each[-2] for each in rows[: rows.index(numbered)])
            begun_anew = numbered[-1] in (0, 1, numbered[0], numbered[-2] + 1)
            return "" if carried or begun_anew else _step(*numbered[-2:])
    return next(filter(None, map(_mixed_up, rows)), "")


def _counts_up(numbers: tuple[int, ...]) -> bool:
    """Return whether each number is one more than the one before it."""
    return all(after == before + 1 for before, after in pairwise(numbers))


def _step(before: int, now: int) -> str:
    """Return what is wrong with the number after another one."""
    if now == before:
        return f"the number {now} a second time"
    return f"the number {now} after {before}"


def _mixed_up(numbers: tuple[int, ...]) -> str:
    """Return the last two numbers if all are those of a range, in another order."""
    size = len(numbers)
    is_range = size >= _MIXED and len(set(numbers)) == size == max(numbers) - min(numbers) + 1
    falls = is_range and numbers[-1] < numbers[-2]
    return _step(numbers[-2], numbers[-1]) if falls else ""


_DIGITS: Final = 15
"""Most digits of a number."""
_NUMBER: Final = re.compile(rb"\d{1,%d}" % _DIGITS)
_COMPARED: Final = 16
"""Items before that are compared."""
_LARGE: Final = 10**9
"""Numbers from it on are times or ids."""
_MIXED: Final = 6
"""Numbers of a range that are in another order by no chance."""


def says_nothing(row: Values) -> bool:
    """Return whether the text of an ERROR is the name of a missing value, or of no value at all."""
    return _NOTHING.fullmatch(row["error_data"].strip()) is not None


_NOTHING: Final = re.compile(
    r"(?i:null|undefined|none|nil|error|exception|unknown(?: error)?|\[object \w+\]|\{\}|\[\])|"
    r"(?:\w+\.)*\w+(?:Exception|Error)(?:\(\))?(?:: null)?"
)


def lacks_handler(row: Values) -> bool:
    """Return whether the text of an ERROR is that of a kind of request without a handler."""
    return _UNIMPLEMENTED.fullmatch(row["error_data"].strip()) is not None


_UNIMPLEMENTED: Final = re.compile(
    r"(?i:(?:request[-_ ]?)?(?:response|stream|channel|fnf|fire[-_ ]?and[-_ ]?forget)?[-_ .:()]*"
    r"(?:is |method )?(?:not[ _-]implement(?:ed)?|unimplement(?:ed)?)[-_ .:()!]*)"
)


def names_reason(row: Values) -> str:
    """Return for which of the usual reasons a request is refused, as the text of ERROR says."""
    text = row["error_data"][:_LONG]
    return next((reason for form, reason in _REASONS if form.search(text)), "")


_LONG: Final = 256
"""Characters of a text that are read."""
_REASONS: Final = (
    (re.compile(r"(?i)\b(?:handler|route|mapping|destination)\b.*(?:''|\"\"|\bnull\b)"),
     "the server finds no route in its metadata"),
    (re.compile(r"(?i)\bno (?:handler|mapping|service|method|responder)\b|"
                r"\broute\b.*\b(?:not|unknown|missing)\b|\b(?:unknown|missing|no|invalid) route\b|"
                r"\b(?:handler|route|method|service|mapping)\b.*\b(?:found|registered|implemented)\b"),
     "the server has no handler for its route"),
    (re.compile(r"(?i)too (?:big|large|long)\b|\bexceed(?:s|ed)?\b.*\b(?:max|limit|size|length)|"
                r"\bmax(?:imum)? (?:frame|payload|message)\b|\bfragmentation\b"),
     "a payload is too large for one frame, or for a limit of the peer"),
    (re.compile(r"(?i)\b(?:en|de)cod(?:e|ing)\b.*"
                r"\b(?:error|fail|not)|\b(?:failed to|cannot|could not|can't|unable to) "
                r"(?:de|en)?(?:code|serialize|parse|read|convert)|"
                r"\bunsupported (?:media|mime|content)|"
                r"\b(?:unexpected|unrecognized) (?:token|character|end of)|\bmalformed\b|"
                r"\binvalid (?:json|cbor|utf|character|start byte)"),
     "its data or metadata cannot be read as the type that SETUP announces"),
    (re.compile(r"(?i)\baccess (?:is )?denied\b|\bunauthori[sz]ed\b|\bforbidden\b|\bnot (?:allowed|"
                r"authenticated|authori[sz]ed)\b|\b(?:invalid|bad|wrong|missing|no|expired) "
                r"(?:credentials|token|password|authentication)\b|\b(?:token|session)\b.*\bexpired\b"),
     "its credentials are missing, not valid, or not sufficient"),
    (re.compile(r"(?i)\btime(?:d)?[ -]?out\b|\bdid not (?:observe|respond|answer)\b|\bdeadline\b"),
     "the responder gave up waiting for something itself"),
    (re.compile(r"(?i)\black of requests\b|\bback[ -]?pressure\b|\boverrun\b|"
                r"\b(?:buffer|queue) (?:is )?(?:full|overflow)"),
     "its source produces more than was requested"),
    (re.compile(r"(?i)\bleases?\b"), "no lease allows it"),
)  # fmt: skip
"""Words in the texts of common servers, to what they say."""


def repeats_length(row: Values) -> bool:
    """Return whether metadata begins with the number of the bytes that follow."""
    metadata = row["metadata"]
    return int.from_bytes(metadata[:LENGTH], "big") == len(metadata) - LENGTH


def is_another_type(row: Values) -> str:
    """Return why data is not of its MIME type."""
    mime_type, data = row["agreed.data_mime_type"], row["data"]
    if found := wide_text(bytes(data)):
        return f"it is {found}"
    if mime_type == "application/json":
        return "" if _is_json(data) else "it is not JSON"
    if mime_type == "application/xml":
        return "" if data.lstrip(_BLANKS)[:1] == b"<" else "it does not begin like XML"
    if mime_type == "text/plain":
        return "" if _is_text(data) else "it is not UTF-8 text"
    return "it is JSON" if data[:2] in _OBJECTS and _is_json(data) else ""


def contradicts_its_type(row: Values) -> str:
    """Return why data is not of its MIME type; empty for plain text announced as JSON."""
    return "" if is_text_for_json(row) else is_another_type(row)


def is_text_for_json(row: Values) -> str:
    """Return that data is plain text, announced as JSON; empty if it is anything else."""
    data = bytes(row["data"])
    if row["agreed.data_mime_type"] != "application/json" or wide_text(data) or _is_json(data):
        return ""
    is_plain = data.strip(_BLANKS)[:1] not in _ENDS and _is_text(data) and b"\0" not in data
    return "it is plain text" if is_plain else ""


_BLANKS: Final = b" \t\r\n\xef\xbb\xbf"
_OBJECTS: Final = (b'{"', b"[{")
"""How a JSON object, or a list of them, begins as text."""
_ENDS: Final = {b"{": b"}", b"[": b"]", b'"': b'"'}
_WORD: Final = re.compile(rb"-?\d[\d.eE+-]*|true|false|null")


def _is_json(data: bytes) -> bool:
    """Return whether data is a JSON text; of long data, whether it may be one."""
    value = bytes(data).strip(_BLANKS)
    if len(value) > SHORT:
        return _ENDS.get(value[:1]) == value[-1:]
    if value[:1] not in _ENDS:
        return _WORD.fullmatch(value) is not None
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return False
    return True


def _is_text(data: bytes) -> bool:
    """Return whether data is UTF-8."""
    try:
        bytes(data).decode()
    except UnicodeDecodeError:
        return False
    return True


FOR_PLUGINS: Final[Mapping[str, object]] = {
    "traces": TRACES, "credentials": CREDENTIALS, "queries": QUERY, "nothing": _NOTHING,
    "unimplemented": _UNIMPLEMENTED,
    "reasons": _REASONS, "longest_reason": _LONG, "digits": _DIGITS, "compared": _COMPARED,
    "large": _LARGE, "mixed": _MIXED,
}  # fmt: skip
"""What the predicates in Lua share with these."""
