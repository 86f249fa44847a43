"""What rules ask of the messages of AMQP 1.0 that are published: properties, times, bodies.

Each takes the columns that its rule names; the text that it returns is what it found, and is empty
if the condition does not hold.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from streamshark.conversations.expression_functions import (
    f_digest,
    f_multibyte,
    f_program,
    f_release,
)
from streamshark.conversations.units import counted
from streamshark.findings.mistaken_text import (
    first_mistaken_name,
    mistaken_content,
    text_of_bytes,
)
from streamshark.findings.near_names import similar
from streamshark.findings.trace_contexts import constant_context, context_fault, trace_context
from streamshark.protocols.rabbitmq_stream import amqp_items

Values = Mapping[str, Any]

FEW: Final = 4
"""Messages of a frame that are judged."""
LIKE: Final = 5
"""Messages in a row with the same id or trace, from which it is constant."""
_HEADER, _PROPERTIES, _DATA, _VALUE = 0x70, amqp_items.PROPERTIES, 0x75, 0x77
"""Codes of sections."""
_MARKED: Final = (0x71, 0x72, 0x74)
"""Codes of sections of annotations and application properties."""
_MESSAGE_ID, _USER_ID, _CONTENT_TYPE, _EXPIRES, _CREATED = 0, 1, 6, 8, 9
"""Places in the list of properties."""
_TTL: Final = 2
"""Place in the header."""
_PRIORITY, _USUAL = 1, 4
"""Place in the header, and the priority of a message without one."""
_APPLICATION: Final = 0x74
"""Code of the section of application properties."""
_BODIES: Final = {0x75: "data", 0x76: "amqp-sequence", 0x77: "amqp-value"}
_NAMES: Final = {
    0x70: "header", 0x71: "delivery-annotations", 0x72: "message-annotations", 0x73: "properties",
    0x74: "application-properties", 0x78: "footer",
}  # fmt: skip
"""Sections by their codes."""
_FORMS: Final = {0: "a message that is not in AMQP 1.0", 1: "a message in AMQP 1.0",
                 2: "a sub-batch"}  # fmt: skip
"""Kinds of entries of a chunk."""
_AMQP: Final = 1
_SHORT: Final = {0xA0: 0xB0, 0xA1: 0xB1, 0xA3: 0xB3, 0xC0: 0xD0, 0x45: 0xD0, 0xC1: 0xD1, 0xE0: 0xF0,
                 0x41: 0x56, 0x42: 0x56, 0x43: 0x70, 0x52: 0x70, 0x44: 0x80, 0x53: 0x80, 0x54: 0x71,
                 0x55: 0x81}  # fmt: skip
"""Constructors of short values to those of all values of the type."""
_KINDS: Final = {
    0x40: "null", 0x50: "ubyte", 0x51: "byte", 0x56: "boolean", 0x60: "ushort", 0x61: "short",
    0x70: "uint", 0x71: "int", 0x72: "float", 0x73: "char", 0x80: "ulong", 0x81: "long",
    0x82: "double", 0x83: "timestamp", 0x98: "uuid", 0xB0: "binary", 0xB1: "string",
    0xB3: "symbol", 0xD0: "list", 0xD1: "map", 0xF0: "array",
}  # fmt: skip
"""Names of types by these constructors."""
_BOOLEANS: Final = (b"\x41", b"\x42", b"\x56")
_TYPES_OF: Final = {0x5: "number", 0x6: "number", 0x7: "number", 0x8: "number", 0xA: "string",
                    0xB: "string"}  # fmt: skip
"""Type of a value by the upper half of its constructor."""
_FOREIGN: Final = {
    "x-delay": "which only the exchange for delayed messages honours",
    "x-opt-delivery-delay": "which only other brokers honour",
    "x-opt-delivery-time": "which only other brokers honour",
    "x-message-ttl": "which is an argument of classic queues",
    "x-priority": "which is an argument of consumers of queues",
    "x-max-priority": "which is an argument of classic queues",
    "x-deduplication-header": "which only a plugin of the broker for queues honours",
    "x-stream-filter-value": "which only clients of AMQP 0-9-1 and 1.0 set: in the stream "
    "protocol the filter value is a field of Publish",
    "x-stream-offset": "which the broker sets for consumers of AMQP 0-9-1 and 1.0",
}
"""Keys that other protocols or kinds of queues know, to who honours them."""
_TIMESTAMP: Final = 0x83
_TEXT: Final = (0xA1, 0xB1)
_DAY: Final = 86_400_000
_YEAR: Final = 365 * _DAY
_MILLISECONDS: Final = range(1_000_000_000_000, 4_102_444_800_000)
"""The years 2001 to 2099 in milliseconds: such a value has no other unit, whatever the clock of the
capture says."""
_AHEAD: Final = 300_000
"""Milliseconds by which clocks may differ."""
_UNITS: Final = {"seconds": (1000, 1), "microseconds": (1, 1000), "nanoseconds": (1, 1_000_000)}
"""Units that are mistaken for milliseconds, to the factor that makes these of them."""
_TYPES: Final = (
    "application/json", "application/octet-stream", "application/xml", "application/cbor",
    "application/protobuf", "application/x-protobuf", "application/avro", "application/msgpack",
    "application/x-www-form-urlencoded", "text/plain", "text/xml", "text/html", "text/csv",
)  # fmt: skip
"""Common content types."""


class _Parts(NamedTuple):
    """What the sections of a message are."""

    header: list[bytes]
    properties: list[bytes]
    marks: list[bytes]
    """Values of annotations and application properties."""
    body: bytes

    def place(self, at: int) -> bytes:
        """Return a property with its constructor; empty if it is absent."""
        return self.properties[at] if at < len(self.properties) else b""


def _messages(row: Values) -> Iterator[bytes]:
    """Yield the first messages of a frame, or those that are known of one side."""
    if "published_messages" not in row:
        yield from _samples(row)
        return
    for entry in (row["published_messages"] or ())[:FEW]:
        if message := entry.get("message"):
            yield bytes(message)


@lru_cache(maxsize=64)
def _sections(message: bytes) -> tuple[tuple[int, bytes], ...]:
    """Return the sections of a message: several rules ask for those of the same messages."""
    return tuple(amqp_items.sections(message))


@lru_cache(maxsize=64)
def _parts(message: bytes) -> _Parts:
    header: list[bytes] = []
    properties: list[bytes] = []
    marks: list[bytes] = []
    body = b"" if message.startswith(b"\0\x53") else message
    for code, value in _sections(message):
        if code == _HEADER:
            header = amqp_items.items(value)
        elif code == _PROPERTIES:
            properties = amqp_items.items(value)
        elif code in _MARKED:
            marks += amqp_items.items(value)[1::2]
        elif code == _DATA or (code == _VALUE and value[:1] and value[0] in _TEXT):
            body = amqp_items.scalar(value)
    return _Parts(header, properties, marks, body)


def _time(item: bytes) -> int | None:
    """Return a timestamp; None for all other values."""
    is_time = len(item) == 9 and item[0] == _TIMESTAMP  # noqa: PLR2004 - a constructor, eight bytes
    return int.from_bytes(item[1:], "big", signed=True) if is_time else None


def has_wrong_time(row: Values) -> str:
    """Return which time of a message is not in milliseconds since 1970."""
    now = (row.get("sub.sample_t") or row["t"]) // 1_000_000
    for message in _messages(row):
        parts = _parts(message)
        created, expires = _time(parts.place(_CREATED)), _time(parts.place(_EXPIRES))
        named = (("creation-time", created, _YEAR * 20), ("absolute-expiry-time", expires, _YEAR))
        marked = (("a timestamp of an annotation or property", _time(e), _DAY) for e in parts.marks)
        for name, value, near in (*named, *marked):
            if value is not None and (unit := _unit(value, now, near)):
                return f"{name} is {value}, which would be {unit}"
        if created == 0:
            return "creation-time is 0, the first of January 1970"
        if created is not None and created < -1900 * _YEAR:
            return f"creation-time is {created}, the year 1: a date that was never set"
        if expires is not None and 0 <= expires < _YEAR:
            return f"absolute-expiry-time is {expires}, which is a duration and no time"
    return ""


def _unit(value: int, now: int, near: int) -> str:
    """Return in which unit a value is near a time, though it is not in milliseconds."""
    if value <= 0 or value in _MILLISECONDS or abs(value - now) < max(near, _YEAR * 20):
        return ""
    found = (unit for unit, (by, of) in _UNITS.items() if abs(value * by // of - now) < near)
    return next(found, "")


def has_future_time(row: Values) -> str:
    """Return by how much the creation time of a message is ahead of the last one sampled."""
    now = (row.get("pub.sample_t") or row["sub.sample_t"]) // 1_000_000
    for message in _messages(row):
        created = _time(_parts(message).place(_CREATED))
        if created is not None and _AHEAD < created - now < 2 * _DAY:
            return f"{(created - now) / 60_000:.0f} minutes"
    return ""


def has_mistaken_body(row: Values) -> str:
    """Return what the body of a message is that was converted wrongly."""
    for message in _messages(row):
        body = _parts(message).body
        if body.startswith(b"\0\x53") and _is_message(body):
            return TWICE
        if found := mistaken_content(body):
            return found
    return ""


def has_mistaken_delivery(row: Values) -> str:
    """Return the same of a delivered message.

    Brokers before 4.0 encode what clients of AMQP 1.0 publish twice for clients of streams.
    """
    found = has_mistaken_body(row)
    release = f_release(row["conn.broker_version"])
    converted = found == TWICE and (release is None or release < _CONVERTING)
    return "" if converted else found


TWICE: Final = "a message of AMQP 1.0: it was encoded twice"
_CONVERTING: Final = 4_000_000
"""The release from which brokers convert messages between protocols."""


def _is_message(data: bytes) -> bool:
    """Return whether sections of AMQP 1.0 divide data, the last of which is a body."""
    codes, length = [], 0
    for code, value in amqp_items.sections(data):
        codes.append(code)
        length += 3 + len(value)
    return length == len(data) and bool(codes) and codes[-1] in (_DATA, 0x76, _VALUE)


def has_odd_content_type(row: Values) -> str:
    """Return the content type of a message that is none, or nearly a common one."""
    for message in _messages(row):
        kind = amqp_items.scalar(_parts(message).place(_CONTENT_TYPE)).decode("utf-8", "replace")
        bare = kind.partition(";")[0].strip()
        if not bare or bare.lower() in _TYPES:
            continue
        if "/" not in bare.strip("/"):
            return f"{kind!r}, which is not of the form type/subtype"
        if (meant := similar(bare, _TYPES)) and not bare.startswith(("application/x-", "x-")):
            return f"{kind!r}, which may be meant as {meant}"
    return ""


def has_another_user(row: Values) -> str:
    """Return the user of a message that is not the one of the connection."""
    user = row["conn.user"]
    for message in _messages(row):
        named = amqp_items.scalar(_parts(message).place(_USER_ID)).decode("utf-8", "replace")
        if user and named and named != user:
            return f"'{named}'"
    return ""


def has_time_to_live(row: Values) -> str:
    """Return how long a message is to live."""
    for message in _messages(row):
        parts = _parts(message)
        if (ttl := _in_header(parts.header, _TTL)) is not None:
            return f"a ttl of {ttl:,} ms"
        if _time(parts.place(_EXPIRES)):
            return "an absolute-expiry-time"
    return ""


def has_priority(row: Values) -> str:
    """Return the priority of a message that is not the usual one."""
    for message in _messages(row):
        priority = _in_header(_parts(message).header, _PRIORITY)
        if priority is not None and priority != _USUAL:
            return f"the priority {priority}"
    return ""


def _in_header(header: list[bytes], at: int) -> int | None:
    """Return a number of the header, if it is one."""
    found = amqp_items.scalar(header[at]) if at < len(header) else b""
    return int(found) if found.isdigit() and len(found) <= _DIGITS else None


_DIGITS: Final = 20
"""Most decimal digits of a number of AMQP 1.0."""


def has_foreign_mark(row: Values) -> str:
    """Return the annotation or property of a message that only other kinds of queues honour."""
    for message in _messages(row):
        for key in _keys(message):
            if key in _FOREIGN:
                return f"{key}, {_FOREIGN[key]}"
    return ""


def _keys(message: bytes) -> list[str]:
    """Return the keys of annotations and application properties."""
    keys: list[bytes] = []
    for code, value in _sections(message):
        if code in _MARKED:
            keys += amqp_items.items(value)[::2]
    return [amqp_items.scalar(each).decode("utf-8", "replace") for each in keys]


def has_no_body(row: Values) -> str:
    """Return which sections a message of AMQP 1.0 has that has no body."""
    for message in _messages(row):
        codes = [code for code, _ in _sections(message)]
        if codes and not any(each in _BODIES for each in codes):
            names = [_NAMES.get(each, f"section {each:#x}") for each in codes]
            return " and ".join(names)
    return ""


def has_text_of_bytes(row: Values) -> str:
    """Return what the body of a message is that was written as text, though it need not be."""
    found = ""
    for message in _messages(row):
        if (body := _parts(message).body) and not (found := text_of_bytes(body)):
            break
    return found


def has_another_body(row: Values) -> str:
    """Return the kinds of bodies of two publishers, or of one, if these differ."""
    messages, first = _samples(row), row["content.sample"]
    others = [first[1]] if first and first[1] else []
    for kind_of in (_kind, _content):
        kinds = dict.fromkeys(filter(None, map(kind_of, [*messages[:1], *others])))
        if len(kinds) > 1:
            return "{}, another one as {}".format(*kinds)
    kinds = dict.fromkeys(filter(None, map(_content, messages)))
    return "{} and as {}".format(*kinds) if len(kinds) > 1 else ""


def _kind(message: bytes) -> str:
    return next((_BODIES[c] for c, _ in _sections(message) if c in _BODIES), "")


def _content(message: bytes) -> str:
    """Return what a body begins and ends like: JSON, XML, or bytes; plain text may be anything."""
    body = _parts(message).body.strip()
    ends = (body[:1], body[-1:])
    if ends in _ENDS:
        return _ENDS[ends] if len(body) > 1 else ""
    return "" if not body or f_multibyte(body) or body.isascii() else "bytes"


_ENDS: Final = {(b"{", b"}"): "JSON", (b"[", b"]"): "JSON", (b"<", b">"): "XML"}


def has_other_types(row: Values) -> str:
    """Return the property that is of one type in some messages and of another one in others."""
    known: dict[bytes, str] = {}
    messages = _samples(row)
    first: tuple[int, bytes] | None = row["content.sample"]
    for message in [*([first[1]] if first else []), *messages]:
        for code, value in _sections(message):
            pairs = amqp_items.items(value) if code == _APPLICATION else []
            for key, item in zip(pairs[::2], pairs[1::2], strict=False):
                name, kind = amqp_items.scalar(key), _type_of(item)
                if kind and known.setdefault(name, kind) != kind:
                    shown = name.decode("utf-8", "replace")
                    return f"'{shown}' is a {known[name]} in some and a {kind} in others"
    return ""


def _type_of(item: bytes) -> str:
    """Return the type of a value, if it is one of those that are mistaken for each other."""
    if not item:
        return ""
    return "boolean" if item[:1] in _BOOLEANS else _TYPES_OF.get(item[0] >> 4, "")


def has_mistaken_filter(row: Values) -> str:
    """Return the first filter value of a publisher that was not meant."""
    return first_mistaken_name(row["pub.filters"] or ())


def has_constant_id(row: Values) -> str:
    """Return a message id that messages with different bodies have: at least five share one."""
    bodies: dict[bytes, set[bytes]] = {}
    for each in (_parts(message) for message in _samples(row)):
        if number := amqp_items.scalar(each.place(_MESSAGE_ID)):
            bodies.setdefault(number, set()).add(each.body)
    shared = [number for number, found in bodies.items() if len(found) > 1]
    if sum(len(bodies[number]) for number in shared) < LIKE:
        return ""
    return f"'{shared[0].decode('utf-8', 'replace')}'"


def has_constant_trace(row: Values) -> str:
    """Return the trace and the span that all messages have in common, or which is zero."""
    samples = _samples(row)
    contexts = [trace_context(each) for each in samples]
    if fault := next((context_fault(each) for each in contexts if context_fault(each)), ""):
        return fault
    different = len({_parts(each).body for each in samples}) >= LIKE
    common = constant_context(contexts, LIKE) if different else ""
    return f"all have {common}" if common else ""


def _samples(row: Values) -> list[bytes]:
    """Return the messages that are known of a publisher or a subscription."""
    found: Iterable[tuple[int, bytes]] = row.get("pub.samples") or row.get("sub.samples") or ()
    return [message for _, message in found if message]


def are_of_one_program(row: Values) -> str:
    """Return the last two of some names, if these differ in generated parts only."""
    names = [each for each in row["asking.names"] or () if isinstance(each, str)]
    stems = {f_program(each) for each in names}
    alike = len(names) > 1 and len(stems) == 1 and stems.isdisjoint(names)
    return f"'{names[-2]}', '{names[-1]}'" if alike else ""


def is_divided_otherwise(row: Values) -> str:
    """Return which sub-batch has other messages than an earlier one with the same ids."""
    earlier = [each for each in row["series.batches"] or () if each[2] < row["pub.n"]]
    for entry in row["published_messages"] or ():
        first, count = entry.get("publishing_id"), entry.get("record_count")
        if first is None or count is None:
            continue
        for begun, former, n in earlier:
            if begun is None or former is None:
                continue
            if begun == first and former != count:
                return f"sub-batch {first} has {count} messages, and had {former} in frame {n}"
            if begun < first < begun + former and not any(each[0] == first for each in earlier):
                return f"sub-batch {first} begins inside sub-batch {begun} of frame {n}"
    return ""


def is_doubled(row: Values) -> str:
    """Return how many pairs of equal messages the samples begin with."""
    return _pairs(_samples(row))


def is_doubled_within(row: Values) -> str:
    """Return the same of the messages of one frame."""
    entries = (row["published_messages"] or ())[: 4 * _PAIRS]
    return _pairs([bytes(each["message"]) for each in entries if each.get("message")])


def _pairs(bodies: list[bytes]) -> str:
    """Return how many pairs of equal messages there are, if each message comes twice."""
    pairs = list(zip(bodies[::2], bodies[1::2], strict=False))
    firsts = {one for one, _ in pairs}
    same = len(pairs) >= _PAIRS and all(one == other for one, other in pairs)
    return f"{len(pairs)} pairs" if same and len(firsts) == len(pairs) else ""


_PAIRS: Final = 3
"""Pairs of equal messages, all different, that prove that each is sent twice."""


def is_sent_again(row: Values) -> str:
    """Return which message is sent under a new publishing id, though it is stored under another."""
    return _renumbered(row, stored=True)


def is_renumbered(row: Values) -> str:
    """Return which message was sent under another publishing id that may not be stored."""
    return _renumbered(row, stored=False)


def _renumbered(row: Values, *, stored: bool) -> str:
    """Return a message of the lost connection that has another publishing id now.

    Contents that came more than once before prove nothing.
    """
    first = row["digest(first(published_messages.message))"]
    now = row["first(published_messages.publishing_id)"]
    before: list[tuple[int, int]] = []
    for number, content, n in row["series.sent"] or ():
        if content is not None and content == first and row["series.lost_n"] <= n < row["pub.n"]:
            before.append((number, n))
    if len(before) != 1 or now is None or now == before[0][0]:
        return ""
    was, n = before[0]
    known = row["pub.stored"]
    if (known is not None and was <= known) is not stored:
        return ""
    return f"publishing id {now} has the content of id {was} in frame {n}"


def is_other_content(row: Values) -> str:
    """Return which stored publishing id of the frame had another message before."""
    sent: Iterable[tuple[int, bytes | None]] = row["outbox.sent"] or ()
    known = dict(iter(sent))
    top = max(row["pub.stored"] or 0, row["pub.top"] or 0)
    for entry in row["published_messages"] or ():
        number, message = entry.get("publishing_id"), entry.get("message")
        if number is None or message is None or number > top:
            continue
        former = known.get(number)
        if former is not None and former != f_digest(message):
            return f"publishing id {number}"
    return ""


def are_sent_before(row: Values) -> str:
    """Return how many of the first messages of a publisher a former one had sent."""
    own = {message for _, message in row["pub.samples"] or () if message}
    former = {message for _, message in row["cut.samples"] or () if message}
    again = len(own & former)
    if again < _PAIRS or again * 5 < min(len(own), len(former)) * 4:
        return ""
    return counted(again, "message")


def is_periodic(row: Values) -> str:
    """Return after how many messages, all different, a publisher began again with the first."""
    messages = _samples(row)
    period = next((at for at, each in enumerate(messages) if at and each == messages[0]), 0)
    again = len(messages) - period
    if period < _PAIRS or again < _PAIRS or len(set(messages[:period])) < period:
        return ""
    repeats = all(messages[at] == messages[at - period] for at in range(period, len(messages)))
    return f"after {counted(period, 'message')} they come again" if repeats else ""


def is_constant(row: Values) -> str:
    """Return what all messages of a publisher begin with, if they are the same."""
    messages = _samples(row)
    if len(messages) < LIKE or len(set(messages)) > 1 or len(messages[0]) < _TELLING:
        return ""
    return f"{counted(len(messages), 'time')} {counted(len(messages[0]), 'byte')}"


_TELLING: Final = 24
"""Fewest bytes of a message that are not equal to those of another one by chance."""


def has_repeated_key(row: Values) -> str:
    """Return the first key that a map of a message has twice."""
    for message in _messages(row):
        for code, value in _sections(message):
            keys = amqp_items.items(value)[::2] if code in _MARKED else []
            if len(set(keys)) < len(keys):
                twice = next(each for each in keys if keys.count(each) > 1)
                return f"'{amqp_items.scalar(twice).decode('utf-8', 'replace')}'"
    return ""


def stops_at_another_form(row: Values) -> str:
    """Return how the chunk at which a consumer stopped differs from those before it.

    It stopped at the last one that it had, or after as many as it gave credit for.
    """
    heads = list(row["sub.heads"] or ())
    handled = (row["sub.granted"] or 0) - (row["sub.initial"] or 0)
    found = ""
    for at, (_, kind, message) in enumerate(heads[1:], 1):
        if found := _novelty(kind, message, heads[:at]):
            last = at + 1 == len(heads) == row["sub.chunks"]
            return found if last or handled == at else ""
    return found


def _novelty(kind: int, message: bytes | None, before: list[tuple[int, int, bytes | None]]) -> str:
    """Return what a message has that none of those before it had."""
    if kind not in {each for _, each, _ in before}:
        return _FORMS.get(kind, "a sub-batch of another compression")
    if kind != _AMQP or message is None:
        return ""
    known = {one for _, own, each in before if own == _AMQP and each for one in _encoded(each)}
    for section, constructor in _encoded(message):
        if (section, constructor) not in known:
            what = f"the section {_NAMES.get(section) or _BODIES.get(section, section)}"
            same = any(section == each for each, _ in known)
            kind_of = _KINDS.get(constructor, f"0x{constructor:02x}")
            return f"{what} with a value of type {kind_of}" if same else what
    return ""


def _encoded(message: bytes) -> Iterator[tuple[int, int]]:
    """Yield each section of a message, with the types of the values in it."""
    for code, value in _sections(bytes(message)):
        inner = amqp_items.items(value) if code not in _BODIES else [value]
        for item in inner or [value]:
            if item:
                yield code, _SHORT.get(item[0], item[0])


FOR_PLUGINS: Final[Mapping[str, object]] = {
    "fixed": amqp_items.FIXED, "counted": amqp_items.COUNTED, "compound": amqp_items.COMPOUND,
    "sections": {**_NAMES, **_BODIES}, "forms": _FORMS, "kinds": _KINDS, "amqp": _AMQP,
    "long_constructors": _SHORT, "types_of": _TYPES_OF, "foreign": _FOREIGN, "types": _TYPES,
    "units": tuple((unit, *factors) for unit, factors in _UNITS.items()),
    "milliseconds": (_MILLISECONDS.start, _MILLISECONDS.stop), "day": _DAY, "year": _YEAR,
    "ahead": _AHEAD, "few": FEW, "like": LIKE, "pairs": _PAIRS, "telling": _TELLING,
    "twice": TWICE, "converting": _CONVERTING,
}  # fmt: skip
"""What the predicates in Lua share with these."""
