"""What is told of rows, in lines, trees and JSON."""

import json
from types import MappingProxyType, SimpleNamespace
from typing import cast

from streamshark.conversations.conversation import Annotation, DerivedValue, Name
from streamshark.conversations.tables import Derived
from streamshark.dissection.row import Row
from streamshark.views.annotations import (
    MOST_CONTEXTS,
    AnnotationMembers,
    Contexts,
    all_derived,
    ending,
    marks,
    sentences,
)

NAME = Name(0, "3", "call")


def test_a_line_ends_with_the_request_and_the_time() -> None:
    """Of an answer alone, and of a request whose answer is known."""
    assert ending(None) == ending(Annotation(NAME)) == ""
    assert ending(Annotation(NAME, {}, 88, 3_100_000)) == " -> 88, 3.1 ms"
    assert ending(Annotation(NAME, {}, 88)) == " -> 88"
    assert ending(Annotation(NAME, {}, None, None, 91)) == " <- 91"


def row(told: Annotation | None, *derived: DerivedValue) -> Row:
    """A row of which this is known."""
    return cast("Row", SimpleNamespace(annotation=told, derived=derived))


def derived(text: str, value: object, doubt: str = "", mark: str = "") -> DerivedValue:
    """A value that the engine has worked out."""
    return DerivedValue(
        Derived(name="x", on="any", value="1", text=text, doc="", mark=mark), value, doubt
    )


def test_a_tree_says_it_in_sentences() -> None:
    """One a line, in Wireshark's words."""
    told = Annotation(NAME, {"user": "guest", "vhost": "a b"}, 88, 250, 91)

    assert sentences(row(None)) == []
    assert sentences(row(told)) == [
        "Conversation: 0-3-call", "Request in: 88", "Response time: 250 ns", "Response in: 91",
        'user guest, vhost "a b"',
    ]  # fmt: skip
    assert sentences(row(Annotation(None, unanswered="open"))) == [
        "No response seen before the end of the captures"
    ]


def test_what_was_worked_out_of_a_row() -> None:
    """Or why it cannot be known; the time is not said twice."""
    told = Annotation(None, {}, 88, 250)
    values = (
        derived("Credit: {}", 3),
        derived("Time to confirm: {:time}", 250),
        derived("Credit: {}", None, "bytes were lost"),
        derived("Nobody asked", 1, "the capture begins later"),
        derived("Nobody asked", 1),
    )

    assert sentences(row(told, *values)) == [
        "Request in: 88", "Credit: 3", "Time to confirm: 250 ns",
        "Credit: cannot be known, bytes were lost", "Nobody asked, but the capture begins later",
        "Nobody asked",
    ]  # fmt: skip
    assert all_derived(row(told, *values)) == (
        " [Credit: 3] [Time to confirm: 250 ns] [Nobody asked]"
    )


def test_a_line_is_marked_by_what_stands_out() -> None:
    """And by nothing that cannot be known."""
    found = (derived("", 12, mark="duplicate of {}"), derived("", 12, "lost", mark="m"))

    assert marks(row(None, *found, derived("", 5))) == " [duplicate of 12]"
    assert ending(Annotation(None, unanswered="unanswered")) == " [no response seen]"


def test_frames_that_one_row_answers() -> None:
    """The first of them, and how many more."""
    assert ending(Annotation(NAME, {}, 3, None, answers=(3, 4, 7))) == " -> 3, 4, 7"
    many = tuple(range(3, 23))
    assert ending(Annotation(NAME, {}, 3, None, answers=many)).endswith(", 17, 18 and 4 more")


def test_members_are_always_there() -> None:
    """`response_frame` where captures are read twice."""
    told = Annotation(NAME, MappingProxyType({"user": "g\u202eest"}), 88, 250, 91)
    once, twice = AnnotationMembers(), AnnotationMembers(twice=True)

    def read(text: str) -> dict[str, object]:
        members: dict[str, object] = json.loads("{" + text[1:] + "}")
        return members

    nothing = {"conversation": None, "request_frame": None, "response_time_ns": None}
    assert read(once(None)) == {**nothing, "context": {}}
    assert read(twice(None)) == {**nothing, "response_frame": None, "context": {}}
    assert read(once(told)).keys() == read(once(None)).keys()
    known = read(twice(told))
    assert (known["conversation"], known["request_frame"], known["response_frame"]) == (
        "0-3-call", 88, 91,
    )  # fmt: skip
    assert "\u202e" not in once(told)


def test_contexts_are_kept_but_not_for_ever() -> None:
    """They are shared by many rows."""
    contexts = Contexts()
    for number in range(MOST_CONTEXTS + 5):
        assert contexts({"user": str(number)}) == f'{{"user":"{number}"}}'

    assert len(contexts._known) <= MOST_CONTEXTS
