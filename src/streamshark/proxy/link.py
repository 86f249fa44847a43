"""One connection through the proxy, without sockets: events in, commands out.

A link has two sides: the client and the server. It passes on what one side sends to the other in
order: bytes, the end of a direction, a reset. A side that cannot take more pauses the other one.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple, Protocol

CLIENT: Final = 0
"""The side of the client."""
SERVER: Final = 1
"""The side of the server."""


class Cause(Enum):
    """Why a side is not read; it is read again once no cause is left."""

    UNCONNECTED = 0
    """The connection to the server does not stand yet."""
    CONGESTED = 1
    """The other side takes no more."""
    HELD = 2
    """The steering holds back what the side has sent."""


class Send(NamedTuple):
    """Send bytes to a side."""

    side: int
    data: bytes


class End(NamedTuple):
    """End the direction towards a side, after all bytes: FIN."""

    side: int


class Reset(NamedTuple):
    """Reset the connection to a side, after all bytes: RST."""

    side: int


class Pause(NamedTuple):
    """Stop reading from a side."""

    side: int
    cause: Cause = Cause.HELD


class Resume(NamedTuple):
    """Read from a side again, unless there is another cause not to."""

    side: int
    cause: Cause = Cause.HELD


class Notice(NamedTuple):
    """Print a line for the user."""

    text: str


class Remark(NamedTuple):
    """Put a comment on the next packet of the recording."""

    text: str


class Wake(NamedTuple):
    """Call `Link.woken` with a number after so many seconds."""

    seconds: float
    token: int
    """The number: a side, or one that the steering knows."""


class Close(NamedTuple):
    """Close both connections, which both sides have ended."""


Command = Send | End | Reset | Pause | Resume | Notice | Remark | Wake | Close
Commands = Sequence[Command]


class Steering(Protocol):
    """Changes bytes on their way: each call returns the commands that take their place."""

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""

    def end(self, side: int) -> Iterable[Command]:
        """Return what is held of the bytes of a side, which sends no more."""

    def may_end(self, side: int) -> bool:  # noqa: ARG002 - few hold the end back
        """Return whether the end of what a side sends may be passed on now."""
        return True

    def woken(self, token: int) -> Iterable[Command]:  # noqa: ARG002 - few steer by time
        """Take note that the time of a `Wake` is over."""
        return ()


class PassThrough(Steering):
    """Passes all bytes on as they are."""

    def feed(self, side: int, data: bytes) -> Commands:
        """Return the command that sends the bytes to the other side."""
        return (Send(1 - side, data),)

    def end(self, side: int) -> Commands:  # noqa: ARG002 - as in `Steering`
        """Return nothing: no bytes are held."""
        return ()


class Link:
    """The state of one connection through the proxy; both sides are paused at first."""

    def __init__(self, steering: Steering | None = None) -> None:
        self._steering: Steering = PassThrough() if steering is None else steering
        self._ended = [False, False]
        self._late: list[int] = []
        """Sides whose end is passed on later."""
        self._is_over = False
        """Whether a side was reset, or both have ended."""

    def connected(self) -> Commands:
        """Begin to relay: the connection to the server stands."""
        return (Resume(CLIENT, Cause.UNCONNECTED), Resume(SERVER, Cause.UNCONNECTED))

    def refused(self) -> Commands:
        """Refuse the client, as the server did or could not be reached."""
        self._is_over = True
        return (Reset(CLIENT),)

    def received(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""
        if self._is_over:
            return ()
        commands = self._steering.feed(side, data)
        return [*commands, *self._late_ends()] if self._late else commands

    def ended(self, side: int) -> Commands:
        """Take the end of what a side sends; the other one may continue."""
        if self._is_over or self._ended[side]:
            return ()
        self._ended[side] = True
        self._late.append(side)
        return self._late_ends()

    def _late_ends(self) -> Commands:
        """Pass on the ends that may be passed on; after both, all."""
        commands: list[Command] = []
        for side in tuple(self._late):
            if all(self._ended) or self._steering.may_end(side):
                self._late.remove(side)
                commands += [*self._steering.end(side), End(1 - side)]
        if all(self._ended):
            self._is_over = True
            commands.append(Close())
        return commands

    def reset(self, side: int) -> Commands:
        """Take the reset of a side, or the loss of the connection to it."""
        if self._is_over:
            return ()
        self._is_over = True
        is_done = self._ended[side] and side not in self._late
        held = () if is_done else self._steering.end(side)
        return (*held, Reset(1 - side))

    def woken(self, token: int) -> Iterable[Command]:
        """Take note that the time of a `Wake` is over."""
        if self._is_over:
            return ()
        commands = self._steering.woken(token)
        return [*commands, *self._late_ends()] if self._late else commands

    def congested(self, side: int) -> Commands:
        """Pause the other side: this one takes no more."""
        return (Pause(1 - side, Cause.CONGESTED),)

    def drained(self, side: int) -> Commands:
        """Resume the other side: this one takes more."""
        return (Resume(1 - side, Cause.CONGESTED),)
