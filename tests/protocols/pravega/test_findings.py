"""Pravega's rules: each fires on what it is about, and stays silent beside it."""

import re
import struct
from pathlib import Path

import pytest
from tests.protocols.pravega.traffic import WRITER, Talk, framed, hello, record, text

from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.findings import RULES

CLIENT, SERVER = 0, 1
SEGMENT = text("scope/stream/0")
OTHER = bytes(16)
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


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our family, words for all parts, a public source."""
    assert re.fullmatch(r"PRV-P\d+", rule.id)
    assert rule.title
    assert rule.message
    assert rule.source.startswith("pravega")


def test_every_rule_is_tested_here() -> None:
    """By its id."""
    tested = set(re.findall(r'"(PRV-P\d+)"', Path(__file__).read_text(encoding="utf-8")))

    assert tested == {each.id for each in RULES}


def test_hello_is_first() -> None:
    """P1: another frame of the client; not a server's."""
    assert Talk(greets=False).say(CLIENT, set_up()).found("PRV-P1") == [(1,)]
    assert Talk(greets=False).say(CLIENT, hello()).say(SERVER, hello()).found("PRV-P1") == []


def test_versions_overlap() -> None:
    """P2: ranges apart; not those that touch."""
    apart = Talk(greets=False).say(CLIENT, hello(4, 1)).say(SERVER, hello(16, 5))
    touching = Talk(greets=False).say(CLIENT, hello(5, 1)).say(SERVER, hello(16, 5))

    assert apart.found("PRV-P2") == [(2, 1)]
    assert touching.found("PRV-P2") == []


def test_a_command_that_nobody_knows() -> None:
    """P4: between known ones."""
    odd = Talk().say(CLIENT, framed(6, b"what") + ALIVE + ALIVE + ALIVE)

    assert odd.found("PRV-P4") == [(3,)]
    assert Talk().say(CLIENT, ALIVE).found("PRV-P4") == []


def test_bytes_behind_the_last_member() -> None:
    """P5: eight more behind DATA_APPENDED; not its newest layout."""
    longer = framed(7, WRITER + struct.pack(">qqqq", 1, 0, 7, 100) + bytes(8)) + ALIVE

    assert writing().say(CLIENT, append(1)).say(SERVER, longer).found("PRV-P5") == [(7,)]
    assert writing().say(CLIENT, append(1)).say(SERVER, stored(1)).found("PRV-P5") == []


def test_an_append_of_a_writer_that_is_not_set_up() -> None:
    """P6: at once, or of another writer; not behind a set-up, answered or not."""
    early = Talk().say(CLIENT, set_up()).say(CLIENT, append(1))

    assert Talk().say(CLIENT, append(1)).found("PRV-P6") == [(3, 4)]
    assert writing().say(CLIENT, append(1, writer=OTHER)).found("PRV-P6") == [(5, 6)]
    assert early.found("PRV-P6") == []


def test_a_block_is_ended_at_once() -> None:
    """P7: a question in between; not behind the end, nor a sign of life."""
    block = framed(3, WRITER + EVENT)
    question = framed(11, ids(8) + SEGMENT + text(""))

    assert writing().say(CLIENT, block + question + end(1)).found("PRV-P7") == [(6, 5)]
    assert writing().say(CLIENT, block + end(1) + question).found("PRV-P7") == []
    assert writing().say(CLIENT, block + ALIVE + end(1)).found("PRV-P7") == []


def test_a_block_is_ended_by_its_writer() -> None:
    """P8: by another one; not where a writer ends without a block."""
    block = framed(3, WRITER + EVENT)
    alone = framed(4, OTHER + struct.pack(">iiiqq", 0, 0, 1, 1, 7))

    assert writing().say(CLIENT, block + end(1, writer=OTHER)).found("PRV-P8") == [(6, 5)]
    assert writing().say(CLIENT, block + end(1) + alone).found("PRV-P8") == []


def test_an_append_has_events() -> None:
    """P9: none are said; one is, of nothing."""
    nothing = framed(3, WRITER) + framed(4, WRITER + struct.pack(">iiiqq", 0, 0, 1, 1, 7))

    assert writing().say(CLIENT, append(1, count=0)).found("PRV-P9") == [(6,)]
    assert writing().say(CLIENT, nothing).found("PRV-P9") == []


def test_event_numbers_grow() -> None:
    """P10: back, or the same; not behind another set-up."""
    again = writing().say(CLIENT, append(5)).say(CLIENT, set_up()).say(SERVER, ready(5))

    assert writing().say(CLIENT, append(5)).say(CLIENT, append(4)).found("PRV-P10") == [(8, 6)]
    assert writing().say(CLIENT, append(5)).say(CLIENT, append(6)).found("PRV-P10") == []
    assert again.say(CLIENT, append(3)).found("PRV-P10") == []


def test_acknowledgements_follow_appends() -> None:
    """P12: of what was not sent, or back; not of what was."""
    assert writing().say(CLIENT, append(1)).say(SERVER, stored(2)).found("PRV-P12") == [(7,)]
    back = (
        writing().say(CLIENT, append(1) + append(2)).say(SERVER, stored(2)).say(SERVER, stored(1))
    )
    assert back.found("PRV-P12") == [(10,)]
    assert writing().say(CLIENT, append(1)).say(SERVER, stored(1)).found("PRV-P12") == []


def test_events_that_were_never_acknowledged() -> None:
    """P13: when the connection is closed; not where all are stored."""
    lost = writing().say(CLIENT, append(1)).event("close", CLIENT).event("close", SERVER)
    kept = writing().say(CLIENT, append(1)).say(SERVER, stored(1))

    assert lost.found("PRV-P13") == [(6,)]
    assert kept.event("close", CLIENT).event("close", SERVER).found("PRV-P13") == []


def test_a_set_up_is_answered() -> None:
    """P14: after a time; not when the connection ends at once, nor by an error."""
    for later, found in ((20, 1), (1, 0)):
        talk = Talk().say(CLIENT, set_up()).event("close", CLIENT, later).event("close", SERVER)
        assert len(talk.found("PRV-P14")) == found
    missing = framed(53, ids() + SEGMENT + text("") + struct.pack(">q", -1))
    refused = Talk().say(CLIENT, set_up()).say(SERVER, missing).event("close", CLIENT, 20)

    assert refused.event("close", SERVER).found("PRV-P14") == []


def test_a_read_behind_the_end() -> None:
    """P18: where the segment was read to its end; not before that."""

    def read(offset: int) -> bytes:
        return framed(9, SEGMENT + struct.pack(">qi", offset, 100) + text("") + ids())

    def got(offset: int, *, last: bool) -> bytes:
        body = SEGMENT + struct.pack(">q", offset) + bytes([last, last])
        return framed(10, body + struct.pack(">i", len(EVENT)) + EVENT + ids())

    behind = (
        Talk().say(CLIENT, read(0)).say(SERVER, got(0, last=True)).say(CLIENT, read(len(EVENT)))
    )
    before = Talk().say(CLIENT, read(0)).say(SERVER, got(0, last=True)).say(CLIENT, read(3))
    goes_on = Talk().say(CLIENT, read(0)).say(SERVER, got(0, last=False))

    assert behind.found("PRV-P18") == [(5, 4)]
    assert before.found("PRV-P18") == []
    assert goes_on.say(CLIENT, read(len(EVENT))).found("PRV-P18") == []


def test_an_append_to_a_segment_that_is_sealed() -> None:
    """P19: some time later; not what has crossed with the news, nor behind a new set-up."""
    late = writing().say(CLIENT, append(1)).say(SERVER, sealed()).say(CLIENT, append(2), 5)
    crossed = writing().say(CLIENT, append(1)).say(SERVER, sealed()).say(CLIENT, append(2))
    again = writing().say(CLIENT, append(1)).say(SERVER, sealed()).say(CLIENT, set_up(), 5)

    assert late.found("PRV-P19") == [(9, 7)]
    assert crossed.found("PRV-P19") == []
    assert again.say(CLIENT, append(2)).found("PRV-P19") == []


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


def test_an_event_number_behind_the_stored_one() -> None:
    """P31: as the server says; not where it stores."""
    behind = framed(55, WRITER + ids() + text("") + struct.pack(">q", 1))

    assert writing().say(CLIENT, append(1)).say(SERVER, behind).found("PRV-P31") == [(7, 6)]
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
