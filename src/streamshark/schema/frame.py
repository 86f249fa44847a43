"""Frames and heads: what a protocol folder declares, in the words of this package."""

from collections.abc import Mapping
from dataclasses import field as attribute
from enum import Enum

from streamshark.errors import SchemaError
from streamshark.light_dataclass import record
from streamshark.schema.expressions import Expression
from streamshark.schema.words import Member


class FrameKind(Enum):
    """What a frame is in the conversation (design, section 4)."""

    REQUEST = "request"
    """Answered by a response."""
    RESPONSE = "response"
    """Answers a request."""
    COMMAND = "command"
    """Has no response of its own: publishes, confirms, deliveries."""


class Sender(Enum):
    """Who sends a frame."""

    CLIENT = "client"
    SERVER = "server"
    BOTH = "both"
    PEER = "peer"
    """Between servers."""


@record(slots=False)
class Head:
    """The start of every frame of a binary protocol: how long it is and which frame it is.

    `members` precede the body of every frame and are in the same record. `total` is the bytes of
    the whole frame, `members` included; a total outside `[least, most]` is a problem. It is None
    where a carrier gives each frame its bytes (an envelope in a NATS payload, a WebSocket message).
    `key`, `version` and `response` name the members that select the schema (`key` is empty where
    there is only one frame); the names in `hidden` (length and selectors) are not repeated among a
    frame's fields. `flags` names the member whose bits each frame names for itself
    (`FrameSchema.flags`).
    """

    members: tuple[Member, ...]
    total: Expression | None
    key: str
    version: str | None = None
    response: str | None = None
    """Name of a one-bit member that is set on responses; None where the key itself shows it."""
    least: int = 0
    most: int = 64 * 1024 * 1024
    hidden: tuple[str, ...] = ()
    source: str = ""
    """Where the limits come from."""
    flags: str | None = None


@record(slots=False)
class LineHead:
    """The start of every frame of a text protocol: a line whose first token is the key.

    The frame is the line and, for the verbs in `sized`, as many bytes as the last argument says
    and CRLF. A line longer than `most_line` has no frame.
    """

    verbs: Mapping[str, str]
    """Verb in upper case to the key of the frame."""
    sized: frozenset[str]
    """Verbs (upper case) whose last argument counts the bytes after the line."""
    most_line: int
    most: int = 64 * 1024 * 1024
    hidden: tuple[str, ...] = ()
    source: str = ""


@record(slots=False)
class Numbering:
    """A number of each item of a list that is not in the bytes, since the items are consecutive.

    The first item has the number given beside the list, and each later one the next number.
    Without `start` the items have numbers themselves, and records inside them repeat these. Numbers
    are not decoded: code that shows the list computes them (`decoding.numbering`).
    """

    items: str
    """Path of the list."""
    name: str
    """What the number is called: the last part of its name, after the path of the list."""
    doc: str
    """One sentence: what the number means."""
    start: str | None = None
    """Name, in the record of the list, of the first item's number."""
    weight: str | None = None
    """Name, in an item, of how many numbers it takes up; an item without it takes one."""
    inside: str | None = None
    """Name, in an item, of the slot whose records are numbered on from the item's own number."""


@record(slots=False)
class FrameSchema:
    """One frame in one version: who sends it, what selects it, and its members after the head."""

    name: str
    """The command, snake_case, the same for request and response."""
    key: int | str
    """The number on the wire (or the verb) that names the command, response bit left out."""
    kind: FrameKind
    sender: Sender
    doc: str
    """One sentence: what the frame is for."""
    spec: str
    """Document and section."""
    body: tuple[Member, ...] = ()
    version: int | None = None
    """The version on the wire; None where frames carry none."""
    dialect: str = ""
    """`""` for what real peers send; else the name the user selects (`-o <short>.dialect:NAME`)."""
    responses: tuple[bool, ...] | None = None
    """Values of the head's response bit that select this frame; by default that of its `kind`."""
    negotiates: bool = False
    """True when its values change how later frames are read, or what the connection agreed."""
    shows: str = ""
    """Template of the line that shows the frame (`info_template`); by default its first members."""
    since: str = ""
    """First release of the reference server that knows it."""
    numbers: tuple[Numbering, ...] = ()
    """Numbers that are shown with the items of lists, though they are not in the bytes."""
    flags: Mapping[int, str] = attribute(default_factory=dict)
    """Mask to name for the head's flag member, in this frame; empty where the head has none."""

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise SchemaError(f"frame {self.name!r}: names are snake_case")
        for member in self.body:
            if not isinstance(member, Member):
                raise SchemaError(f"frame {self.name!r}: {member!r} is not a member word")

    @property
    def response_bits(self) -> tuple[bool, ...]:
        """Values of the head's response bit that select this frame."""
        return (self.kind is FrameKind.RESPONSE,) if self.responses is None else self.responses
