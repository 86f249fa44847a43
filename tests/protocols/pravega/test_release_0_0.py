"""The oldest dialect: what differs from later releases, and what does not."""

from tests.protocols.pravega.traffic import WIRE, framed, own_vectors, rows

from streamshark.protocols.pravega.framing import all_frames
from streamshark.protocols.pravega.release_0_0 import OLDEST, OTHERS, WITHOUT_REQUEST_ID, oldest
from streamshark.schema import FrameKind

FRAMES = all_frames()

NEWEST = [each for each in FRAMES if not each.dialect]


def test_it_has_no_request_ids() -> None:
    """In no frame of its own; what it shares has them at the end, or came later."""
    table = WIRE.table(OLDEST)
    own = {each.tree.schema.name for each in table.all if each.tree.schema.dialect == OLDEST}
    asked = {
        each.tree.schema.name: each.tree.schema.since
        for each in table.all
        if each.tree.schema.kind is not FrameKind.COMMAND and each.correlates == "request_id"
    }

    assert {each.name for each in (*oldest(NEWEST),)} == own
    assert set(asked).isdisjoint(own)
    assert {name for name, since in asked.items() if not since} == {
        "conditional_check_failed", "read_segment", "segment_read",
    }  # fmt: skip


def test_every_derived_frame_is_one_of_the_codes() -> None:
    """None is missing, none twice."""
    keys = [each.key for each in oldest(NEWEST)]

    assert sorted(keys) == sorted({*WITHOUT_REQUEST_ID, *(each.key for each in OTHERS)})


def test_its_frames_are_read_by_it_alone() -> None:
    """As frames of later releases they have problems, or other values."""
    for vector in own_vectors():
        if vector.facts.get("dialect") == OLDEST:
            [own], [other] = rows((0, vector.data), dialect=OLDEST), rows((0, vector.data))

            assert own.problems == []
            assert other.problems or other.values != own.values


def test_reads_did_not_change() -> None:
    """READ_SEGMENT without token and id is read as ever."""
    [row] = rows((0, framed(9, b"\0\x01s" + bytes(8) + b"\0\0\0\x10")), dialect=OLDEST)

    assert row.values == {"segment": "s", "offset": 0, "suggested_length": 16}
