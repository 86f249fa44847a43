"""Rules about streams that no recorded capture breaks."""

from tests.protocols.rsocket.traffic import Talk, framed, setup

CLIENT, SERVER = 0, 1


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


def test_the_last_id_of_either_side() -> None:
    """B242: no id is left for the next request; the last but one leaves one."""
    for side, last, named in ((0, 0x7FFF_FFFF, 1), (1, 0x7FFF_FFFE, 1), (0, 0x7FFF_FFFD, 0)):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(side, framed(last, 0x04, 0, b"news"))

        assert len(talk.found("RSK-B242")) == named, last


def test_ids_wrap() -> None:
    """S2: a low id after the last ones is the next round; after others it was used before."""
    for last, found in ((0x7FFF_FFFF, []), (0x7FFF_FFFD, []), (0x7FFF_FFFB, [(3, 2, 4)])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(last, 0x05, 0, b"news"))
        talk.say(CLIENT, framed(1, 0x05, 0, b"news"))
        talk.say(CLIENT, framed(3, 0x05, 0, b"news"))

        assert talk.found("RSK-S2") == found, last


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


def test_demand_is_used_up_until_cancel() -> None:
    """S19c: for longer than a subscriber waits; not soon after, nor where more is requested."""
    for seconds, requested, frames in ((12, 2, [(4, 5, 2)]), (4, 2, []), (12, 3, [])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(1, 0x06, 0, requested.to_bytes(4, "big") + b"prices"))
        for _ in range(2):
            talk.say(SERVER, framed(1, 0x0A, 0x20, b"item"))
        talk.now += seconds * 1_000_000_000
        talk.say(CLIENT, framed(1, 0x09, 0))

        assert talk.found("RSK-S19c") == frames, seconds


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
