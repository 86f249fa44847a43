"""What the engine hands on: what is told of a row, and what was said in one conversation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from streamshark.conversations.tables import Derived

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""The context of a connection of which nothing is known."""


class Name(NamedTuple):
    """What names a conversation: shown as `flow-first_frame-type`."""

    flow: int
    frame: int
    """Its first frame."""
    type: str
    """`call`, `connection`, `publisher`, `subscription`, ..."""

    def __str__(self) -> str:
        return f"{self.flow}-{self.frame}-{self.type}"


class Annotation:
    """What the engine adds to a row (`row.annotation`); equal annotations may be one object."""

    __slots__ = (
        "answers", "context", "name", "part_of", "request_frame", "response_frame",
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
    ) -> None:
        self.name = name
        self.context = context
        """What the connection and the row's object know, such as user, vhost, stream; never
        changed, but replaced. What is not known is absent."""
        self.request_frame = request_frame
        """The frame that this one answers; the first of them where it answers several."""
        self.response_time_ns = response_time_ns
        """How long after it this one came."""
        self.response_frame = response_frame
        """The frame that answers this one, where the captures are read twice."""
        self.part_of = part_of
        """The object's conversation that a call is a part of: what SUBSCRIBE begins."""
        self.answers = answers
        """All frames that this one answers, where there are several and rows are told in full."""
        self.unanswered = unanswered
        """Where the captures are read twice, of a request that nobody answers: the state of its
        conversation, `unanswered`, `open` or `unknown`."""

    def but(self, **changes: Any) -> "Annotation":  # noqa: ANN401 - of members of any type
        """The same with some members changed."""
        return Annotation(**({name: getattr(self, name) for name in self.__slots__} | changes))

    @property
    def conversation(self) -> str | None:
        """Id of the innermost conversation: a call, else an object's, else the connection."""
        return None if self.name is None else str(self.name)


class DerivedValue(NamedTuple):
    """A value worked out of a row, `row.derived`."""

    table: Derived
    """What it is."""
    value: Any
    doubt: str
    """Why it cannot be known; empty where it is."""


class ConversationTurn(NamedTuple):
    """One side's say in a conversation."""

    frame: int
    command: str
    text: str
    """What was asked for, or what came of it, in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation: the members of the JSON (design, section 4), and where it belongs."""

    id: str
    """`flow-first_frame-type`."""
    protocols: tuple[str, ...]
    flows: tuple[int, ...]
    type: str
    correlation_id: int | str | None
    state: str
    """`done`, `open`, `failed`, `unanswered`, or `unknown` where lost bytes may hold the end."""
    first_frame: int
    last_frame: int
    frame_count: int
    start: int
    """Time of its first frame, in ns since 1970."""
    duration_ns: int
    request: ConversationTurn | None
    outcome: ConversationTurn | None
    measures: Mapping[str, Any] = field(default_factory=dict)
    """What means something for its type: `response_time_ns`, `credit`, `in_flight`, ..."""
    parent: str | None = None
    """Id of the conversation that it is a part of."""
    links: tuple[str, ...] = ()
    """Ids of conversations on other connections that belong to it."""
