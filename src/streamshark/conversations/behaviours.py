"""Behaviours as tables: what peers do over time that no single frame shows.

A behaviour counts for an *owner* (`per`): an object that exists anyway (`conn`, `me`, the name of a
lifecycle), or the value of an expression, for which it then keeps an object of its own, named as
the behaviour. An expression that begins with `flow` has an object for each connection, any other
one for all connections together. It counts in slots, which messages and conditions of rules may
use: `refused.times` of an object of its own, `pub.single_count` of one that exists.

Each behaviour has the trigger `<kind>:<name>`. The guards that keep healthy peers quiet are here,
in one place for each behaviour; a rule adds its words, its severity and further conditions.
docs/conversations.md has an example of each.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import ClassVar, Final, NamedTuple

from streamshark.conversations.resolve import duration
from streamshark.conversations.tables import (
    CAPTURED,
    Action,
    Behaviour,
    Lifecycle,
    Table,
    Unfolded,
)
from streamshark.errors import SchemaError
from streamshark.light_dataclass import record

SIDES: Final = ("me", "peer", "C", "S")
"""Sides of a connection as owners."""
SEEN: Final = "start whole both"
"""What must have been captured where a missing row would change the result."""
_GAPLESS: Final = "conn.start and conn.gapless and conn.both"
"""Condition that a connection without more frames had no more."""
CUT_OFF: Final = ("end", "idle", "crowded", "lost")
"""Why an object ended if no peer ended it."""
GROWTH: Final = "* 10 >= 13 *"
"""Comparison by which a gap is considered longer than the one before, by 1.3."""


class Count(NamedTuple):
    """Rows to count."""

    on: str
    when: str = ""
    amount: str = "1"
    """What each of them adds."""


class _Owner(NamedTuple):
    """What a behaviour counts with."""

    object: str
    prefix: str
    tables: tuple[Table, ...]

    def slot(self, name: str) -> str:
        """Return a slot, as in expressions."""
        return f"{self.object}.{self.prefix}{name}"

    @property
    def end(self) -> str:
        """The trigger of its end."""
        return f"end:{self.object}"


def _owner(
    name: str, per: str, lifecycles: Iterable[str], rows: Mapping[str, str], keys: Mapping[str, str]
) -> _Owner:
    """Return the owner of a behaviour.

    `rows` are those that it reads, each with the condition under which they need the owner; `keys`
    the values of `per` on rows where it is another expression.
    """
    if per in (*SIDES, "conn", *lifecycles):
        return _Owner(per, f"{name}_", ())
    by_flow = per.split(",", maxsplit=1)[0].strip() == "flow"
    by_word = {word: value for on, value in keys.items() for word in on.split()}
    made: dict[str, str] = {}
    for on, when in rows.items():
        for word in on.split():
            _, comma, rest = by_word.get(word, per).partition(",")
            key = (rest if comma else "flow") if by_flow else by_word.get(word, per)
            joined = f"({key})" if "," in key else key
            made[word] = f"{joined} if {when} else None" if when else key
    scope = "connection" if by_flow else "capture"
    return _Owner(name, "", (Lifecycle(name=name, scope=scope, key=made),))


def _all(*conditions: str) -> str:
    """Return the conjunction of conditions, without empty ones."""
    return " and ".join(f"({each})" for each in conditions if each)


def _seen(lifecycle: str) -> str:
    """Return the condition that an object's birth was captured, and all bytes since."""
    return f"{lifecycle}.born and {lifecycle}.epoch == conn.epoch and conn.both"


def _time(text: str) -> str:
    """Return a time as an expression in ns."""
    known = duration(text)
    return text if known is None else str(known)


def _merged(*rows: tuple[str, str]) -> dict[str, str]:
    """Return rows with their conditions; those of equal rows are joined by `or`."""
    made: dict[str, str] = {}
    for on, when in rows:
        if on:
            before = made.get(on)
            made[on] = "" if "" in (when, before) else f"({before}) or ({when})" if before else when
    return made


class _Chain(NamedTuple):
    """Rows one after the other, and the slots that count them."""

    owner: _Owner
    on: str
    when: str
    question: str
    """The frame that a row is about."""
    goes_on: str
    """Condition, beside the chain being under way, for a row to continue it."""
    keeps: str = ""
    """Further assignments on each row."""

    @property
    def continues(self) -> str:
        """Condition for a row to continue the chain, before the row."""
        return _all(f"{self.owner.slot('times')} > 0", self.goes_on)

    def reaches(self, limit: int | str) -> str:
        """Return the condition for a row to be one of `limit` or more."""
        return _all(f"{self.owner.slot('times')} + 1 >= {limit}", self.when, self.goes_on)

    @property
    def evidence(self) -> str:
        """The second question, the last one, its answer, the first question."""
        slot, question = self.owner.slot, self.question
        shown = [f"coalesce({slot('second_n')}, {question})", question, "n", slot("first_n")]
        return ", ".join(dict.fromkeys(shown))

    def tables(self) -> tuple[Table, ...]:
        """Return the action that counts."""
        slot, question = self.owner.slot, self.question
        chained, gap = slot("chained"), f"t - {slot('latest_t')}"
        grows = f"{gap} > 0 and ({gap}) {GROWTH} {slot('gap')}"
        values = {  # in this order: values are as the ones before them have left them
            "slower": (f"{slot('slower')} + (1 if {grows} else 0)", "0"),
            "gap": (gap, "None"),
            "first_gap": (f"coalesce({slot('first_gap')}, {gap})", "None"),
            "second_n": (f"coalesce({slot('second_n')}, {question})", "None"),
            "first_n": (slot("first_n"), question),
            "first_t": (slot("first_t"), "t"),
            "times": (f"{slot('times')} + 1", "1"),
        }
        kept = [
            f"{slot(name)} = {more} if {chained} else {first}"
            for name, (more, first) in values.items()
        ]
        do = "; ".join([f"{chained} = {self.continues}", *kept, f"{slot('latest_t')} = t"])
        return (Action(on=self.on, when=self.when, do=do + self.keeps),)

    def backs_off(self) -> str:
        """Return the negated condition that the peer waits longer each time."""
        slot = self.owner.slot
        gap = f"t - {slot('latest_t')}"
        return (
            f"{slot('slower')} * 4 < ({slot('times')} - 2) * 3 or "
            f"{gap} <= 2 * coalesce({slot('first_gap')}, {gap})"
        )


@record(kw_only=True)
class Repetition(Behaviour):
    """The same again with the same outcome, several times in a row: a retry loop, a poll.

    A pause breaks the chain, and so does another outcome. A peer that waits longer each time backs
    off, which does not count. If `success` follows, the finding becomes a note.
    """

    kind: ClassVar = "repetition"
    on: str
    """The outcomes, such as answers."""
    when: str = ""
    per: str
    """Who asks, and for what: all that identifies the question but its ids and its payload."""
    same: str = ""
    """The outcome that must be the same."""
    question: str = "n"
    """The frame of the question, `req.n` of an answer."""
    limit: int | str
    """From which one on it triggers; 1 is each of them."""
    pause: str = "2 s"
    """Longest time between two of them: a time or an expression."""
    breaks: str = ""
    """Rows that end a chain. They need the value of `per` as well."""
    breaks_when: str = ""
    success: str = ""
    """Rows that show that it worked in the end. They need the value of `per` as well."""
    success_when: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Rows to the value of `per` on them, where it is another expression."""
    may_back_off: bool = True
    """Whether a peer that waits longer each time is left alone."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        rows = _merged(
            (self.on, self.when), (self.breaks, self.breaks_when), (self.success, self.success_when)
        )
        owner = _owner(self.name, self.per, lifecycles, rows, self.keys)
        chain = self._chain(owner)
        stops = [
            Action(on=on, when=when, do=f"{owner.slot('times')} = 0")
            for on, when in ((self.breaks, self.breaks_when), (self.success, self.success_when))
            if on
        ]
        counts = self.when if self.limit == 1 else chain.reaches(self.limit)
        reached = f"{owner.slot('times')} >= {self.limit}"
        return Unfolded(
            tables=(*owner.tables, *chain.tables(), *stops),
            on=self.on,
            when=_all(counts, chain.backs_off() if self.may_back_off else ""),
            of=owner.object,
            evidence=chain.evidence,
            needs="since" if self.breaks else "",
            eased_on=self.success,
            eased_when=_all(self.success_when, reached) if self.success else "",
        )

    def _chain(self, owner: _Owner) -> _Chain:
        within = f"t - {owner.slot('latest_t')} <= {_time(self.pause)}"
        if not self.same:
            return _Chain(owner, self.on, self.when, self.question, within)
        same = owner.slot("same")
        return _Chain(
            owner, self.on, self.when, self.question,
            _all(within, f"{same} == ({self.same})"), f"; {same} = {self.same}",
        )  # fmt: skip

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.limit} times in a row {self.on}, at most {self.pause} apart"


@record(kw_only=True)
class Churn(Behaviour):
    """Objects of one owner, one after the other, that ended with little or no use.

    One of which something was not captured breaks the chain: its use may be what is missing.
    """

    kind: ClassVar = "churn"
    life: str
    """The lifecycle of the objects; `conn` for connections."""
    per: str
    """Whose objects they are; what is known of an object when it has ended."""
    when: str
    """Condition for an object that was used too little, when it ends."""
    limit: int | str
    pause: str = "2 s"
    """Longest time from the end of one to the birth of the next."""
    overlap: str = "0 s"
    """Longest time for which one may be open when the next is born: closing takes time."""
    is_hidden: bool = False
    """Whether the use is encrypted: then what was not captured breaks no chain."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        on, life = f"end:{self.life}", self.life
        seen = _GAPLESS if life == "conn" else _seen(life)
        seen = "conn.start" if self.is_hidden else seen
        ended = f"why not in {CUT_OFF}"
        when = _all(self.when, ended, seen)
        owner = _owner(self.name, self.per, lifecycles, {on: ended}, {})
        latest = owner.slot("latest_t")
        follows = (
            f"{latest} <= {life}.t + {_time(self.overlap)} and "
            f"{life}.t - {latest} <= {_time(self.pause)}"
        )
        chain = _Chain(owner, on, when, f"{life}.n", follows)
        first, second = owner.slot("first_n"), owner.slot("second_n")
        unknown = Action(on=on, when=_all(ended, f"not ({seen})"), do=f"{owner.slot('times')} = 0")
        return Unfolded(
            tables=(*owner.tables, *chain.tables(), unknown),
            on=on,
            when=chain.reaches(self.limit),
            of=owner.object,
            evidence=f"coalesce({second}, {life}.n), {life}.n, {first}",
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.limit} in a row of {self.life}, at most {self.pause} apart"


@record(kw_only=True)
class Leak(Behaviour):
    """Objects that were left when their owner ended, though few or none had ended before."""

    kind: ClassVar = "leak"
    life: str
    """The lifecycle of the objects; `conn` for connections."""
    per: str = "conn"
    """Their owner: the connection, or an expression of an object that has ended. Then only objects
    of connections of which everything was captured count as left, until the captures end."""
    when: str = ""
    """Condition for an object that counts as left, when it ends."""
    frame: str = ""
    """Slot with the frame that shows that an object is not needed; that of its birth if empty."""
    limit: int | str
    """Fewest objects that are left."""
    percent_ended: int = 100
    """Most of all objects, in percent, that had ended before."""
    percent_left: int = 0
    """Fewest of all objects, in percent, that are left as `when` says."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        on, life = f"end:{self.life}", self.life
        owner = _owner(self.name, self.per, lifecycles, {on: ""}, {})
        left, every, ended = (owner.slot(each) for each in ("left", "all", "ended"))
        cut = "why in ('closed', 'reset', 'end')"
        seen = CAPTURED if owner.tables else ""
        latest, first = owner.slot("latest_n"), owner.slot("first_n")
        frame = self.frame or f"{life}.n"
        return Unfolded(
            tables=(
                *owner.tables,
                Action(on=on, do=f"{every} = coalesce({every}, 0) + 1"),
                Action(
                    on=on,
                    when=f"not ({cut})" + (f" or not ({seen})" if seen else ""),
                    do=f"{ended} = coalesce({ended}, 0) + 1",
                ),
                Action(
                    on=on,
                    when=_all(self.when, cut, seen),
                    do=f"{left} = coalesce({left}, 0) + 1; {latest} = {frame}; "
                    f"{first} = coalesce({first}, {frame})"
                    + (f"; {owner.slot('flow')} = flow" if owner.tables else ""),
                ),
            ),
            on=owner.end,
            when=_all(
                f"{left} >= {self.limit}",
                f"{left} * 100 >= {every} * {self.percent_left}",
                f"coalesce({ended}, 0) * 100 <= {every} * {self.percent_ended}",
            ),
            of=owner.object,
            evidence=f"{latest}, {first}",
            needs="" if owner.tables else SEEN,
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.limit} or more of {self.life} are left at the end"


@record(kw_only=True)
class Ratio(Behaviour):
    """So many of these for so many of those, when the owner ends: waste."""

    kind: ClassVar = "ratio"
    per: str
    """The owner: `conn`, a lifecycle, or an expression; a side has no end."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Rows to the value of `per` on them, where it is another expression."""
    of: Count
    """What is counted."""
    to: Count | str
    """What it is compared with: rows, or a slot that counts them already."""
    least: int | str
    """Fewest rows of `of`."""
    percent: int
    """Fewest rows of `of`, in percent of `to`."""
    needs: str = ""
    """What must have been captured; where rows of `to` may be missing, `start whole both`."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        of, to = self.of, self.to
        rows = {of.on: of.when}
        if isinstance(to, Count):
            rows = _merged((of.on, of.when), (to.on, to.when))
        owner = _owner(self.name, self.per, lifecycles, rows, self.keys)
        count, second, last = (owner.slot(each) for each in ("count", "second_n", "latest_n"))
        tables: list[Table] = [*owner.tables]
        tables.append(
            Action(
                on=of.on,
                when=of.when,
                do=f"{second} = n if {count} == 1 else {second}; "
                f"{count} = coalesce({count}, 0) + {of.amount}; {last} = n"
                + (f"; {owner.slot('flow')} = flow" if owner.tables else ""),
            )
        )
        all_of = to
        if isinstance(to, Count):
            all_of = owner.slot("among")
            more = f"{all_of} = coalesce({all_of}, 0) + {to.amount}"
            tables.append(Action(on=to.on, when=to.when, do=more))
        return Unfolded(
            tables=tuple(tables),
            on=owner.end,
            when=f"{count} >= {self.least} and {count} * 100 >= {all_of} * {self.percent}",
            of=owner.object,
            evidence=f"{last}, {second}",
            needs=self.needs,
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        to = self.to.on if isinstance(self.to, Count) else self.to
        return f"{self.least} or more of {self.of.on}, {self.percent} % of {to}"


_BREACHES: Final = {
    "rises": "({value}) <= {last}",
    "never falls": "({value}) < {last}",
    "is next": "({value}) != {last} + 1",
    "leaves no gap": "({value}) > {last} + 1",
    "differs": "({value}) == {last}",
    "is new": "has({seen}, {value})",
}
"""What is expected of values, to the condition that one is otherwise."""


@record(kw_only=True)
class Sequence(Behaviour):
    """Values of an owner in order, one of which is not as it should be after the one before."""

    kind: ClassVar = "sequence"
    on: str
    when: str = ""
    per: str
    keys: Mapping[str, str] = field(default_factory=dict)
    """Rows to the value of `per` on them, where it is another expression."""
    value: str
    reaches: str = ""
    """The last value of a row that has several; `value` is then the first one."""
    expect: str
    """`rises`, `never falls`, `is next`, `leaves no gap`, `differs`, or `is new`: none twice, which
    remembers 4096 values."""
    limit: int | str = 1
    """From which breach on it triggers."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        if self.expect not in _BREACHES:
            raise SchemaError(f"{self.name}: expect one of {', '.join(_BREACHES)}")
        owner = _owner(self.name, self.per, lifecycles, {self.on: self.when}, self.keys)
        last, seen, broken = (owner.slot(each) for each in ("last", "seen", "breaches"))
        breach = _BREACHES[self.expect].format(value=self.value, last=last, seen=seen)
        do = f"{last} = {self.reaches or self.value}; {owner.slot('latest_n')} = n"
        if self.expect == "is new":
            do += f"; put({seen}, {self.value})"
        counts = () if self.limit == 1 else (
            Action(
                on=self.on,
                when=_all(self.when, breach),
                do=f"{broken} = coalesce({broken}, 0) + 1",
            ),
        )  # fmt: skip
        enough = "" if self.limit == 1 else f"coalesce({broken}, 0) + 1 >= {self.limit}"
        return Unfolded(
            tables=(*owner.tables, *counts, Action(on=self.on, when=self.when, do=do)),
            on=self.on,
            when=_all(self.when, breach, enough),
            of=owner.object,
            evidence=f"n, {owner.slot('latest_n')}",
            needs="since" if self.expect in ("is next", "leaves no gap") else "",
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.value} of {self.on} breaks the expectation that it {self.expect}"


@record(kw_only=True)
class Backlog(Behaviour):
    """Too many questions of one kind without an answer at once."""

    kind: ClassVar = "backlog"
    ask: str
    when: str = ""
    answer: str
    """Rows that answer all questions so far."""
    answer_when: str = ""
    per: str
    keys: Mapping[str, str] = field(default_factory=dict)
    """Rows to the value of `per` on them, where it is another expression."""
    limit: int | str

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        rows = _merged((self.ask, self.when), (self.answer, self.answer_when))
        owner = _owner(self.name, self.per, lifecycles, rows, self.keys)
        waiting, first = owner.slot("open"), owner.slot("first_n")
        return Unfolded(
            tables=(
                *owner.tables,
                Action(
                    on=self.ask,
                    when=self.when,
                    do=f"{waiting} = coalesce({waiting}, 0) + 1; {first} = coalesce({first}, n)",
                ),
                Action(on=self.answer, when=self.answer_when, do=f"{waiting} = 0; {first} = None"),
            ),
            on=self.ask,
            when=_all(self.when, f"coalesce({waiting}, 0) + 1 >= {self.limit}"),
            of=owner.object,
            evidence=f"n, {first}",
            needs=SEEN,
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.limit} of {self.ask} without {self.answer}"


@record(kw_only=True)
class RoundTrips(Behaviour):
    """Questions one by one, each sent at once after the answer to the one before.

    They could have been asked together. A person or a timer does not ask at once: within three
    times what the last answer took, `quick` at least.
    """

    kind: ClassVar = "roundtrips"
    ask: str
    when: str = ""
    answer: str
    answer_when: str = ""
    per: str
    keys: Mapping[str, str] = field(default_factory=dict)
    """Rows to the value of `per` on them, where it is another expression."""
    distinct: str = ""
    """A value that is another one each time."""
    limit: int | str
    quick: str = "5 ms"

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        rows = _merged((self.ask, self.when), (self.answer, self.answer_when))
        owner = _owner(self.name, self.per, lifecycles, rows, self.keys)
        slot = owner.slot
        answered, took, asked = slot("answered_t"), slot("took"), slot("asked_t")
        goes_on = _all(
            f"{slot('open')} == 0",
            f"t - {answered} <= max({took} * 3, {_time(self.quick)})",
            f"{slot('value')} != ({self.distinct})" if self.distinct else "",
        )
        keeps = f"; {asked} = t; {slot('open')} = coalesce({slot('open')}, 0) + 1"
        keeps += f"; {slot('value')} = {self.distinct}" if self.distinct else ""
        chain = _Chain(owner, self.ask, self.when, "n", goes_on, keeps)
        return Unfolded(
            tables=(
                *owner.tables,
                *chain.tables(),
                Action(
                    on=self.answer,
                    when=_all(self.answer_when, f"{slot('open')} > 0"),
                    do=f"{took} = t - {asked}; {answered} = t; {slot('open')} = 0",
                ),
            ),
            on=self.ask,
            when=chain.reaches(self.limit),
            of=owner.object,
            evidence=chain.evidence,
            needs="since both",
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.limit} times {self.ask}, each right after {self.answer}"


@record(kw_only=True)
class Flood(Behaviour):
    """Rows much faster than was agreed, on average since the last pause."""

    kind: ClassVar = "flood"
    on: str
    when: str = ""
    per: str
    every: str
    """The time that was agreed between two of them: a time or an expression in ns."""
    percent: int
    """Up to which part of it, in percent, the average is too short."""
    limit: int | str
    """How many in a row, each sooner than was agreed."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        owner = _owner(self.name, self.per, lifecycles, {self.on: self.when}, {})
        every, first = _time(self.every), owner.slot("first_t")
        chain = _Chain(owner, self.on, self.when, "n", f"t - {owner.slot('latest_t')} < ({every})")
        fast = f"(t - {first}) * 100 < ({every}) * {self.percent} * {owner.slot('times')}"
        return Unfolded(
            tables=(*owner.tables, *chain.tables()),
            on=self.on,
            when=_all(chain.reaches(self.limit), fast),
            of=owner.object,
            evidence=chain.evidence,
            needs="since",
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.limit} times in a row {self.on}, {self.percent} % of {self.every} apart"


@record(kw_only=True)
class Forbidden(Behaviour):
    """A row that may not come in this state from this side.

    Where it may have crossed a frame of the other side on its way, `since` names when that frame
    was sent: it counts from `race` after that, and `limit` may ask for several.
    """

    kind: ClassVar = "forbidden"
    on: str
    when: str
    """Condition over the state and the side."""
    per: str = "conn"
    since: str = ""
    race: str = "50 ms"
    limit: int | str = 1

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        late = f"t - {self.since} > {_time(self.race)}" if self.since else ""
        when = _all(self.when, late)
        owner = _owner(self.name, self.per, lifecycles, {self.on: when}, {})
        times = owner.slot("times")
        if self.limit == 1:
            return Unfolded(owner.tables, self.on, when, owner.object, "n", SEEN)
        count = Action(on=self.on, when=when, do=f"{times} = coalesce({times}, 0) + 1")
        enough = f"coalesce({times}, 0) + 1 >= {self.limit}"
        tables = (*owner.tables, count)
        return Unfolded(tables, self.on, _all(when, enough), owner.object, "n", SEEN)

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.on} where it is not allowed"


@record(kw_only=True)
class SharedIdentity(Behaviour):
    """Two live owners of what names one, such as a publisher reference or a group member.

    A client that connects again before its lost connection has ended is no second owner: the first
    owner must have been used after the second one took the name (`used`).
    """

    kind: ClassVar = "identity"
    life: str
    """The lifecycle of the owners; `conn` for connections."""
    on: str
    """Rows on which an owner takes the name."""
    when: str = ""
    key: str
    """What it names, on these rows."""
    end_key: str
    """The same when an owner has ended, of its slots."""
    used: str
    """Slot of an owner with the frame of its last use."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        end = f"end:{self.life}"
        owner = _owner(
            self.name, self.key, lifecycles, {self.on: self.when, end: ""}, {end: self.end_key}
        )
        live, second = owner.slot("live"), owner.slot("second_n")
        taken = f"{self.life}.{self.name}_n"
        return Unfolded(
            tables=(
                *owner.tables,
                Action(
                    on=self.on,
                    when=_all(self.when, f"{live} > 0"),
                    do=f"{second} = n; {owner.slot('second_flow')} = flow",
                ),
                Action(
                    on=self.on,
                    when=self.when,
                    do=f"{live} = max(coalesce({live}, 0), 0) + 1; {taken} = n",
                ),
                Action(on=end, do=f"{live} = {live} - 1"),
            ),
            on=end,
            when=_all(f"{taken} < {second}", f"{self.used} > {second}"),
            of=owner.object,
            evidence=f"{second}, {taken}, {self.used}",
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"two of {self.life} at once for {self.key}"


@record(kw_only=True)
class Alternation(Behaviour):
    """One name used by two connections in turn: by the first, the second, and the first again.

    A connection that takes a name over from another one keeps it.
    """

    kind: ClassVar = "alternation"
    on: str
    when: str = ""
    per: str
    """The name, and where it holds."""
    by: str = "flow"
    """Who uses it."""
    limit: int | str = 1
    """From how many returns on it triggers."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        owner = _owner(self.name, self.per, lifecycles, {self.on: self.when}, {})
        users, user, returns = (owner.slot(each) for each in ("users", "user", "returns"))
        latest, former = owner.slot("latest_n"), owner.slot("former_n")
        back = f"{user} != ({self.by}) and has({users}, {self.by})"
        return Unfolded(
            tables=(
                *owner.tables,
                Action(
                    on=self.on,
                    when=_all(self.when, back),
                    do=f"{returns} = coalesce({returns}, 0) + 1",
                ),
                Action(
                    on=self.on,
                    when=_all(self.when, f"{user} != ({self.by})"),
                    do=f"{former} = {latest}",
                ),
                Action(
                    on=self.on,
                    when=self.when,
                    do=f"put({users}, {self.by}); {user} = {self.by}; {latest} = n",
                ),
            ),
            on=self.on,
            when=_all(self.when, back, f"coalesce({returns}, 0) + 1 >= {self.limit}"),
            of=owner.object,
            evidence=f"{latest}, n, {former}",
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.on} of one name by {self.by} in turn"


@record(kw_only=True)
class Mixture(Behaviour):
    """Values of one owner that differ between users, or that one user mixes: encodings, units.

    Of several users it triggers only while the first one has kept to its value.
    """

    kind: ClassVar = "mixture"
    on: str
    when: str = ""
    per: str
    """What has one value, such as a subject or a stream."""
    value: str
    by: str = "flow"
    """Who uses it."""
    alone: bool = False
    """Whether it is about the values of the first user alone, not about those of others."""
    limit: int | str = 2
    """How many rows have another value than the first one."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Further rows that need the owner, to the value of `per` on them."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        rows = {self.on: self.when} | dict.fromkeys(self.keys, "")
        owner = _owner(self.name, self.per, lifecycles, rows, self.keys)
        first, user, mixed, others = map(owner.slot, ("first", "user", "mixed", "others"))
        first_n = owner.slot("first_n")
        differs = f"{first} != ({self.value})"
        own = _all(self.when, f"{user} == ({self.by})", differs)
        foreign = _all(self.when, f"{user} != ({self.by})", differs)
        count = mixed if self.alone else others
        when = _all(
            own if self.alone else foreign,
            f"coalesce({count}, 0) + 1 >= {self.limit}",
            "" if self.alone else f"{mixed} is None",
        )
        begins = f"{first} = {self.value}; {user} = {self.by}; {first_n} = n"
        return Unfolded(
            tables=(
                *owner.tables,
                Action(on=self.on, when=own, do=f"{mixed} = coalesce({mixed}, 0) + 1"),
                Action(on=self.on, when=foreign, do=f"{others} = coalesce({others}, 0) + 1"),
                Action(on=self.on, when=_all(self.when, f"{first} is None"), do=begins),
            ),
            on=self.on,
            when=when,
            of=owner.object,
            evidence=f"n, {first_n}",
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.limit} times {self.on} with another value than the first"


@record(kw_only=True)
class Mismatch(Behaviour):
    """A value of one side that is not among those of the other side, when its owner ends."""

    kind: ClassVar = "mismatch"
    life: str
    """The lifecycle of the owner of the value."""
    key: str
    """What both sides share, of the owner when it has ended: a stream of a server, say."""
    value: str
    """The value, of the owner."""
    when: str = ""
    """Condition on the owner."""
    others: Count
    """Rows of the other side, and the values that they bring (`amount`)."""
    others_key: str
    """The key on these rows."""
    least: int | str = 1
    """Fewest rows of the other side."""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        end, others = f"end:{self.life}", self.others
        owner = _owner(
            self.name,
            self.others_key,
            lifecycles,
            {others.on: others.when, end: self.when},
            {end: self.key},
        )
        values, unsure, count = (owner.slot(each) for each in ("values", "unsure_n", "count"))
        return Unfolded(
            tables=(
                *owner.tables,
                Action(
                    on=others.on,
                    when=others.when,
                    do=f"put({values}, {others.amount}); {count} = coalesce({count}, 0) + 1; "
                    f"{owner.slot('latest_n')} = n",
                ),
                Action(
                    on=others.on,
                    when=_all(others.when, f"not ({CAPTURED})"),
                    do=f"{unsure} = n",
                ),
            ),
            on=end,
            when=_all(
                self.when,
                f"{count} >= {self.least}",
                f"{unsure} is None",
                f"({self.value}) is not None",
                f"not has({values}, {self.value})",
            ),
            of=self.life,
            evidence=f"{self.life}.n, {owner.slot('latest_n')}",
            needs="object both",
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.value}, which is not among {self.others.amount} of {self.others.on}"


@record(kw_only=True)
class ResumePlace(Behaviour):
    """Where an object begins, when there was an earlier one of the same key.

    Triggers on each beginning after the first one. Slots of the earlier object: `began`, `reached`,
    `former_n` (its last frame), `former_flow`, `lost` (its connection was lost), `spec` (what its
    beginning said), and of the key: `stored`, `stored_n`, `asked_n` (the frame that asked for the
    stored place), `found` (what was answered to it), and `again`: how many times in a row one began
    where, or before, the one before it had begun. `<life>.<name>_after` is `reached` as it was when
    the object itself began, -1 if it is unknown; `<life>.<name>_unasked` is the stored place if it
    was not asked for since it was stored, in frame `<life>.<name>_unasked_n`, and nothing was lost
    on earlier connections.

    An earlier object has ended as soon as one side has closed its connection.
    """

    kind: ClassVar = "resumption"
    life: str
    """The lifecycle of the objects."""
    key: str
    """Value of the object by which earlier ones are found, when one has ended."""
    on: str
    """Rows on which a new one begins."""
    when: str = ""
    begin_key: str
    """The key on these rows."""
    begins: str
    """The place where a new one begins, on these rows; unknown if they do not say."""
    question: str = "n"
    """The frame that asks for this place."""
    spec: str = ""
    """What the beginning of a new one says."""
    began: str
    """Slot with the place where it really began."""
    reached: str
    """Slot with the place that it has come to."""
    lost: str = ""
    """Condition, at the end of an object, that its connection was lost."""
    cut: str = "0"
    """The same as a value, when one side has closed it or has sent a reset."""
    stores: Count = Count("")
    """Rows that store a place, which is `amount`."""
    stores_key: str = ""
    asks: Count = Count("")
    """Rows that ask for the stored place."""
    asks_key: str = ""
    answers: Count = Count("")
    """Rows that answer with the stored place, which is `amount`."""
    answers_key: str = ""

    def unfold(self, lifecycles: Mapping[str, Lifecycle]) -> Unfolded:
        """Return the tables that it stands for."""
        end, stores, asks = f"end:{self.life}", self.stores, self.asks
        cut = "tcp.close tcp.reset" if self.life != "conn" else ""
        rows = {end: "", self.on: self.when} | ({cut: ""} if cut else {})
        keys = {end: self.key, self.on: self.begin_key, cut: self.key}
        answers = self.answers
        for count, key in (
            (stores, self.stores_key),
            (asks, self.asks_key),
            (answers, self.answers_key),
        ):
            if count.on:
                rows[count.on], keys[count.on] = count.when, key
        owner = _owner(self.name, self.key, lifecycles, rows, keys)
        slot = owner.slot
        began, again, spec, unsure = map(slot, ("began", "again", "spec", "unsure_n"))
        known = f"{began} is not None" + (f" or {spec} is not None" if self.spec else "")
        # Plugins see no ends, and leave out what asks whether a slot of ended objects is unknown.
        known = _all(known, f"coalesce({slot('former_flow')}, -1) >= -1")
        kept = (
            f"{began} = {self.began}; {slot('reached')} = {self.reached}; "
            f"{slot('former_n')} = {self.life}.last_n; {slot('former_flow')} = flow"
        )
        lost = f"1 if {self.lost} else 0" if self.lost else "0"
        there = f"{self.began} is not None"
        after = f"{self.life}.{self.name}_after = coalesce({slot('reached')}, -1)"
        if stores.on and asks.on:
            missed = f"coalesce({slot('asked_n')}, -1) < {slot('stored_n')} and {unsure} is None"
            for mine, its in (("unasked", "stored"), ("unasked_n", "stored_n")):
                after += f"; {self.life}.{self.name}_{mine} = {slot(its)} if {missed} else None"
        tables: list[Table] = [
            *owner.tables,
            Action(
                on=self.on,
                when=_all(self.when, known),
                do=f"{again} = coalesce({again}, 0) + 1 if ({self.begins}) <= {began} else 0; "
                f"{after}",
            ),
            Action(on=end, when=there, do=f"{kept}; {slot('lost')} = {lost}"),
        ]
        if cut:
            tables.append(
                Action(
                    on=cut, each=self.life, when=there, do=f"{kept}; {slot('lost')} = {self.cut}"
                )
            )
        if self.spec:
            tables.append(Action(on=self.on, when=self.when, do=f"{spec} = {self.spec}"))
        if stores.on:
            do = f"{slot('stored')} = {stores.amount}; {slot('stored_n')} = n"
            tables.append(Action(on=stores.on, when=stores.when, do=do))
            tables.append(Action(on=end, when="not conn.whole", do=f"{unsure} = n"))
        if asks.on:
            do = f"{slot('asked_n')} = n" + (f"; {slot('found')} = None" if answers.on else "")
            tables.append(Action(on=asks.on, when=asks.when, do=do))
        if answers.on:
            do = f"{slot('found')} = {answers.amount}"
            tables.append(Action(on=answers.on, when=answers.when, do=do))
        return Unfolded(
            tables=tuple(tables),
            on=self.on,
            when=_all(self.when, known),
            of=owner.object,
            evidence=f"{self.question}, {slot('former_n')}",
            needs=SEEN,
        )

    @property
    def words(self) -> str:
        """What the trigger is, in words."""
        return f"{self.on} after an earlier {self.life} of the same key"
