"""Traffic for the tests, built from bytes: real traffic is in `captures/`."""

from tests.builders import Conversation

PORT = 7700


def framed(key: int, body: bytes) -> bytes:
    """Return a frame."""
    return (len(body) + 1).to_bytes(2) + bytes([key]) + body


def add(number: int, counter: str, amount: int) -> bytes:
    """Return a request."""
    name = counter.encode()
    return framed(1, number.to_bytes(2) + bytes([len(name)]) + name + bytes([amount]))


def add_response(number: int, code: int = 0, total: int = 0) -> bytes:
    """Return a response."""
    return framed(2, number.to_bytes(2) + bytes([code]) + total.to_bytes(4))


def connection() -> Conversation:
    """Return a connection on which one request succeeds and one is refused."""
    made = Conversation(server=("10.0.0.2", PORT)).handshake()
    made.send(0, add(7, "apple", 3)).send(1, add_response(7, total=3))
    made.send(0, add(8, "pear", 1)).send(1, add_response(8, code=1))
    return made.finish(0).finish(1)
