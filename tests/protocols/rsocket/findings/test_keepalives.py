"""Rules about KEEPALIVE."""

from tests.protocols.rsocket.traffic import Talk, framed, setup

CLIENT, SERVER = 0, 1
SECOND = 1_000_000_000
RESPOND = 0x80


def beat(position: int, data: bytes = b"", *, asks: bool = True) -> bytes:
    """A KEEPALIVE."""
    return framed(0, 0x03, RESPOND if asks else 0, position.to_bytes(8, "big") + data)


def test_an_answer_repeats_its_data() -> None:
    """K3: an answer to nothing; not one with the data of its request."""
    for data, frames in ((b"other", [(3,)]), (b"same", [])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, beat(0, b"same"))
        talk.say(SERVER, beat(0, data, asks=False))
        assert talk.found("RSK-K3") == frames


def test_positions_do_not_fall() -> None:
    """K5: in a session that can be resumed; K4 elsewhere."""
    for token, rules in ((b"t", ["RSK-K5"]), (None, ["RSK-K4"])):
        talk = Talk()
        talk.say(CLIENT, setup(token=token) if token else setup())
        talk.say(CLIENT, beat(9))
        talk.say(CLIENT, beat(8))
        found = {each.rule.id for each in talk.judge.open()}
        assert sorted(found & {"RSK-K4", "RSK-K5"}) == rules


def test_data_is_short() -> None:
    """K7: data that the peer returns."""
    for size, frames in ((16, []), (2000, [(2,)])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, beat(0, bytes(size)))
        assert talk.found("RSK-K7") == frames


def test_a_keepalive_comes_as_often_as_announced() -> None:
    """K8: three in a row come late; not two, nor some that come early in between."""
    for seconds, frames in (
        ((20, 35, 35, 35), 1),
        ((40, 41, 42, 43), 1),
        ((20, 35, 35, 20, 35, 35), 0),
        ((20, 21, 29, 29, 29), 0),
    ):
        talk = Talk()
        talk.say(CLIENT, setup())
        for each in seconds:
            talk.now += (each - 1) * SECOND
            talk.say(CLIENT, beat(0))
        assert len(talk.found("RSK-K8")) == frames, seconds


def test_an_answer_comes_in_time() -> None:
    """K9: after more than a second, of either side."""
    for asks, wait, count in ((CLIENT, 3, 1), (SERVER, 3, 1), (CLIENT, 0, 0)):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(asks, beat(0))
        talk.now += wait * SECOND - SECOND // 2
        talk.say(1 - asks, beat(0, asks=False))
        assert len(talk.found("RSK-K9")) == count, (asks, wait)


def test_a_slow_server_still_answers() -> None:
    """K2: after the last answer, or where a later KEEPALIVE was answered; not in between."""
    for answered, silent, frames in (
        ((), 2, [(3, 4)]),
        ((b"1",), 2, [(4,)]),
        ((b"1",), 0.1, []),
        ((b"2",), 0.1, [(3,)]),
        ((b"1", b"2"), 2, []),
    ):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(SERVER, SAID)
        for data in (b"1", b"2"):
            talk.say(CLIENT, beat(0, data))
        talk.now += 2 * SECOND
        for data in answered:
            talk.say(SERVER, beat(0, data, asks=False))
        talk.now -= SECOND
        talk.say(SERVER, SAID)
        talk.now += int(silent * SECOND)
        assert ended(talk, "RSK-K2") == frames, (answered, silent)


def test_a_peer_may_pause_for_less_than_the_lifetime() -> None:
    """K2: who says nothing at all for most of the lifetime of 90 s, or says something else."""
    for silent, says, frames in ((5, True, [(3,)]), (88, False, [(3,)]), (5, False, [])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(SERVER, SAID)
        talk.say(CLIENT, beat(0))
        if says:
            talk.say(SERVER, SAID)
        talk.now += silent * SECOND
        assert ended(talk, "RSK-K2") == frames, (silent, says)


def test_a_connection_without_further_packets_may_be_lost_from_the_capture() -> None:
    """K1: where the server still sends; not where nothing more comes, or a KEEPALIVE does."""
    for says, frames in ((None, []), (SERVER, [(1,)]), (CLIENT, [])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(SERVER, SAID)
        talk.now += 61 * SECOND
        if says is not None:
            talk.say(says, SAID if says == SERVER else beat(0))
        assert talk.found("RSK-K1") == frames, says


def test_a_connection_is_not_given_up_before_its_lifetime() -> None:
    """K10: for want of a KEEPALIVE, of either side; not after the lifetime, nor for another end."""
    for gives_up, silent, said, code, count in (
        (CLIENT, 3, b"No keep-alive acks for 3000 ms", 0x101, 1),
        (SERVER, 9, b"keepalive timeout", 0x101, 1),
        (CLIENT, 85, b"No keep-alive acks for 90000 ms", 0x101, 0),
        (CLIENT, 3, b"Disposed", 0x101, 0),
        (CLIENT, 3, b"No keep-alive acks for 3000 ms", 0x102, 0),
        (CLIENT, 0, b"No keep-alive acks for 3000 ms", 0x101, 0),
    ):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(1 - gives_up, SAID)
        talk.say(gives_up, beat(0))
        talk.now += silent * SECOND - SECOND // 2
        talk.say(gives_up, framed(0, 0x0B, 0, code.to_bytes(4, "big") + said))
        assert len(talk.found("RSK-K10")) == count, (gives_up, silent, said)


def test_each_keepalive_has_an_answer() -> None:
    """B164: not the last one, though its peer sends more; B164b: the same one before its answer."""
    for side in (CLIENT, SERVER):
        ask, answer = (side, beat(0, b"1")), (1 - side, beat(0, b"1", asks=False))
        again, other = (side, beat(0, b"2")), (1 - side, SAID)
        for frames, rules in (
            ((ask, other), {"RSK-B164"}),
            ((ask, answer, again, other), {"RSK-B164"}),
            ((ask, answer, other), set()),
            ((other, ask), set()),
            ((ask, ask, answer, answer), {"RSK-B164b"}),
            ((ask, again, answer), {"RSK-B164"}),
            ((ask, answer, ask, answer), set()),
        ):
            talk = Talk()
            talk.say(CLIENT, setup())
            talk.say(SERVER, SAID)
            for each in frames:
                talk.say(*each)
                talk.now -= SECOND - SECOND // 100
            talk.close()
            for row in talk.connection.finish():
                talk.engine.see(row)
            talk.engine.finish()
            found = {each.rule for each in talk.judge.findings()}
            assert found & {"RSK-B164", "RSK-B164b"} == rules, (side, frames)


SAID = framed(0, 0x0C, 0x100, b"hello")


def ended(talk: Talk, rule: str) -> list[tuple[int, ...]]:
    """The connection ends; the frames of the findings of a rule."""
    talk.close()
    for row in talk.connection.finish():
        talk.engine.see(row)
    talk.engine.finish()
    return [each.frames for each in talk.judge.findings() if each.rule == rule]
