"""Frames: every kind that the carrier hands over, read alike by all readers."""

import pytest
from tests.protocols.http2.traffic import Reader, call, connections
from tests.schema.reader_agreement import Layout, agree, broken

from streamshark.protocols.grpc.codes import Kind
from streamshark.protocols.grpc.framing import HEAD, all_frames

FRAMES = all_frames()


def test_every_kind_has_its_frame() -> None:
    """In the order of a call."""
    assert {each.name: int(each.key) for each in FRAMES} == {
        each.name.lower(): int(each) for each in Kind
    }


@pytest.mark.parametrize("sides", connections().values(), ids=connections())
def test_what_the_carrier_hands_over_is_read(sides: dict[str, object]) -> None:
    """Without a problem, whole and in parts."""
    reader = Reader()
    for side, sender in ((0, "client"), (1, "server")):
        reader.feed(side, sides[sender].data)  # type: ignore[attr-defined]
    layouts = {each.key: Layout.of_frame(each, HEAD, "grpc") for each in FRAMES}
    for each in reader.carried():
        assert agree(layouts[each.data[0]], each.data) is not None
    for each in reader.carried()[:3]:
        broken(layouts[each.data[0]], each.data, most=30)


def test_a_head_has_no_length() -> None:
    """The carrier gives it."""
    reader = Reader().feed(0, call()[0])

    assert HEAD.total is None
    assert {each.data[0] for each in reader.carried()} == {1, 3}
