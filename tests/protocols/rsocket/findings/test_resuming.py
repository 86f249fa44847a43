"""Rules about resumption."""

from tests.protocols.rsocket.traffic import Talk, framed, resume, resume_ok, setup

CLIENT, SERVER = 0, 1


ASK = framed(1, 0x06, 0, (9).to_bytes(4, "big") + b"list")


ASKED = len(ASK) - 3
"""Bytes of it that positions count."""


def resumed(received: int = 0, answered: int = ASKED, *, lease: bool = False) -> Talk:
    """A stream with one payload of 10 bytes, and its session resumed at these positions."""
    talk = Talk()
    begin = bytearray(setup(token=b"token"))
    if lease:
        begin[8] |= 0x40
    talk.say(CLIENT, bytes(begin))
    if lease:
        talk.say(SERVER, framed(0, 0x02, 0, b"\0\0\x27\x10\0\0\0\7"))
    talk.say(CLIENT, ASK)
    talk.say(SERVER, framed(1, 0x0A, 0x20, b"item"))
    talk.close()
    talk.connect()
    talk.say(CLIENT, resume(b"token", received))
    talk.say(SERVER, resume_ok(answered))
    return talk


def test_positions_are_between_frames() -> None:
    """R9: of either side; not where a frame ends, nor at 0 on either."""
    for received in (0, 10):
        assert resumed(received).found("RSK-R9") == []
    assert resumed(7).found("RSK-R9") == [(4, 1)]
    assert resumed(10, ASKED - 1).found("RSK-R9") == [(5, 4)]
    assert resumed(10, 0).found("RSK-R9") == []


def test_leases_are_given_again() -> None:
    """R10: before the first request on the resumed connection; not where it comes first."""
    early, late = resumed(10, lease=True), resumed(10, lease=True)
    late.say(SERVER, framed(0, 0x02, 0, b"\0\0\x27\x10\0\0\0\7"))
    for talk in (early, late):
        talk.say(CLIENT, framed(3, 0x04, 0, b"ping"))

    assert early.found("RSK-R10") == [(7, 5)]
    assert late.found("RSK-R10") == []
    assert early.found("RSK-C10") == []


def test_what_is_said_again_is_no_fault() -> None:
    """S8 and S3: payloads and a request that did not arrive, after RESUME; new ones count."""
    again = resumed(0, 0)
    again.say(CLIENT, ASK)
    for _ in range(10):
        again.say(SERVER, framed(1, 0x0A, 0x20, b"item"))
    assert (again.found("RSK-S8"), again.found("RSK-S3")) == ([], [])

    sure = resumed(10)
    for _ in range(8):
        sure.say(SERVER, framed(1, 0x0A, 0x20, b"item"))
    assert sure.found("RSK-S8") == []
    sure.say(SERVER, framed(1, 0x0A, 0x20, b"item"))
    assert sure.found("RSK-S8") == [(14, 2)]


def test_what_is_acknowledged_was_received() -> None:
    """R13: RESUME at a position before that of an earlier KEEPALIVE."""
    for position, frames in ((7, [(5, 1)]), (10, [])):
        talk = Talk()
        talk.say(CLIENT, setup(token=b"token"))
        talk.say(CLIENT, ASK)
        talk.say(SERVER, framed(1, 0x0A, 0x20, b"item"))
        talk.say(CLIENT, framed(0, 0x03, 0x80, (10).to_bytes(8, "big")))
        talk.close()
        talk.connect()
        talk.say(CLIENT, resume(b"token", position))
        assert talk.found("RSK-R13") == frames, position


def test_what_was_acted_upon_was_received() -> None:
    """R13b: RESUME below what the client has heard long ago; R13 where it has said so itself."""
    for position, later, rules in (
        (0, True, {"RSK-R13b"}),
        (10, True, set()),
        (0, False, set()),
    ):
        talk = Talk()
        talk.say(CLIENT, setup(token=b"token"))
        talk.say(CLIENT, ASK)
        talk.say(SERVER, framed(1, 0x0A, 0x20, b"item"))
        if later:
            talk.say(CLIENT, framed(1, 0x08, 0, (9).to_bytes(4, "big")))
        talk.close()
        talk.connect()
        talk.say(CLIENT, resume(b"token", position))
        found = {each.rule.id for each in talk.judge.open()}
        assert found & {"RSK-R13", "RSK-R13b"} == rules, (position, later)


def test_what_was_answered_was_received() -> None:
    """R15: RESUME_OK below a request that has an answer; not below one that has none."""
    assert resumed(10, 0).found("RSK-R15") == [(5, 2)]
    assert resumed(10).found("RSK-R15") == []
    for answer, frames in ((b"", []), (framed(1, 0x0B, 0, b"\0\0\2\1no"), [(5, 2)])):
        talk = Talk()
        talk.say(CLIENT, setup(token=b"token"))
        talk.say(CLIENT, ASK)
        talk.say(SERVER, answer or framed(0, 0x03, 0x80, bytes(8)))
        talk.close()
        talk.connect()
        talk.say(CLIENT, resume(b"token"))
        talk.say(SERVER, resume_ok(0))
        assert talk.found("RSK-R15") == frames


def test_a_session_is_resumed_once() -> None:
    """B162: RESUME_OK twice; not once on each connection."""
    for position in (0, ASKED):
        talk = resumed(10, position)
        assert talk.found("RSK-B162") == []
        talk.say(SERVER, resume_ok(position))
        assert talk.found("RSK-B162") == [(6, 5)]


def test_positions_are_not_beyond_what_was_sent() -> None:
    """B163: by a few bytes, of either side; not at the end of a frame, nor far beyond (R8)."""
    for received, answered, frames in (
        (11, ASKED, [(4, 1)]),
        (13, ASKED, [(4, 1)]),
        (10, ASKED, []),
        (99, ASKED, []),
        (10, ASKED + 1, [(5, 4)]),
        (10, ASKED + 3, [(5, 4)]),
        (10, ASKED - 1, []),
        (10, 0, []),
    ):
        assert resumed(received, answered).found("RSK-B163") == frames, (received, answered)


def test_what_can_be_sent_again_begins_with_a_frame() -> None:
    """B165: another position than the end of a frame of the client; 0 is the first one."""
    for first, frames in ((ASKED, []), (0, []), (ASKED - 1, [(4, 1)]), (ASKED + 9, [(4, 1)])):
        talk = Talk()
        talk.say(CLIENT, setup(token=b"token"))
        talk.say(CLIENT, ASK)
        talk.say(SERVER, framed(1, 0x0A, 0x20, b"item"))
        talk.close()
        talk.connect()
        talk.say(CLIENT, resume(b"token", 10, first))
        assert talk.found("RSK-B165") == frames, first
