"""The tables in which a protocol declares how its frames relate to each other.

`protocols/<p>/conversations.py` exports `CONVERSATIONS`, a tuple of these in any order. Text in
them is in the language of `conversations.expressions`; docs/conversations.md explains every table
with examples. `resolve.ResolvedTables` parses and checks them.

`on` names rows, separated by blanks: `subscribe`, `subscribe_response`, `any`, `any:request`,
`any:response`, `any:command`, `any:coded`, `any:unknown`, each optionally after `client:` or
`server:`; events `tcp.open`, `tcp.close`, `tcp.reset`, `tcp.gap`, `tcp.resync`, `tcp.partial`,
`tcp.zero_window`, `tcp.retransmission`; and triggers of the tables themselves: `timer:<name>`,
`repeat:<name>`, `end:<lifecycle>`, `left:<lifecycle>`, `unanswered:<pair>`, `problem:<code>`,
`body:<code>`.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, ClassVar, Final, NamedTuple

from streamshark.light_dataclass import record

CAPTURED: Final = "conn.start and conn.whole and conn.both"
"""Condition that everything of a connection was captured."""


@record(kw_only=True)
class Constant:
    """A number, text, tuple or mapping with a name in capitals; users may set another value."""

    name: str
    value: Any
    """A time is text: `10 s`, `250 ms`. A mapping is for `lookup`."""
    doc: str


@record(kw_only=True)
class Pair:
    """A request and its answers."""

    name: str
    """Name of the pair, for `unanswered:<name>`. Requests of different pairs never share a key."""
    request: str
    """`on` of the requests."""
    answers: str
    """`on` of the answers, sent by the other side."""
    key: str = "correlation_id"
    """Value that joins them, over the columns of both; empty: answers come in the order of
    requests; `flow`: there is one request on a connection."""
    answer_key: str | None = None
    """The value over the answer's columns, if these have other names."""
    when: str = ""
    """Condition for requests that need an answer."""
    answer_when: str = ""
    """Condition for answers of this pair."""
    keep: str = ""
    """Columns of the request that its answers and rules may use, as `req.<last part of the path>`;
    `as` renames: `keep="stream subscription_id chunk.id as chunk"`."""
    done: str = ""
    """Condition for the last answer; empty: the first is the last."""
    failed: str = ""
    """Condition for an answer that refuses."""
    scope: str = "connection"
    """`connection`, or `capture`: the answer may come on another connection."""
    type: str = "call"
    """Type of its conversations; empty: it has none of its own."""
    of: str = ""
    """The lifecycle whose objects take open requests along to another connection (`adopt`)."""


class Transition(NamedTuple):
    """One transition of a lifecycle."""

    states: str
    """States from which it leads, separated by blanks; `*` for all but `absent`."""
    on: str
    to: str
    when: str = ""


@record(kw_only=True)
class Lifecycle:
    """The states of a kind of object.

    Every lifecycle has the states `absent` (known not to exist) and `unknown` (first seen in the
    middle, or after lost bytes). The first transition that fits is taken. The slots of objects are
    those that actions assign; all have `state`, `id` (its key), `n`, `t` and `owner` (frame, time
    and side of its birth), `last_n`, `last_t` (of its last row) and `ended_n`, `ended_t`.
    """

    name: str
    """Name in expressions: `sub`. No field of the protocol may have this name."""
    scope: str
    """`connection` (many on a connection, by key), `connection:one` (the connection itself), or
    `capture` (shared by all connections, by key)."""
    doc: str = ""
    key: Mapping[str, str] = field(default_factory=dict)
    """`on` to the object's key on these rows; rows without a key do not touch it."""
    steps: tuple[Transition, ...] = ()
    each: tuple[Transition, ...] = ()
    """Transitions of all objects of the connection for which the condition holds."""
    also: Mapping[str, str] = field(default_factory=dict)
    """With scope `capture`: `on` to a further key, under which other rows find the object from then
    on; it must not be the key of another one."""
    final: str = ""
    """States in which an object has ended. It is kept until its key is used again, or until
    `remembered` others have ended since."""
    failed: str = ""
    """Final states that are failures."""
    live: str = ""
    """States that `live()` counts."""
    starts: Mapping[str, Any] = field(default_factory=dict)
    """Slots that are known from birth on; others begin unknown. For an object first seen in the
    middle, all begin unknown."""
    type: str = ""
    """Type of its conversations; empty: it has none."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """Name to value when the object ends: `{"credit": "sub.balance"}`."""
    counted: str = ""
    """Measures that are known only if everything was captured: the object's birth, both sides, and
    all bytes since."""
    closing: Mapping[str, str] = field(default_factory=dict)
    """State of the object to the state of its conversation, as text, if the connection is closed in
    it: `{"asked": "'unanswered'"}`. For other states it is `done`."""
    survives: str = ""
    """Condition over the connection when it ends: its objects may continue on another connection,
    which takes them over (`adopt`); otherwise they end with the captures."""
    most: int = 4096
    """Most objects of a connection; beyond that, the oldest are dropped. With scope `capture`,
    those are dropped that no row names for an hour."""
    remembered: int = 256
    """Most ended objects that are kept."""
    gathers: bool = False
    """With scope `capture`: connections with an object in common are judged together, since the
    state of their own objects depends on it."""


@record(kw_only=True)
class Action:
    """Changes of objects by a row: assignments and verbs, separated by `;`."""

    on: str
    do: str
    when: str = ""
    each: str = ""
    """Name of a lifecycle: done for every object of the connection for which `when` holds."""
    items: str = ""
    """Path of a list: done for each of its items, whose members are then the columns."""


@record(kw_only=True)
class Timer:
    """A timer, which triggers `timer:<name>` if something has not happened for a time."""

    name: str
    of: str
    """The object that waits: the name of a lifecycle, or `me`, `peer`, `C`, `S`."""
    on: str
    """Rows that start it."""
    limit: str
    """Its duration: an expression in ns, a time such as `3 s`, or the name of a constant."""
    when: str = ""
    clear: str = ""
    """Rows that clear it."""
    clear_when: str = ""
    mode: str = "first"
    """`first`: a row that starts it again does not change its time; `again`: it does."""


@record(kw_only=True)
class Burst:
    """The same event `limit` times within `window`: triggers `repeat:<name>` from then on."""

    name: str
    on: str
    key: str
    """Value that must be the same."""
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
    """A value that is not in the bytes of a row, as of after the row: `<short>.<name>`."""

    name: str
    """`credit_balance`, `in_flight`, ..."""
    on: str
    value: str
    text: str
    """Text in a packet tree, with the value at `{}`, a time at `{:time}`; without either, the text
    only states the fact."""
    doc: str
    when: str = ""
    """Condition for rows that have it."""
    needs: str = ""
    """As of a `Watch`; if it is not met the value cannot be known, and outputs show that."""
    mark: str = ""
    """Text at the end of a summary line, in the form of `text`; empty for none. One that begins
    with a blank continues the one before."""
    is_text: bool = False
    """Whether the value is text, not a number."""

    @property
    def is_time(self) -> bool:
        """Whether the value is a time in ns."""
        return "{:time}" in self.text


@record(kw_only=True)
class CrossLink:
    """A fact by which conversations of several connections are linked, in time order.

    For one kind and key, an object that leads is linked with those that follow later on another
    connection.
    """

    kind: str
    """`node`, `stream`, `client`, ...; any protocol may use it."""
    role: str
    """`leads`, `follows`, or `both`."""
    on: str
    key: str
    of: str = ""
    """The object whose conversation is linked; empty: the connection's."""
    when: str = ""
    items: str = ""
    """Path of a list: one fact for each of its items."""


@record(kw_only=True)
class Watch:
    """A condition with a consequence when it holds.

    `findings.rule.Rule` and `conversations.explain.Sentence` are watches with text.
    """

    adds_up: ClassVar[bool] = False
    """Whether the text may combine the values of several rows: `{x:sum}`."""

    on: str
    needs: str
    """What must have been captured, or empty: `start` (the connection's first bytes), `whole` (all
    of its bytes), `both` (its two sides), `object` (the object's birth, and all bytes since),
    `since` (all bytes since the first frame of its evidence), `all` (all bytes of all connections
    of the protocol, as far as this row shows)."""
    when: str = ""
    of: str = ""
    """The object of the match, for `object` and for counting; empty: the first one in `when`, else
    the connection."""
    per: str = ""
    """Count by this value over all connections, instead of by object."""
    evidence: str = "n"
    """Frames that prove it, the guilty one first, separated by commas."""
    predicate: Callable[[Mapping[str, Any]], bool | str] | None = None
    """Python function, for what an expression cannot say; it is given the columns named in `reads`.
    The text that it returns, empty if the condition does not hold, is `found` in the message."""
    reads: str = ""


@record(kw_only=True)
class Relief(Watch):
    """A condition under which the finding of another watch and the same object becomes a note."""

    eases: int
    """Number of that watch among those of the protocol."""


class Unfolded(NamedTuple):
    """The tables that a behaviour stands for, and the condition of its trigger."""

    tables: tuple["Table", ...]
    on: str
    when: str
    of: str
    """The object that is counted; findings are counted by it."""
    evidence: str
    needs: str = ""
    eased_on: str = ""
    """Rows that make a note of the finding, if `eased_when` holds."""
    eased_when: str = ""


@record(kw_only=True)
class Behaviour:
    """Something that peers do over time, with a trigger of its own: see `behaviours`.

    Before handlers are generated it is replaced by the tables that it stands for, and conditions
    on its trigger by conditions on their rows.
    """

    kind: ClassVar[str]
    """The first part of its trigger."""
    name: str
    """Name of the trigger, `<kind>:<name>`, and of what it counts with."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        raise NotImplementedError

    @property
    def rows(self) -> str:
        """Rows on which it triggers."""
        return self.unfold({}).on


Table = (
    Constant | Pair | Lifecycle | Action | Timer | Burst | Context | Derived | CrossLink | Behaviour
)
