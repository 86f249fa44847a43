"""Rules about leases."""

from tests.protocols.rsocket.traffic import Talk, framed, setup

CLIENT, SERVER = 0, 1
SECOND = 1_000_000_000


def leased(requests: int, budget: int = 2, wait: int = 0, code: int = 0) -> Talk:
    """A connection with a lease of some requests for ten seconds, and requests."""
    talk = Talk()
    begin = bytearray(setup())
    begin[8] |= 0x40
    talk.say(CLIENT, bytes(begin))
    lease = framed(0, 0x02, 0, b"\0\0\x27\x10" + budget.to_bytes(4, "big"))
    talk.say(SERVER, lease if budget else framed(0, 0x03, 0x80, bytes(8)))
    talk.now += wait
    for each in range(requests):
        talk.now -= SECOND
        talk.say(CLIENT, framed(2 * each + 1, 0x04, 0, b"ping"))
    if code:
        talk.say(SERVER, framed(2 * requests - 1, 0x0B, 0, code.to_bytes(4, "big") + b"no"))
    return talk


def test_a_lease_has_requests_and_an_end() -> None:
    """C10, L1, L2: a request before the lease, beyond it, after it; not within it."""
    assert leased(1, 0).found("RSK-C10") == [(3, 1)]
    assert leased(3).found("RSK-L1") == [(5, 2)]
    assert leased(1, wait=11 * SECOND).found("RSK-L2") == [(3, 2)]
    for rule in ("C10", "L1", "L2"):
        assert leased(2).found(f"RSK-{rule}") == []


def test_a_request_beyond_the_lease_is_rejected() -> None:
    """L3: by another code than REJECTED."""
    assert leased(3, code=0x201).found("RSK-L3") == [(6, 5)]
    assert leased(3, code=0x202).found("RSK-L3") == []


def granted(*leases: tuple[int, int]) -> Talk:
    """Leases of some requests, each for some milliseconds."""
    talk = Talk()
    begin = bytearray(setup())
    begin[8] |= 0x40
    talk.say(CLIENT, bytes(begin))
    for number, milliseconds in leases:
        body = milliseconds.to_bytes(4, "big") + number.to_bytes(4, "big")
        talk.say(SERVER, framed(0, 0x02, 0, body))
    return talk


def test_what_leases_allow() -> None:
    """L4: nothing, before any has allowed something; L5: a short time; L6: one request each."""
    for rule, leases, is_found in (
        ("L4", [(0, 10_000)], True),
        ("L4", [(5, 0)], True),
        ("L4", [(5, 10_000), (0, 0)], False),
        ("L5", [(5, 30)], True),
        ("L5", [(5, 30_000)], False),
        ("L9", [(5, 90_000_000)], True),
        ("L9", [(5, 80_000_000)], False),
        ("L5", [(0, 0)], False),
        ("L6", [(1, 10_000)] * 5, True),
        ("L6", [(1, 10_000)] * 4, False),
        ("L6", [(1, 10_000), (2, 10_000)] * 5, True),
    ):
        assert bool(granted(*leases).found(f"RSK-{rule}")) is is_found, (rule, leases)


def test_a_first_lease_of_nothing_that_is_followed_by_another() -> None:
    """L4: a note once a lease allows something, a warning if none does."""
    for leases, severity in (([(0, 9)], "warning"), ([(0, 9), (5, 9)], "note")):
        opened = granted(*leases).judge.open()
        told = {each.severity.value for each in opened if each.rule.id == "RSK-L4"}
        assert told == {severity}, leases


def renewed(count: int, *, used: int = 0, wait: int = 0, client: bool = False) -> Talk:
    """Leases of ten requests for a minute, of which some requests and some time are used."""
    talk = granted()
    side = CLIENT if client else SERVER
    for number in range(count):
        talk.say(side, framed(0, 0x02, 0, (60_000).to_bytes(4, "big") + (10).to_bytes(4, "big")))
        for each in range(used):
            talk.say(1 - side, framed(2 * (number * used + each) + 1 + client, 0x05, 0, b"ping"))
        talk.now += wait * SECOND
    return talk


def test_leases_that_replace_one_that_is_hardly_used() -> None:
    """L8: on both sides; not those that come when requests or time run out."""
    for talk, is_found in (
        (renewed(5), True),
        (renewed(5, used=1, client=True), True),
        (renewed(5, used=2), True),
        (renewed(4), False),
        (renewed(9, used=8), False),
        (renewed(9, wait=40), False),
        (granted(*[(0, 60_000)] * 9), False),
    ):
        assert bool(talk.found("RSK-L8")) is is_found


def test_a_request_within_its_lease_is_rejected() -> None:
    """L7: not one beyond it."""
    assert leased(2, code=0x202).found("RSK-L7") == [(5, 4, 2)]
    assert leased(3, code=0x202).found("RSK-L7") == []
    assert leased(2, code=0x201).found("RSK-L7") == []


def test_a_lease_is_renewed() -> None:
    """L10: used up, and none follows; not if requests are left, nor if another lease comes."""
    renews = framed(0, 0x02, 0, (10_000).to_bytes(4, "big") + (2).to_bytes(4, "big"))
    for name, talk, then, is_found in (
        ("used up", leased(2), b"", True),
        ("one of one", leased(1, budget=1), b"", True),
        ("some left", leased(2, budget=3), b"", False),
        ("used beyond", leased(3), b"", False),
        ("renewed", leased(2), renews, False),
    ):
        if then:
            talk.say(SERVER, then)
        talk.now += SECOND
        talk.say(CLIENT, framed(0, 0x03, 0x80, bytes(8)))
        talk.close()
        for row in talk.connection.finish():
            talk.engine.see(row)
        talk.engine.finish()
        talk.judge.finish()
        found = [each.frames[0] for each in talk.judge.findings() if each.rule == "RSK-L10"]
        assert bool(found) is is_found, name
