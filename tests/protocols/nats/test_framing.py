"""Framing: keys, heads and limits; `tests/protocols/test_vectors.py` holds the frames' bytes."""

import pytest
from tests.protocols.nats.traffic import (
    CLIENT_CONNECT,
    SERVER_INFO,
    rows,
    said,
)

from streamshark.dissection.row import EventRow
from streamshark.protocols.nats.codes import SIZED, VERBS
from streamshark.protocols.nats.framing import (
    HEAD,
    LONGEST_LINE,
    MARKS,
    UPGRADES,
    all_frames,
)
from streamshark.schema.walk import walk

FRAMES = all_frames()


def test_every_verb_has_a_command() -> None:
    """And each with a payload is sized."""
    keys = {frame.key for frame in FRAMES}
    sized = {
        frame.key
        for frame in FRAMES
        if any("total_size" in node.path or "size" in node.path
               for node in walk(frame, HEAD, "x").nodes)
    }  # fmt: skip

    assert keys == set(VERBS.values())
    assert sized == {VERBS[verb] for verb in SIZED}


def test_payloads_may_hold_anything() -> None:
    """Bytes are counted, so verbs and line ends inside a payload are payload."""
    inside = b"PING\r\nPUB a 1\r\nx\r\n"
    data = b"pub\t a.b   %d\r\n%s\r\nPING\r\n" % (len(inside), inside)

    found = rows((1, SERVER_INFO), (0, CLIENT_CONNECT + data))

    assert [each.command for each in found] == ["info", "connect", "pub", "ping"]
    assert found[2].values == {"subject": "a.b", "payload": inside}
    assert not any(each.problems for each in found)


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_stream_joined_in_the_middle_finds_its_feet(cut: int) -> None:
    """The first verb at the start of a line that is followed by another one."""
    lines = (
        b"PUB a.b 12\r\nhello\r\nworld\r\nSUB c 1\r\nHPUB d 12 14\r\nNATS/1.0\r\n\r\nhi\r\nPING\r\n"
    )
    gap = b"PUB first 70\r\n" + b"x" * 70 + b"\r\n"

    found = said((0, CLIENT_CONNECT), (1, b""), (0, gap[cut:] + lines * 2))

    commands = [each.command for each in found if not isinstance(each, EventRow)]
    assert commands[-4:] == ["pub", "sub", "hpub", "ping"]
    assert commands.count("hpub") == 2


def test_a_wrong_count_is_one_frame_and_not_the_rest() -> None:
    """nats.node issue 6: characters were counted in place of bytes."""
    data = "PUB a 5\r\nhällö\r\nPUB b 2\r\nhi\r\nPING\r\n".encode()

    found = said((1, SERVER_INFO), (0, CLIENT_CONNECT + data))

    assert [getattr(each, "command", None) or each.name for each in found] == [
        "info", "connect", "pub", "resync", "pub", "ping",
    ]  # fmt: skip
    assert [each.code.word for each in found[2].problems] == ["literal"]


@pytest.mark.parametrize("start", list(UPGRADES))
def test_what_follows_an_upgrade_is_named(start: bytes) -> None:
    """TLS or S2 after INFO is skipped with a reason and no problem."""
    found = said((1, SERVER_INFO), (0, start + bytes(300)), (1, start + bytes(400)))

    events = [each for each in found if isinstance(each, EventRow)]
    assert [each.fields["skipped"] for each in events] == [300 + len(start), 400 + len(start)]
    assert all(UPGRADES[start] in str(each.fields["reason"]) for each in events)
    assert not any(each.problems for each in found)


def test_marks_match_verbs_at_the_start_of_lines() -> None:
    """And nowhere else."""
    data = b"PING\r\nxPUB a 1\r\nPUB a 1\r\na\r\n+OK\r\n-ERR 'x'\r\nrs+ $G a\r\nPUBX a\r\n"

    found = [data[each.start() :].split(b"\r")[0] for each in MARKS.finditer(data)]

    assert found == [b"PING", b"PUB a 1", b"+OK", b"-ERR 'x'", b"rs+ $G a"]


def test_a_line_without_end_is_no_frame() -> None:
    """Memory is bounded by the longest line."""
    found = said((1, SERVER_INFO), (0, CLIENT_CONNECT + b"PUB " + b"a" * (LONGEST_LINE + 1)))

    assert [type(each).__name__ for each in found] == ["FrameRow", "FrameRow", "EventRow"]
