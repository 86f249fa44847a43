"""Which property of messages is their routing key, and which keys are in several partitions.

Clients choose the partition of a message by a value that they take from it. Brokers do not see
which, so it is found: a property of AMQP 1.0 whose values each are in one partition for each
publisher, while there are several values and several partitions.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

from streamshark.protocols.rabbitmq_stream import amqp_items

Values = Mapping[str, Any]

FEW: Final = 2
"""Values and partitions that a property has at least, to be a key."""
_FIELDS: Final = {0: "message-id", 3: "subject", 5: "correlation-id", 10: "group-id"}
"""Properties that may be a routing key, by their places in the list."""
_APPLICATION: Final = 0x74
"""Code of the section of application properties."""


class _Message(NamedTuple):
    """A message of the sample."""

    n: int
    flow: int
    client: str
    """The address, the version and the connection name of the client."""
    version: str | None
    name: str | None
    reference: str | None
    stream: str
    body: bytes

    @property
    def owner(self) -> "_Owner":
        """The publisher, as a connection."""
        return self.flow, self.reference or ""

    @property
    def owning_program(self) -> "_Owner":
        """The publisher, as a program that may have a connection for each partition."""
        return self.client, self.version, self.name


_Owner = tuple[object, ...]
"""Who publishes: a connection with a reference, or a program."""


class _Keys:
    """Where the values of one property went."""

    def __init__(self) -> None:
        self.places: dict[_Owner, dict[bytes, set[str]]] = defaultdict(dict)
        """Publisher to values to partitions."""
        self.times: Counter[tuple[_Owner, bytes]] = Counter()
        self.frames: dict[tuple[_Owner, bytes], int] = {}

    def add(self, message: _Message, owner: _Owner, value: bytes) -> None:
        """Count one more message."""
        self.places[owner].setdefault(value, set()).add(message.stream)
        self.times[owner, value] += 1
        self.frames.setdefault((owner, value), message.n)

    def may_be_keys(self) -> bool:
        """Return whether each publisher has one partition for each value."""
        return all(len(e) == 1 for values in self.places.values() for e in values.values())

    def is_spread(self, owner: _Owner) -> bool:
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

    def conflicts(self, one: _Owner, other: _Owner) -> list[bytes]:
        """Return the values that two publishers have in different partitions."""
        mine, its = self.places[one], self.places[other]
        return [each for each in mine if each in its and mine[each] != its[each]]


def has_key_elsewhere(row: Values) -> str:
    """Return which key of a Publish frame another publisher has sent to another partition.

    Not where another property of the messages is sent to the same partitions by all. Publishers are
    connections, or, if none is found, programs: some have a connection for each partition.
    """
    return _found(row, repeated=True)


def has_id_elsewhere(row: Values) -> str:
    """Return the same for keys that come once from each publisher: text, not numbers."""
    return "" if has_key_elsewhere(row) else _found(row, repeated=False)


def _found(row: Values, *, repeated: bool) -> str:
    earlier = [_Message(*each) for each in row["spread.messages"] or ()]
    sender = _Message._make([*(row[name] for name in _WHO), b""])
    now = [
        sender._replace(body=each.get("message") or b"") for each in row["published_messages"] or ()
    ]
    for owner_of in (_OF_CONNECTION, _OF_PROGRAM):
        if found := _of_owners(earlier, now, owner_of, repeated=repeated):
            return found
    return ""


_WHO: Final = (
    "n", "flow", "client", "conn.client_version", "conn.client_name", "pub.reference",
    "pub.stream",
)  # fmt: skip
"""Columns of a row that say who publishes, and where."""
_OF_CONNECTION: Final = attrgetter("owner")
_OF_PROGRAM: Final = attrgetter("owning_program")


def _of_owners(
    earlier: list[_Message],
    now: list[_Message],
    owner_of: Callable[[_Message], _Owner],
    *,
    repeated: bool,
) -> str:
    """Return the key that is elsewhere, where publishers are what a function says."""
    if not now or not _is_elsewhere(earlier, now, owner_of):
        return ""
    owner = owner_of(now[0])
    fields = _by_field([*earlier, *now], owner_of)
    if any(each.may_be_keys() and each.is_shared_alike() for each in fields.values()):
        return ""
    for name, keys in fields.items():
        if keys.may_be_keys() and keys.is_spread(owner) and keys.repeats() == repeated:
            sent = {value for each in now for field, value in values_of(each.body) if field == name}
            found = _elsewhere(keys, owner, sent, repeated=repeated)
            if found:
                return f"{name} {found}"
    return ""


def _is_elsewhere(
    earlier: list[_Message], now: list[_Message], owner_of: Callable[[_Message], _Owner]
) -> bool:
    """Return whether a value of these messages was sent to another partition by another one."""
    mine = {value for each in now for value in values_of(each.body)}
    owner, stream = owner_of(now[0]), now[0].stream
    return any(
        each.stream != stream
        and owner_of(each) != owner
        and not mine.isdisjoint(values_of(each.body))
        for each in earlier
    )


def _elsewhere(keys: _Keys, owner: _Owner, sent: set[bytes], *, repeated: bool) -> str:
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


def _by_field(
    messages: Iterable[_Message], owner_of: Callable[[_Message], _Owner]
) -> dict[str, _Keys]:
    """Return the values of all properties."""
    found: dict[str, _Keys] = defaultdict(_Keys)
    for each in messages:
        owner = owner_of(each)
        for name, value in values_of(each.body):
            found[name].add(each, owner, value)
    return found


@lru_cache(maxsize=4096)
def values_of(message: bytes) -> tuple[tuple[str, bytes], ...]:
    """Return the properties of a message that may be routing keys, with their values."""
    return tuple(_values(message))


def _values(message: bytes) -> Iterator[tuple[str, bytes]]:
    for code, value in amqp_items.sections(message):
        items = amqp_items.items(value)
        if code == amqp_items.PROPERTIES:
            named = [(_FIELDS.get(at, ""), item) for at, item in enumerate(items)]
        elif code == _APPLICATION:
            pairs = zip(items[::2], items[1::2], strict=False)
            named = [(amqp_items.scalar(k).decode("utf-8", "replace"), v) for k, v in pairs]
        else:
            continue
        for name, item in named:
            if name and (text := amqp_items.scalar(item)):
                yield name, text


def has_copies(row: Values) -> str:
    """Return how many messages of a client are in the partition of a frame and in another one."""
    places: dict[bytes, set[str]] = defaultdict(set)
    for each in (_Message(*every) for every in row["spread.messages"] or ()):
        if each.client == row["client"] and len(each.body) >= _TELLING:
            places[each.body].add(each.stream)
    for each in row["published_messages"] or ():
        if len(body := each.get("message") or b"") >= _TELLING:
            places[body].add(row["pub.stream"])
    copies = sum(len(found) > 1 and row["pub.stream"] in found for found in places.values())
    return f"{copies} messages" if copies >= _COPIES else ""


_TELLING: Final = 8
"""Fewest bytes of a message that is not equal to another one by chance."""
_COPIES: Final = 3
"""Messages in several partitions, all different."""


FOR_PLUGINS: Final[Mapping[str, object]] = {
    "few_keys": FEW, "key_fields": _FIELDS, "telling_copy": _TELLING, "copies": _COPIES,
}  # fmt: skip
"""What the predicates in Lua share with these."""
