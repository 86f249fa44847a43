"""Interface of carriers: protocols that transport frames of another protocol.

A carrier (WebSocket, HTTP/2) has no commands of its own. It takes the segments of one direction of
a connection and returns the payloads, as messages or as the next bytes of a stream, and events of
its own, such as a handshake. A carrier declares slots; protocols name the slots in which they may
be carried (`WireFormat.carried_in`). `framing.carried` connects the two.

The contract, which the tests of every carrier check: each byte given to a `CarrierReader` belongs
to exactly one item that it returns, in order of completion; nothing raises; buffers are bounded.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, NamedTuple, Protocol

from streamshark.decoding.codecs import Allowance
from streamshark.decoding.lazy import LazyPart
from streamshark.flows.segment import Gap, Segment
from streamshark.framing.splitter import FULL, At, PacketRef, ResyncEffort, SkippedBytes
from streamshark.light_dataclass import record
from streamshark.schema.problems import Problem

UNUSED: Final = " without calls"
"""Ends the kind of a carrier on which nothing was asked before its connection ended."""


class Carriage(Enum):
    """How a carried protocol takes the payloads."""

    MESSAGES = "messages"
    """Each message is one frame, without the length prefix that it has on a stream."""
    BYTES = "bytes"
    """Messages in a row are a stream; frames may begin and end anywhere in it."""


class CarriedMessage(NamedTuple):
    """A message that a carrier has transported."""

    offset: int
    """Offset of the payload's first byte in this direction of the TCP stream."""
    end: int
    """Offset after the message; other items may lie in between."""
    length: int
    """Bytes on the wire that belong to it: payload and overhead."""
    data: bytes
    """The payload, unmasked and decompressed."""
    place: PacketRef
    problem: Problem | None = None
    """What is wrong with it at the level of the carrier."""
    readable: bool = True
    """False if the payload could not be restored: `data` is then as on the wire."""
    is_text: bool = False
    """Whether the carrier marks it as text."""


class CarrierEvent(NamedTuple):
    """An event of the carrier itself, shown as a row: a handshake, a ping, a close."""

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
    """Reader of one direction of a carrier's connection."""

    @property
    def in_step(self) -> bool:
        """True if the next byte is the start of a frame of the carrier."""

    @property
    def pending(self) -> int:
        """Known length in bytes of the incomplete message, else 0."""

    @property
    def resume(self) -> int:
        """Offset before which bytes are the rest of something that a gap cut."""

    @property
    def preamble(self) -> int:
        """Bytes of a PROXY protocol header before the first byte."""

    @property
    def late(self) -> bool:
        """True if the last item was found inside another and became readable only now."""

    @property
    def unsettled(self) -> At | None:
        """The packet of the first byte that may not be the carrier's; None without such bytes."""

    def feed(self, segment: Segment) -> list[Item]:
        """Read the next segment and return the items that it completes."""

    def gap(self, gap: Gap) -> list[Item]:
        """Skip bytes that were not captured, and return the items that end there."""

    def finish(self) -> list[Item]:
        """Return what is left at the end of the stream."""


class CarrierConnection(Protocol):
    """Reader of both directions of one connection, with the negotiated values."""

    @property
    def effort(self) -> ResyncEffort:
        """Limit of a resynchronisation."""

    @property
    def client(self) -> int | None:
        """Number of the side that the bytes prove to be the client; None while unknown."""

    @property
    def refused(self) -> str | None:
        """How the server has refused the carrier, until the client asks again; else None."""

    @property
    def asked(self) -> frozenset[str]:
        """Lower-case names by which the client asks for the carried protocol; a hint, no proof."""

    @property
    def handshake(self) -> str | None:
        """Text of the handshake, for an unknown carried protocol; None without a handshake."""

    def side(self, number: int, *, start: bool, fits: Callable[[bytes], bool]) -> CarrierReader:
        """Return a reader of one direction.

        Args:
            number: The side of the flow that sends.
            start: True if the first byte is the first of the connection.
            fits: Returns whether a whole message may belong to the carried protocol; a
                resynchronisation uses it.
        """


class CarrierMaker(Protocol):
    """A function that returns the reader of one connection."""

    def __call__(
        self,
        *,
        begun: bool = False,
        effort: ResyncEffort = FULL,
        allowance: Allowance | None = None,
    ) -> CarrierConnection:
        """Return the reader of one connection.

        Args:
            begun: True if its bytes begin with a frame, without a handshake: bytes without a
                capture.
            effort: Limit of a resynchronisation; lower while the protocol is uncertain.
            allowance: Limit of the decompressed size of its messages; None for one of its own.
        """


@record(slots=False, eq=False)
class Carrier:
    """A carrier, as its folder exports it under `CARRIER`."""

    id: str
    title: str
    card: str
    """The folder's docstring."""
    slots: Mapping[str, Carriage]
    """Name of a slot to how protocols take what is in it."""
    link: CarrierMaker
    """Makes the reader of one connection."""
    events: LazyPart[Mapping[str, str]] = LazyPart()
    """Name of an event to its description."""
    opens: LazyPart[re.Pattern[bytes] | None] = LazyPart(None)
    """Matches the first bytes of a connection's direction; None if any bytes may be first."""
    marks: LazyPart[re.Pattern[bytes] | None] = LazyPart(None)
    """Matches the first bytes of every frame from which messages can be read."""
