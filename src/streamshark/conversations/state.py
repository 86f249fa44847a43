"""What the engine remembers: connections, their sides, objects of lives, open requests.

The classes of objects are made from the tables, with a slot for everything that a move assigns.
Unknown is None. `NullObject` stands where there is no object: all its slots are unknown, and what
is assigned to it is forgotten.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from streamshark.conversations.conversation import NOTHING, Annotation, Name
from streamshark.flows.segment import Trouble

if TYPE_CHECKING:
    from streamshark.conversations.program import Program
    from streamshark.flows.segment import Flow

EMPTY: Final[Mapping[Any, Any]] = MappingProxyType({})
"""Stands for every table that has had nothing in it yet; replaced by the first that comes."""
NO_TROUBLE: Final = Trouble()
"""What TCP says of a side that it says nothing of."""

QUIET: Final = 10_000_000_000
"""Time in ns after which nobody answers any more."""
UNSET: Final = 1 << 63
"""Time of a timer's entry in the heap where it has none: it never comes."""


class TrackedObject:
    """An object of a life. Subclasses are made by `kind_of`."""

    __slots__ = (
        "annotation",
        "base",
        "begin",
        "born",
        "conn",
        "ended_n",
        "ended_t",
        "epoch",
        "flows",
        "frames",
        "id",
        "last_n",
        "last_t",
        "links",
        "n",
        "name",
        "outcome",
        "over",
        "owner",
        "past",
        "state",
        "t",
    )  # fmt: skip

    life = ""
    """Its life's name."""

    def __init__(
        self, conn: "ConnectionState | None", key: object, state: str, t: int, n: int | None
    ) -> None:
        self.conn = conn
        self.id = key
        self.state = state
        self.t = t
        """Time of its birth, or of its first row."""
        self.n = n
        self.last_t = t
        self.last_n = n
        self.owner: int | None = None
        """Side that brought it to life."""
        self.frames = 0
        self.born = False
        """Whether its birth was seen."""
        self.epoch: int = conn.epoch if conn is not None else 0
        """How often the connection had lost bytes when it was met."""
        self.over = False
        self.ended_t: int | None = None
        self.ended_n: int | None = None
        self.name: Name | None = None
        self.base: Mapping[str, Any] | None = None
        """The connection's context when `told` was made; None when it must be made again."""
        self.annotation: Annotation | None = None
        self.links: list[Name] | None = None
        self.past: tuple[Name, ...] = ()
        """Connections that it was on before."""
        self.flows: list[int] | None = None
        """Of what all connections share: those on which it was met."""
        self.begin: Any = None
        self.outcome: Any = None

    @property
    def is_gone(self) -> bool:
        """Whether it has ended, or is known not to be there."""
        return self.over or self.state == "absent"


class NullObject:
    """No object: nothing is known of it, and nothing can be told it."""

    __slots__ = ()

    over = False
    epoch = 0
    frames = 0
    trouble: Any = None

    def __getattr__(self, name: str) -> None:
        return None

    def __setattr__(self, name: str, value: object) -> None:
        pass


NOBODY = NullObject()
NullObject.trouble = NOBODY


class PeerState:
    """One side of a connection."""

    __slots__ = ("conn", "first_n", "first_t", "frames", "last_n", "last_t", "looked",
                 "looks", "quick", "side", "trouble")  # fmt: skip

    life = "side"

    def __init__(self, conn: "ConnectionState", side: int) -> None:
        self.conn = conn
        self.side = side
        self.frames = 0
        self.first_n: int | None = None
        self.first_t: int | None = None
        self.last_n: int | None = None
        self.last_t: int | None = None
        self.quick: Mapping[object, Callable[..., Annotation | None]] = EMPTY
        """What runs on its frames of a kind, where no more is to be asked before."""
        self.looks: dict[object, int] | None = None
        """How many of its frames of a kind were looked into: see `bodies`."""
        self.looked: frozenset[object] = frozenset()
        """Kinds of which the first ones were, and kinds without bodies."""
        self.trouble = NO_TROUBLE
        """What TCP counts of its packets, up to the bytes being read."""


class ConnectionState(TrackedObject):
    """A connection: the object `conn`, and where its other objects are."""

    __slots__ = (
        "C", "S", "both", "carried", "client", "closed", "context", "continues", "counted",
        "ending", "file", "flow", "lost_n", "lost_t", "program", "protocol",
        "server", "sides", "start", "tcp", "turn", "whole",
    )  # fmt: skip

    life = "conn"

    def __init__(self, program: "Program", flow: int, t: int, *, start: bool) -> None:
        super().__init__(None, flow, "unknown", t, None)
        self.conn: ConnectionState = self
        self.program = program
        self.flow = flow
        self.file = 0
        self.protocol = program.wire.id
        self.turn: object = None
        """When it was asked last what TCP counts: see `Engine.feed`."""
        self.start = start
        """Whether its first bytes were seen."""
        self.born = start
        self.whole = True
        """Whether no bytes were lost."""
        self.lost_t: int | None = None
        """When it was known last that some were."""
        self.lost_n = -1
        """The last frame behind the latest hole."""
        self.both = False
        """Whether both sides were seen: frames of each, or TCP's handshake."""
        self.continues = False
        """Whether it goes on with a session of an earlier connection."""
        self.carried = False
        """Whether something else on TCP carries its frames, such as WebSocket."""
        self.tcp: Flow | None = None
        """The connection as TCP has it."""
        self.sides: tuple[Any, Any] = (program.side(self, 0), program.side(self, 1))
        self.C: Any = NOBODY
        self.S: Any = NOBODY
        self.server: str | None = None
        self.client: str | None = None
        self.context: Mapping[str, Any] = NOTHING
        self.counted = (0, 0, 0, 0)
        """What TCP counted, as far as events were made of it: zero windows and retransmissions of
        each side."""
        self.closed = 0
        """Sides that have sent FIN: bit 0 for side 0, bit 1 for side 1."""
        self.ending: Any = None
        """The row of the RST, else of the first FIN."""

    @property
    def encrypted(self) -> bool:
        """Whether what is read here went over the wire inside of TLS."""
        return self.tcp is not None and self.tcp.decrypted > 0

    def see_both(self) -> None:
        """TCP's handshake shows both sides before the server says anything."""
        if not self.both and self.tcp is not None and self.tcp.handshake_ns is not None:
            self.both = True


class PendingRequest:
    """A request that may still be answered. Subclasses are made by `request_kind`."""

    __slots__ = ("begin", "conn", "context", "frames", "key", "last_n", "last_t", "later", "n",
                 "name", "outcome", "side", "state", "t", "tail", "waiting")  # fmt: skip

    pair = -1

    def __init__(self, conn: ConnectionState, key: object, t: int, n: int, side: int) -> None:
        self.conn = conn
        self.key = key
        self.t = t
        self.n = n
        self.side = side
        self.last_t = t
        self.last_n = n
        self.frames = 1
        self.name: Name | None = None
        self.context: Mapping[str, Any] = NOTHING
        self.later: PendingRequest | None = None
        """The next open request with the same key."""
        self.tail: PendingRequest | None = None
        """The last of them, at the first."""
        self.waiting = 0
        """How many they are, at the first."""
        self.state = "open"
        self.begin: Any = None
        self.outcome: Any = None


class RequestQueue(deque[PendingRequest]):
    """Open requests that are answered in their order.

    Where others may wait before them that nobody saw, none is kept: the next answer may be theirs.
    That is so until nothing is asked or answered for `QUIET`.
    """

    __slots__ = ("unsure_t",)

    def __init__(self, unsure_t: int | None = None) -> None:
        super().__init__()
        self.unsure_t = unsure_t
        """When others were last seen, or may have been; None where none are."""

    def ask(self, request: PendingRequest) -> bool:
        """Whether a request is kept: nobody can say which answer would be its own otherwise."""
        if self.unsure_t is not None and request.t - self.unsure_t < QUIET:
            self.unsure_t = request.t
            return False
        self.unsure_t = None
        self.append(request)
        return True

    def oldest(self, t: int) -> Any:  # noqa: ANN401 - a request, or nobody
        """The request that an answer is for."""
        if self:
            return self[0]
        if self.unsure_t is not None:
            self.unsure_t = t
        return NOBODY

    def doubt(self, t: int) -> list[PendingRequest]:
        """Others may wait from now on; those that are given up."""
        given_up = list(self)
        self.clear()
        self.unsure_t = t
        return given_up


def kind_of(
    base: type,
    name: str,
    slots: Iterable[str],
    starts: Mapping[str, Any] | None = None,
    tables: Iterable[str] = (),
    timers: Iterable[int] = (),
) -> type:
    """A subclass with these slots, all unknown at first, but for `tables`, which are `EMPTY`.

    Of each of the `timers` there is when it is due, `d<n>`, and its entry in the heap, `h<n>`.

    `starts` are those that `begin_with` sets: what is known from birth on.
    """
    entries = {f"h{index}": str(UNSET) for index in timers}
    slots = {*slots, *tables, *entries, *(f"d{index}" for index in timers)}
    own = sorted(each for each in slots - _slots(base) if not hasattr(base, each))
    first = dict.fromkeys(own, "None") | dict.fromkeys(tables, "EMPTY") | entries
    lines = [f"    self.{each} = {value}" for each, value in first.items()] or ["    pass"]
    known = [f"    self.{key} = {value!r}" for key, value in (starts or {}).items()] or ["    pass"]
    text = "\n".join(["def fill(self):", *lines, "def begin_with(self):", *known])
    scope: dict[str, Any] = {"EMPTY": EMPTY}
    exec(text, scope)  # noqa: S102 - one assignment for each slot
    fill = scope["fill"]

    def init(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - any object
        fill(self)
        base.__init__(self, *arguments, **named)  # type: ignore[misc]

    members = {"__slots__": tuple(own), "__init__": init, "begin_with": scope["begin_with"]}
    return type(name, (base,), members)


def _slots(base: type) -> set[str]:
    return {slot for each in base.__mro__ for slot in getattr(each, "__slots__", ())}
