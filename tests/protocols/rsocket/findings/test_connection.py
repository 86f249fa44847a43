"""Rules about the connection that no recorded capture breaks."""

from tests.protocols.rsocket.script import SECOND, Script
from tests.protocols.rsocket.traffic import Talk, framed, resume, resume_ok, setup

CLIENT, SERVER = 0, 1
PING = framed(1, 0x04, 0, b"ping")
PONG = framed(1, 0x0A, 0x60, b"pong")
REJECTED = framed(0, 0x0B, 0, (3).to_bytes(4, "big") + b"token expired")


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


def test_another_protocol() -> None:
    """C25: an upgrade to WebSocket on the port of TCP; not SETUP."""
    upgrade, right = Talk(), Talk()
    for talk, said in ((upgrade, b"GET /rsocket HTTP/1.1".ljust(5000)), (right, setup())):
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, said)

    assert upgrade.found("RSK-C25") == [(1,)]
    assert right.found("RSK-C25") == []


def test_a_resumption_is_answered_by_servers() -> None:
    """C3b: RESUME_OK by the client, or without RESUME; not the answer to one."""
    for first, side, frames in (
        (setup(), CLIENT, [(2,)]),
        (setup(), SERVER, [(2,)]),
        (resume(b"t"), SERVER, []),
    ):
        talk = Talk()
        talk.say(CLIENT, first)
        talk.say(side, resume_ok(0))
        assert talk.found("RSK-C3b") == frames


def test_mime_types_are_known() -> None:
    """C33: of the form type/subtype, and none that is nearly one of RSocket."""
    for name, is_wrong in (
        ("application/vnd.shop.order+json", False),
        ("message/x.rsocket.composite-metadata.v0", False),
        ("message/x.rsocket.authentication.bearer.v0", False),
        ("json", True),
        ("", True),
        ("message/x.rsocket.composite-metadata", True),
        ("message.x.rsocket.routing.v0", True),
    ):
        talk = Talk()
        talk.say(CLIENT, setup(metadata=name))
        assert bool(talk.found("RSK-C33")) is is_wrong, name


def test_long_lifetimes() -> None:
    """C7c: above ten minutes."""
    for lifetime, is_wrong in ((90_000, False), (90_000_000, True)):
        talk = Talk()
        talk.say(CLIENT, setup().replace(b"\0\x01\x5f\x90", lifetime.to_bytes(4, "big")))
        assert bool(talk.found("RSK-C7c")) is is_wrong


def test_lifetimes_of_one_interval() -> None:
    """C7b: the lifetime is shorter than the interval of 20 s; C7d: it is as long."""
    for lifetime, rules in ((19_999, ["C7b"]), (20_000, ["C7d"]), (60_000, [])):
        talk = Talk()
        talk.say(CLIENT, setup().replace(b"\0\x01\x5f\x90", lifetime.to_bytes(4, "big")))
        assert [name for name in ("C7b", "C7d") if talk.found(f"RSK-{name}")] == rules, lifetime


def test_an_ended_connection_is_not_used() -> None:
    """C34: after the server's ERROR on stream 0; not at once, nor after CONNECTION_CLOSE."""
    for code, wait, frames in ((0x101, 1, [(3, 2)]), (0x101, 0, []), (0x102, 1, [])):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(SERVER, framed(0, 0x0B, 0, code.to_bytes(4, "big") + b"over"))
        talk.now -= 0 if wait else 1_000_000_000
        talk.say(CLIENT, PING)
        assert talk.found("RSK-C34") == frames, (code, wait)


def test_a_client_that_is_rejected_once_and_then_served() -> None:
    """C22b: a note once the client's next SETUP is served; an error if it is refused or absent."""
    for later, severity in ((PONG, "note"), (b"", "error"), (REJECTED, "error")):
        talk = Script()
        talk.say(CLIENT, setup())
        talk.say(SERVER, REJECTED)
        talk.another()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, PING)
        if later:
            talk.say(SERVER, later)
        found = {each.severity for each in talk.judge.open() if each.rule.id == "RSK-C22b"}
        assert {each.value for each in found} == {severity}, later


def test_a_client_that_asks_for_less_once_it_is_refused() -> None:
    """C22c, C8: a note once the client's next SETUP is served; an error if it is refused."""
    refused = framed(0, 0x0B, 0, (2).to_bytes(4, "big") + b"no")
    for later, severity in ((PONG, "note"), (b"", "error"), (refused, "error")):
        talk = Script()
        talk.say(CLIENT, setup())
        talk.say(SERVER, refused)
        talk.another()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, PING)
        if later:
            talk.say(SERVER, later)
        found = {each.severity for each in talk.judge.open() if each.rule.id == "RSK-C22c"}
        assert {each.value for each in found} == {severity}, later


def test_a_server_closes_after_the_lifetime_without_keepalive() -> None:
    """C24b: the client sends other frames alone; not with KEEPALIVE, nor long before or after."""
    for beats, seconds, found in (
        ((), 91, True),
        ((20,), 111, True),
        ((), 60, False),
        ((), 200, False),
        ((20, 40, 60, 80), 91, False),
    ):
        talk = Script()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, PING)
        talk.say(SERVER, PONG)
        for second in range(1, seconds):
            beat = second in beats
            frame = framed(0, 0x03, 0x80, bytes(8)) if beat else framed(2 * second + 1, 0x05, 0)
            talk.say(CLIENT, frame, SECOND)
        talk.event(SERVER, "close")
        assert bool(talk.ends("RSK-C24b")) is found, (beats, seconds)
