"""Messages between processes."""

from multiprocessing import Pipe

from streamshark.parallel.messages import RELEASE, TEXT, Others, opened, send


def test_messages_come_as_they_are_sent() -> None:
    """Numbers of any size, text with lone surrogates, and nothing but plain values."""
    here, there = Pipe()
    send(here, TEXT, ["a\udcff", ""], 1 << 70)
    send(here, RELEASE, [1, 0], [tuple(Others(0, 1, 2, 3))], None)

    assert opened(there.recv_bytes()) == (TEXT, ["a\udcff", ""], 1 << 70)
    assert opened(there.recv_bytes()) == (RELEASE, [1, 0], [(0, 1, 2, 3)], None)
