"""Conditions about the values in requests that no expression can say.

Each takes the columns that its rule names; the text that it returns is what it found, and is empty
if the condition does not hold. None of them shows a secret.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from streamshark.findings.mistaken_text import mistaken_name
from streamshark.findings.near_names import similar
from streamshark.findings.web_tokens import expiry, token_fault

Values = Mapping[str, Any]

DEFAULT_SEGMENT: Final = 500_000_000
"""Bytes of a segment if `stream-max-segment-size-bytes` is not given."""
FILTER_SIZES: Final = range(16, 256)
"""Sizes of a Bloom filter that brokers accept."""
PARTS: Final = 3
"""Parts of a message of SASL PLAIN: authorisation identity, user, password."""
_AGE: Final = re.compile(r"(\d{1,18})(Y|M|D|h|m|s)")
_HEXADECIMAL: Final = re.compile(r"[0-9A-Fa-f-]+")
"""Numbers, UUIDs, and parts of words."""
_COUNT: Final = re.compile(r"\d{1,18}")
_ENCODED: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]{8,}={0,2}")


def arguments(row: Values) -> dict[str, str]:
    """Return the arguments of Create as a mapping, without null values."""
    pairs: Iterable[Mapping[str, Any]] = row["arguments"] or ()
    found = ((each.get("key"), each.get("value")) for each in pairs)
    return {key: value for key, value in found if key is not None and value is not None}


def has_bad_argument(row: Values) -> str:
    """Return the first argument whose value has no unit, a wrong unit, or is out of range."""
    given = arguments(row)
    age = given.get("max-age")
    if age is not None and age[:1].isdecimal() and _AGE.fullmatch(age) is None:
        return f"max-age is {age!r}, without one of the units Y, M, D, h, m, s"
    size = given.get("stream-filter-size-bytes")
    if size is not None and not (size.isdecimal() and _number(size) in FILTER_SIZES):
        return f"stream-filter-size-bytes is {size!r}, not 16 to 255"
    if _number(given.get("initial-cluster-size")) == 0:
        return "initial-cluster-size is 0"
    if _number(given.get("stream-max-segment-size-bytes")) == 0:
        return "stream-max-segment-size-bytes is 0"
    return ""


def is_below_a_segment(row: Values) -> str:
    """Return how a size limit is smaller than one segment, so that it cannot hold."""
    given = arguments(row)
    most = _number(given.get("max-length-bytes"))
    segment = _number(given.get("stream-max-segment-size-bytes"))
    if segment is None:
        segment = DEFAULT_SEGMENT
    if most is None or not 0 < most < segment:
        return ""
    return f"max-length-bytes is {most:,}, a segment {segment:,} bytes"


def is_within_a_segment(row: Values) -> str:
    """Return a max-age that is short beside the time that a segment takes to fill."""
    given = arguments(row)
    age = _AGE.fullmatch(given.get("max-age", ""))
    segment = _number(given.get("stream-max-segment-size-bytes"))
    segment = DEFAULT_SEGMENT if segment is None else segment
    if age is None or int(age[1]) == 0 or int(age[1]) * _SECONDS[age[2]] > _HOUR:
        return ""
    if segment < DEFAULT_SEGMENT:
        return ""
    return f"max-age is {age[0]}, and segments have {segment:,} bytes"


def _number(text: str | None) -> int | None:
    """Return decimal text as a number; None for any other."""
    return int(text) if text is not None and _COUNT.fullmatch(text) else None


def is_not_plain(row: Values) -> str:
    """Return how the data is not laid out as SASL PLAIN has it."""
    data = row["sasl_opaque_data"]
    if not data:
        return "is empty"
    parts = bytes(data).split(b"\0")
    if len(parts) == PARTS:
        return "" if parts[1] else "has no user"
    if _is_encoded(bytes(data)):
        return "is the Base64 of such a message"
    zeros = len(parts) - 1
    return f"has {zeros} zero byte{'' if zeros == 1 else 's'} instead of 2"


def _is_encoded(data: bytes) -> bool:
    """Return whether data is the Base64 of a message of PLAIN."""
    if _BASE64.fullmatch(data) is None:
        return False
    try:
        return base64.b64decode(data).count(b"\0") == PARTS - 1
    except (ValueError, binascii.Error):
        return False


def is_percent_encoded(row: Values) -> str:
    """Return what a percent-encoded name may mean."""
    name = row["virtual_host"]
    if _ENCODED.search(name) is None:
        return ""
    return _ENCODED.sub(lambda found: chr(int(found[0][1:], 16)), name)


def has_generated_name(row: Values) -> str:
    """Return the name of a consumer and one that differs from it in a generated part only."""
    pairs: Iterable[Mapping[str, Any]] = row["properties"] or ()
    name = next((each.get("value") for each in pairs if each.get("key") == "name"), None)
    return _differing(row["groups.latest"], name)


def has_generated_reference(row: Values) -> str:
    """Return the references of two publishers that differ in a generated part only."""
    return _differing(row["referring.latest"], row["publisher_reference"])


def _differing(one: str | None, other: str | None) -> str:
    """Return two names that differ in numbers or UUIDs only; empty for other ones."""
    alike = one and other and _without_numbers(one) == _without_numbers(other)
    return f"'{one}' and '{other}'" if alike else ""


def _without_numbers(name: str) -> str:
    """Return a name with a mark in the place of each number and UUID."""
    return _HEXADECIMAL.sub(lambda found: found[0] if found[0].isalpha() else "#", name)


def has_mistaken_name(row: Values) -> str:
    """Return the first name of a request that no program would choose."""
    for column, value in row.items():
        what = column.rpartition(".")[2].replace("_", " ")
        for name in [value] if isinstance(value, str) else value or ():
            if isinstance(name, str) and (found := mistaken_name(name)):
                return f"the {what} {name!r}, {found}"
    return ""


def has_mistaken_property(row: Values) -> str:
    """Return the first property whose value, such as a name or a filter, was not meant."""
    for key, value in _pairs(row["properties"]):
        if value and (found := mistaken_name(value)):
            return f"the property {key} of {value!r}, {found}"
    return ""


def has_foreign_key(row: Values, known: Iterable[str] = ()) -> str:
    """Return the key of a map that is spelt as in AMQP 0-9-1, and how the stream protocol has it.

    Only keys that begin with `x-`: all other strange ones have a rule of their own.
    """
    for key, _ in _pairs(row.get("arguments") or row.get("properties")):
        bare = key.removeprefix("x-")
        if bare == key or key in known:
            continue
        meant = bare if bare in known else similar(bare, known)
        if meant:
            return f"{key}, which may be meant as {meant}"
    return ""


PROPERTIES: Final = (
    "single-active-consumer", "super-stream", "name", "match-unfiltered", "identifier",
)  # fmt: skip
"""Properties of Subscribe."""
ARGUMENTS: Final = (
    "max-length-bytes", "max-age", "stream-max-segment-size-bytes", "initial-cluster-size",
    "queue-leader-locator", "stream-filter-size-bytes", "stream-initial-offset",
)  # fmt: skip
"""Arguments of Create."""
CLIENT_PROPERTIES: Final = (
    "connection_name", "product", "version", "platform", "information", "copyright",
)  # fmt: skip
"""Properties that clients usually have."""


def has_foreign_property(row: Values) -> str:
    """Return a property of Subscribe that is spelt as in AMQP 0-9-1."""
    return has_foreign_key(row, PROPERTIES)


def has_foreign_argument(row: Values) -> str:
    """Return an argument of Create that is spelt as in AMQP 0-9-1."""
    return has_foreign_key(row, ARGUMENTS)


def has_misspelt_property(row: Values) -> str:
    """Return a property of the client that is nearly a usual one, which is absent."""
    given = [key for key, _ in _pairs(row["peer_properties"])]
    for key in given:
        meant = "" if key in CLIENT_PROPERTIES else similar(key, CLIENT_PROPERTIES)
        if meant and meant not in given:
            return f"'{key}', which may be meant as {meant}"
    return ""


def has_credentials(row: Values) -> str:
    """Return the property of a client that has credentials; nothing of them."""
    for key, value in _pairs(row["peer_properties"]):
        if _SECRET_KEY.search(key) and value:
            return f"the property '{key}'"
        if _CREDENTIALS.search(value):
            return f"a URI with a password in the property '{key}'"
    return ""


_SECRET_KEY: Final = re.compile(r"(?i)passw|secret|token|api.?key|credential")
_CREDENTIALS: Final = re.compile(r"://[^/\s:@]*:[^/\s@]+@")


def has_key_twice(row: Values) -> str:
    """Return the first key that comes twice in a map, with different values."""
    found: dict[str, str] = {}
    for column in row.values():
        for key, value in _pairs(column):
            if found.setdefault(key, value) != value:
                return f"'{key}'"
    return ""


def _pairs(column: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - a list of records
    """Return the pairs of a map, without null values."""
    pairs = ((each.get("key"), each.get("value")) for each in column or ())
    return [(k, v) for k, v in pairs if isinstance(k, str) and isinstance(v, str)]


def has_odd_filter(row: Values) -> str:
    """Return why properties of filters have no effect."""
    pairs = _pairs(row["properties"])
    filters = [value for key, value in pairs if key.startswith("filter.")]
    if not filters and ("match-unfiltered", "true") in pairs:
        return "match-unfiltered is true, and there is no filter"
    if "" in filters:
        return "a filter is empty"
    return "a filter is given twice" if len(set(filters)) < len(filters) else ""


def has_odd_partitions(row: Values) -> str:
    """Return what is wrong with the partitions and binding keys of a super stream."""
    for what, names in (
        ("the partition", row["partitions"]),
        ("the binding key", row["binding_keys"]),
    ):
        known: list[str] = [each for each in names or () if isinstance(each, str)]
        if twice := next((each for each in known if known.count(each) > 1), ""):
            return f"{what} {twice} comes twice"
    name = row["fields.name"]
    return (
        f"a partition has the name {name} of the super stream"
        if name in (row["partitions"] or ())
        else ""
    )


def has_odd_versions(row: Values) -> str:
    """Return which range of versions of a command is empty."""
    for each in row["commands"] or ():
        least, most = each.get("min_version"), each.get("max_version")
        if least is not None and most is not None and (least > most or most == 0):
            return f"versions {least} to {most} of command {_value(each.get('key'))}"
    return ""


def _value(code: Any) -> Any:  # noqa: ANN401 - a number, or one with its name
    return code.get("value") if isinstance(code, Mapping) else code


def has_odd_magnitude(row: Values) -> str:
    """Return which limit of a stream is of another magnitude than streams have."""
    given = arguments(row)
    if found := _odd_age(given.get("max-age", "")):
        return found
    segment = _number(given.get("stream-max-segment-size-bytes"))
    if segment is not None and 0 < segment < _SMALL_SEGMENT:
        return f"stream-max-segment-size-bytes is {segment:,}: a file for each few messages"
    length = _number(given.get("max-length-bytes"))
    if length is not None and 0 < length < _SMALL_STREAM:
        return f"max-length-bytes is {length:,}, less than a few messages"
    return ""


def _odd_age(text: str) -> str:
    """Return what is odd about a max-age: longer than a stream lives, or milliseconds."""
    age = _AGE.fullmatch(text)
    if age is None:
        return ""
    seconds = int(age[1]) * _SECONDS[age[2]]
    if seconds > _LONG:
        return f"max-age is {age[0]}, which is over 20 years"
    if age[2] == "s" and seconds >= _SECONDS["Y"] and age[1].endswith("000"):
        return f"max-age is {age[0]}, over a year: the number may be in milliseconds"
    return ""


_SECONDS: Final = {"Y": 31_536_000, "M": 2_592_000, "D": 86_400, "h": 3600, "m": 60, "s": 1}
_HOUR: Final = _SECONDS["h"]
"""Age of messages below which few streams fill a segment of the usual size."""
_LONG: Final = 20 * _SECONDS["Y"]
_SMALL_SEGMENT: Final = 10_000
_SMALL_STREAM: Final = 10_000


def has_expired_token(row: Values) -> str:
    """Return why the token in the place of a password is not valid at the time of the packet."""
    return token_fault(bytes(row["req.sasl_opaque_data"] or b""), row["t"])


def has_run_out(row: Values) -> str:
    """Return whether a token was valid when the client authenticated, and is not any more."""
    token = bytes(row["conn.token"] or b"")
    now = row["t"] + _CLOSED_EARLY
    late = expiry(token, now)
    return late if late and not expiry(token, row["conn.token_t"]) else ""


_CLOSED_EARLY: Final = 1_000_000_000
"""Nanoseconds before the end of a token at which brokers may close already."""


def has_marked_credentials(row: Values) -> str:
    """Return what is odd about refused credentials of PLAIN, without repeating them."""
    parts = bytes(row["req.sasl_opaque_data"] or b"").split(b"\0")
    if len(parts) != PARTS:
        return ""
    for what, value in zip(("the user", "the password"), parts[1:], strict=True):
        if value != value.strip():
            return f"{what} has white space at an end, such as the line break of a file"
        if value[:1] in (b"'", b'"') and value[:1] == value[-1:]:
            return f"{what} is in quotation marks"
        if _ENCODED.search(value.decode("latin-1")):
            return f"{what} is percent-encoded"
        if value in (b"undefined", b"null", b"None") or value.startswith(b"${"):
            return f"{what} is the text of an unset variable"
    return ""


def has_marked_host(row: Values) -> str:
    """Return what is odd about the name of a refused virtual host."""
    name = row["req.virtual_host"] or ""
    if not name:
        return "it is empty; the default one is /"
    if len(name) > 1 and name.startswith("/"):
        return f"it begins with a slash: it may be meant as {name.lstrip('/') or '/'}"
    return mistaken_name(name)


def is_nearly_known(row: Values) -> str:
    """Return the known stream that a refused name is nearly."""
    known = [each for each in row["there.streams"] or () if isinstance(each, str)]
    return similar(row["req.stream"] or "", known)


def has_nearly_known(row: Values) -> str:
    """Return a stream of Metadata that does not exist, and the known one that it is nearly."""
    known = [each for each in row["there.streams"] or () if isinstance(each, str)]
    for each in row["streams"] or ():
        name = each.get("stream_name")
        if _value(each.get("response_code")) == _NO_STREAM and isinstance(name, str):
            meant = similar(name, known)
            if meant:
                return f"{name}; a stream {meant}"
    return ""


_NO_STREAM: Final = 2
"""The response code of a stream that does not exist."""


def is_nearly_written(row: Values) -> str:
    """Return the stream that is published to, is not read, and nearly has the name of another."""
    read = set(row["there.read"] or ())
    written = [each for each in row["there.written"] or () if isinstance(each, str)]
    return similar(row["sub.stream"] or "", [each for each in written if each not in read])
