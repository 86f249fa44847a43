"""The state of the list of frames, and the events that change it; nothing here draws.

`fold(state, event)` returns the next state. A row is its number in the index, from 0; a position is
its place among the rows that the display filter selects.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

BACK: Final = "'"
"""Letter of the mark that every jump sets: where it began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterState:
    """A display filter that was entered, and how far it has been applied."""

    text: str = ""
    """Empty if all rows are shown."""
    tested: int = 0
    """Number of rows that were tested, from the first."""
    runs: bool = False
    """Whether rows are being tested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What the list of frames shows."""

    total: int = 0
    """Number of rows in the index so far."""
    is_complete: bool = False
    """Whether the index is complete."""
    selected: Sequence[int] | None = None
    """The rows that the filter has selected so far, in order; None if there is no filter. It only
    grows; `count` is how much of it this state shows."""
    count: int = 0
    """Number of rows shown."""
    filter: FilterState = FilterState()
    cursor: int = 0
    """Position of the selected row."""
    wanted: int | None = None
    """Row that is selected once the filter has reached it; None for none."""
    follows: bool = False
    """Whether the selection stays on the last row."""
    came: int = 0
    """Number of rows shown that came since the selection was last moved."""
    marks: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Rows by the letter of their mark."""
    marked: frozenset[int] = frozenset()
    """Rows that are marked without a letter."""
    reference: int | None = None
    """Row from which times count; None for the first packet."""

    @property
    def row(self) -> int | None:
        """The selected row; None if no row is shown."""
        return self.row_at(self.cursor)

    def row_at(self, position: int) -> int | None:
        """Return the row at a position; None if there is none."""
        if not 0 <= position < self.count:
            return None
        return position if self.selected is None else self.selected[position]

    def position_of(self, row: int) -> int | None:
        """Return the position of a row; None if the filter does not select it."""
        if self.selected is None:
            return row if 0 <= row < self.count else None
        at = bisect_left(self.selected, row, 0, self.count)
        return at if at < self.count and self.selected[at] == row else None

    def position_from(self, row: int) -> int:
        """Return the position of a row, or of the next one that is shown."""
        if self.selected is None:
            return row
        return bisect_left(self.selected, row, 0, self.count)


@dataclass(frozen=True, slots=True)
class Grew:
    """The index has grown, or is complete."""

    total: int
    is_complete: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """The selection was moved by a number of lines."""

    by: int


@dataclass(frozen=True, slots=True)
class PositionChosen:
    """A position was selected."""

    position: int


@dataclass(frozen=True, slots=True)
class Jumped:
    """A row was selected from elsewhere; `BACK` then leads back."""

    row: int


@dataclass(frozen=True, slots=True)
class Followed:
    """The last row was selected, to stay there."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """A display filter was entered; empty text shows all rows."""

    text: str


@dataclass(frozen=True, slots=True)
class Applied:
    """The filter was applied to further rows; `selected` are all that it has selected."""

    selected: Sequence[int]
    tested: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The filter is not applied to further rows."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A mark was set on the selected row, or without a letter, set or removed."""

    letter: str = ""


@dataclass(frozen=True, slots=True)
class Referred:
    """The selected row became the time reference, or is no longer."""


Event = (
    Grew
    | Moved
    | PositionChosen
    | Jumped
    | Followed
    | Filtered
    | Applied
    | Stopped
    | Marked
    | Referred
)


def fold(state: State, event: Event) -> State:
    """Return the state after an event."""
    return _FOLDS[type(event)](state, event)


def _grew(state: State, event: Grew) -> State:
    state = replace(state, total=event.total, is_complete=event.is_complete)
    if state.filter.text:
        return state
    return _counted(state, event.total)


def _counted(state: State, count: int) -> State:
    """Return the state with more rows, which does not move the reader unless he follows."""
    added = count - state.count
    state = replace(state, count=count, came=state.came + max(added, 0))
    if state.follows:
        return replace(state, cursor=max(count - 1, 0), came=0)
    if state.wanted is not None:
        position = state.position_from(state.wanted)
        if position < count:
            state = replace(state, cursor=position, wanted=None)
    return replace(state, cursor=min(state.cursor, max(count - 1, 0)))


def _moved(state: State, event: Moved) -> State:
    return _placed(state, PositionChosen(state.cursor + event.by))


def _placed(state: State, event: PositionChosen) -> State:
    position = max(0, min(event.position, state.count - 1))
    return replace(state, cursor=position, follows=False, came=0, wanted=None)


def _jumped(state: State, event: Jumped) -> State:
    position = state.position_of(event.row)
    if position is None:
        return state
    if state.row is not None:
        state = replace(state, marks=MappingProxyType({**state.marks, BACK: state.row}))
    return _placed(state, PositionChosen(position))


def _followed(state: State, _event: Followed) -> State:
    return replace(state, cursor=max(state.count - 1, 0), follows=True, came=0, wanted=None)


def _filtered(state: State, event: Filtered) -> State:
    here = state.row
    state = replace(
        state,
        filter=FilterState(text=event.text, runs=bool(event.text)),
        selected=[] if event.text else None,
        count=0 if event.text else state.total,
        cursor=0,
        came=0,
        wanted=here,
    )
    return state if event.text or here is None else replace(state, cursor=here, wanted=None)


def _applied(state: State, event: Applied) -> State:
    if not state.filter.text:
        return state
    state = replace(
        state, selected=event.selected, filter=replace(state.filter, tested=event.tested)
    )
    state = _counted(state, len(event.selected))
    if event.tested >= state.total and state.is_complete:
        state = replace(state, filter=replace(state.filter, runs=False), wanted=None)
    return state


def _stopped(state: State, _event: Stopped) -> State:
    return replace(state, filter=replace(state.filter, runs=False), wanted=None)


def _marked(state: State, event: Marked) -> State:
    if state.row is None:
        return state
    if event.letter:
        return replace(state, marks=MappingProxyType({**state.marks, event.letter: state.row}))
    return replace(state, marked=state.marked ^ {state.row})


def _referred(state: State, _event: Referred) -> State:
    return replace(state, reference=None if state.reference == state.row else state.row)


_FOLDS: Final[Mapping[type, Callable[[State, Any], State]]] = {
    Grew: _grew,
    Moved: _moved,
    PositionChosen: _placed,
    Jumped: _jumped,
    Followed: _followed,
    Filtered: _filtered,
    Applied: _applied,
    Stopped: _stopped,
    Marked: _marked,
    Referred: _referred,
}
