"""The tables in which a protocol says what its frames mean to each other.

`protocols/<p>/conversations.py` exports `CONVERSATIONS`, a tuple of these in any order. Text in
them is of one language (`conversations.expressions`); docs/conversations.md explains every table
with examples. `Model` reads and checks them.

`on` names rows, separated by blanks: `subscribe`, `subscribe_response`, `any`, `any:request`,
`any:response`, `any:command`, `any:coded`, `any:unknown`, each perhaps behind `client:` or
`server:`; events `tcp.open`, `tcp.close`, `tcp.reset`, `tcp.gap`, `tcp.resync`, `tcp.partial`,
`tcp.zero_window`, `tcp.retransmission`; and what the tables themselves make:
`timer:<name>`, `repeat:<name>`, `end:<life>`, `left:<life>`, `unanswered:<pair>`,
`problem:<code>`, `body:<code>`.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, ClassVar, NamedTuple

from streamshark.light_dataclass import record


@record(kw_only=True)
class Constant:
    """A number, text, tuple or table with a name in capitals; users may set another value."""

    name: str
    value: Any
    """A time is text: `10 s`, `250 ms`. A mapping is for `lookup`."""
    doc: str


@record(kw_only=True)
class Pair:
    """A request and what answers it."""

    name: str
    """Of the pair: `unanswered:<name>`. Its key is of its own: no other pair shares it."""
    request: str
    """`on` of the requests."""
    answers: str
    """`on` of the answers, sent by the other side."""
    key: str = "correlation_id"
    """What joins them, over the columns of both; empty: answers come in the order of requests;
    `flow`: there is one request on a connection."""
    answer_key: str | None = None
    """The same over the answer's columns, where it is called otherwise there."""
    when: str = ""
    """Which of the requests need an answer."""
    answer_when: str = ""
    """Which of the answers are meant."""
    keep: str = ""
    """Columns of the request that its answers and rules may use, as `req.<last part of the path>`;
    `as` renames: `keep="stream subscription_id chunk.id as chunk"`."""
    done: str = ""
    """When an answer is the last one; empty: the first is."""
    failed: str = ""
    """When an answer refuses."""
    scope: str = "connection"
    """`capture`: the answer may come on another connection."""
    type: str = "call"
    """What its conversations are called; empty: they are none of their own."""
    of: str = ""
    """The life whose objects take open requests along to another connection (`adopt`)."""


class Transition(NamedTuple):
    """One transition of a life."""

    states: str
    """States it leads from, separated by blanks; `*` for all but `absent`."""
    on: str
    to: str
    when: str = ""


@record(kw_only=True)
class Lifecycle:
    """The states of a kind of object.

    Every life has the states `absent` (not there, which is known) and `unknown` (met in the middle,
    or after lost bytes). The first step that fits is taken. What objects remember are the slots
    that moves assign; all have `state`, `id` (its key), `n`, `t` and `owner` (frame, time and side
    of its birth), `last_n`, `last_t` (of its last row) and `ended_n`, `ended_t`.
    """

    name: str
    """What expressions call it: `sub`. No field of the protocol may have this name."""
    scope: str
    """`connection` (many of a connection, by key), `connection:one` (the connection itself), `side`
    (each of its two sides), `capture` (shared by all connections, by key)."""
    doc: str = ""
    key: Mapping[str, str] = field(default_factory=dict)
    """`on` to what the object's key is there; rows without one do not touch it."""
    steps: tuple[Transition, ...] = ()
    each: tuple[Transition, ...] = ()
    """Steps that all objects of the connection take for which the condition holds."""
    also: Mapping[str, str] = field(default_factory=dict)
    """In scope `capture`, `on` to a further key, under which other rows find the object from then
    on; it must not be taken for the key of another one."""
    final: str = ""
    """States in which an object has ended. It is remembered until its key is used again, or until
    `remembered` others have ended since."""
    failed: str = ""
    """Those of them that are failures."""
    live: str = ""
    """States that `live()` counts."""
    starts: Mapping[str, Any] = field(default_factory=dict)
    """Slots that are known from the birth on; others begin unknown. Of an object met in the middle
    all begin unknown."""
    type: str = ""
    """What its conversations are called; empty: it is none."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """Name to value, as the object ends: `{"credit": "sub.balance"}`."""
    counted: str = ""
    """Those of them that are known only where all was seen: the object's birth, both sides, and no
    bytes lost since."""
    closing: Mapping[str, str] = field(default_factory=dict)
    """State to what state the conversation has, as text, where the connection is closed in it:
    `{"asked": "'unanswered'"}`. In others it is `done`."""
    survives: str = ""
    """Condition over the connection, as it ends: its objects may go on with another connection,
    which takes them over (`adopt`); they end when the captures do."""
    most: int = 4096
    """Objects of a connection (of all, in scope `capture`: 20 000 at most); more, and the oldest
    are forgotten."""
    remembered: int = 256
    """Ended objects that are kept."""


@record(kw_only=True)
class Action:
    """What objects remember of a row: assignments and verbs, separated by `;`."""

    on: str
    do: str
    when: str = ""
    each: str = ""
    """Name of a life: done for every object of the connection for which `when` holds."""
    items: str = ""
    """Path of a list: done for each of its items, whose members are then the columns."""


@record(kw_only=True)
class Timer:
    """Tells when something has not happened for a time: gives `timer:<name>`."""

    name: str
    of: str
    """The object that waits: the name of a life, or `me`, `peer`, `C`, `S`."""
    on: str
    """Rows that arm it."""
    limit: str
    """How long: an expression in ns, a time such as `3 s`, or the name of a constant."""
    when: str = ""
    clear: str = ""
    """Rows that clear it."""
    clear_when: str = ""
    mode: str = "first"
    """`first`: armed again it keeps its deadline; `again`: it moves it."""


@record(kw_only=True)
class Burst:
    """The same thing `limit` times within `window`: gives `repeat:<name>` from then on."""

    name: str
    on: str
    key: str
    """What is the same."""
    window: str
    """A time, or the name of a constant."""
    limit: int | str
    """A number, or the name of a constant."""
    when: str = ""
    distinct: str = ""
    """Count different values of this instead of rows."""


@record(kw_only=True)
class Context:
    """A member of a row's `context`: the first of some slots that is known on that row."""

    name: str
    """`user`, `vhost`, `stream`, `reference`, `client_product`, ..."""
    value: str
    """Slots, separated by blanks: `conn.vhost`, `pub.stream sub.stream req.stream`."""


@record(kw_only=True)
class Derived:
    """A value of a row that no byte says, as it is behind the row: `<short>.<name>`."""

    name: str
    """`credit_balance`, `in_flight`, ..."""
    on: str
    value: str
    text: str
    """What a tree says of it, with the value in `{}`, a time in `{:time}`; without, that it is
    so."""
    doc: str
    when: str = ""
    """Which rows have it."""
    needs: str = ""
    """As of a `Watch`; where it is missing the value cannot be known, and that is said."""
    mark: str = ""
    """The same for the end of a line, where it helps there."""

    @property
    def is_time(self) -> bool:
        """Whether the value is a time in ns."""
        return "{:time}" in self.text


@record(kw_only=True)
class CrossLink:
    """A small fact by which conversations of several connections are joined, in time order.

    Of one kind and key, what leads is joined with what follows later on another connection.
    """

    kind: str
    """`node`, `stream`, `client`, ...; any protocol may use it."""
    role: str
    """`leads`, `follows`, or `both`."""
    on: str
    key: str
    of: str = ""
    """The object whose conversation is meant; empty: the connection's."""
    when: str = ""
    items: str = ""
    """Path of a list: one fact for each of its items."""


@record(kw_only=True)
class Watch:
    """A condition that somebody wants to hear of.

    `findings.rule.Rule` and `conversations.explain.Sentence` add the words.
    """

    adds_up: ClassVar[bool] = False
    """Whether the values of several rows may become one in the words: `{x:sum}`."""

    on: str
    needs: str
    """What must have been seen, or empty: `start` (the connection's first bytes), `whole` (nothing
    of it was lost), `both` (its two sides), `object` (the object's birth, and nothing lost
    since), `since` (nothing lost since the first frame of its evidence)."""
    when: str = ""
    of: str = ""
    """The object that is meant, for `object` and for counting; empty: the first one that is named
    in `when`, else the connection."""
    per: str = ""
    """Count by this value over all connections, instead of by object."""
    evidence: str = "n"
    """Frames that prove it, the guilty one first, separated by commas."""
    predicate: Callable[[Mapping[str, Any]], bool | str] | None = None
    """Python, where a row cannot say it; it is given the columns named in `reads`. The text that it
    gives, empty where the condition does not hold, is `found` in the message."""
    reads: str = ""


Table = Constant | Pair | Lifecycle | Action | Timer | Burst | Context | Derived | CrossLink
