"""Agreements: the version that both sides speak."""

from tests.protocols.pravega.traffic import WIRE, framed, hello, rows

from streamshark.protocols.pravega.negotiated import AGREEMENTS


def test_agreements_stand_in_frames_that_turn() -> None:
    """In fields that they have."""
    for each in AGREEMENTS:
        tree = WIRE.table().named(each.command).tree

        assert tree.schema.negotiates
        assert tree.find(each.path).doc


def test_the_older_side_decides() -> None:
    """Whichever says HELLO first; until the second one the first has said it."""
    alive = framed(100)

    assert [each.version for each in rows((0, hello(8)), (1, hello(16)), (0, alive))] == [8, 8, 8]
    assert [each.version for each in rows((0, hello(16)), (1, hello(8)), (0, alive))] == [16, 8, 8]
    assert [each.version for each in rows((1, hello(9)), (0, hello(15)), (1, alive))] == [9, 9, 9]


def test_without_hello_nothing_is_known() -> None:
    """As before release 0.1."""
    assert [each.version for each in rows((0, framed(100)))] == [None]
