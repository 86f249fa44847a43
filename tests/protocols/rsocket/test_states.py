"""The table of states names the rules that the tables of states have."""

from streamshark.protocols.rsocket import PROTOCOL


def test_each_object_has_states() -> None:
    """Each object is there once, with rows."""
    objects = [each.object for each in PROTOCOL.states]

    assert len(set(objects)) == len(objects) > 5
    assert all(each.cells for each in PROTOCOL.states)
