"""State of the engine: connections, their sides, objects with lifecycles, open requests.

The classes of objects are generated from the tables, with a slot for everything that an action
assigns. None is "unknown". `NO_OBJECT` is a null object: every slot reads None and assignments are
ignored.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType, MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

from streamshark.conversations.conversation import NOTHING, Annotation, Name
from streamshark.flows.trouble import Trouble

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation
    from streamshark.dissection.row import FrameRow, Row
    from streamshark.flows.segment import Flow
    from streamshark.framing.wire_format import WireFormat
    from streamshark.schema.problems import Problem

EMPTY: Final[Mapping[Any, Any]] = MappingProxyType({})
"""Shared empty table, replaced on the first insertion."""
NO_TROUBLE: Final = Trouble()
"""TCP statistics of a side without any."""

QUIET: Final = 10_000_000_000
"""Time in ns after which no answer is expected any more."""
UNSET: Final = 1 << 63
"""Time of a timer that is not in the heap: it never comes."""


Place = tuple[int, int, int, int]
"""Where a shared object is in the order in which those of its protocol end."""

Handler = Callable[..., Annotation | None]
"""Handler of the rows of one kind."""


class ConnectionTables(Protocol):
    """The compiled tables of a connection's protocol: what the engine asks them to do."""

    wire: "WireFormat"
    model: Any
    """The resolved tables."""
    counts_tcp: bool
    side: Any
    handlers: dict[str | None, dict[object, Handler]]
    quick: dict[str, dict[object, Handler]]

    def handler(self, row: "Row") -> Handler:
        """Return the handler of rows of this kind, compiled for the first one."""

    def age(self, hour_ns: int) -> Iterator[Place]:
        """End the shared objects that no row has named for long; yield the place of each."""

    def problems(
        self,
        row: "Row",
        conn: "ConnectionState",
        me: Any,  # noqa: ANN401 - a side
        peer: Any,  # noqa: ANN401 - a side
        inside: "Sequence[Problem] | None" = None,
    ) -> None:
        """Run conditions on the problems of a row."""

    def retell(self, entity: Any, conn: "ConnectionState") -> None:  # noqa: ANN401 - an object
        """Make the annotation of an object's rows again."""

    def see_tcp(self, conn: "ConnectionState", t: int, at: tuple[int, int, int]) -> None:
        """Make events of changes in TCP statistics up to a packet."""

    def ring(self, entity: Any, index: int, entry: int) -> None:  # noqa: ANN401 - an object
        """Process a timer's entry in the heap at its time."""

    def gap(self, conn: "ConnectionState", side: int) -> None:
        """Process lost bytes."""

    def settle(self, conn: "ConnectionState") -> None:
        """Mark the rows buffered after a hole as past."""

    def opened(self, conn: "ConnectionState") -> "list[Conversation]":
        """Return the conversations of a connection that have not ended."""

    def end(self, conn: "ConnectionState", t: int, why: str) -> None:
        """End a connection."""

    def end_left(self, conn: "ConnectionState", t: int, why: str) -> None:
        """End the objects of a connection that no other one has taken over."""


class TrackedObject:
    """An object with a lifecycle. Subclasses are made by `kind_of`."""

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
        "number",
        "outcome",
        "over",
        "owner",
        "past",
        "state",
        "t",
    )  # fmt: skip

    lifecycle = ""
    """Name of its lifecycle."""

    def __init__(
        self, conn: "ConnectionState | None", key: object, state: str, t: int, n: int | None
    ) -> None:
        self.conn = conn
        self.id = key
        self.state = state
        self.t = t
        """Time in ns of its birth, or of its first row."""
        self.n = n
        self.last_t = t
        self.last_n = n
        self.owner: int | None = None
        """Side that created it."""
        self.frames = 0
        self.born = False
        """Whether its birth was captured."""
        self.epoch: int = conn.epoch if conn is not None else 0
        """How often its connection had lost bytes when the object was first seen."""
        self.over = False
        self.ended_t: int | None = None
        self.ended_n: int | None = None
        self.name: Name | None = None
        self.base: Mapping[str, Any] | None = None
        """The connection's context when `annotation` was made; None if it must be made again."""
        self.annotation: Annotation | None = None
        self.links: list[Name] | None = None
        self.number = 0
        """Number by which facts name it; 0 while none does."""
        self.past: tuple[Name, ...] = ()
        """Names of the connections that it was on before."""
        self.flows: list[int] | None = None
        """For an object that connections share: those on which it was seen."""
        self.begin: Any = None
        self.outcome: Any = None

    @property
    def is_gone(self) -> bool:
        """Whether it has ended, or is known not to exist."""
        return self.over or self.state == "absent"


class NullObject:
    """The null object: all slots are unknown, and assignments are ignored.

    `kind_of` makes slots attributes of this class: without them each costs a call.
    """

    __slots__ = ()

    over = False
    epoch = 0
    frames = 0
    trouble: Any = None

    def __getattr__(self, name: str) -> None:
        return None

    def __setattr__(self, name: str, value: object) -> None:
        pass


NO_OBJECT = NullObject()
NullObject.trouble = NO_OBJECT


class PeerState:
    """One side of a connection."""

    __slots__ = ("conn", "first_n", "first_t", "frames", "last_n", "last_t", "looked",
                 "looks", "quick", "side", "signs", "source", "trouble")  # fmt: skip

    lifecycle = "side"

    def __init__(self, conn: "ConnectionState", side: int) -> None:
        self.conn = conn
        self.side = side
        self.frames = 0
        self.first_n: int | None = None
        self.first_t: int | None = None
        self.last_n: int | None = None
        self.last_t: int | None = None
        self.quick: Mapping[object, Callable[..., Annotation | None]] = EMPTY
        """Cached handlers of its frames, by decoder, for frames that need no further checks."""
        self.looks: dict[object, int] | None = None
        """By kind of frame, how many were checked for problems in bodies: see `bodies`."""
        self.looked: frozenset[object] = frozenset()
        """Kinds whose first frames were all checked, and kinds without bodies."""
        self.source = self.trouble = NO_TROUBLE
        """TCP statistics of its packets: `source` of all that were read, `trouble` up to the
        packet that completed the latest row."""
        self.signs = 0
        """Number of signs of trouble that are counted in `trouble`."""

    def reach(self, at: tuple[int, int, int]) -> None:
        """Count the signs of trouble up to a packet, given by its time in ns, file and number."""
        source = self.source
        if self.signs < source.dropped:
            self.trouble, self.signs = source.counts_before(), source.dropped
        for place in range(self.signs - source.dropped, len(source.signs)):
            sign = source.signs[place]
            if sign.at > at:
                break
            if self.trouble is NO_TROUBLE:
                self.trouble = Trouble()
            self.trouble.count(sign)
            self.signs += 1


class ConnectionState(TrackedObject):
    """A connection: the object `conn`, with the tables of its other objects."""

    __slots__ = (
        "C", "S", "both", "carried", "client", "closed", "context", "continues", "counted",
        "ending", "file", "flow", "gapless", "is_embedded", "kept", "keys", "last_file",
        "lost_n", "lost_t", "packet", "place", "program", "protocol", "server", "sides", "start",
        "tcp", "turn", "uncounted", "whole",
    )  # fmt: skip

    lifecycle = "conn"

    def __init__(self, program: "ConnectionTables", flow: int, t: int, *, start: bool) -> None:
        super().__init__(None, flow, "unknown", t, None)
        self.conn: ConnectionState = self
        self.program = program
        self.flow = flow
        self.file = self.last_file = 0
        """Number of the file in which it begins, and of that of its latest frame."""
        self.packet = self.place = 0
        """Packet of its latest frame, and how many of its frames that packet completes so far."""
        self.protocol = program.wire.id
        self.turn: object = None
        """The call of `Engine.feed` in which `uncounted` was last set."""
        self.uncounted = False
        """Whether packets beyond the latest row show signs of trouble."""
        self.start = start
        """Whether its first bytes were captured."""
        self.born = start
        self.whole = True
        """Whether no bytes were lost."""
        self.gapless = True
        """Whether all bytes were captured; some may have been skipped as malformed."""
        self.lost_t: int | None = None
        """Time in ns when the last loss was noticed; None without one."""
        self.lost_n = -1
        """The last frame after the latest hole; -1 without one."""
        self.both = False
        """Whether both sides were captured: frames of each, or TCP's handshake."""
        self.continues = False
        """Whether it continues a session of an earlier connection."""
        self.carried = False
        """Whether a carrier on TCP, such as WebSocket, transports its frames."""
        self.is_embedded = False
        """Whether its frames are embedded in those of another protocol on the same connection."""
        self.tcp: Flow | None = None
        """The TCP connection."""
        self.sides: tuple[Any, Any] = (program.side(self, 0), program.side(self, 1))
        self.C: Any = NO_OBJECT
        self.S: Any = NO_OBJECT
        self.server: str | None = None
        self.client: str | None = None
        self.context: Mapping[str, Any] = NOTHING
        self.counted = (0, 0, 0, 0)
        """TCP statistics from which events were already made: zero windows and retransmissions of
        each side."""
        self.keys: dict[str, Any] = {}
        """Keys of shared objects on the present row, where facts are evaluated."""
        self.kept: dict[int, Any] = {}
        """Its objects that facts name, by number, where facts are evaluated."""
        self.closed = 0
        """Sides that have sent FIN: bit 0 for side 0, bit 1 for side 1."""
        self.ending: Any = None
        """Row of the RST, else of the first FIN; None before."""

    def locate(self, row: "FrameRow") -> None:
        """Note that a frame is the latest."""
        if row.packet == self.packet:
            self.place += 1
        else:
            self.packet, self.place, self.last_file = row.packet, 1, row.file

    @property
    def position(self) -> str:
        """Position of the latest frame, which depends on no other connection.

        It is the number of the packet that completes the frame, `20`; for the second frame of the
        connection that this packet completes, `20.2`; and `3:20` in the third file, if the
        connection begins in an earlier one.
        """
        text = f"{self.packet}.{self.place}" if self.place > 1 else str(self.packet)
        return text if self.last_file == self.file else f"{self.last_file + 1}:{text}"

    @property
    def has_uncounted_signs(self) -> bool:
        """Whether packets that were read show signs of trouble that are not counted yet."""
        one, other = self.sides
        return bool(one.signs < one.source.total or other.signs < other.source.total)

    def describe(self, file: int, name: Name | None) -> None:
        """Set the file in which it begins, and the name of its conversation."""
        self.file, self.name = file, name

    @property
    def encrypted(self) -> bool:
        """Whether its frames were sent inside TLS."""
        return self.tcp is not None and self.tcp.decrypted > 0

    def see_both(self) -> None:
        """Set `both` if TCP's handshake was captured, before the server sends anything."""
        if not self.both and self.tcp is not None and self.tcp.handshake_ns is not None:
            self.both = True


class PendingRequest:
    """A request that may still be answered. Subclasses are made by `kind_of`."""

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
        """The last of them, set on the first."""
        self.waiting = 0
        """Number of later ones, set on the first."""
        self.state = "open"
        self.begin: Any = None
        self.outcome: Any = None


class RequestQueue(deque[PendingRequest]):
    """Open requests that are answered in order.

    If earlier requests may be open that were not captured, none is kept: the next answer may be
    theirs. That ends when nothing is requested or answered for `QUIET`.
    """

    __slots__ = ("unsure_t",)

    def __init__(self, unsure_t: int | None = None) -> None:
        super().__init__()
        self.unsure_t = unsure_t
        """Time in ns when such requests were last possible; None if they are not."""

    def ask(self, request: PendingRequest) -> bool:
        """Add a request if its answer can be identified; return whether it was added."""
        if self.unsure_t is not None and request.t - self.unsure_t < QUIET:
            self.unsure_t = request.t
            return False
        self.unsure_t = None
        self.append(request)
        return True

    def oldest(self, t: int) -> Any:  # noqa: ANN401 - a request, or NO_OBJECT
        """Return the request that an answer is for; `NO_OBJECT` if unknown."""
        if self:
            return self[0]
        if self.unsure_t is not None:
            self.unsure_t = t
        return NO_OBJECT

    def doubt(self, t: int) -> list[PendingRequest]:
        """Drop and return all requests: earlier ones may be open that were not captured."""
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
    """Return a subclass with these slots, which begin as None, or `EMPTY` for `tables`.

    Each of the `timers` has a slot for its time, `d<n>`, and for its entry in the heap, `h<n>`.
    `starts` are the slots, with values, that `begin_with` sets: those known from birth on.
    """
    entries = {f"h{index}": str(UNSET) for index in timers}
    slots = {*slots, *tables, *entries, *(f"d{index}" for index in timers)}
    own = sorted(each for each in slots - _slots(base) if not hasattr(base, each))
    first = dict.fromkeys(own, "None") | dict.fromkeys(tables, "EMPTY") | entries
    lines = [f"    self.{each} = {value}" for each, value in first.items()] or ["    pass"]
    known = [f"    self.{key} = {value!r}" for key, value in (starts or {}).items()] or ["    pass"]
    taken, given = _arguments(base)
    head, call = f"def __init__(self, {taken}):", f"    base(self, {given})"
    text = "\n".join([head, *lines, call, "def begin_with(self):", *known])
    scope: dict[str, Any] = {"EMPTY": EMPTY, "base": vars(base)["__init__"]}
    exec(_code(text), scope)  # noqa: S102 - one assignment for each slot
    null_slots(slots | _slots(base))
    made = {each: scope[each] for each in ("__init__", "begin_with")}
    return type(name, (base,), {"__slots__": tuple(own), **made})


def null_slots(names: Iterable[str]) -> None:
    """Make slots attributes of the null object, without which reading one takes a call."""
    for each in set(names) - vars(NullObject).keys():
        setattr(NullObject, each, None)


def _arguments(base: type) -> tuple[str, str]:
    """Return the arguments of `base()`, as they are declared and as they are given on."""
    code = vars(base)["__init__"].__code__
    plain = code.co_varnames[1 : code.co_argcount]
    named = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    taken = [*plain, *(("*", *named) if named else ())]
    return ", ".join(taken), ", ".join([*plain, *(f"{each}={each}" for each in named)])


@lru_cache(maxsize=1024)
def _code(text: str) -> CodeType:
    """Compile text; the same slots are needed again by each reading."""
    return compile(text, "<slots>", "exec")


def _slots(base: type) -> set[str]:
    return {slot for each in base.__mro__ for slot in getattr(each, "__slots__", ())}
