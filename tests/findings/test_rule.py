"""What a rule says besides its condition."""

import re

import pytest
from tests.conversations.dialogue import CLIENT, Talk, rule
from tests.framing.parcel_protocol import TICKS

from streamshark.findings.rule import Rule
from streamshark.protocols.catalog import catalog


def test_words_are_mandatory() -> None:
    """An id, a severity, a source."""
    with pytest.raises(TypeError):
        Rule(on="send", needs="")  # type: ignore[call-arg]
    assert rule("send").echo_of == ""


def test_a_message_says_what_a_predicate_has_found() -> None:
    """In full, however long; a predicate that gives no text has found nothing."""
    wide = "x" * 100
    for given, said in ((wide, [f"3: {wide}"]), ("", [])):
        talk = Talk(
            (), rule("tick", predicate=lambda _, given=given: given, message="{key}: {found}")
        )
        talk.say(CLIENT, TICKS)
        assert [each.message for each in talk.findings()] == said


def test_a_second_noun_of_a_count_is_the_plural_of_the_first() -> None:
    """`{n:count entry entries}`; two words for one thing would be written as one and the other."""
    counts = [
        (rule.id, *found)
        for protocol in catalog()
        for rule in protocol.rules
        for found in re.findall(r":count (\w+) (\w+)\}", rule.message)
    ]
    assert counts
    assert [each for each in counts if each[1][:3] != each[2][:3]] == []
