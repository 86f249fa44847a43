"""What a rule says besides its condition."""

import pytest
from tests.conversations.talk import rule

from streamshark.findings.rule import Rule


def test_words_are_mandatory() -> None:
    """An id, a severity, a source."""
    with pytest.raises(TypeError):
        Rule(on="send", needs="")  # type: ignore[call-arg]
    assert rule("send").echo_of == ""
