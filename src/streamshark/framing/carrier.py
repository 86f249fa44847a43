"""What a carrier is: it stands between the bytes of a connection and the protocol that rides on it.

A carrier (WebSocket; HTTP/2) has no commands of its own. It takes the segments of one side and
gives what they carry, as messages or as the next bytes of a stream, and beside it what a user wants
to know of the carrier itself. Which protocol rides is not its business: it declares slots, and
protocols say which slots they stand in (`Wire.rides`). `framing.carried` joins the two.

The contract, held by the tests of every carrier: each byte that a bearer is given belongs to
exactly one item that it returns, in order of completion; nothing raises; what is held is bounded.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple, Protocol

from streamshark.decoding.codecs import Allowance
from streamshark.decoding.lazy import LazyPart
from streamshark.flows.segment import Gap, Segment
from streamshark.framing.splitter import At, PacketRef, ResyncEffort, SkippedBytes
from streamshark.light_dataclass import record
from streamshark.schema.problems import Problem


class Carriage(Enum):
    """How a rider takes what is carried."""

    MESSAGES = "messages"
    """Each message is one frame, without the length that it has on a stream."""
    BYTES = "bytes"
    """Messages one after the other are a stream; frames may begin and end anywhere in it."""


class CarriedMessage(NamedTuple):
    """One message."""

    offset: int
    """Where the first byte of the payload stands in the side's stream."""
    end: int
    """Where the message ends; other items may stand between."""
    length: int
    """Bytes on the wire that belong to it: what is around the payload, and the payload."""
    data: bytes
    """The payload, as it was before it was masked or compressed."""
    place: PacketRef
    problem: Problem | None = None
    """What the carrier finds wrong with it."""
    readable: bool = True
    """False where the payload could not be restored: `data` is then as it came."""


class CarrierEvent(NamedTuple):
    """Something of the carrier's own, for an event row: a handshake, a ping, a close."""

    offset: int
    length: int
    """Bytes on the wire."""
    place: PacketRef
    protocol: str
    """Id of the carrier."""
    name: str
    fields: Mapping[str, object]
    problems: tuple[Problem, ...] = ()


Item = CarriedMessage | CarrierEvent | SkippedBytes


class CarrierReader(Protocol):
    """One side of a connection, as its carrier reads it."""

    @property
    def in_step(self) -> bool:
        """True when the next byte is one that the carrier expects."""

    @property
    def pending(self) -> int:
        """Bytes of the message that has begun and is not whole, as far as known; else 0."""

    @property
    def resume(self) -> int:
        """Bytes before this offset are the rest of something that a gap cut."""

    @property
    def preamble(self) -> int:
        """Bytes that a proxy has put before the first one."""

    @property
    def late(self) -> bool:
        """True when something was found inside another: it is readable as of now."""

    @property
    def unsettled(self) -> At | None:
        """The packet that brought bytes of which it is open whether they are the carrier's."""

    def feed(self, segment: Segment) -> list[Item]:
        """The next bytes."""

    def gap(self, gap: Gap) -> list[Item]:
        """Bytes that never come."""

    def finish(self) -> list[Item]:
        """No more bytes."""


class CarrierConnection(Protocol):
    """Both sides of one connection, and what they have agreed."""

    begun: bool
    """Set to true before any bytes where they begin with a frame, although no handshake was seen:
    bytes without a capture."""
    effort: ResyncEffort
    """What searches may cost; less is set before any bytes while it is open what they are."""
    allowance: Allowance
    """To how much its messages may be unpacked."""

    @property
    def client(self) -> int | None:
        """The side that the carrier's bytes prove to be the client."""

    @property
    def refused(self) -> str | None:
        """How a server has refused the carrier, until the client asks another time; else None."""

    @property
    def asked(self) -> frozenset[str]:
        """Words by which a client names what is to ride, in lower case; they prove nothing."""

    @property
    def told(self) -> str | None:
        """What its handshake says of a connection on which no rider is known; None without one."""

    def side(self, number: int, *, start: bool, fits: Callable[[bytes], bool]) -> CarrierReader:
        """A reader of one side.

        Args:
            number: The side of the flow.
            start: Whether the first byte is the first of the connection.
            fits: Whether a whole message may be one of the rider's: what a search for lost step
                asks.
        """


@record(slots=False, eq=False)
class Carrier:
    """What a carrier's folder exports as `CARRIER`."""

    id: str
    title: str
    card: str
    """The folder's docstring."""
    slots: Mapping[str, Carriage]
    """Name of a slot that protocols may stand in to how they take what is in it."""
    link: Callable[[], CarrierConnection]
    """Makes what reads one connection."""
    events: LazyPart[Mapping[str, str]] = LazyPart()
    """Name of an event to its meaning."""
    opens: LazyPart[re.Pattern[bytes] | None] = LazyPart(None)
    """Matches the first bytes of a side; without it all may be."""
    marks: LazyPart[re.Pattern[bytes] | None] = LazyPart(None)
    """Matches the first bytes of every frame from which messages can be read."""
