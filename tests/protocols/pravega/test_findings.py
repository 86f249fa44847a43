"""Pravega's rules: each fires on what it is about, and stays silent beside it."""

import base64
import json
import re
import struct
from pathlib import Path

import pytest
from tests.failures import every
from tests.protocols.pravega.traffic import WRITER, Talk, framed, hello, proto, record, text

from streamshark.findings.rule import Rule, family
from streamshark.protocols.pravega.behaviour_rules import BEHAVIOURS
from streamshark.protocols.pravega.controller_rules import CONTROLLER_RULES
from streamshark.protocols.pravega.findings import RULES
from streamshark.protocols.pravega.group_state_rules import GROUP_STATE_RULES
from streamshark.protocols.pravega.leftover_rules import LEFTOVER_RULES
from streamshark.protocols.pravega.program_rules import PROGRAM_RULES
from streamshark.protocols.pravega.reading_stop_rules import READING_STOP_RULES
from streamshark.protocols.pravega.reply_rules import REPLY_RULES
from streamshark.protocols.pravega.shared_use_rules import SHARED_USE_RULES

CLIENT, SERVER = 0, 1
SEGMENT = text("scope/stream/0")
OTHER = bytes(16)
NONE = -(1 << 63)
EVENT = record(0, b"event")
ALIVE = framed(100)


def ids(number: int = 7) -> bytes:
    """A request id."""
    return struct.pack(">q", number)


def set_up(writer: bytes = WRITER, number: int = 7) -> bytes:
    """SETUP_APPEND."""
    return framed(1, ids(number) + writer + SEGMENT + text(""))


def ready(last: int = -1, writer: bytes = WRITER, number: int = 7) -> bytes:
    """APPEND_SETUP."""
    return framed(2, ids(number) + SEGMENT + writer + struct.pack(">q", last))


def append(number: int, *, count: int = 1, writer: bytes = WRITER) -> bytes:
    """A block and its end."""
    return framed(3, writer + EVENT) + end(number, count=count, writer=writer)


def end(number: int, *, count: int = 1, writer: bytes = WRITER) -> bytes:
    """APPEND_BLOCK_END."""
    body = struct.pack(">iiiqq", len(EVENT), 0, count, number, 7)
    return framed(4, writer + body)


def stored(number: int, before: int = -1) -> bytes:
    """DATA_APPENDED."""
    return framed(7, WRITER + struct.pack(">qqqq", number, before, 7, 100))


def sealed() -> bytes:
    """SEGMENT_IS_SEALED."""
    return framed(51, ids() + SEGMENT + text("") + struct.pack(">q", 1))


def writing(last: int = -1) -> Talk:
    """A connection with a writer that is set up."""
    return Talk().say(CLIENT, set_up()).say(SERVER, ready(last))


@every("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our family, words for all parts, a public source."""
    assert re.fullmatch(r"PRV-[BPQ]\d+[b-h]?", rule.id)
    assert rule.title
    assert rule.message
    assert rule.source.startswith(("pravega", "RFC", "java.io"))


def test_every_rule_is_tested_here() -> None:
    """By its id."""
    files = (Path(__file__), Path(__file__).with_name("test_draft_rules.py"))
    texts = "".join(each.read_text(encoding="utf-8") for each in files)
    tested = set(re.findall(r'"(PRV-P\d+)[a-h]?"', texts))

    assert tested == {
        family(each.id)
        for each in RULES
        if not each.is_general
        and each
        not in (
            *BEHAVIOURS,
            *CONTROLLER_RULES,
            *GROUP_STATE_RULES,
            *PROGRAM_RULES,
            *REPLY_RULES,
            *SHARED_USE_RULES,
            *LEFTOVER_RULES,
            *READING_STOP_RULES,
        )
    }


def test_hello_is_first() -> None:
    """P1: another frame of the client; not a server's."""
    assert Talk(greets=False).say(CLIENT, set_up()).found("PRV-P1") == [(1,)]
    assert Talk(greets=False).say(CLIENT, hello()).say(SERVER, hello()).found("PRV-P1") == []


def test_another_protocol() -> None:
    """P50: a call to the controller, and no word of HELLO; not a frame."""
    call, right = Talk(greets=False), Talk(greets=False)
    for talk, said in ((call, b"PRI * HTTP/2.0".ljust(5000)), (right, set_up())):
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event("open")
        talk.say(CLIENT, said)

    assert call.found("PRV-P50") == [(1,)]
    assert call.found("PRV-P1") == []
    assert right.found("PRV-P50") == []


def test_versions_overlap() -> None:
    """P2: ranges apart; not those that touch."""
    apart = Talk(greets=False).say(CLIENT, hello(4, 1)).say(SERVER, hello(16, 5))
    touching = Talk(greets=False).say(CLIENT, hello(5, 1)).say(SERVER, hello(16, 5))

    assert apart.found("PRV-P2") == [(2, 1)]
    assert touching.found("PRV-P2") == []


def test_a_length_that_no_frame_may_have() -> None:
    """P3: of a known command, beyond 24 bits; not the largest. The skip is after HELLO."""
    odd = struct.pack(">ii", 9, 0x01000000) + bytes(60)
    large = framed(3, WRITER + bytes(70_000))

    assert Talk().say(CLIENT, odd + ALIVE * 4).found("PRV-P3") == [(1,)]
    assert writing().say(CLIENT, large + end(1)).found("PRV-P3") == []


def test_a_frame_that_is_too_large_for_its_receiver() -> None:
    """P34: 8 MiB for a server of 0.5; not for one of 0.13."""
    large = framed(3, WRITER + bytes(1 << 23))

    assert Talk(high=8).say(CLIENT, set_up() + large).found("PRV-P34") == [(4,)]
    assert Talk(high=8).say(CLIENT, set_up() + framed(3, WRITER + EVENT)).found("PRV-P34") == []
    assert Talk(high=9).say(CLIENT, set_up() + large).found("PRV-P34") == []


def test_a_frame_that_is_too_large_is_cut() -> None:
    """P34: the last frame before it is named; not a smaller one that is cut, nor for 0.13."""
    for high, size, found in ((8, 1 << 23, [(3,)]), (8, 1 << 22, []), (9, 1 << 23, [])):
        talk = Talk(high=high).say(CLIENT, set_up() + framed(3, WRITER + bytes(size))[:9000])
        assert talk.event("reset", SERVER).found("PRV-P34") == found


@pytest.mark.parametrize(
    ("code", "short", "more"),
    [
        (9, SEGMENT + bytes(12) + text(""), ids()),
        (5, WRITER + bytes(20) + struct.pack(">i", 5) + b"event", ids()),
        (20, ids() + SEGMENT + bytes(5) + text(""), bytes(8)),
        (70, ids() + SEGMENT + text(""), b"\0"),
        (58, ids() + SEGMENT + text("scope/stream/1") + text(""), bytes(4)),
        (74, ids() + SEGMENT + text("") + bytes(4), bytes(8)),
        (76, ids() + SEGMENT + text("") + bytes(4), bytes(8)),
        (83, ids() + SEGMENT + text("") + bytes(8), bytes(4)),
        (85, ids() + SEGMENT + text("") + bytes(8), bytes(4)),
    ],
)
def test_a_member_that_its_receiver_does_not_know(code: int, short: bytes, more: bytes) -> None:
    """P45: of a later layout; not the older one, nor for servers that pass over it."""

    def found(high: int, body: bytes) -> list[tuple[int, ...]]:
        return Talk(high=high).say(CLIENT, set_up() + framed(code, body)).found("PRV-P45")

    assert found(7, short + more) == [(4,)]
    assert found(7, short) == []
    assert found(9, short + more) == []


def test_a_command_that_its_receiver_does_not_know() -> None:
    """P35: of a later version than the server's, or removed before it."""
    conditional = framed(89, WRITER + struct.pack(">qqi", 1, 0, 0) + ids())
    begin = framed(22, ids() + SEGMENT + WRITER)

    assert Talk(high=10).say(CLIENT, set_up() + conditional).found("PRV-P35") == [(4,)]
    assert Talk(high=11).say(CLIENT, set_up() + conditional).found("PRV-P35") == []
    assert Talk(high=5).say(CLIENT, begin).found("PRV-P35") == [(3,)]
    assert Talk(high=4).say(CLIENT, begin).found("PRV-P35") == []


def test_a_command_of_the_other_side() -> None:
    """P36: a client that answers; not KEEP_ALIVE, which both send."""
    assert Talk().say(CLIENT, ready()).found("PRV-P36") == [(3,)]
    assert Talk().say(SERVER, set_up()).found("PRV-P36") == [(3,)]
    assert writing().say(CLIENT, ALIVE).say(SERVER, ALIVE).found("PRV-P36") == []


def test_a_command_that_nobody_knows() -> None:
    """P4: between known ones."""
    odd = Talk().say(CLIENT, framed(6, b"what") + ALIVE + ALIVE + ALIVE)

    assert odd.found("PRV-P4") == [(3,)]
    assert Talk().say(CLIENT, ALIVE).found("PRV-P4") == []


def test_bytes_after_the_last_member() -> None:
    """P5: eight more after DATA_APPENDED; not its newest layout."""
    longer = framed(7, WRITER + struct.pack(">qqqq", 1, 0, 7, 100) + bytes(8)) + ALIVE

    assert writing().say(CLIENT, append(1)).say(SERVER, longer).found("PRV-P5") == [(7,)]
    assert writing().say(CLIENT, append(1)).say(SERVER, stored(1)).found("PRV-P5") == []


def test_an_append_of_a_writer_that_is_not_set_up() -> None:
    """P6: at once, or of another writer; not after a set-up, answered or not."""
    early = Talk().say(CLIENT, set_up()).say(CLIENT, append(1))

    assert Talk().say(CLIENT, append(1)).found("PRV-P6") == [(3, 4)]
    assert writing().say(CLIENT, append(1, writer=OTHER)).found("PRV-P6") == [(5, 6)]
    assert not early.names("PRV-P6")


def test_an_append_after_a_set_up_that_was_refused() -> None:
    """P6: there is no such segment; not what was sent before the answer, nor after another one."""
    missing = framed(53, ids() + SEGMENT + text("") + struct.pack(">q", -1))
    refused = Talk().say(CLIENT, set_up()).say(SERVER, missing)
    early = Talk().say(CLIENT, set_up() + append(1)).say(SERVER, missing)
    again = Talk().say(CLIENT, set_up()).say(SERVER, missing).say(CLIENT, set_up())

    assert refused.say(CLIENT, append(1)).found("PRV-P6") == [(5, 4, 6)]
    assert not early.names("PRV-P6b")
    assert again.say(SERVER, ready()).say(CLIENT, append(1)).found("PRV-P6") == []


def test_a_block_is_ended_at_once() -> None:
    """P7: a question in between; not after the end, nor a keep-alive."""
    block = framed(3, WRITER + EVENT)
    question = framed(11, ids(8) + SEGMENT + text(""))

    assert writing().say(CLIENT, block + question + end(1)).found("PRV-P7") == [(6, 5)]
    assert writing().say(CLIENT, block + end(1) + question).found("PRV-P7") == []
    assert writing().say(CLIENT, block + ALIVE + end(1)).found("PRV-P7") == []


def test_a_block_is_ended_by_its_writer() -> None:
    """P7: by another one; not where a writer ends without a block."""
    block = framed(3, WRITER + EVENT)
    alone = framed(4, OTHER + struct.pack(">iiiqq", 0, 0, 1, 1, 7))

    both = writing().say(CLIENT, set_up(OTHER)).say(SERVER, ready(writer=OTHER))

    assert both.say(CLIENT, block + end(1, writer=OTHER)).found("PRV-P7") == [(8, 7)]
    assert writing().say(CLIENT, block + end(1) + alone).found("PRV-P7") == []


@pytest.mark.parametrize(
    ("content", "size", "rest", "found"),
    [
        (EVENT, len(EVENT) + 1, b"", [(6, 5)]),
        (EVENT + record(-1, b"abc"), len(EVENT), b"", [(6, 5)]),
        (EVENT + record(-1, bytes(3)) + b"x", len(EVENT), b"", [(6, 5)]),
        (EVENT + record(-1, bytes(3)), len(EVENT), b"x", [(6, 5)]),
        (EVENT + record(-1, bytes(3)), len(EVENT), b"", []),
        (EVENT + record(-2, EVENT[:9]), len(EVENT), EVENT[9:], []),
        (EVENT, len(EVENT), b"", []),
    ],
)
def test_the_end_fits_its_block(
    content: bytes, size: int, rest: bytes, found: list[tuple[int, ...]]
) -> None:
    """P8: after whole events the block is filled up by zeros or part of an event."""
    body = struct.pack(">ii", size, len(rest)) + rest + struct.pack(">iqq", 1, 1, 7)
    talk = writing().say(CLIENT, framed(3, WRITER + content) + framed(4, WRITER + body))

    assert talk.found("PRV-P8") == found


def test_an_event_over_a_block_and_its_end_is_one() -> None:
    """P11: a byte is lost in between; not of bytes that are no events at all."""
    for content, rest, found in (
        (EVENT + record(-2, EVENT[:9]), EVENT[10:], [(6, 5)]),
        (EVENT + record(-2, EVENT[:9]), EVENT[9:], []),
        (bytes(range(1, 14)) + record(-2, EVENT[:9]), EVENT[10:], []),
    ):
        body = struct.pack(">ii", len(EVENT), len(rest)) + rest + struct.pack(">iqq", 1, 1, 7)
        talk = writing().say(CLIENT, framed(3, WRITER + content) + framed(4, WRITER + body))
        assert talk.found("PRV-P11") == found


def test_no_more_events_than_are_said() -> None:
    """P33: two for one; not one for two, of which one may be nothing, nor plain bytes or zeros."""
    zeros = framed(3, WRITER + bytes(160))
    body = struct.pack(">iiiqq", 160, 0, 1, 1, 7)
    assert writing().say(CLIENT, zeros + framed(4, WRITER + body)).found("PRV-P33") == []
    two = framed(3, WRITER + EVENT + EVENT)

    def ended(count: int) -> bytes:
        return framed(4, WRITER + struct.pack(">iiiqq", 2 * len(EVENT), 0, count, 1, 7))

    assert writing().say(CLIENT, two + ended(1)).found("PRV-P33") == [(6, 5)]
    assert writing().say(CLIENT, two + ended(2)).found("PRV-P33") == []
    assert writing().say(CLIENT, two + ended(3)).found("PRV-P33") == []


def test_an_end_without_its_block() -> None:
    """P49: for servers up to 0.5; not for later ones, nor where the block is there."""
    for high, data, found in ((8, end(1), [(4,)]), (9, end(1), []), (8, append(1), [])):
        assert Talk(high=high).say(CLIENT, set_up() + data).found("PRV-P49") == found


def test_an_append_has_events() -> None:
    """P9: none are said; one is, of nothing."""
    nothing = framed(3, WRITER) + framed(4, WRITER + struct.pack(">iiiqq", 0, 0, 1, 1, 7))

    assert writing().say(CLIENT, append(1, count=0)).found("PRV-P9") == [(6,)]
    assert writing().say(CLIENT, nothing).found("PRV-P9") == []


def test_event_numbers_grow() -> None:
    """P10: back, or the same; not after another set-up."""
    again = writing().say(CLIENT, append(5)).say(CLIENT, set_up()).say(SERVER, ready(2))

    assert writing().say(CLIENT, append(5)).say(CLIENT, append(4)).found("PRV-P10") == [(8, 6)]
    assert writing().say(CLIENT, append(5)).say(CLIENT, append(6)).found("PRV-P10") == []
    assert again.say(CLIENT, append(3)).found("PRV-P10") == []


def test_a_writer_begins_above_what_is_stored() -> None:
    """P10b: the first event number, also of an append in one piece; not of a new writer."""
    whole = framed(4, WRITER + struct.pack(">ii", 0, len(EVENT)) + EVENT
                   + struct.pack(">iqq", 1, 1, 7))  # fmt: skip
    for last, first, found in (
        (5, append(1), [(6, 4, 3)]), (5, append(5), [(6, 4, 3)]), (5, whole, [(5, 4, 3)]),
        (5, append(6), []), (NONE, append(-3), []), (-1, append(0), []),
    ):  # fmt: skip
        talk = Talk().say(CLIENT, set_up()).say(SERVER, ready(last)).say(CLIENT, first)
        assert talk.found("PRV-P10b") == found, (last, first)


def test_an_append_waits_for_the_answer_to_the_set_up() -> None:
    """P6c: a block or an append in one piece; not after the answer, nor if a side is missing."""
    for first in (append(0), end(0)):
        early = Talk().say(CLIENT, set_up()).say(CLIENT, first).say(SERVER, ready())
        assert early.found("PRV-P6c")[0][:2] == (4, 3)
        assert writing().say(CLIENT, first).found("PRV-P6c") == []
    one_sided = Talk(greets=False)  # the server has said nothing so far
    assert one_sided.say(CLIENT, set_up()).say(CLIENT, append(0)).found("PRV-P6c") == []


def test_acknowledgements_follow_appends() -> None:
    """P12: of what was not sent, or back; not of what was."""
    assert writing().say(CLIENT, append(1)).say(SERVER, stored(2)).found("PRV-P12") == [(7,)]
    back = (
        writing().say(CLIENT, append(1) + append(2)).say(SERVER, stored(2)).say(SERVER, stored(1))
    )
    assert back.found("PRV-P12") == [(10,)]
    assert writing().say(CLIENT, append(1)).say(SERVER, stored(1)).found("PRV-P12") == []


def test_acknowledgements_leave_none_out() -> None:
    """P12: the number before is above the last one that was acknowledged."""
    sent = writing().say(CLIENT, append(1) + append(2))

    assert sent.say(SERVER, stored(2, 1)).found("PRV-P12") == [(9,)]
    both = writing().say(CLIENT, append(1) + append(2)).say(SERVER, stored(1) + stored(2, 1))
    assert both.found("PRV-P12") == []


def test_events_that_were_never_acknowledged() -> None:
    """P13: when the connection is closed; not where all are stored, before or now."""
    first = writing(-(1 << 63)).say(CLIENT, append(1))
    assert first.event("close", CLIENT).event("close", SERVER).found("PRV-P13") == [(6,)]
    lost = writing().say(CLIENT, append(1)).event("close", CLIENT).event("close", SERVER)
    kept = writing().say(CLIENT, append(1)).say(SERVER, stored(1))

    assert lost.found("PRV-P13") == [(6,)]
    assert kept.event("close", CLIENT).event("close", SERVER).found("PRV-P13") == []


def test_a_set_up_is_answered() -> None:
    """P14: after a time; not when the connection or capture ends at once, nor by an error."""
    for later, found in ((20, 1), (3, 1), (1, 0)):
        talk = Talk().say(CLIENT, set_up()).event("close", CLIENT, later).event("close", SERVER)
        assert len(talk.found("PRV-P14")) == found
    for later, found in ((6, 1), (4, 0)):
        waiting = Talk().say(CLIENT, set_up()).say(CLIENT, ALIVE, later)
        assert len(waiting.found("PRV-P14")) == found
    missing = framed(53, ids() + SEGMENT + text("") + struct.pack(">q", -1))
    refused = Talk().say(CLIENT, set_up()).say(SERVER, missing).event("close", CLIENT, 20)

    assert refused.event("close", SERVER).found("PRV-P14") == []


def question(number: int, segment: bytes = SEGMENT) -> bytes:
    """GET_STREAM_SEGMENT_INFO."""
    return framed(11, ids(number) + segment + text(""))


def about(number: int, exists: int = 1) -> bytes:
    """STREAM_SEGMENT_INFO."""
    return framed(12, ids(number) + SEGMENT + bytes([exists, 0, 0]) + bytes(24))


def read(offset: int, number: int = 7) -> bytes:
    """READ_SEGMENT."""
    return framed(9, SEGMENT + struct.pack(">qi", offset, 100) + text("") + ids(number))


def got(offset: int, data: bytes = EVENT, *, last: bool = False, tail: bool = False) -> bytes:
    """SEGMENT_READ."""
    body = SEGMENT + struct.pack(">q", offset) + bytes([last or tail, last])
    return framed(10, body + struct.pack(">i", len(data)) + data + ids())


def test_a_reply_to_what_nobody_asked() -> None:
    """P15: of another id; not of that which was asked."""
    assert Talk().say(CLIENT, question(8)).say(SERVER, about(9)).found("PRV-P15") == [(4,)]
    assert Talk().say(CLIENT, question(8)).say(SERVER, about(8)).found("PRV-P15") == []
    assert Talk().say(SERVER, ready()).found("PRV-P15") == [(3,)]


@pytest.mark.parametrize("dialect", ["draft", "0.0"])
def test_set_ups_without_ids(dialect: str) -> None:
    """P14, P15: joined by the writer, or the appender; not by another one."""

    def talk(writer: bytes, later: int = 20) -> Talk:
        found = Talk(dialect=dialect).say(CLIENT, framed(1, WRITER + SEGMENT))
        found.say(SERVER, framed(2, SEGMENT + writer + bytes(8)))
        return found.event("close", CLIENT, later).event("close", SERVER)

    assert talk(OTHER).found("PRV-P14") == [(1,)]
    assert talk(OTHER).found("PRV-P15") == [(2,)]
    assert talk(OTHER, later=1).found("PRV-P14") == []
    assert talk(WRITER).found("PRV-P14") == talk(WRITER).found("PRV-P15") == []


def test_a_reply_of_another_kind() -> None:
    """P37: to a question about a segment; a table that is deleted is a segment."""
    sealed_one = framed(29, ids(8) + SEGMENT)
    deleted = framed(31, ids(8) + SEGMENT)
    delete = framed(71, ids(8) + SEGMENT + bytes([0]) + text(""))

    assert Talk().say(CLIENT, question(8)).say(SERVER, sealed_one).found("PRV-P37") == [(4, 3)]
    assert Talk().say(CLIENT, delete).say(SERVER, deleted).found("PRV-P37") == []


def test_bytes_from_where_nobody_reads() -> None:
    """P16: of another offset; not of that which was asked."""
    assert Talk().say(CLIENT, read(0)).say(SERVER, got(5)).found("PRV-P16") == [(4,)]
    assert Talk().say(CLIENT, read(0)).say(SERVER, got(0)).found("PRV-P16") == []


def test_a_read_that_goes_on_elsewhere() -> None:
    """P38: with the same id; not where the bytes end, nor by another stream of input."""
    first = len(EVENT)
    for offset, number, found in ((first + 1, 7, [(5, 4)]), (first, 7, []), (first + 1, 8, [])):
        talk = Talk().say(CLIENT, read(0)).say(SERVER, got(0)).say(CLIENT, read(offset, number))
        assert talk.found("PRV-P38") == found


def test_a_read_without_bytes() -> None:
    """P17: in the middle; not at the tail."""
    assert Talk().say(CLIENT, read(0)).say(SERVER, got(0, b"")).found("PRV-P17") == [(4,)]
    assert Talk().say(CLIENT, read(0)).say(SERVER, got(0, b"", tail=True)).found("PRV-P17") == []
    assert Talk().say(CLIENT, read(0)).say(SERVER, got(0)).found("PRV-P17") == []


def test_a_read_after_the_end() -> None:
    """P18: where the segment was read to its end; not before that."""
    beyond = (
        Talk().say(CLIENT, read(0)).say(SERVER, got(0, last=True)).say(CLIENT, read(len(EVENT)))
    )
    before = Talk().say(CLIENT, read(0)).say(SERVER, got(0, last=True)).say(CLIENT, read(3))
    goes_on = Talk().say(CLIENT, read(0)).say(SERVER, got(0, last=False))

    assert beyond.found("PRV-P18") == [(5, 4)]
    assert before.found("PRV-P18") == []
    assert goes_on.say(CLIENT, read(len(EVENT))).found("PRV-P18") == []


def test_an_append_to_a_segment_that_is_sealed() -> None:
    """P19: some time later; not what has crossed with the news, nor after a new set-up."""
    late = writing().say(CLIENT, append(1)).say(SERVER, sealed()).say(CLIENT, append(2), 5)
    crossed = writing().say(CLIENT, append(1)).say(SERVER, sealed()).say(CLIENT, append(2))
    again = writing().say(CLIENT, append(1)).say(SERVER, sealed()).say(CLIENT, set_up(), 5)

    assert late.found("PRV-P19") == [(9, 7)]
    assert crossed.found("PRV-P19b") == [(9, 7)]
    assert not crossed.names("PRV-P19")
    assert again.say(CLIENT, append(2)).found("PRV-P19") == []


def test_appends_that_are_each_refused() -> None:
    """P19: each sent after the answer to the one before; P19b: the first ones."""
    for count, step, is_named in ((5, 100, True), (8, 1000, True), (3, 100, False), (9, 10, False)):
        talk = writing()
        for number in range(count):
            talk.now += step * 1_000_000
            talk.say(CLIENT, append(number), 0).say(SERVER, sealed(), 0)
        found = talk.rules()
        assert ("PRV-P19" in found) is is_named, (count, step)
        assert "PRV-P19b" in found, (count, step)


def test_a_client_that_numbers_each_append() -> None:
    """P19: the reply has the id of an append, as with Rust's client; not one of another writer."""
    for number, found in ((50, [(9, 7)]), (99, [])):
        body = WRITER + struct.pack(">iiiqq", len(EVENT), 0, 1, 1, 50)
        refused = framed(51, ids(number) + SEGMENT + text("") + struct.pack(">q", 1))
        talk = writing().say(CLIENT, framed(3, WRITER + EVENT) + framed(4, body))
        assert talk.say(SERVER, refused).say(CLIENT, append(2), 5).found("PRV-P19") == found


def test_an_acknowledgement_after_a_failure() -> None:
    """P46: of the event that failed; not of one before it, nor after another set-up."""
    for number, found in ((1, [(8, 7)]), (0, [])):
        late = writing().say(CLIENT, append(1)).say(SERVER, sealed()).say(SERVER, stored(number))
        assert late.found("PRV-P46") == found
    again = writing().say(CLIENT, append(1)).say(SERVER, sealed()).say(CLIENT, set_up())
    again.say(SERVER, ready(0)).say(CLIENT, append(1))

    assert again.say(SERVER, stored(1)).found("PRV-P46") == []


def test_the_end_is_read_again_and_again() -> None:
    """P47: five times within ten seconds; not slowly, nor what has no end or no bytes."""
    for later, answer, found in (
        (1, got(0, last=True), [(6,)]), (3, got(0, last=True), []), (1, got(0), []),
        (1, got(0, b"", last=True), []),
    ):  # fmt: skip
        talk = Talk()
        for _ in range(5):
            talk.say(CLIENT, read(0)).say(SERVER, answer, later)
        assert [each[:1] for each in talk.found("PRV-P47")] == found


def test_a_writer_is_set_up_in_vain() -> None:
    """P48: three times without an append, closed by the client, and the same number stored.

    Not when the connection is lost, and an idle writer is set up on the next one.
    """
    left = (("close", CLIENT), ("close", SERVER))
    for others, appends, moves, ends, found in (
        (False, False, False, left, 1),
        (False, True, False, left, 0),
        (True, False, False, left, 0),
        (False, False, True, left, 0),
        (False, False, False, left[::-1], 0),
        (False, False, False, (("reset", CLIENT),), 0),
        (False, False, False, (("reset", SERVER),), 0),
    ):
        talk = Talk()
        for number in range(3):
            writer = bytes([number]) * 16 if others else WRITER
            last = number if moves else -1
            talk.say(CLIENT, set_up(writer)).say(SERVER, ready(last, writer=writer))
            if appends:
                talk.say(CLIENT, append(number)).say(SERVER, stored(number))
            for each in ends:
                talk.event(*each)
            talk.again()
        assert len(talk.found("PRV-P48")) == found, (others, appends, moves, ends)


def test_a_conditional_append_that_failed() -> None:
    """P20: is told; one that was stored is not."""
    failed = framed(8, WRITER + struct.pack(">qq", 1, 7))
    asked = framed(89, WRITER + struct.pack(">qqi", 1, 0, 0) + ids())

    assert writing().say(CLIENT, asked).say(SERVER, failed).found("PRV-P20") == [(6,)]
    assert writing().say(CLIENT, asked).say(SERVER, stored(1)).found("PRV-P20") == []


def test_a_refused_token_again_and_again() -> None:
    """P22: five times within ten seconds; not slowly."""
    refused = framed(60, ids() + text("") + struct.pack(">i", 0))
    often, slowly = Talk(), Talk()
    for _ in range(6):
        often.say(SERVER, refused)
        slowly.say(SERVER, refused, 11)

    assert len(often.found("PRV-P22")) == 1
    assert slowly.found("PRV-P22") == []


def test_a_token_is_refused() -> None:
    """P51: an error, but for one that has only expired."""
    wrong, expired = Talk(), Talk()
    wrong.say(SERVER, framed(60, ids() + text("") + struct.pack(">i", 0)))
    expired.say(SERVER, framed(60, ids() + text("") + struct.pack(">i", 1)))

    assert len(wrong.found("PRV-P51")) == 1
    assert expired.found("PRV-P51") == []


def shown(token: str, number: int = 8) -> bytes:
    """GET_STREAM_SEGMENT_INFO with a token."""
    return framed(11, ids(number) + SEGMENT + text(token))


def jwt(expires: int) -> str:
    """A token that nobody signed."""
    body = base64.urlsafe_b64encode(json.dumps({"exp": expires}).encode()).rstrip(b"=")
    return f"e30.{body.decode()}.c2ln"


def test_a_token_for_some_requests_only() -> None:
    """P21: with, then without, and the other way; not with all or none."""
    assert Talk().say(CLIENT, shown("a.b.c")).say(CLIENT, shown("")).found("PRV-P21") == [(4, 3)]
    assert Talk().say(CLIENT, shown("")).say(CLIENT, shown("a.b.c")).found("PRV-P21") == [(4, 3)]
    assert Talk().say(CLIENT, shown("a.b.c") * 2).found("PRV-P21") == []
    assert Talk().say(CLIENT, shown("") * 2).found("PRV-P21") == []


def test_a_token_that_has_expired() -> None:
    """P39: before it is shown; not after, nor what is no token of that kind."""
    assert Talk().say(CLIENT, shown(jwt(1)), 10).found("PRV-P39") == [(3,)]
    assert Talk().say(CLIENT, shown(jwt(100)), 10).found("PRV-P39") == []
    for odd in ("", "a", "a.!.c", "a.e30.c", "a.W10.c", "a.bnVsbA.c"):
        assert Talk().say(CLIENT, shown(odd), 10).found("PRV-P39") == []


def test_a_connection_that_ends_with_its_token() -> None:
    """P39b: just after it expired; not long after, before, or when the client closes."""
    for expires, by, found in (
        (20, SERVER, [(3,)]), (5, SERVER, [(3,)]), (100, SERVER, []), (20, CLIENT, []),
    ):  # fmt: skip
        body = ids() + WRITER + SEGMENT + text(jwt(expires))
        talk = Talk().say(CLIENT, framed(1, body)).event("close", by, 20)
        assert talk.found("PRV-P39b") == found, (expires, by)
    body = ids() + WRITER + SEGMENT + text(jwt(20))
    assert Talk().say(CLIENT, framed(1, body)).event("close", SERVER, 90).found("PRV-P39b") == []


def test_tokens_in_the_clear() -> None:
    """P40: a note for each connection; not of an empty one."""
    assert Talk().say(CLIENT, shown("a.b.c") * 2).found("PRV-P40") == [(3, 4)]
    assert Talk().say(CLIENT, shown("")).found("PRV-P40") == []


def test_a_store_is_asked_again_and_again() -> None:
    """P44: five times within ten seconds; not of different segments."""
    often, other = Talk(), Talk()
    for number in range(6):
        name = text(f"scope/stream/{number}")
        often.say(SERVER, framed(50, ids() + SEGMENT + text("") + text("")))
        other.say(SERVER, framed(50, ids() + name + text("") + text("")))

    assert len(often.found("PRV-P44")) == 1
    assert other.found("PRV-P44") == []


def test_a_segment_of_another_store() -> None:
    """P68: once for each segment, by the reply; not of segments of the system, nor of errors."""
    system = text("_system/commits/0.#epoch.0")
    talk = Talk().say(SERVER, framed(50, ids() + SEGMENT + text("store-2") + text("")))
    talk.say(SERVER, framed(50, ids() + SEGMENT + text("store-2") + text("")))
    assert talk.found("PRV-P68") == [(3, 4)]
    other = Talk().say(SERVER, framed(50, ids() + system + text("") + text("")))
    assert other.say(SERVER, framed(53, ids() + SEGMENT + text(""))).found("PRV-P68") == []


def test_closed_after_long_silence() -> None:
    """P41: by the server; not where the client was heard, nor by the client."""
    for later, side, found in ((70, SERVER, 1), (50, SERVER, 0), (70, CLIENT, 0)):
        talk = Talk().say(CLIENT, ALIVE).say(SERVER, ALIVE).event("close", side, later)
        talk.event("close", 1 - side)
        assert len(talk.found("PRV-P41")) == found


def test_text_that_is_not_modified_utf_8() -> None:
    """P24: four bytes for a character; not two times three."""
    plain, java = "\U0001f988".encode(), b"\xed\xa0\xbe\xed\xb6\x88"
    for name, found in ((plain, [(3,)]), (java, [])):
        asked = framed(11, ids(8) + struct.pack(">H", len(name)) + name + text(""))
        assert Talk().say(CLIENT, asked).found("PRV-P24") == found


def key(name: bytes, version: int = -(1 << 63), *, lies: bool = False) -> bytes:
    """A key of a table; with `lies` an empty one has a version, as the Rust client writes it."""
    tail = struct.pack(">q", version) if name or lies else b""
    return struct.pack(">ii", 12 + len(name), len(name)) + name + tail


def test_an_empty_key_with_a_version() -> None:
    """P25: in a read and in an update; not an empty key alone, nor another one."""
    head = ids(8) + SEGMENT + text("") + struct.pack(">i", 1)
    value = struct.pack(">ii", 5, 1) + b"v"

    for lies in (True, False):
        read_it = framed(78, head + key(b"", lies=lies))
        put_it = framed(74, head + key(b"", lies=lies) + value)
        assert bool(Talk().say(CLIENT, read_it).found("PRV-P25")) is lies
        assert bool(Talk().say(CLIENT, put_it).found("PRV-P25")) is lies
    other = framed(78, head + key(b"k") + b"more")
    assert Talk().say(CLIENT, other).found("PRV-P25") == []


def put(*keys: bytes, number: int = 8) -> bytes:
    """UPDATE_TABLE_ENTRIES."""
    value = struct.pack(">ii", 5, 1) + b"v"
    body = b"".join(each + value for each in keys)
    return framed(74, ids(number) + SEGMENT + text("") + struct.pack(">i", len(keys)) + body)


def test_keys_with_a_version_and_keys_without() -> None:
    """P26: both in one update; not all of a kind."""
    assert Talk().say(CLIENT, put(key(b"a"), key(b"b", 3))).found("PRV-P26") == [(3,)]
    assert Talk().say(CLIENT, put(key(b"a"), key(b"b"))).found("PRV-P26") == []
    assert Talk().say(CLIENT, put(key(b"a", -1), key(b"b", 3))).found("PRV-P26") == []


def test_versions_of_a_table_grow() -> None:
    """P42: not those of a later update."""

    def updated(number: int, version: int) -> bytes:
        return framed(75, ids(number) + struct.pack(">iq", 1, version))

    for later, found in ((40, [(6, 4)]), (60, [])):
        talk = Talk().say(CLIENT, put(key(b"a"))).say(SERVER, updated(8, 50))
        talk.say(CLIENT, put(key(b"a"), number=9)).say(SERVER, updated(9, later))
        assert talk.found("PRV-P42") == found


@pytest.mark.parametrize(
    ("code", "before", "after", "flags"),
    [
        (10, SEGMENT + bytes(8), bytes(4) + ids(), 2),
        (12, ids(8) + SEGMENT, bytes(24), 3),
        (37, ids(8), b"", 1),
        (-6, ids(8) + struct.pack(">i", 1) + bytes(24) + text("chunk"), b"", 1),
        (70, ids(8) + SEGMENT + text(""), bytes(12), 1),
        (71, ids(8) + SEGMENT, text(""), 1),
        (87, ids(8) + SEGMENT + bytes(4), bytes(8), 2),
    ],
)
def test_a_truth_is_0_or_1(code: int, before: bytes, after: bytes, flags: int) -> None:
    """P27: a 2 is told wherever it stands, though servers take it for true."""
    side = CLIENT if code in (70, 71) else SERVER
    for at in range(flags):
        odd = bytes(2 if each == at else 1 for each in range(flags))
        assert Talk().say(side, framed(code, before + odd + after)).found("PRV-P27") == [(3,)]
    fine = framed(code, before + bytes([1]) * flags + after)
    assert Talk().say(side, fine).found("PRV-P27") == []


def test_a_stack_trace_of_the_server() -> None:
    """P30: in a reply that has one; not in one that is empty."""
    for trace, found in (("at io.pravega", [(4,)]), ("", [])):
        missing = framed(53, ids(8) + SEGMENT + text(trace) + struct.pack(">q", -1))
        assert Talk().say(CLIENT, question(8)).say(SERVER, missing).found("PRV-P30") == found


def test_a_conditional_append_of_an_older_layout() -> None:
    """P43: the bytes of the event alone; not with its head, nor where the server is as old."""
    bare = framed(5, WRITER + struct.pack(">qqi", 1, 0, 5) + b"event")
    headed = framed(5, WRITER + struct.pack(">qqii", 1, 0, 0, 5) + b"event" + ids())

    assert writing().say(CLIENT, bare).found("PRV-P43") == [(5,)]
    assert writing().say(CLIENT, headed).found("PRV-P43") == []
    assert Talk(high=4).say(CLIENT, set_up() + bare).found("PRV-P43") == []


def test_keep_alive_is_echoed() -> None:
    """P23: by servers of 0.13; of older ones nobody expects it."""
    silent = Talk().say(CLIENT, ALIVE).say(CLIENT, set_up(), 20)
    echoed = Talk().say(CLIENT, ALIVE).say(SERVER, ALIVE).say(CLIENT, set_up(), 20)
    old = Talk(high=8).say(CLIENT, ALIVE).say(CLIENT, set_up(), 20)

    assert silent.found("PRV-P23") == [(3,)]
    assert echoed.found("PRV-P23") == []
    assert old.found("PRV-P23") == []


def test_a_scaling_policy_that_is_none() -> None:
    """P28: a type of 7, a negative rate; not events in a second."""

    def create(rate: int, kind: int) -> bytes:
        return framed(20, ids() + SEGMENT + struct.pack(">ib", rate, kind) + text(""))

    assert Talk().say(CLIENT, create(1, 7)).found("PRV-P28") == [(3,)]
    assert Talk().say(CLIENT, create(-1, 0)).found("PRV-P28") == [(3,)]
    assert Talk().say(CLIENT, create(100, 2)).found("PRV-P28") == []


def test_a_segment_merged_into_itself() -> None:
    """P29: not into another."""
    itself = framed(58, ids() + SEGMENT + SEGMENT + text(""))
    other = framed(58, ids() + SEGMENT + text("scope/stream/1") + text(""))

    assert Talk().say(CLIENT, itself).found("PRV-P29") == [(3,)]
    assert Talk().say(CLIENT, other).found("PRV-P29") == []


def test_an_event_number_after_the_stored_one() -> None:
    """P31: as the server says; not where it stores."""
    stale = framed(55, WRITER + ids() + text("") + struct.pack(">q", 1))

    assert writing().say(CLIENT, append(1)).say(SERVER, stale).found("PRV-P31") == [(7, 6)]
    assert writing().say(CLIENT, append(1)).say(SERVER, stored(1)).found("PRV-P31") == []


def test_a_writer_is_set_up_again_and_again() -> None:
    """P32: after each acknowledgement; not once, nor where nothing was acknowledged."""
    often, once, unheard = writing(), writing(), writing()
    for number in (1, 2, 3):
        often.say(CLIENT, append(number)).say(SERVER, stored(number)).say(CLIENT, set_up())
        often.say(SERVER, ready(number))
        unheard.say(CLIENT, append(number)).say(CLIENT, set_up()).say(SERVER, ready(number))
    once.say(CLIENT, append(1)).say(SERVER, stored(1)).say(CLIENT, set_up())

    assert [each[0] for each in often.found("PRV-P32")] == [18]
    assert once.found("PRV-P32") == []
    assert unheard.found("PRV-P32") == []


def test_bytes_of_a_block_that_was_not_sent() -> None:
    """P8b: an end that counts bytes, brings none, and follows no block."""
    for size, data, block, frames in (
        (len(EVENT), b"", b"", [(5,)]),
        (0, EVENT, b"", []),
        (len(EVENT), b"", framed(3, WRITER + EVENT), []),
    ):
        end = struct.pack(">ii", size, len(data)) + data + struct.pack(">iqq", 1, 1, 7)
        talk = writing().say(CLIENT, block + framed(4, WRITER + end))
        assert talk.found("PRV-P8b") == frames


def test_an_event_has_its_length() -> None:
    """P33b: the last one of an append has a length beyond the end."""
    for size, is_wrong in ((5, False), (64, True)):
        event = struct.pack(">ii", 0, size) + b"event"
        end = struct.pack(">ii", 0, len(event)) + event + struct.pack(">iqq", 1, 1, 7)
        found = writing().say(CLIENT, framed(4, WRITER + end)).found("PRV-P33b")
        assert bool(found) is is_wrong, size


def test_versions_are_in_order() -> None:
    """P61: the lowest one is not above the highest."""
    for low, high, frames in ((5, 16, []), (16, 5, [(1,)])):
        talk = Talk(greets=False).say(CLIENT, framed(-127, struct.pack(">ii", high, low)))
        assert talk.found("PRV-P61") == frames


def test_hello_is_said_once() -> None:
    """P62: not once more by the client."""
    assert Talk().say(CLIENT, hello()).found("PRV-P62") == [(3, 1)]
    assert Talk().found("PRV-P62") == []


def test_a_read_has_a_place_and_a_length() -> None:
    """P63: of at least one byte, from 0 on."""
    for offset, size, is_wrong in ((0, 10, False), (0, 0, True), (-1, 10, True)):
        body = SEGMENT + struct.pack(">qi", offset, size) + text("") + struct.pack(">q", 9)
        found = Talk().say(CLIENT, framed(9, body)).found("PRV-P63")
        assert bool(found) is is_wrong, (offset, size)


def test_a_page_of_a_table_has_a_size() -> None:
    """P63b: of keys, entries and changes."""
    for wanted, is_wrong in ((10, False), (0, True), (-1, True)):
        size = struct.pack(">i", wanted)
        for code, body in ((83, size + bytes(16)), (85, size + bytes(16)), (88, ids(0) + size)):
            asked = framed(code, ids(1) + SEGMENT + text("") + body)
            found = Talk().say(CLIENT, asked).found("PRV-P63b")
            assert bool(found) is is_wrong, (code, wanted)


def test_a_read_asks_for_what_a_store_returns() -> None:
    """P63c: not for 16 MiB and more."""
    for size, is_wrong in ((1 << 20, False), (1 << 30, True)):
        body = SEGMENT + struct.pack(">qi", 0, size) + text("") + struct.pack(">q", 9)
        assert bool(Talk().say(CLIENT, framed(9, body)).found("PRV-P63c")) is is_wrong, size


def table_key(data: bytes) -> bytes:
    """A key of a table."""
    return struct.pack(">ii", 12 + len(data), len(data)) + data + ids(-1)


def test_keys_and_values_of_a_table_have_limits() -> None:
    """P77: 8 KiB and 1016 KiB; P78 and P78b: no keys, no entries."""
    for key, value, is_wrong in ((8192, 9, False), (8193, 9, True), (9, 1 << 20, True)):
        more = struct.pack(">i", 1) + table_key(bytes(key))
        more += struct.pack(">ii", 4 + value, value) + bytes(value)
        asked = framed(74, ids(1) + SEGMENT + text("") + more + ids(-1))
        assert bool(Talk().say(CLIENT, asked).found("PRV-P77")) is is_wrong, (key, value)
    for rule, code, rest in (
        ("PRV-P78", 76, ids(-1)), ("PRV-P78", 78, b""), ("PRV-P78b", 74, ids(-1)),
    ):  # fmt: skip
        for count, is_wrong in ((0, True), (1, False)):
            one = table_key(b"k") + (struct.pack(">ii", 5, 1) + b"v" if code == 74 else b"")
            more = struct.pack(">i", count) + one * count + rest
            asked = framed(code, ids(1) + SEGMENT + text("") + more)
            assert bool(Talk().say(CLIENT, asked).found(rule)) is is_wrong, (code, count)


def test_a_token_is_for_the_stream_and_for_what_is_done() -> None:
    """P79: it names another stream; P79b: it allows reading, and the request writes."""
    for resources, wrong in (
        ({"prn::/scope:scope/stream:stream": "READ_UPDATE"}, set()),
        ({"*": "READ_UPDATE"}, set()),
        ({}, set()),
        ({"prn::/scope:scope/stream:other": "READ_UPDATE"}, {"PRV-P79"}),
        ({"other/stream": "READ_UPDATE"}, {"PRV-P79"}),
        ({"prn::/scope:scope/stream:stream": "READ"}, {"PRV-P79b"}),
        ({"scope/stream": "READ"}, {"PRV-P79b"}),
    ):
        claims = base64.urlsafe_b64encode(json.dumps(resources).encode()).decode().rstrip("=")
        body = ids() + WRITER + SEGMENT + text(f"eyJhbGci.{claims}.c")
        talk = Talk().say(CLIENT, framed(1, body))
        assert talk.rules() & {"PRV-P79", "PRV-P79b"} == wrong, resources
    assert shown_to_read("scope/stream") == []


def shown_to_read(resource: str) -> list[tuple[int, ...]]:
    """What P79 says of a read with a token that allows it."""
    claims = base64.urlsafe_b64encode(json.dumps({resource: "READ"}).encode()).decode().rstrip("=")
    token = text(f"eyJhbGci.{claims}.c")
    body = SEGMENT + struct.pack(">qi", 0, 10) + token + struct.pack(">q", 9)
    return Talk().say(CLIENT, framed(9, body)).found("PRV-P79")


def test_a_refusal_is_quoted() -> None:
    """P65: ERROR_MESSAGE; P66: what is not supported; P67: other refusals, of no internal table."""
    info = framed(11, ids(1) + SEGMENT + text(""))
    said = framed(61, ids(1) + SEGMENT + text("no room left") + struct.pack(">i", 0))
    unsupported = framed(57, ids(1) + text("mergeSegments") + text(""))
    gone = framed(53, ids(1) + SEGMENT + text("") + ids(0))
    hidden = text("_system/x/0")
    for asked, answer, rules in (
        (info, said, {"PRV-P65"}),
        (info, unsupported, {"PRV-P66"}),
        (info, gone, {"PRV-P67"}),
        (framed(11, ids(1) + hidden + text("")), framed(53, ids(1) + hidden + text("") + ids(0)),
         set()),
        (info, framed(12, ids(1) + SEGMENT + b"\1\0\0" + ids(0) * 3), set()),
    ):  # fmt: skip
        talk = Talk().say(CLIENT, asked).say(SERVER, answer)
        talk.engine.finish()
        talk.judge.finish()
        told = {each.rule: each.message for each in talk.judge.findings()}
        assert rules == told.keys() & {"PRV-P65", "PRV-P66", "PRV-P67"}, answer
        if "PRV-P65" in rules:
            assert told["PRV-P65"].endswith("no room left")


def test_a_refusal_shows_what_earned_it() -> None:
    """P67: the call or request that has deleted or sealed what another request is about."""
    stream = proto(_1="scope", _2="stream")
    info = framed(11, ids(1) + SEGMENT + text(""))
    gone = framed(53, ids(1) + SEGMENT + text("") + ids(0))
    for method, shown in (("deleteStream", (4, 5, 1)), ("sealStream", (4, 5))):
        talk = Talk(greets=False).call(method, stream, b"")
        talk.say(CLIENT, hello()).say(CLIENT, info).say(SERVER, gone)
        assert talk.found("PRV-P67") == [shown], method


def test_a_scaling_policy_has_a_rate() -> None:
    """P28b: if it scales by one."""
    for kind, rate, is_wrong in ((0, 0, False), (1, 100, False), (1, 0, True)):
        body = struct.pack(">q", 1) + SEGMENT + struct.pack(">ib", rate, kind) + text("")
        found = Talk().say(CLIENT, framed(32, body)).found("PRV-P28b")
        assert bool(found) is is_wrong, (kind, rate)
