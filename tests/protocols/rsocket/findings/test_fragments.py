"""Rules about fragments."""

from tests.protocols.rsocket.traffic import Talk, framed, payload, setup

CLIENT, SERVER = 0, 1


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
