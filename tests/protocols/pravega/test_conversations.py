"""Conversations: writers, reads by segment and offset, calls by their ids."""

import struct

import pytest
from tests.protocols.pravega.test_findings import (
    CLIENT,
    EVENT,
    SEGMENT,
    SERVER,
    append,
    ids,
    sealed,
    set_up,
    stored,
    writing,
)
from tests.protocols.pravega.traffic import WIRE, WRITER, Talk, framed, text

from streamshark.conversations.conversation import Conversation
from streamshark.protocols.pravega.row_names import ANSWERED, CALLS, ERRORS
from streamshark.schema import FrameKind


def of(talk: Talk, kind: str) -> list[Conversation]:
    """The conversations of a type."""
    return [each for each in talk.conversations() if each.type == kind]


def test_a_writer_counts_what_is_stored() -> None:
    """From its set-up to the end."""
    talk = writing().say(CLIENT, append(1) + append(2)).say(SERVER, stored(2))
    [writer] = of(talk.event("close", CLIENT).event("close", SERVER), "writer")

    assert writer.measures == {"acknowledged": 2, "sent": 2, "appends": 2, "events": 2}
    assert writer.request is not None
    assert "writer=01020304-0506-0708-090a-0b0c0d0e0f10" in writer.request.text
    assert writer.state == "done"
    assert writer.frame_count == 7


def test_a_set_up_that_is_refused_has_failed() -> None:
    """Its outcome is the error; nothing is left open."""
    missing = framed(53, ids() + SEGMENT + text("") + struct.pack(">q", -1))
    [writer] = of(Talk().say(CLIENT, set_up()).say(SERVER, missing), "writer")

    assert writer.state == "failed"
    assert writer.outcome is not None
    assert writer.outcome.command == "no_such_segment"


def test_appenders_of_the_draft_are_writers() -> None:
    """Set up by their id; acknowledgements answer the ends of blocks, by bytes."""
    block = framed(3, WRITER + struct.pack(">qi", 0, 11)) + framed(0, b"abc")
    talk = Talk(dialect="draft").say(CLIENT, framed(1, WRITER + SEGMENT))
    talk.say(SERVER, framed(2, SEGMENT + WRITER + bytes(8)))
    talk.say(CLIENT, block + framed(4, WRITER + struct.pack(">qi", 11, 11)))
    told = talk.say(SERVER, framed(7, WRITER + struct.pack(">q", 11))).rows
    [writer] = of(talk.event("close", CLIENT).event("close", SERVER), "writer")

    assert [told[1].annotation.request_frame, told[-1].annotation.request_frame] == [1, 5]
    assert writer.state == "done"
    assert writer.measures == {"appends": 1}


def test_reads_are_joined_by_segment_and_offset() -> None:
    """Although they share their id."""
    talk = Talk()
    for offset in (0, 13):
        talk.say(CLIENT, framed(9, SEGMENT + struct.pack(">qi", offset, 9) + text("") + ids()))
    for offset in (13, 0):
        body = SEGMENT + struct.pack(">q", offset) + b"\0\0" + struct.pack(">i", len(EVENT))
        talk.say(SERVER, framed(10, body + EVENT + ids()))

    assert [(each.first_frame, each.last_frame) for each in of(talk, "read")] == [(4, 5), (3, 6)]


@pytest.mark.parametrize(("answer", "state"), [(39, "done"), (56, "failed")])
def test_calls_are_joined_by_their_id(answer: int, state: str) -> None:
    """A reply, or an error."""
    talk = Talk().say(CLIENT, framed(38, ids(1) + SEGMENT + bytes(8) + text("")))
    talk.say(CLIENT, framed(38, ids(2) + SEGMENT + bytes(8) + text("")))
    body = SEGMENT + (bytes(8) if answer == 56 else b"")
    talk.say(SERVER, framed(answer, ids(2) + body)).say(SERVER, framed(39, ids(1) + SEGMENT))

    assert [each.state for each in of(talk, "call")] == [state, "done"]


def test_a_sealed_segment_seals_its_writers() -> None:
    """Those of the request."""
    talk = writing().say(CLIENT, append(1)).say(SERVER, sealed())

    [writer] = talk.conn.o_writer.values()
    assert writer.state == "sealed"


def test_every_request_is_in_a_pair() -> None:
    """Those with an id of their own, those of reads, and set-ups; every error may answer."""
    schemas = [each.tree.schema for each in WIRE.table().all]
    asked = {each.name for each in schemas if each.kind is FrameKind.REQUEST}
    replies = {each.name for each in schemas if each.kind is FrameKind.RESPONSE}

    assert asked == {*CALLS.split(), "read_segment", "setup_append"}
    assert {*ERRORS.split()} | {each for text in ANSWERED.values() for each in text.split()} == (
        replies
        - {"append_setup", "segment_read", "conditional_check_failed", "invalid_event_number"}
    )
