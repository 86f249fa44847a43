"""RSocket's rules: their words, and those that no recorded capture breaks."""

import re

import pytest
from tests.protocols.rsocket.traffic import Talk, framed, setup

from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.findings import RULES

CLIENT, SERVER = 0, 1
PING = framed(1, 0x04, 0, b"ping")
PONG = framed(1, 0x0A, 0x60, b"pong")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our families, words for all parts, a public source."""
    assert re.fullmatch(r"RSK-[CDFKLMRSW]\d+", rule.id)
    assert rule.title
    assert rule.message
    assert rule.source.startswith(("Protocol.md", "Extensions/"))


def test_a_connection_that_was_never_set_up_is_served() -> None:
    """C2: with an answer; not with an error."""
    served, refused = Talk(), Talk()
    for talk in (served, refused):
        talk.say(CLIENT, PING)
    served.say(SERVER, PONG)
    refused.say(SERVER, framed(0, 0x0B, 0, (1).to_bytes(4, "big") + b"no SETUP"))

    assert served.found("RSK-C2") == [(2, 1)]
    assert refused.found("RSK-C2") == []


def test_a_frame_that_cannot_be_read() -> None:
    """D1: a REQUEST_N without its number; not a whole one."""
    talk = Talk()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, 0x06, 0, (1).to_bytes(4, "big")))
    talk.say(CLIENT, framed(1, 0x08, 0, (1).to_bytes(4, "big")))
    assert talk.found("RSK-D1") == []

    talk.say(CLIENT, framed(1, 0x08, 0, b"\0\0"))
    assert talk.found("RSK-D1") == [(4,)]


def test_bytes_that_are_no_frames() -> None:
    """D2: where they are skipped; not where frames follow each other."""
    talk = Talk()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, PING)
    assert talk.found("RSK-D2") == []

    talk.say(CLIENT, bytes.fromhex("0000020000") * 8)
    for stream in (3, 5, 7, 9):
        talk.say(CLIENT, framed(stream, 0x04, 0, b"ping"))
    assert talk.found("RSK-D2") == [(2,)]
