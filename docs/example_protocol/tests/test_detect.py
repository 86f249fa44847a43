"""Detection: by frames in a row; one is enough on the protocol's port alone."""

from tally.detect import detect

from streamshark.framing.wire_format import Evidence, Level


def level(*commands: str, port: bool = False) -> Level:
    """Return how sure it is when these frames line up."""
    found = bool(commands)
    evidence = Evidence(
        b"", start=True, commands=commands, lined_up=found, open_head=False, port=port, framed=99
    )
    return detect(evidence).level


def test_frames_in_a_row_are_enough() -> None:
    """On any port two frames are likely, and one is not."""
    assert level() is Level.NONE
    assert level("add") is Level.WEAK
    assert level("add", port=True) is Level.LIKELY
    assert level("add", "add") is Level.LIKELY
    assert level("add", "add", port=True) is Level.SURE
