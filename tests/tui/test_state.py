"""The state of the list of frames, event by event, without a terminal."""

from functools import reduce

from streamshark.tui.state import (
    BACK,
    Applied,
    Event,
    Filtered,
    Followed,
    Grew,
    Jumped,
    Marked,
    Moved,
    PositionChosen,
    Referred,
    State,
    Stopped,
    fold,
)


def after(*events: Event, start: State | None = None) -> State:
    """Return the state after events."""
    return reduce(fold, events, start or State())


def test_new_rows_do_not_move_the_reader() -> None:
    """Rows that come leave the selection where it is, and are counted until it moves."""
    state = after(Grew(10, is_complete=False), Moved(3), Grew(25, is_complete=False))
    assert (state.row, state.count, state.came) == (3, 25, 15)
    assert after(Moved(1), start=state).came == 0


def test_following_stays_on_the_last_row_until_it_moves() -> None:
    """`G` follows rows that come; a move ends that."""
    state = after(Grew(10, is_complete=False), Followed(), Grew(30, is_complete=False))
    assert (state.row, state.follows, state.came) == (29, True, 0)
    state = after(Moved(-1), Grew(40, is_complete=True), start=state)
    assert (state.row, state.follows, state.came) == (28, False, 10)


def test_the_selection_stays_among_the_rows() -> None:
    """No move leaves the list, and an empty list has no selected row."""
    assert after(Moved(5)).row is None
    state = after(Grew(3, is_complete=True))
    assert after(Moved(99), start=state).row == 2
    assert after(PositionChosen(-4), start=state).row == 0


def test_a_filter_shows_rows_as_they_are_found() -> None:
    """Rows appear in order; the row that was selected is selected again when it is reached."""
    state = after(Grew(100, is_complete=True), PositionChosen(50), Filtered("x"))
    assert (state.count, state.filter.runs) == (0, True)
    found = [1, 40, 52, 70]
    state = after(Applied(found[:2], 45), start=state)
    assert (state.row, state.filter.tested) == (1, 45)
    state = after(Applied(found, 100), start=state)
    assert (state.row, state.cursor, state.filter.runs) == (52, 2, False)
    assert state.position_of(70) == 3
    assert state.position_of(71) is None
    assert state.position_from(53) == 3
    state = after(Filtered(""), start=state)
    assert (state.row, state.count) == (52, 100)


def test_a_filter_stops_and_goes_on_with_an_index_that_grows() -> None:
    """Esc keeps what was found; a filter that runs waits for rows that come."""
    state = after(Grew(10, is_complete=False), Filtered("x"), Applied([2], 10))
    assert state.filter.runs
    state = after(Grew(20, is_complete=True), start=state)
    assert state.count == 1
    stopped = after(Stopped(), start=state)
    assert (stopped.filter.runs, stopped.filter.tested, stopped.count) == (False, 10, 1)


def test_jumps_remember_where_they_began() -> None:
    """A jump sets the mark that leads back; one to a hidden row changes nothing."""
    state = after(Grew(10, is_complete=True), PositionChosen(4), Jumped(8))
    assert (state.row, state.marks[BACK]) == (8, 4)
    hidden = after(Filtered("x"), Applied([1], 10), start=state)
    assert after(Jumped(5), start=hidden) == hidden


def test_marks_and_the_time_reference_are_of_rows() -> None:
    """Marks stay with their rows; setting one a second time removes it."""
    state = after(Grew(10, is_complete=True), PositionChosen(4), Marked("a"), Marked(), Referred())
    assert (state.marks["a"], state.marked, state.reference) == (4, {4}, 4)
    state = after(Marked(), Referred(), start=state)
    assert (state.marked, state.reference) == (frozenset(), None)
