"""Results of the engine: annotations of rows, and conversations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from streamshark.conversations.tables import Derived

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""The context of a connection of which nothing is known."""


class Name(NamedTuple):
    """Identity of a conversation, shown as `flow-start-type`."""

    flow: int
    start: str
    """Position of its first frame: see `ConnectionState.position`."""
    type: str
    """`call`, `connection`, `publisher`, `subscription`, ..."""

    def __str__(self) -> str:
        return f"{self.flow}-{self.start}-{self.type}"

    @property
    def packet(self) -> int:
        """Number of the packet that completes its first frame, in that packet's file."""
        return split_start(self.start)[0]


def split_start(start: str) -> tuple[int, str]:
    """Return the number of the packet in a start, and the rest with `{}` in its place.

    >>> split_start("18"), split_start("3:18.2")
    ((18, '{}'), (18, '3:{}.2'))
    """
    if start.isdecimal():
        return int(start), "{}"
    file, colon, place = start.rpartition(":")
    packet, dot, place = place.partition(".")
    return int(packet), f"{file}{colon}{{}}{dot}{place}"


class Annotation:
    """Annotation of a row (`row.annotation`); equal annotations may be one object."""

    __slots__ = (
        "answers", "context", "findings", "name", "part_of", "request_frame", "response_frame",
        "response_time_ns", "unanswered",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913, PLR0917 - what there is to say
        self,
        name: Name | None,
        context: Mapping[str, Any] = NOTHING,
        request_frame: int | None = None,
        response_time_ns: int | None = None,
        response_frame: int | None = None,
        part_of: Name | None = None,
        answers: tuple[int, ...] = (),
        unanswered: str = "",
        findings: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.context = context
        """Known facts of the connection and the row's object, such as user, vhost, stream;
        replaced, never changed in place. Unknown ones are absent."""
        self.request_frame = request_frame
        """Number of the frame that this one answers; the first if it answers several."""
        self.response_time_ns = response_time_ns
        """Time in ns since that frame."""
        self.response_frame = response_frame
        """Number of the frame that answers this one, if the captures are read twice."""
        self.part_of = part_of
        """The conversation of the object to which a call belongs: the one that SUBSCRIBE begins."""
        self.answers = answers
        """Numbers of all frames that this one answers, if there are several and the engine is
        `in_full`."""
        self.unanswered = unanswered
        """If the captures are read twice, for a request without an answer: the state of its
        conversation, `unanswered`, `open` or `unknown`."""
        self.findings = findings
        """If the captures are read twice, the rules of the findings whose evidence it is."""

    def but(self, **changes: Any) -> "Annotation":  # noqa: ANN401 - of members of any type
        """Return a copy with some members changed."""
        return Annotation(**({name: getattr(self, name) for name in self.__slots__} | changes))

    @property
    def conversation(self) -> str | None:
        """Id of the innermost conversation: a call, else an object's, else the connection's."""
        return None if self.name is None else str(self.name)


class DerivedValue(NamedTuple):
    """A value derived from a row, `row.derived`."""

    table: Derived
    """Declaration of the value."""
    value: Any
    doubt: str
    """Why it cannot be known; empty if it is known."""


class ConversationTurn(NamedTuple):
    """A turn of one side in a conversation."""

    frame: int
    """Number of the frame."""
    command: str
    """Its command; a response has `_response` after it."""
    text: str
    """Summary of the request or its outcome, in a few words."""


class TurnWithoutText(ConversationTurn):
    """A turn whose text is empty until it is needed: `context` is what was known of its frame."""

    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation: the members of its JSON, and the conversations that it belongs to."""

    id: str
    """`flow-start-type`; the start is the packet of its first frame: see `Name`."""
    protocols: tuple[str, ...]
    """Ids of the protocols of its frames."""
    flows: tuple[int, ...]
    """Numbers of its connections."""
    type: str
    """`call`, `connection`, `publisher`, `subscription`, ..."""
    correlation_id: int | str | None
    """That of the request of a call; else None."""
    state: str
    """`done`, `open`, `failed`, `unanswered`, or `unknown` if lost bytes may hold the end."""
    first_frame: int
    """Number of its first frame."""
    last_frame: int
    """Number of its last frame so far."""
    frame_count: int
    """Number of its frames."""
    start: int
    """Time of its first frame, in ns since 1970."""
    duration_ns: int
    """Time from its first to its last frame."""
    request: ConversationTurn | None
    """The frame that began it; None for a connection."""
    outcome: ConversationTurn | None
    """The frame that ended it, or answered the request; None without one."""
    measures: Mapping[str, Any] = field(default_factory=dict)
    """Values for its type: `response_time_ns`, `credit`, `in_flight`, ..."""
    parent: str | None = None
    """Id of the conversation that contains it."""
    links: tuple[str, ...] = ()
    """Ids of related conversations on other connections."""
