"""Client randoms are found wherever a ClientHello begins a segment."""

from streamshark.flows import Segment
from streamshark.flows.client_hello import MOST_FLOWS, MOST_PER_FLOW, ClientRandoms

RANDOM = bytes(range(32))
HELLO = b"\x16\x03\x01\x00\x80\x01\x00\x00\x7c\x03\x03" + RANDOM + bytes(90)


def segment(data: bytes, flow: int = 0, side: int = 0) -> Segment:
    """A segment."""
    return Segment(flow, side, 0, data, 1, 1, 0, 0, 0, 0, 16, is_payload=True)


def test_a_hello_in_any_pieces() -> None:
    """After a beginning in the clear, too."""
    for size in (1, 5, 42, 43, 200):
        randoms = ClientRandoms()
        randoms.take([segment(b"INFO {}\r\n", side=1)])
        for at in range(0, len(HELLO), size):
            randoms.take([segment(HELLO[at : at + size])])
        assert randoms.of([0, 1]) == {RANDOM}, size


def test_what_is_no_hello() -> None:
    """Application data, and what only begins like a ClientHello."""
    randoms = ClientRandoms()
    for data in (b"\x17\x03\x03\x00\x20" + bytes(50), b"\x16", b"GET / HTTP/1.1\r\n" + bytes(50)):
        randoms.take([segment(data)])

    assert randoms.of([0]) == frozenset()


def test_limits() -> None:
    """So many connections, so many of one."""
    randoms = ClientRandoms()
    for at in range(MOST_PER_FLOW + 3):
        randoms.take([segment(HELLO[:11] + bytes([at]) * 32)])
    assert len(randoms.of([0])) == MOST_PER_FLOW
    randoms.take([segment(HELLO, flow) for flow in range(1, MOST_FLOWS + 2)])
    assert randoms.of([0, 1]) == frozenset()
    assert randoms.of([2]) == {RANDOM}
