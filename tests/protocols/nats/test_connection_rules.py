"""Rules for connections of NATS: small packets, verbose mode, an unsigned nonce."""

from tests.failures import every
from tests.protocols.nats.clients import Talks, names_the_fault_alone
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, SERVER, Script

from streamshark.protocols.nats.connection_rules import CONNECTIONS


def in_parts(count: int, *, parts: int = 2) -> Script:
    """Messages whose payload comes in a packet of its own."""
    talk = Script()
    for number in range(count):
        lines = ([b"PUB orders 1\r", b"\nx\r\n"], [b"PUB orders 1\r\nx\r\n"])[parts == 1]
        for each in lines:
            talk.part(CLIENT, each, packet=10 * number + len(each))
    talk.close()
    return talk


def verbose(count: int, *, asked_for: bool = True) -> Script:
    """Messages that are answered by +OK."""
    talk = Script(connect=CLIENT_CONNECT.replace(b'"verbose":false', b'"verbose":true')
                  if asked_for else CLIENT_CONNECT)  # fmt: skip
    for _ in range(count):
        talk.pub("orders", "x")
        if asked_for:
            talk.line(SERVER, "+OK")
    talk.close()
    return talk


def signed(options: bytes, *, nonce: bool = True) -> Script:
    """CONNECT with an nkey, to a server that wants a signature."""
    info = b'INFO {"server_id":"N","version":"2.12.2","headers":true%s} \r\n'
    return Script(
        info=info % (b',"nonce":"abc"' if nonce else b""),
        connect=b'CONNECT {"verbose":false,"pedantic":false,%s}\r\n' % options,
    )


CASES: list[tuple[str, Talks]] = [
    ("B41", lambda: (in_parts(5), in_parts(4), in_parts(10, parts=1))),
    ("B39", lambda: (verbose(4), verbose(3), verbose(20, asked_for=False))),
    ("N32", lambda: (signed(b'"nkey":"UA"'),
        signed(b'"nkey":"UA","sig":"x"'), signed(b'"nkey":"UA"', nonce=False))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in CONNECTIONS} == {f"NATS-{rule}" for rule, *_ in CASES}
