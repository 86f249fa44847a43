"""RSocket's rules: their words, and those that no recorded capture breaks."""

import re

from tests.failures import every
from tests.protocols.rsocket.traffic import Talk, framed, payload, resume, resume_ok, setup

from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.findings import RULES

CLIENT, SERVER = 0, 1
PING = framed(1, 0x04, 0, b"ping")
PONG = framed(1, 0x0A, 0x60, b"pong")


@every("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our families, words for all parts, a public source."""
    assert re.fullmatch(r"RSK-[BCDFKLMQRSW]\d+[b-h]?", rule.id)
    assert rule.title
    assert rule.message
    assert rule.source.startswith(("Protocol.md", "Extensions/"))


def test_a_connection_that_was_never_set_up_is_served() -> None:
    """C2: with an answer; not with an error."""
    served, refused = Talk(), Talk()
    for talk in (served, refused):
        talk.say(CLIENT, PING)
    served.say(SERVER, PONG)
    refused.say(SERVER, framed(0, 0x0B, 0, (1).to_bytes(4, "big") + b"no SETUP"))

    assert served.found("RSK-C2") == [(2, 1)]
    assert refused.found("RSK-C2") == []


def test_what_is_served_is_not_refused() -> None:
    """C20: by no error that refuses a SETUP; not by another one, nor before the first answer."""
    for code, is_wrong in ((1, True), (2, True), (3, True), (4, False), (0x101, False)):
        served, fresh = Talk(), Talk()
        for talk in (served, fresh):
            talk.say(CLIENT, setup())
            talk.say(CLIENT, PING)
        served.say(SERVER, PONG)
        for talk in (served, fresh):
            talk.say(SERVER, framed(0, 0x0B, 0, code.to_bytes(4, "big") + b"no"))

        assert served.found("RSK-C20") == ([(4, 3)] if is_wrong else []), code
        assert fresh.found("RSK-C20") == []


def test_metadata_comes_before_data() -> None:
    """F2: over the fragments of a request and of its answer; fragments without data are no data."""
    follows, meta = 0x80, 0x100
    for data, is_wrong in ((b"data", True), (b"", False)):
        talk = Talk()
        talk.say(CLIENT, setup())
        for side, kind in ((CLIENT, 0x04), (SERVER, 0x0A)):
            talk.say(side, framed(1, kind, follows | meta, payload(b"m", b"")))
            talk.say(side, framed(1, 0x0A, follows | 0x20, data))
            talk.say(side, framed(1, 0x0A, meta | 0x60, payload(b"m", b"")))
        found = [each for frames in talk.found("RSK-F2") for each in frames]

        assert sorted(found) == ([4, 7] if is_wrong else [])


def test_another_protocol() -> None:
    """C25: an upgrade to WebSocket on the port of TCP; not SETUP."""
    upgrade, right = Talk(), Talk()
    for talk, said in ((upgrade, b"GET /rsocket HTTP/1.1".ljust(5000)), (right, setup())):
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, said)

    assert upgrade.found("RSK-C25") == [(1,)]
    assert right.found("RSK-C25") == []


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


def test_a_burst_may_mix_ids_up() -> None:
    """S2c: an id that was not used, close to the last one and at once; else S2."""
    for first, second, wait, rule in (
        (7, 5, 0, "RSK-S2c"),
        (7, 5, 1_000_000_000, "RSK-S2"),
        (99, 5, 0, "RSK-S2"),
    ):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(first, 0x05, 0, b"news"))
        talk.now += wait - 1_000_000_000
        talk.say(CLIENT, framed(second, 0x05, 0, b"news"))

        named = {each.rule.id for each in talk.judge.open()}
        assert named & {"RSK-S2", "RSK-S2c"} == {rule}


def test_ids_wrap() -> None:
    """S2: a low id behind the last ones is the next round; behind others it was used before."""
    for last, found in ((0x7FFF_FFFF, []), (0x7FFF_FFFD, []), (0x7FFF_FFFB, [(3,), (4,)])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(last, 0x05, 0, b"news"))
        talk.say(CLIENT, framed(1, 0x05, 0, b"news"))
        talk.say(CLIENT, framed(3, 0x05, 0, b"news"))

        assert talk.found("RSK-S2") == found, last


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


def test_nothing_is_requested_of_a_channel() -> None:
    """S10: for longer than a responder may take; not within that time, nor once it has asked."""
    for seconds, granted, frames in ((1, False, []), (2, False, [(2,)]), (3, True, [])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(1, 0x07, 0, (9).to_bytes(4, "big") + b"first"))
        if granted:
            talk.say(SERVER, framed(1, 0x08, 0, (1).to_bytes(4, "big")))
        else:
            talk.now -= 1_000_000_000
            talk.say(SERVER, framed(0, 0x03, 0, bytes(8)))
        talk.now += (seconds - granted) * 1_000_000_000
        talk.close()
        talk.engine.finish()
        talk.judge.finish()
        found = [each.frames for each in talk.judge.findings() if each.rule == "RSK-S10"]
        assert found == frames, seconds


def test_a_channel_is_not_granted_more() -> None:
    """S19: two payloads of two that were requested; not where more may come."""
    for granted, frames in ((2, [(2,)]), (3, [])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(1, 0x07, 0, (9).to_bytes(4, "big") + b"first"))
        talk.say(SERVER, framed(1, 0x08, 0, granted.to_bytes(4, "big")))
        for _ in range(2):
            talk.say(CLIENT, framed(1, 0x0A, 0x20, b"item"))
        for _ in range(3):
            talk.say(CLIENT, framed(0, 0x03, 0, bytes(8)))
        talk.close()
        talk.engine.finish()
        talk.judge.finish()
        found = [each.frames for each in talk.judge.findings() if each.rule == "RSK-S19b"]
        assert found == frames
