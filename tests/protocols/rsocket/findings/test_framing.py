"""Rules about bytes that are no frames."""

from tests.protocols.rsocket.traffic import Talk, framed, setup

CLIENT, SERVER = 0, 1
PING = framed(1, 0x04, 0, b"ping")


def test_a_frame_that_cannot_be_read() -> None:
    """D1: a REQUEST_N without its number; not a whole one."""
    talk = Talk()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, 0x06, 0, (1).to_bytes(4, "big")))
    talk.say(CLIENT, framed(1, 0x08, 0, (1).to_bytes(4, "big")))
    assert talk.found("RSK-D1") == []

    talk.say(CLIENT, framed(1, 0x08, 0, b"\0\0"))
    assert talk.found("RSK-D1") == [(4,)]


def test_bytes_that_are_no_frames() -> None:
    """D2: where they are skipped; not where frames follow each other."""
    talk = Talk()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, PING)
    assert talk.found("RSK-D2") == []

    talk.say(CLIENT, bytes.fromhex("0000020000") * 8)
    for stream in (3, 5, 7, 9):
        talk.say(CLIENT, framed(stream, 0x04, 0, b"ping"))
    assert talk.found("RSK-D2") == [(2,)]
