"""Frames: the readers agree on every vector and on what is left of it when it is broken."""

import pytest
from tests.failures import every
from tests.protocols.nats.traffic import (
    CLIENT_CONNECT,
    SERVER_INFO,
    WIRE,
    layout_of,
    own_vectors,
    peers_vectors,
    rows,
    said,
)
from tests.schema.reader_agreement import Layout, Vector, agree, broken, whole
from tests.schema.shapes.nats import canonical

from streamshark.dissection.row import EventRow
from streamshark.protocols.nats.codes import SIZED, VERBS
from streamshark.protocols.nats.framing import (
    HEAD,
    HEADS,
    LONGEST_LINE,
    MARKS,
    UPGRADES,
    all_frames,
)
from streamshark.schema import FrameSchema
from streamshark.schema.random_frames import samples
from streamshark.schema.walk import walk

FRAMES = all_frames()

DRAWN = 60
"""Frames drawn of each command and dialect."""
VECTORS = [*own_vectors(), *peers_vectors()]


def name(of: Vector | FrameSchema) -> str:
    """How a test is called."""
    return of.name if isinstance(of, Vector) else f"{of.name}-{of.dialect or 'client'}"


@every("vector", VECTORS, ids=name)
def test_readers_agree_on_vectors(vector: Vector) -> None:
    """Values are those that the vector says, and build the same bytes."""
    layout = layout_of(vector)

    whole(layout, vector.data, vector.expect, canonical=canonical(vector.data))
    broken(layout, vector.data, most=40)


@every("schema", FRAMES, ids=name)
def test_every_frame_has_a_vector(schema: FrameSchema) -> None:
    """Every frame of every dialect is proved by bytes."""
    assert id(schema) in {id(layout_of(each).tree.schema) for each in VECTORS}


@every("schema", FRAMES, ids=name)
def test_what_one_line_shows_is_there(schema: FrameSchema) -> None:
    """The paths of `shows` are fields."""
    tree = walk(schema, HEADS[schema.dialect], WIRE.short)

    for path in schema.shows.values():
        assert tree.find(path).doc


@every("schema", FRAMES, ids=name)
def test_drawn_frames_are_read_as_they_were_built(schema: FrameSchema) -> None:
    """Any value that the schema allows comes back."""
    layout = Layout.of_frame(schema, HEADS[schema.dialect], WIRE.short)

    for drawn in samples(layout.tree, DRAWN):
        if drawn.get("reply_to") in ("+", "|"):
            continue  # such a token is a mark
        values = agree(layout, layout.build(drawn))
        assert values is not None
        assert drawn.items() <= values.items()


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
    """TLS behind INFO, S2 behind INFO: skipped with a reason, and no problem."""
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
