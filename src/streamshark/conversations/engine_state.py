"""State that the engine shares with the programs of its protocols, and input of the engine."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from heapq import heapify
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Protocol

from streamshark.conversations.conversation import Conversation, Name
from streamshark.conversations.cross_links import CrossLinks
from streamshark.conversations.state import UNSET, ConnectionState, ConnectionTables
from streamshark.conversations.tables import Derived, Watch
from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.dissection.row import Row
from streamshark.framing.wire_format import WireFormat

if TYPE_CHECKING:
    from streamshark.conversations.prune import TableStore

LEAST_HEAP: Final = 4096
"""Fewest timers at which cleared ones are removed."""
MOST_LEFT: Final = 4096
"""Most ended connections whose objects may continue on another one."""
END: Final = 1 << 62
"""Time in ns of what only the end of the captures shows: after all others."""
SETTLED: Final = -1
"""Pseudo number of a timer: the rows buffered after a hole have all come."""
AGES: Final = -2
"""Pseudo number of a timer: at a full hour, shared objects are forgotten that are silent."""

GIVEN: Final = frozenset(
    {
        *(
            "tables",
            "conversations",
            "summaries",
            "linked",
            "watched",
            "derives",
            "programs",
            "serial",
            "embedded",
        ),
        *(
            "notice",
            "let_go",
            "doubt",
            "meets",
            "forget_findings",
            "splits",
            "leave_fact",
            "_converse",
        ),
    }
)
"""What the maker of an engine provides: not part of its state."""

Notice = Callable[..., None]


class MatchHandler(Protocol):
    """Receiver of the matches of conditions."""

    def notice(  # noqa: PLR0913, PLR0917 - what there is to say
        self,
        program: Any,  # noqa: ANN401 - whose watch it is
        index: int,
        subject: Any,  # noqa: ANN401 - an object, or ("per", value)
        conn: ConnectionState,
        t: int,
        row: Row | None,
        frames: tuple[int | None, ...],
        values: tuple[Any, ...],
    ) -> None:
        """Process a match: the condition of a watch held on a row."""

    def let_go(self, entity: Any, conn: ConnectionState | None) -> None:  # noqa: ANN401 - any object
        """Note that an object has ended."""

    def doubt(self, conn: ConnectionState, since: int, entities: Iterable[Any]) -> None:
        """Note that bytes of a side are missing, at some time since its last frame.

        Args:
            conn: The connection.
            since: Time of that frame in ns.
            entities: The objects of the connection.
        """

    def forget(self, conn: ConnectionState) -> None:
        """Drop the state of a connection: it has no more matches."""


class FactHandler(Protocol):
    """Receiver of the facts that connections leave for objects that they share."""

    def fact(  # noqa: PLR0913, PLR0917 - what there is to say
        self,
        program: Any,  # noqa: ANN401 - whose fact it is
        number: int,
        conn: ConnectionState,
        t: int,
        n: int | None,
        row: Row | None,
        values: tuple[Any, ...],
    ) -> None:
        """Take a fact: the number of its code, and what the connection gives it."""

    def converse(self, conversation: Conversation, entity: Any, conn: ConnectionState) -> None:  # noqa: ANN401 - an object
        """Take a conversation that has ended, without links, and its object; None for a call."""

    def forget(self, conn: ConnectionState) -> None:
        """Note that a connection has no more facts."""


class ProtocolTables:
    """Input of the engine for one protocol; a function returns its tables when they are needed."""

    def __init__(
        self,
        wire: WireFormat,
        conversations: tuple[object, ...] | Callable[[], tuple[object, ...]],
        watches: tuple[Watch, ...] | Callable[[], tuple[Watch, ...]] = (),
        embedded_records: tuple[EmbeddedRecord, ...]
        | Callable[[], tuple[EmbeddedRecord, ...]] = (),
        embedded_slots: frozenset[str] = frozenset(),
        store: "TableStore | None" = None,
    ) -> None:
        self.wire = wire
        self.store = store
        """Where they are kept compiled; None if they are compiled by each process."""
        self.embedded_slots = embedded_slots
        """Slots in frames of other protocols whose records are rows for these tables."""
        self._given = conversations
        self._watches = watches
        self._embedded_records = embedded_records

    @property
    def conversations(self) -> tuple[object, ...]:
        """The conversation tables."""
        return self._given() if callable(self._given) else self._given

    @property
    def watches(self) -> tuple[Watch, ...]:
        """The conditions that the judge receives matches of."""
        return self._watches() if callable(self._watches) else self._watches

    @property
    def embedded_records(self) -> tuple[EmbeddedRecord, ...]:
        """The embedded records that are rows for these tables."""
        if not self.embedded_slots:
            return ()
        given = (
            self._embedded_records() if callable(self._embedded_records) else self._embedded_records
        )
        return tuple(each for each in given if each.slots & self.embedded_slots)


class EngineState:
    """State of an engine that the programs of all its protocols read and change.

    The arguments are those of the engine.
    """

    def __init__(  # noqa: PLR0913 - what may be wanted of an engine
        self,
        judge: MatchHandler | None = None,
        derives: Callable[[Derived], bool] = lambda _table: False,
        *,
        conversations: bool = False,
        links: bool = True,
        in_full: bool = False,
        annotates: bool = True,
        summaries: bool = True,
        facts: FactHandler | None = None,
        meets: Callable[[str, str, Any], object] | None = None,
        joins: Callable[[Any, Name], object] | None = None,
    ) -> None:
        self.splits = facts is not None
        """Whether what depends on objects that connections share is left as facts."""
        self.leave_fact: Callable[..., None] = _ignore if facts is None else facts.fact
        self.meets: Callable[[str, str, Any], object] = meets or _ignore
        """Called with protocol, lifecycle and key of an object that connections share, when it is
        first met, and before the end of the captures ends it."""
        self.moment: tuple[int, bool] | None = None
        """Time in ns of a timer that rings, or after which a silent connection is dropped, and
        whether rows of that time come before; None while a row is processed."""
        self.summaries = summaries
        """Whether the turns of conversations have texts."""
        self.annotates = annotates
        """Whether rows get annotations."""
        self.in_full = in_full
        """Whether annotations list all frames that are answered, and `unanswered` is filled."""
        self.unanswered: dict[int, str] = {}
        """Number of a frame without an answer to the state of its conversation, with `in_full`."""
        self.derives = derives
        """Returns whether a derived value is needed."""
        self.conversations = conversations
        self.linked = conversations and links
        """Whether conversations are linked to those of other connections."""
        self.watched = judge is not None
        self.notice: Notice = _ignore if judge is None else judge.notice
        self.let_go: Callable[[Any, ConnectionState | None], None] = (
            _ignore if judge is None else judge.let_go
        )
        self.doubt: Callable[[ConnectionState, int, Iterable[Any]], None] = (
            _ignore if judge is None else judge.doubt
        )
        self.forget_findings: Callable[[ConnectionState], None] = _ignore
        if (follower := judge or facts) is not None:
            self.forget_findings = follower.forget
        self._converse = None if facts is None else facts.converse
        self.by_flow: dict[int, ConnectionState] = {}
        self.left: OrderedDict[int | None, tuple[ConnectionState, int, str]] = OrderedDict()
        """Flow of an ended connection to its state, and when and why it ended: its objects may
        continue."""
        self.ended: list[Conversation] = []
        self.capped: Counter[str] = Counter()
        """Limit that was reached to the number of entries that were dropped."""
        self.heap: list[tuple[int, int, Any, int, ConnectionTables]] = []
        """Timers: time in ns, serial number, object, number of the timer, its program."""
        self.heap_most = LEAST_HEAP
        """Number of entries at which cleared timers are removed."""
        self.serial = count()
        self.incomplete: Counter[str] = Counter()
        """What was not captured to the number of ended connections of which it is missing."""
        self.links = CrossLinks(self.capped, joins)
        self.now = 0
        self.seen = 0
        """Number of the last frame; `last_n` of a connection is kept only if it is read."""

    def continue_from(self, serial: int) -> None:
        """Continue to number timers as an equal engine would, from a number on."""
        self.serial = count(serial)

    def pass_to(self, now_ns: int) -> None:
        """Set the time up to which rows were processed, in ns."""
        self.now = now_ns

    def end_conversation(
        self,
        conversation: Conversation,
        entity: Any,  # noqa: ANN401 - an object
        conn: ConnectionState,
    ) -> None:
        """Take a conversation that has ended, and its object; None for a call."""
        if self._converse is None:
            self.ended.append(conversation)
        else:
            self._converse(conversation, entity, conn)

    def take_ended(self) -> list[Conversation]:
        """Return the conversations that ended since the last call."""
        ended, self.ended = self.ended, []
        return ended

    def leave(self, conn: ConnectionState, t: int, why: str) -> None:
        """Keep an ended connection whose objects another one may take over."""
        self.left[conn.flow] = (conn, t, why)
        if len(self.left) > MOST_LEFT:
            self.capped["resumable connections"] += 1
            self._forget_left()

    def _forget_left(self) -> None:
        _, (conn, t, why) = self.left.popitem(last=False)
        conn.program.end_left(conn, t, why)

    def sift(self) -> None:
        """Remove cleared timers, which would keep ended objects in memory until their time."""
        left = []
        for each in self.heap:
            entry, _, entity, index, _ = each
            if index < 0 or getattr(entity, f"d{index}"):
                left.append(each)
            elif getattr(entity, f"h{index}") == entry:
                setattr(entity, f"h{index}", UNSET)
        heapify(left)
        self.heap[:] = left
        self.heap_most = max(LEAST_HEAP, 2 * len(left))


def _ignore(*_: object) -> None:
    pass
