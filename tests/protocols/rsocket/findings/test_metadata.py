"""Rules about metadata."""

from tests.protocols.rsocket.traffic import Talk, framed, setup

CLIENT = 0
PUSH, LEASE, METADATA = 0x0C, 0x02, 0x100


def test_a_push_has_no_length() -> None:
    """M5: metadata that repeats its length; M6: without its flag; M1: a length beyond the end."""
    for flags, data, rules in (
        (METADATA, b"news", []),
        (METADATA, b"\0\0\4news", ["RSK-M5"]),
        (0, b"news", ["RSK-M6"]),
    ):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(0, PUSH, flags, data))
        found = {each.rule.id for each in talk.judge.open()}
        assert sorted(found & {"RSK-M5", "RSK-M6"}) == rules


def test_a_length_beyond_the_end() -> None:
    """M1: of the metadata of a request."""
    talk = Talk()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, 0x04, METADATA, b"\0\0\x09route"))
    assert talk.found("RSK-M1") == [(2,)]
