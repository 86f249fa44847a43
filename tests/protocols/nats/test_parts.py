"""The parts of programs that use NATS: each failure is named, near misses are not."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.failures import every
from tests.protocols.nats import (
    test_connection_rules,
    test_consumer_rules,
    test_content_rules,
    test_delivery_rules,
    test_exchange_rules,
    test_jetstream_behaviour_rules,
    test_liveness_rules,
    test_loop_rules,
    test_program_rules,
    test_publish_rules,
    test_reconnect_rules,
    test_refusal_rules,
    test_reply_rules,
    test_store_rules,
    test_stream_state_rules,
    test_subscription_rules,
    test_waste_rules,
)
from tests.protocols.nats.clients import Talks
from tests.protocols.nats.test_program_rules import (
    Program,
    acked_while,
    ends_after,
    ends_at,
    expired,
    info,
    pinged,
    pulled,
    refused,
    stored,
)
from tests.protocols.nats.traffic import CLIENT, MS, SECOND, SERVER, Script
from tests.protocols.program_probes import Probe, unprobed, wrong

from streamshark.protocols.nats import PROTOCOL

MODULES: Final = (
    test_connection_rules, test_consumer_rules, test_content_rules, test_delivery_rules,
    test_exchange_rules, test_jetstream_behaviour_rules, test_liveness_rules, test_loop_rules,
    test_program_rules,
    test_publish_rules, test_reconnect_rules, test_refusal_rules, test_reply_rules,
    test_store_rules, test_stream_state_rules, test_subscription_rules, test_waste_rules,
)  # fmt: skip


def unanswered(count: int, *, answers: bool = False) -> Script:
    """PINGs of the server."""
    talk = Script()
    for _ in range(count):
        talk.line(SERVER, "PING", wait=4 * SECOND)
        if answers:
            talk.line(CLIENT, "PONG")
    talk.line(CLIENT, "PUB events", "x", wait=4 * SECOND)
    return talk


def dropped(*, shut: bool) -> Script:
    """A server that ends a connection, perhaps soon after the client's window was closed."""
    talk = Script()
    talk.line(CLIENT, "SUB events 1")
    talk.msg("events", "x")
    if shut:
        talk.event(CLIENT, "zero_window")
    talk.now += 2 * SECOND
    talk.event(SERVER, "close")
    talk.event(CLIENT, "close")
    return talk


def late(*, closed: bool) -> Script:
    """Messages of a client, perhaps long after the server has closed."""
    talk = Script()
    talk.pub("events", "x")
    if closed:
        talk.event(SERVER, "close")
    for _ in range(3):
        talk.pub("events", "x", wait=2 * SECOND)
    return talk


def torn(*, whole: bool) -> Script:
    """Two messages, of which one may lie inside the other."""
    talk = Script()
    if whole:
        talk.pub("events", "0123456789")
        talk.pub("events", "x")
    else:
        talk.say(CLIENT, b"PUB events 10\r\n01234PUB events 1\r\nx\r\n56789\r\n")
    talk.pub("events", "y")
    return talk


def shut_out(count: int, text: str = "Authorization Violation") -> Program:
    """Connections that the server refuses."""

    def refuse(talk: Program, _number: int) -> None:
        talk.line(SERVER, f"-ERR '{text}'" if text else "PING")

    return ends_after(refuse, count, side=SERVER)


def left_open(*, answers: bool) -> Program:
    """Publishes whose connection ends before their acks, or after them."""
    talk = Program()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(5):
        if answers or each < 2:
            stored(talk, each)
        else:
            talk.pub("orders", "x", f"_INBOX.a.{each}")
    return talk.end()


OWN: Final[dict[tuple[str, str], Talks]] = {
    ("Thread that reads the connection", "stopped for a while"): lambda: (
        pinged(reply=False), pinged(reply=False, wait=500 * MS)),
    ("Thread that reads the connection", "blocked for good"): lambda: (
        unanswered(3), unanswered(3, answers=True)),
    ("Thread that reads the connection", "slow"): lambda: (dropped(shut=True), dropped(shut=False)),
    ("Thread that reads the connection", "fails at a kind of line"): lambda: (
        ends_after(info), ends_after(info, goes_on=True)),
    ("Thread that reads the connection", "takes a status for the end"): lambda: (
        ends_after(expired), ends_after(expired, 2), ends_after(stored)),
    ("Thread that reads the connection", "does not notice the end"): lambda: (
        late(closed=True), late(closed=False)),
    ("Thread that writes", "blocks the reader"): lambda: (
        pinged(reply=False, own=30, before=False), pinged(reply=False, own=30, wait=600 * MS)),
    ("Thread that writes", "without a lock"): lambda: (torn(whole=False), torn(whole=True)),
    ("Handler of requests", "fails at a request"): lambda: (
        ends_at("bad", "bad", reply=True), ends_at("bad", "worse", reply=True)),
    ("Loop that pulls", "ends at an error"): lambda: (
        pulled(8, status="409 Leadership Change"), pulled(8, status="409", seconds=1)),
    ("Handler of JetStream messages", "waits for ever"): lambda: (
        test_jetstream_behaviour_rules.in_progress(1, 2),
        test_jetstream_behaviour_rules.in_progress(1, 2, ends="+ACK")),
    ("Store of progress", "written blindly"): lambda: (
        test_stream_state_rules.guessed(2), test_stream_state_rules.guessed(3, reads=True)),
    ("Handler of JetStream messages", "swallows an error"): lambda: (
        acked_while(refused), acked_while(refused, word="-NAK")),
    ("Connections and reconnect loop", "busy"): lambda: (shut_out(4), shut_out(4, "")),
    ("Shutdown", "with publishes open"): lambda: (
        left_open(answers=False), left_open(answers=True)),
}  # fmt: skip
"""Part and failure, for those that the tests of one rule do not show."""


def _probes() -> Iterator[Probe]:
    """Yield a probe for each row: that of `OWN`, or the first case of its first rule."""
    cases: dict[str, Talks] = {}
    for module in MODULES:
        for rule, talks in module.CASES:
            cases.setdefault(f"NATS-{rule}", talks)
    for part in PROTOCOL.parts:
        for cell in part.cells:
            talks: Callable[[], tuple[Script, ...]] | None = OWN.get((part.object, cell.state))
            talks = talks or next((cases[each] for each in cell.rules if each in cases), None)
            if talks is not None:
                yield Probe(part.object, cell.state, talks)


PROBES: Final = tuple(_probes())


def found(talk: Script) -> set[str]:
    """Return the rules that a talk breaks."""
    return talk.rules()


@every("probe", PROBES, ids=lambda probe: probe[:2])
def test_failures_are_named(probe: Probe) -> None:
    """A rule of the row names the failure; near misses stay silent."""
    assert wrong(PROTOCOL, probe, found) == []


def test_every_row_has_a_probe() -> None:
    """No row is named by reasoning alone."""
    assert unprobed(PROTOCOL, PROBES) == []
