"""Comments on packets of captures that are being read."""

from io import BytesIO

from tests.builders import Packet, enhanced, interface, option, section

from streamshark.capture import open_capture
from streamshark.capture.captured_comments import CapturedComments


def test_comments_of_packets_by_file_and_number() -> None:
    """Comments are known by file and packet number once the packet is read."""
    packets = [
        enhanced(Packet(0, b"x", 1), options=option(1, text)) for text in (b"first", b"", b"third")
    ]
    twice = enhanced(Packet(0, b"x", 1), options=option(1, b"one") + option(1, b"two"))
    data = section(options=option(1, b"of the section")) + interface() + b"".join(packets) + twice
    captures = [open_capture(BytesIO(data), number) for number in range(2)]
    known = CapturedComments(captures)
    assert known.of((0, 1)) == ()
    for _ in captures[0].batches():
        pass
    assert [list(known.of((0, number))) for number in range(1, 6)] == [
        ["first"], [""], ["third"], ["one", "two"], []
    ]  # fmt: skip
    assert known.of((1, 1)) == ()
