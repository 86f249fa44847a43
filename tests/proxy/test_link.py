"""A link passes on what happens on one side to the other, and nothing after its end."""

from collections.abc import Iterable

from streamshark.proxy.link import (
    CLIENT,
    SERVER,
    Cause,
    Close,
    Command,
    End,
    Link,
    Pause,
    Reset,
    Resume,
    Send,
    Steering,
)


class Holding(Steering):
    """Steering that holds all bytes back until the end."""

    def __init__(self) -> None:
        self.held = [b"", b""]

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Hold bytes."""
        self.held[side] += data
        return ()

    def end(self, side: int) -> Iterable[Command]:
        """Release them."""
        return (Send(1 - side, self.held[side]),)


def test_what_happens_is_passed_on() -> None:
    """Bytes, the ends of both directions, and then the close of both connections."""
    link = Link()

    assert list(link.connected()) == [
        Resume(CLIENT, Cause.UNCONNECTED),
        Resume(SERVER, Cause.UNCONNECTED),
    ]
    assert list(link.received(CLIENT, b"a")) == [Send(SERVER, b"a")]
    assert list(link.congested(SERVER)) == [Pause(CLIENT, Cause.CONGESTED)]
    assert list(link.drained(SERVER)) == [Resume(CLIENT, Cause.CONGESTED)]
    assert list(link.ended(CLIENT)) == [End(SERVER)]
    assert list(link.ended(CLIENT)) == []
    assert list(link.received(SERVER, b"b")) == [Send(CLIENT, b"b")]
    assert list(link.ended(SERVER)) == [End(CLIENT), Close()]
    assert list(link.reset(SERVER)) == []


def test_a_reset_ends_both() -> None:
    """Nothing that comes later is passed on."""
    link = Link()
    link.connected()

    assert list(link.reset(SERVER)) == [Reset(CLIENT)]
    assert list(link.received(CLIENT, b"a")) == []
    assert list(link.ended(CLIENT)) == []
    assert list(Link().refused()) == [Reset(CLIENT)]


def test_bytes_that_are_held_go_before_the_end() -> None:
    """Before FIN and before RST."""
    link = Link(Holding())
    assert list(link.received(CLIENT, b"a")) == []
    assert list(link.ended(CLIENT)) == [Send(SERVER, b"a"), End(SERVER)]
    link.received(SERVER, b"b")
    assert list(link.reset(SERVER)) == [Send(CLIENT, b"b"), Reset(CLIENT)]
