"""Rules about the connection that no recorded capture breaks."""

from tests.protocols.rsocket.traffic import Talk, framed, setup

CLIENT, SERVER = 0, 1
PING = framed(1, 0x04, 0, b"ping")
PONG = framed(1, 0x0A, 0x60, b"pong")


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
