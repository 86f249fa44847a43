"""What is told of rows, in lines, trees and JSON."""

import json
from types import MappingProxyType

from streamshark.conversations.conversation import Name, Told
from streamshark.views.told import MOST_CONTEXTS, ToldMembers, ending, sentences

NAME = Name(0, 3, "call")


def test_a_line_ends_with_the_request_and_the_time() -> None:
    """Of an answer alone, and of a request whose answer is known."""
    assert ending(None) == ending(Told(NAME)) == ""
    assert ending(Told(NAME, {}, 88, 3_100_000)) == " -> 88, 3.1 ms"
    assert ending(Told(NAME, {}, 88)) == " -> 88"
    assert ending(Told(NAME, {}, None, None, 91)) == " <- 91"


def test_a_tree_says_it_in_sentences() -> None:
    """One a line."""
    told = Told(NAME, {"user": "guest", "vhost": "a b"}, 88, 250, 91)

    assert sentences(None) == []
    assert sentences(told) == [
        "conversation 0-3-call", "answers frame 88, 250 ns after it", "answered by frame 91",
        'user guest, vhost "a b"',
    ]  # fmt: skip


def test_members_are_always_there() -> None:
    """`response_frame` where captures are read twice."""
    told = Told(NAME, MappingProxyType({"user": "g\u202eest"}), 88, 250, 91)
    once, twice = ToldMembers(), ToldMembers(twice=True)

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
    members = ToldMembers()
    for number in range(MOST_CONTEXTS + 5):
        text = members(Told(NAME, {"user": str(number)}))
        assert f'"user":"{number}"' in text

    assert len(members._contexts) <= MOST_CONTEXTS
