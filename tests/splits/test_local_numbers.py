"""Numbers of one task are replaced wherever they were pickled, and no others."""

import pickle

from streamshark.splits.local_numbers import FlowNumber, FrameNumber, renumbered


def test_numbers_are_replaced() -> None:
    """In any structure; equal numbers of other kinds stay."""
    found = {FlowNumber(3): [FrameNumber(3), 3, ("3", FrameNumber(4))], 4: FlowNumber(4)}
    data = pickle.dumps(found)
    kept = pickle.loads(data)  # noqa: S301 - our own
    assert kept == found
    assert [type(each) for each in kept[3]] == [FrameNumber, int, tuple]
    again = renumbered(data, lambda n: n + 100, lambda n: n + 1000)
    assert again == {1003: [103, 3, ("3", 104)], 4: 1004}
