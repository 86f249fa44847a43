"""Which property of messages is their routing key, and which keys are in several partitions.

Clients choose the partition of a message by a value that they take from it. Brokers do not see
which, so it is found: a property of AMQP 1.0 whose values each are in one partition for each
publisher, while there are several values and several partitions.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from streamshark.protocols.rabbitmq_stream import amqp_items

Values = Mapping[str, Any]

FEW: Final = 2
"""Values and partitions that a property has at least, to be a key."""
_FIELDS: Final = {0: "message-id", 3: "subject", 5: "correlation-id", 10: "group-id"}
"""Properties that may be a routing key, by their places in the list."""
_PROPERTIES: Final = 0x73
_APPLICATION: Final = 0x74
"""Codes of the sections that have them."""


class _Message(NamedTuple):
    """A message of the sample."""

    n: int
    flow: int
    reference: str
    stream: str
    body: bytes


class _Keys:
    """Where the values of one property went."""

    def __init__(self) -> None:
        self.places: dict[tuple[int, str], dict[bytes, set[str]]] = defaultdict(dict)
        """Publisher to values to partitions."""
        self.times: Counter[tuple[tuple[int, str], bytes]] = Counter()
        self.frames: dict[tuple[tuple[int, str], bytes], int] = {}

    def add(self, message: _Message, value: bytes) -> None:
        """Count one more message."""
        owner = message.flow, message.reference
        self.places[owner].setdefault(value, set()).add(message.stream)
        self.times[owner, value] += 1
        self.frames.setdefault((owner, value), message.n)

    def may_be_keys(self) -> bool:
        """Return whether each publisher has one partition for each value."""
        return all(len(e) == 1 for values in self.places.values() for e in values.values())

    def is_spread(self, owner: tuple[int, str]) -> bool:
        """Return whether a publisher has several values and several partitions."""
        values = self.places.get(owner, {})
        return len(values) >= FEW and len(set[str]().union(*values.values())) >= FEW

    def repeats(self) -> bool:
        """Return whether several values came more than once from a publisher."""
        return sum(count > 1 for count in self.times.values()) >= FEW

    def is_shared_alike(self) -> bool:
        """Return whether several publishers have the same partitions for the same values."""
        shared = [
            set[str]().union(*(e[value] for e in self.places.values() if value in e))
            for value, count in Counter(v for e in self.places.values() for v in e).items()
            if count > 1
        ]
        return len(shared) >= FEW and all(len(each) == 1 for each in shared)

    def conflicts(self, one: tuple[int, str], other: tuple[int, str]) -> list[bytes]:
        """Return the values that two publishers have in different partitions."""
        mine, its = self.places[one], self.places[other]
        return [each for each in mine if each in its and mine[each] != its[each]]


def has_key_elsewhere(row: Values) -> str:
    """Return which key of a Publish frame another publisher has sent to another partition.

    Not where another property of the messages is sent to the same partitions by all.
    """
    return _found(row, repeated=True)


def has_id_elsewhere(row: Values) -> str:
    """Return the same for keys that come once from each publisher: text, not numbers."""
    return "" if has_key_elsewhere(row) else _found(row, repeated=False)


def _found(row: Values, *, repeated: bool) -> str:
    earlier = [_Message(*each) for each in row["spread.messages"] or ()]
    owner = row["flow"], row["pub.reference"] or ""
    if all((each.flow, each.reference or "") == owner for each in earlier):
        return ""
    now = [
        _Message(row["n"], *owner, row["pub.stream"], each.get("message") or b"")
        for each in row["published_messages"] or ()
    ]
    if not _is_elsewhere(earlier, now, owner):
        return ""
    fields = _by_field([*earlier, *now])
    if any(each.may_be_keys() and each.is_shared_alike() for each in fields.values()):
        return ""
    for name, keys in fields.items():
        if keys.may_be_keys() and keys.is_spread(owner) and keys.repeats() == repeated:
            sent = {value for each in now for field, value in values_of(each.body) if field == name}
            found = _elsewhere(keys, owner, sent, repeated=repeated)
            if found:
                return f"{name} {found}"
    return ""


def _is_elsewhere(earlier: list[_Message], now: list[_Message], owner: tuple[int, str]) -> bool:
    """Return whether a value of these messages was sent to another partition by another one."""
    mine = {value for each in now for value in values_of(each.body)}
    stream = now[0].stream if now else ""
    return any(
        each.stream != stream
        and (each.flow, each.reference or "") != owner
        and not mine.isdisjoint(values_of(each.body))
        for each in earlier
    )


def _elsewhere(keys: _Keys, owner: tuple[int, str], sent: set[bytes], *, repeated: bool) -> str:
    """Return a value that another publisher has elsewhere, its partition and frame."""
    for other in keys.places:
        conflicts = keys.conflicts(owner, other) if other != owner else []
        if len(conflicts) < FEW or not keys.is_spread(other):
            continue
        for value in conflicts:
            text = value.decode("utf-8", "replace")
            if value in sent and (repeated or not text.isdecimal()):
                place = next(iter(keys.places[other][value]))
                return f"'{text}', which is in {place} since frame {keys.frames[other, value]}"
    return ""


def _by_field(messages: Iterable[_Message]) -> dict[str, _Keys]:
    """Return the values of all properties."""
    found: dict[str, _Keys] = defaultdict(_Keys)
    for each in messages:
        message = each._replace(reference=each.reference or "")
        for name, value in values_of(message.body):
            found[name].add(message, value)
    return found


@lru_cache(maxsize=4096)
def values_of(message: bytes) -> tuple[tuple[str, bytes], ...]:
    """Return the properties of a message that may be routing keys, with their values."""
    return tuple(_values(message))


def _values(message: bytes) -> Iterator[tuple[str, bytes]]:
    for code, value in amqp_items.sections(message):
        items = amqp_items.items(value)
        if code == _PROPERTIES:
            named = [(_FIELDS.get(at, ""), item) for at, item in enumerate(items)]
        elif code == _APPLICATION:
            pairs = zip(items[::2], items[1::2], strict=False)
            named = [(amqp_items.scalar(k).decode("utf-8", "replace"), v) for k, v in pairs]
        else:
            continue
        for name, item in named:
            if name and (text := amqp_items.scalar(item)):
                yield name, text
