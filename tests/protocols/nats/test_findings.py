"""NATS's rules: each is broken once, and once nearly."""

import inspect
import re
from functools import partial

import pytest
from tests.failures import every
from tests.protocols.nats.test_jetstream_rules import CASES as BODIES
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, SERVER, SERVER_INFO, Talk
from tests.protocols.rule_proofs import proved

from streamshark.findings.rule import Rule
from streamshark.protocols.nats.consumer_rules import CONSUMER_RULES
from streamshark.protocols.nats.content_rules import CONTENT_RULES
from streamshark.protocols.nats.echo_rules import ECHO_RULES
from streamshark.protocols.nats.exchange_rules import EXCHANGE_RULES
from streamshark.protocols.nats.findings import BEHAVIOURS, RULES
from streamshark.protocols.nats.harm_rules import HARM_RULES
from streamshark.protocols.nats.jetstream_behaviour_rules import JETSTREAM_BEHAVIOURS
from streamshark.protocols.nats.liveness_rules import LIVENESS_RULES
from streamshark.protocols.nats.order_rules import ORDER_RULES
from streamshark.protocols.nats.program_rules import PROGRAM_RULES
from streamshark.protocols.nats.refusal_rules import REFUSAL_RULES
from streamshark.protocols.nats.renewal_rules import RENEWAL_RULES
from streamshark.protocols.nats.silence_rules import SILENCE_RULES
from streamshark.protocols.nats.store_rules import STORES
from streamshark.protocols.nats.stream_state_rules import STREAM_STATE_RULES
from streamshark.protocols.nats.subscription_rules import SUBSCRIPTION_RULES

SMALL = SERVER_INFO.replace(b"1048576", b"8")
OLD = SERVER_INFO.replace(b'"headers":true', b'"headers":false')
VERBOSE = CLIENT_CONNECT.replace(b'"verbose":false', b'"verbose":true')
SECURE = SERVER_INFO.replace(b'"headers"', b'"tls_required":true,"headers"')
BLOCK = b"NATS/1.0\r\nA: b\r\n\r\n"
HPUB = b"HPUB a %d %d\r\n%s\r\n" % (len(BLOCK), len(BLOCK) + 2, BLOCK + b"hi")
NO_RESPONDERS = b"NATS/1.0 503\r\n\r\n"
HMSG_503 = b"HMSG r 1 %d %d\r\n%s\r\n" % (len(NO_RESPONDERS), len(NO_RESPONDERS), NO_RESPONDERS)

REFUSED = (
    b'{"type":"io.nats.jetstream.api.v1.consumer_create_response","error":{"code":400,'
    b'"err_code":10108,"description":"consumer with flow control also needs heartbeats"}}'
)
UNKNOWN_KEY = (
    b'{"type":"io.nats.jetstream.api.v1.stream_msg_get_response","error":{"code":404,'
    b'"err_code":10037,"description":"no message found"}}'
)
NOT_ENABLED = (
    b'{"type":"io.nats.jetstream.api.v1.account_info_response","error":{"code":503,'
    b'"err_code":10039,"description":"JetStream not enabled for account"}}'
)
ABSENT = (
    b'{"type":"io.nats.jetstream.api.v1.stream_info_response","error":{"code":404,'
    b'"err_code":10059,"description":"stream not found"}}'
)
MADE = b'{"type":"io.nats.jetstream.api.v1.consumer_create_response","stream_name":"S"}'
UNSTORED = (
    b'{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 5"},'
    b'"stream":"S","seq":0}'
)
FULL = (
    b'{"error":{"code":400,"err_code":10077,"description":"maximum messages exceeded"},'
    b'"stream":"S","seq":0}'
)
TOO_LARGE = FULL.replace(b"10077", b"10054")
STORED = b'{"stream":"S","seq":6}'
"""What nats-server 2.12.2 answers."""


def typed(header: bytes, payload: bytes) -> bytes:
    """A message with a header."""
    block = b"NATS/1.0\r\n%s\r\n\r\n" % header
    sizes = len(block), len(block) + len(payload)
    return b"HPUB a %d %d\r\n%s%s\r\n" % (*sizes, block, payload)


def answered(subject: bytes, payload: bytes) -> "Said":
    """A request and its answer: frames 4 and 5."""
    asks = b"SUB r 1\r\nPUB %s r 2\r\n{}\r\n" % subject
    return [(CLIENT, asks), (SERVER, b"MSG r 1 %d\r\n%s" % (len(payload), payload))]


def status(said: bytes, reply: bytes = b"") -> bytes:
    """A status of the server to what is subscribed as r."""
    block = b"NATS/1.0 %s\r\n\r\n" % said
    return b"HMSG r 1 %s%d %d\r\n%s\r\n" % (reply, len(block), len(block), block)


PULL = b"SUB r 1\r\nPUB $JS.API.CONSUMER.MSG.NEXT.S.C r 2\r\n{}\r\n"
FLOW = status(b"100 FlowControl Request", b"$JS.FC.S.C.x ")
LATER = [(CLIENT, b"PUB a 0\r\n")] * 6

Line = tuple[int, bytes]
Said = list[Line]

CASES: list[tuple[str, Said, list[tuple[int, ...]], Said]] = [
    ("N2", [(CLIENT, b"PUB a 1\r\nhi\r\nPING\r\nPING\r\n")], [(3,), (3,)],
     [(CLIENT, b"PUB a 2\r\nhi\r\nPING\r\nPING\r\n")]),
    ("N2", [(CLIENT, b"PUB 2\r\nhi\r\n")], [(3,)], [(CLIENT, b"PUB 2 2\r\nhi\r\n")]),
    ("N2", [(CLIENT, b"SUB a 1\r\nPUB a two\r\nhi\r\n"), (CLIENT, b"PING\r\nPING\r\n")], [(3,)],
     [(CLIENT, b"SUB a 1\r\nPUB a 2\r\nhi\r\n"), (CLIENT, b"PING\r\nPING\r\n")]),
    ("N3", [(CLIENT, HPUB.replace(b"NATS/1.0", b"HTTP/1.0"))], [(3,)], [(CLIENT, HPUB)]),
    ("N3", [(CLIENT, HPUB.replace(b"A: b", b"A= b"))], [(3,)],
     [(CLIENT, HPUB.replace(b"A: b", b"A : b").replace(b"18 20", b"19 21"))]),
    ("N33", [(CLIENT, typed(b"Content-Type: application/json", b"\x81\xa1a\1"))], [(3,)],
     [(CLIENT, typed(b"Content-Type: application/json", b'{"a":1}'))]),
    ("N33", [(CLIENT, typed(b"content-encoding: gzip", b'{"a":1}'))], [(3,)],
     [(CLIENT, typed(b"Content-Type: application/octet-stream", b"\x81\xa1a\1"))]),
    ("N11", [(CLIENT, b"PUB a.* 2\r\nhi")], [(3,)], [(CLIENT, b"PUB a.*b 2\r\nhi")]),
    ("N11", [(CLIENT, b"PUB a.CONSUMER.INFO.KV.* 2\r\nhi")], [(3,)],
     [(CLIENT, b"PUB a.CONSUMER.CREATE.KV.x.$KV.B.> 2\r\nhi")]),
    ("N11", [(CLIENT, b"PUB a..b 2\r\nhi")], [(3,)],
     [(CLIENT, b"PUB $JS.API.CONSUMER.CREATE.S.C.a.* 2\r\nhi")]),
    ("N10", [(CLIENT, b"SUB " + b"a" * 4100 + b" 1")], [(3,)],
     [(CLIENT, b"SUB " + b"a" * 4000 + b" 1")]),
    ("N10", [(CLIENT, b"PUB " + b"a" * 4100 + b" 1\r\nx")], [(3,)],
     [(CLIENT, b"PUB a 5000\r\n" + b"x" * 5000)]),
    ("N12", [(CLIENT, b"SUB a 1"), (CLIENT, b"SUB b 1")], [(4, 3)],
     [(CLIENT, b"SUB a 1"), (CLIENT, b"UNSUB 1"), (CLIENT, b"SUB b 1")]),
    ("N12", [(SERVER, b"-ERR 'Slow Consumer'"), (CLIENT, b"SUB a 1"), (CLIENT, b"SUB b 1")],
     [(5, 4)],
     [(CLIENT, b"SUB a 1"), (SERVER, b"-ERR 'Permissions Violation for Subscription to \"a\"'"),
      (CLIENT, b"SUB b 1")]),
    ("N19", [(CLIENT, b"UNSUB 1")], [(3,)], [(CLIENT, b"SUB a 1"), (CLIENT, b"UNSUB 1")]),
    ("N17", [(CLIENT, CLIENT_CONNECT)], [(3, 2)], [(SERVER, SERVER_INFO)]),
    ("N6", [(CLIENT, b"SUB a 1"), (SERVER, b"MSG a 2 2\r\nhi")], [(4,)],
     [(CLIENT, b"SUB a 1"), (SERVER, b"MSG a 1 2\r\nhi")]),
    ("N6", [(CLIENT, b"SUB a 1\r\nUNSUB 1\r\nPING\r\n"), (SERVER, b"PONG\r\nMSG a 1 2\r\nhi")],
     [(7, 4, 5)],
     [(CLIENT, b"SUB a 1\r\nUNSUB 1\r\nPING\r\n"), (SERVER, b"MSG a 1 2\r\nhi\r\nPONG")]),
    ("N6", [(CLIENT, b"SUB a 1\r\nUNSUB 1 1\r\nPING\r\n"),
            (SERVER, b"MSG a 1 2\r\nhi\r\nPONG\r\nMSG a 1 2\r\nhi")], [(8, 4, 5)],
     [(CLIENT, b"SUB a 1\r\nUNSUB 1 2\r\nPING\r\n"),
      (SERVER, b"MSG a 1 2\r\nhi\r\nPONG\r\nMSG a 1 2\r\nhi")]),
    ("N6", [(CLIENT, b"SUB a.* 1"), (SERVER, b"MSG b.c 1 2\r\nhi")], [(4, 3)],
     [(CLIENT, b"SUB a.* 1"), (SERVER, b"MSG a.c 1 2\r\nhi")]),
    ("N7", [(SERVER, b"PING"), *[(CLIENT, b"PUB a 0\r\n")] * 6], [(3,)],
     [(SERVER, b"PING"), (CLIENT, b"PONG"), *[(CLIENT, b"PUB a 0\r\n")] * 6]),
    ("N8", [(SERVER, b"+OK")], [(3, 2)], [(SERVER, b"PING")]),
    ("N9", [(CLIENT, b"SUB a 1"), (SERVER, b"-ERR 'Invalid Subject'")], [(4, 3)],
     [(CLIENT, b"SUB a 1"), (SERVER, b"PING")]),
    ("N9", [(CLIENT, b"PUB a 0\r\n"),
            (SERVER, b"-ERR 'Permissions Violation for Publish to \"a\"'")],
     [(4, 3)], [(CLIENT, b"PUB a 0\r\n"), (SERVER, b"PING")]),
    ("N7", [(SERVER, b"PING"), (CLIENT, b"SUB a 1"), (SERVER, b"-ERR 'Stale Connection'")],
     [(3, 5)], [(SERVER, b"PING"), (CLIENT, b"PONG"), (SERVER, b"-ERR 'Stale Connection'")]),
    ("N14", [(CLIENT, b"SUB r 1\r\nPUB a r 0\r\n"), (SERVER, HMSG_503)], [(4, 5)],
     [(CLIENT, b"SUB r 1\r\nPUB a r 0\r\n"), (SERVER, b"MSG r 1 0\r\n")]),
    ("N15", [(CLIENT, CLIENT_CONNECT.replace(b"false", b'"no"', 1))], [(3,)],
     [(CLIENT, CLIENT_CONNECT)]),
    ("N16", [(CLIENT, b"SUB a 1"), (SERVER, b"MSG a 1 $JS.ACK.S.C.2.1.2.3.0 0\r\n")], [(4,)],
     [(CLIENT, b"SUB a 1"), (SERVER, b"MSG a 1 $JS.ACK.S.C.1.1.2.3.0 0\r\n")]),
    ("N24", answered(b"$JS.API.CONSUMER.CREATE.S", REFUSED), [(4, 5)],
     answered(b"$JS.API.CONSUMER.CREATE.S", MADE)),
    ("N24", answered(b"orders.new", UNSTORED), [(4, 5)], answered(b"orders.new", STORED)),
    ("N24i", answered(b"orders.new", FULL), [(4, 5)], answered(b"orders.new", TOO_LARGE)),
    ("N24d", answered(b"orders.new", TOO_LARGE), [(4, 5)], answered(b"orders.new", FULL)),
    ("N24", answered(b"$JS.API.STREAM.INFO.S", ABSENT), [(4, 5)],
     answered(b"orders.new", ABSENT)),
    ("N24e", answered(b"$JS.API.STREAM.MSG.GET.KV_B", UNKNOWN_KEY), [(4, 5)],
     answered(b"$JS.API.STREAM.INFO.KV_B", UNKNOWN_KEY)),
    ("N24", answered(b"$JS.API.INFO", NOT_ENABLED), [(4, 5)], answered(b"r", NOT_ENABLED)),
    ("N24h", answered(b"$JS.API.STREAM.CREATE.S", NOT_ENABLED), [(4, 5)],
     answered(b"$JS.API.INFO", NOT_ENABLED)),
    ("N24", answered(b"$JS.API.STREAM.DELETE.S", REFUSED), [(4, 5)],
     answered(b"orders.new", REFUSED)),
    ("N25", [(CLIENT, PULL), (SERVER, status(b"409 Server Shutdown"))], [(5, 4)],
     [(CLIENT, PULL), (SERVER, status(b"408 Request Timeout"))]),
    ("N25", [(CLIENT, PULL), (SERVER, status(b"503"))], [(5, 4)],
     [(CLIENT, PULL), (SERVER, status(b"409 Batch Completed"))]),
    ("N26", [(CLIENT, b"SUB r 1"), (SERVER, FLOW), *LATER], [(4,)],
     [(CLIENT, b"SUB r 1"), (SERVER, FLOW), (CLIENT, b"PUB $JS.FC.S.C.x 0\r\n"), *LATER]),
    ("N26", [(CLIENT, b"SUB r 1"), (SERVER, FLOW), (CLIENT, b"UNSUB 2"), *LATER], [(4,)],
     [(CLIENT, b"SUB r 1"), (SERVER, FLOW), (CLIENT, b"UNSUB 1"), *LATER]),
    ("N20", [(SERVER, b'INFO {"ldm":true}')], [(3,)], [(SERVER, b'INFO {"ldm":false}')]),
]  # fmt: skip


def found(
    rule: str, said: Said, info: bytes = SERVER_INFO, connect: bytes = CLIENT_CONNECT
) -> list[tuple[int, ...]]:
    """Return the frames of a rule's findings, of lines after INFO (1) and CONNECT (2)."""
    talk = Talk(info, connect)
    for side, data in said:
        talk.say(side, data)
    return talk.found(f"NATS-{rule}")


@every("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our family, words for all parts, a public source."""
    assert re.fullmatch(r"NATS-[BNQ]\d+[b-i]?", rule.id)
    assert rule.title
    assert rule.message
    assert re.match(
        r"docs\.nats\.io|nats-server v2\.12\.2|nats-server issue|liftbridge-io|ADR-|W3C",
        rule.source,
    )


@pytest.mark.parametrize(("rule", "wrong", "frames", "right"), CASES)
def test_a_rule_and_its_near_miss(
    rule: str, wrong: Said, frames: list[tuple[int, ...]], right: Said
) -> None:
    """The guilty frame comes first; what is nearly the same is not accused."""
    assert found(rule, wrong) == frames
    assert found(rule, right) == []


def test_the_first_lines() -> None:
    """N1: INFO of the server, CONNECT of the client; not on links between servers."""
    assert found("N1", [(SERVER, b"PING")], b"", b"") == [(1,)]
    assert found("N1", [(CLIENT, b"SUB a 1"), (CLIENT, b"SUB b 2")], connect=b"") == [(2, 3)]
    assert found("N1", [(CLIENT, b"PING"), (CLIENT, CLIENT_CONNECT)], connect=b"") == []
    peer = b'CONNECT {"echo":true,"name":"N","cluster":"C","lnoc":true}\r\n'
    assert found("N1", [(CLIENT, peer), (CLIENT, b"RS+ $G a")], b"", b"") == []


def test_another_protocol() -> None:
    """N23: HTTP after INFO; not a line."""
    for said, frames in ((b"GET /healthz HTTP/1.1\r\nHost: a\r\n", [(2,)]), (b"PING", [])):
        talk = Talk(connect=b"")
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, said)
        assert talk.found("NATS-N23") == frames


def test_a_client_that_is_shut_out() -> None:
    """N9c: a note once a later connection of the client is served; of another text N9."""
    for text, later, severity in (
        ("Authorization Violation", b"PONG", "note"),
        ("User Authentication Expired", b"PONG", "note"),
        ("Authorization Violation", b"-ERR 'Authorization Violation'", "error"),
        ("maximum connections exceeded", b"PING", "error"),
    ):
        talk = Talk()
        talk.say(SERVER, f"-ERR '{text}'".encode())
        talk.close()
        talk.connect()
        talk.say(CLIENT, b"PING")
        talk.say(SERVER, later)

        assert talk.found("NATS-N9c"), text
        told = {each.severity for each in talk.findings or () if each.rule == "NATS-N9c"}
        assert told == {severity}, (text, later)
    assert not Talk().found("NATS-N9c")


def test_headers_are_agreed() -> None:
    """N4: by INFO and by CONNECT; without the word it is not agreed."""
    bare = CLIENT_CONNECT.replace(b'"headers":true,', b"")
    assert found("N4", [(CLIENT, HPUB)], connect=bare) == [(3, 2)]
    assert found("N4", [(CLIENT, HPUB)], OLD) == [(3, 2)]
    assert found("N4", [(CLIENT, HPUB)]) == []


def test_the_largest_payload() -> None:
    """N5: what is larger, whole or cut; not what is as large."""
    assert found("N5", [(CLIENT, b"PUB a 9\r\n123456789")], SMALL) == [(3,)]
    assert found("N5", [(CLIENT, b"PUB a 8\r\n12345678")], SMALL) == []
    assert found("N5", [(CLIENT, b"SUB a 1"), (CLIENT, b"PUB a 9999\r\n1")], SMALL) == [(3,)]
    assert found("N5", [(CLIENT, b"SUB a 1"), (CLIENT, b"PUB a 9999\r\n1")]) == []


def test_the_largest_payload_that_is_delivered() -> None:
    """N5: what is larger than INFO says; not what is as large."""
    heard = (CLIENT, b"SUB a 1")
    assert found("N5", [heard, (SERVER, b"MSG a 1 9\r\n123456789")], SMALL) == [(4,)]
    assert found("N5", [heard, (SERVER, b"MSG a 1 8\r\n12345678")], SMALL) == []


def test_pings_pile_up() -> None:
    """N7: the third that is unanswered for long; not three at once."""
    slow = [(SERVER, b"PING"), *[(CLIENT, b"PUB a 0\r\n")] * 3] * 3
    talk = Talk()
    for side, data in slow:
        talk.say(side, data)
    burst = [(CLIENT, b"PING\r\nPING\r\nPING"), (SERVER, b"PONG\r\nPONG\r\nPONG")]

    assert (3, 11) in talk.found("NATS-N7")
    told = [each.message for each in talk.findings or () if each.frames == (3, 11)]
    assert told == ["the PING before this one is unanswered too: 3 in a row"]
    assert found("N7", burst) == []


def test_every_line_is_answered_in_verbose_mode() -> None:
    """N8: a line without +OK when the connection is closed; not where -ERR came, for any line."""
    for said, frames in (
        ([(SERVER, b"+OK"), (CLIENT, b"SUB a 1")], [(4,)]),
        ([(SERVER, b"+OK"), (CLIENT, b"SUB a 1"), (SERVER, b"+OK")], []),
        ([(SERVER, b"+OK"), (CLIENT, b"SUB a 1"), (SERVER, b"-ERR 'Invalid Subject'")], []),
        ([(SERVER, b"+OK"), (CLIENT, b"SUB a 1"), (SERVER, b"-ERR 'Stale Connection'")], []),
    ):
        talk = Talk(connect=VERBOSE)
        for side, data in said:
            talk.say(side, data)
        talk.close()
        assert talk.found("NATS-N8") == frames


def test_credentials_in_clear() -> None:
    """N13: a user or a token; not an nkey's signature."""
    for members, frames in (
        (b'"user":"a","pass":"b",', [(2,)]), (b'"auth_token":"t",', [(2,)]),
        (b'"nkey":"U","sig":"s",', []), (b"", []),
    ):  # fmt: skip
        connect = CLIENT_CONNECT.replace(b'"lang"', members + b'"lang"')
        assert found("N13", [], connect=connect) == frames


def test_tls_is_asked_for() -> None:
    """N18: CONNECT in clear after tls_required; not where TLS follows."""
    assert found("N18", [], SECURE) == [(2,)]
    assert found("N18", [(CLIENT, b"\x16\x03\x01" + bytes(200))], SECURE, b"") == []


def test_the_server_ends_without_a_word() -> None:
    """N22: first, and without -ERR or a warning; not after the client."""
    for said, sides, frames in (
        ([], (SERVER, CLIENT), [(1,)]),
        ([], (CLIENT, SERVER), []),
        ([(SERVER, b"-ERR 'Stale Connection'")], (SERVER, CLIENT), []),
        ([(SERVER, b'INFO {"ldm":true}')], (SERVER, CLIENT), []),
    ):
        talk = Talk()
        for side, data in said:
            talk.say(side, data)
        for side in sides:
            talk.event(side, "close")
        assert talk.found("NATS-N22") == frames


def test_a_request_without_an_answer() -> None:
    """N14: when the connection is closed; not where the captures end, nor a pull."""
    asked, open_, pulled = Talk(), Talk(), Talk()
    for talk in (asked, open_):
        talk.say(CLIENT, b"SUB r 1\r\nPUB a r 0\r\n")
    pulled.say(CLIENT, b"SUB r 1\r\nPUB $JS.API.CONSUMER.MSG.NEXT.S.C r 0\r\n")
    asked.close()
    pulled.close()

    assert asked.found("NATS-N14") == [(4,)]
    assert open_.found("NATS-N14") == pulled.found("NATS-N14") == []


def test_lost_bytes_accuse_nobody() -> None:
    """A connection that is joined late has subscriptions that nobody saw."""
    talk = Talk(late=True)
    talk.say(SERVER, b"MSG a 1 2\r\nhi\r\nMSG a 2 2\r\nhi")
    talk.say(CLIENT, b"PUB b 2\r\nhi\r\nUNSUB 9")

    assert [each for each in ("N1", "N6", "N19") if talk.found(f"NATS-{each}")] == []


def test_a_client_that_does_not_read() -> None:
    """N21: a window of zero; not without a subscription."""
    for lines, frames in (([b"SUB a 1"], [(1,)]), ([b"PUB a 0\r\n"], [])):
        talk = Talk()
        talk.say(CLIENT, *lines)
        talk.connection.flow.trouble[CLIENT].see_zero_window((0, 0, 1))
        talk.say(CLIENT, b"PUB b 0\r\n")
        assert talk.found("NATS-N21") == frames


def test_a_client_that_is_dropped_as_it_does_not_read() -> None:
    """N21b: the server ends it soon after a window of zero; not long after, nor the client."""
    for side, seconds, dropped in ((SERVER, 2, True), (SERVER, 20, False), (CLIENT, 2, False)):
        talk = Talk()
        talk.say(CLIENT, b"SUB a 1")
        talk.connection.flow.trouble[CLIENT].see_zero_window((0, 0, 1))
        talk.say(SERVER, b"MSG a 1 0\r\n")
        talk.now += seconds * 1_000_000_000
        for each in (side, 1 - side):
            talk.event(each, "close")
        assert bool(talk.found("NATS-N21b")) == dropped


def test_a_server_that_does_not_greet() -> None:
    """N1: INFO is missing although the client speaks first; not if it comes later."""
    for line, frames in ((b"PONG", [(2,)]), (SERVER_INFO, [])):
        talk = Talk(info=b"")
        talk.say(SERVER, line)
        assert talk.found("NATS-N1") == frames


@pytest.mark.slow
def test_every_rule_is_proved_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fires in one of these tests, and is silent beside it."""
    tests = [each for name, each in globals().items() if name.startswith("test_")]
    alone = [each for each in tests if not inspect.signature(each).parameters]
    cases = [partial(test_a_rule_and_its_near_miss, *case) for case in (*CASES, *BODIES)]

    own = {each for each in RULES if not each.is_general} - {
        *BEHAVIOURS, *JETSTREAM_BEHAVIOURS, *CONSUMER_RULES, *STORES, *SUBSCRIPTION_RULES,
        *REFUSAL_RULES, *EXCHANGE_RULES, *CONTENT_RULES, *STREAM_STATE_RULES,
        *PROGRAM_RULES, *ORDER_RULES, *ECHO_RULES, *RENEWAL_RULES, *SILENCE_RULES,
        *LIVENESS_RULES, *HARM_RULES,
    }  # fmt: skip
    assert {each.id for each in own} - proved(monkeypatch, Talk, [*alone, *cases]) == set()


def test_a_client_that_does_not_notice_the_end() -> None:
    """N31: frames some time after the server's FIN; not at once, nor after its own."""
    for side, seconds, frames in ((SERVER, 3, [(4,)]), (SERVER, 0, []), (CLIENT, 3, [])):
        talk = Talk()
        talk.say(CLIENT, b"PING\r\n")
        talk.event(side, "close")
        talk.now += seconds * 1_000_000_000 - (0 if seconds else 900_000_000)
        talk.say(CLIENT, b"PING\r\n")
        assert talk.found("NATS-N31") == frames
