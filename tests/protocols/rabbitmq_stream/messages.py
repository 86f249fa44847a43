"""Messages of AMQP 1.0 made of their sections, for tests."""

from tests.protocols.rabbitmq_stream.talk import number

NULL = b"\x40"
NOW_MS = 1_700_000_000_000
"""The time of the connections that tests make, in milliseconds."""


def short(text: str) -> bytes:
    """A short string."""
    return b"\xa1" + number(len(text.encode()), 1) + text.encode()


def symbol(text: str) -> bytes:
    """A short symbol."""
    return b"\xa3" + number(len(text), 1) + text.encode()


def time(ms: int) -> bytes:
    """A timestamp."""
    return b"\x83" + ms.to_bytes(8, "big", signed=True)


def section(code: int, items: list[bytes], *, is_map: bool = False) -> bytes:
    """A section that is a list or a map."""
    body = b"".join(items)
    kind = b"\xd1" if is_map else b"\xd0"
    return b"\0\x53" + number(code, 1) + kind + number(len(body) + 4) + number(len(items)) + body


def properties(**named: bytes) -> bytes:
    """The section of properties, with some of them."""
    places = {"id": 0, "user": 1, "kind": 6, "expires": 8, "created": 9}
    most = max((places[each] for each in named), default=-1)
    items = [NULL] * (most + 1)
    for name, value in named.items():
        items[places[name]] = value
    return section(0x73, items)


def data(body: bytes) -> bytes:
    """The section of a body."""
    return b"\0\x53\x75\xb0" + number(len(body)) + body
