"""Consumers that do not deliver, ends that come early, clients that are not let in."""

from tests.failures import every
from tests.protocols.nats.clients import NEXT, Talks, names_the_fault_alone
from tests.protocols.nats.test_program_rules import Program
from tests.protocols.nats.traffic import (
    CLIENT,
    CLIENT_CONNECT,
    SECOND,
    SERVER,
    SERVER_INFO,
    Script,
    Talk,
)

from streamshark.protocols.nats.silence_rules import SILENCE_RULES

BEATEN = '{"batch":10,"expires":30000000000,"idle_heartbeat":5000000000}'
AUTH = (
    b'INFO {"server_id":"N","version":"2.12.2","headers":true,"auth_required":true,"nonce":"%s"}'
    b" \r\n"
)


def pulled(*silent: int, ask: str = BEATEN, beats: int = 0, after: str = "") -> Program:
    """Pull requests, each with the seconds after it, and a heartbeat or status before the next."""
    talk = Program()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in silent:
        talk.pub(NEXT, ask, "_INBOX.a.1")
        for _ in range(beats):
            talk.beat(each // beats)
            talk.status("_INBOX.a.1", "100 Idle Heartbeat")
        if not beats:
            talk.beat(each)
        if after:
            talk.status("_INBOX.a.1", after)
    return talk.end()


def moved(
    status: str, away: int, *, again: bool = False, left: bool = False, ask: str = BEATEN
) -> Program:
    """A pull request that ends with a status, and what the client does in the time after it."""
    talk = Program()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub(NEXT, ask, "_INBOX.a.1")
    talk.pub(talk.delivery(1), "+ACK")
    talk.status("_INBOX.a.1", status)
    if left:
        talk.line(CLIENT, "UNSUB 1")
    if again:
        talk.pub(NEXT, ask, "_INBOX.a.1")
        talk.delivery(2)
    talk.beat(away)
    return talk.end()


def described(
    *places: int, pending: int = 9, waiting: int = 2, limit: int = 100, more: str = ""
) -> Script:
    """A consumer that is looked at each five seconds, with the place that it has delivered to."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for number, each in enumerate(places):
        talk.pub("$JS.API.CONSUMER.INFO.S.C", "", f"_INBOX.a.{number}", 5 * SECOND)
        talk.msg(
            f"_INBOX.a.{number}",
            '{"type":"io.nats.jetstream.api.v1.consumer_info_response","stream_name":"S",'
            f'"name":"C","config":{{"max_ack_pending":{limit},"replay_policy":"instant"{more}}},'
            f'"delivered":{{"consumer_seq":{each},"stream_seq":{each}}},'
            '"ack_floor":{"consumer_seq":0,"stream_seq":0},"num_ack_pending":0,'
            f'"num_waiting":{waiting},"num_pending":{pending}}}',
        )
    return talk


def advised(
    kind: str, payload: str = "{}", times: int = 1, subscribed: str = "$JS.EVENT.ADVISORY.>"
) -> Script:
    """Advisories about a consumer."""
    talk = Script()
    talk.line(CLIENT, f"SUB {subscribed} 1")
    for _ in range(times):
        talk.msg(f"$JS.EVENT.ADVISORY.CONSUMER.{kind}.S.C", payload)
    return talk


def answered(subject: str, payload: str, answer: str, headers: str = "") -> Script:
    """A request and its answer."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    if headers:
        block = f"NATS/1.0\r\n{headers}\r\n\r\n"
        sizes = f"{len(block)} {len(block) + len(payload)}"
        talk.line(CLIENT, f"HPUB {subject} _INBOX.a.1 {sizes}\r\n{block}{payload}")
    else:
        talk.pub(subject, payload, "_INBOX.a.1")
    talk.msg("_INBOX.a.1", answer)
    return talk


def idle(*seconds: int, side: int = SERVER, error: bool = False) -> Program:
    """Connections of a program that end after some seconds without a line."""
    talk = Program()
    for number, each in enumerate(seconds):
        if number:
            talk.pause(SECOND)
            talk.add()
        talk.line(CLIENT, "SUB a 1")
        talk.msg("a", "x")
        talk.pause(each * SECOND)
        if error:
            talk.line(SERVER, "-ERR 'Stale Connection'")
        talk.end(side)
    return talk


def read(chunks: int, of: int, stream: str = "OBJ_b") -> Script:
    """A read that ends after some chunks."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.d 2")
    for each in range(1, chunks + 1):
        reply = f"$JS.ACK.{stream}.c.1.{each}.{each}.17.{of - each}"
        talk.msg("$O.b.C.n", "chunk", reply, sid=2)
    talk.line(CLIENT, "UNSUB 2")
    return talk


def refused(subscribed: str, reply: str, *, first: bool = False) -> Script:
    """A request, after a subscription was refused, or before."""
    talk = Script()
    talk.line(CLIENT, f"SUB {subscribed} 1")
    refusal = f"-ERR 'Permissions Violation for Subscription to \"{subscribed}\"'"
    if first:
        talk.pub("svc", "q", reply)
    talk.line(SERVER, refusal)
    if not first:
        talk.pub("svc", "q", reply)
    return talk


def withheld(
    *, wait: int = 3, subject: str = "orders", taken: bool = False, others: bool = False
) -> Program:
    """A pull request that ends empty, and a message that is stored while it is open."""
    talk = Program()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub(NEXT, '{"batch":1,"expires":5000000000}', "_INBOX.a.1")
    talk.pub(talk.delivery(1), "+ACK")
    talk.add("shop")
    talk.line(CLIENT, "SUB _INBOX.b.* 1")
    if others:
        talk.pub(NEXT, '{"batch":1,"expires":5000000000}', "_INBOX.b.2")
    talk.on(0)
    talk.pub(NEXT, '{"batch":2,"expires":5000000000}', "_INBOX.a.2")
    talk.on(1)
    talk.pub(subject, "m", "_INBOX.b.1")
    talk.msg("_INBOX.b.1", '{"stream":"S","seq":2}')
    talk.on(0)
    if taken:
        talk.pub(talk.delivery(2), "+ACK")
    talk.pause(wait * SECOND)
    talk.status("_INBOX.a.2", "408 Request Timeout")
    return talk


def begins(first: bytes, info: bytes = b"") -> Talk:
    """A client that begins so, and is refused."""
    talk = Talk(info or AUTH % b"one", first)
    talk.say(SERVER, b"-ERR 'Unknown Protocol Operation'")
    return talk


def begins_first(info: bytes) -> Talk:
    """A client that begins TLS before INFO has come, and is refused."""
    talk = Talk(b"", b"")
    talk.say(CLIENT, HELLO)
    talk.say(SERVER, info)
    talk.say(SERVER, b"-ERR 'Unknown Protocol Operation'")
    return talk


def ended(
    *, connect: bytes = b"", side: int = SERVER, error: bool = False, info: bytes = AUTH % b"one"
) -> Talk:
    """A connection that ends early."""
    talk = Talk(b"", b"")
    talk.connection.flow.handshake_ns = (1, 1)
    talk.say(SERVER, info)
    if connect:
        talk.say(CLIENT, connect)
    if error:
        talk.say(SERVER, b"-ERR 'maximum connections exceeded'")
    for each in (side, 1 - side):
        talk.event(each, "close")
    return talk


def stored_after(seconds: int, answer: str = '{"stream":"S","seq":1}') -> Script:
    """A message, and its ack some seconds later."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("orders", "m", "_INBOX.a.1")
    talk.now += seconds * SECOND
    talk.msg("_INBOX.a.1", answer)
    return talk


def gives_up_at_ok(*, verbose: bytes = b"true", oks: int = 1, side: int = CLIENT) -> Talk:
    """A client that wants +OK, and ends the connection."""
    talk = Talk(connect=CLIENT_CONNECT.replace(b'"verbose":false', b'"verbose":' + verbose))
    for _ in range(oks):
        talk.say(SERVER, b"+OK")
    for each in (side, 1 - side):
        talk.event(each, "close")
    return talk


def compared(delivered: int, last: int, wait: int = 0) -> Script:
    """A consumer that is looked at, and then its stream."""
    talk = described(delivered)
    talk.now += wait * SECOND
    talk.pub("$JS.API.STREAM.INFO.S", "", "_INBOX.a.9")
    talk.msg(
        "_INBOX.a.9",
        '{"type":"io.nats.jetstream.api.v1.stream_info_response","config":{"name":"S"},'
        f'"state":{{"messages":3,"first_seq":1,"last_seq":{last},"consumer_count":1}}}}',
    )
    return talk


def advertised(server: str, *urls: str) -> Talk:
    """A server that is reached at an address, and advertises others."""
    talk = Talk(late=True)
    talk.connection.flow.addresses = ("198.51.100.7", server)
    said = ",".join(f'"{each}"' for each in urls).encode()
    talk.say(SERVER, SERVER_INFO.replace(b'"headers"', b'"connect_urls":[' + said + b'],"headers"'))
    return talk


HELLO = b"\x16\x03\x01\x00\xf4\x01\x00\x00\xf0\x03\x03" + b"a" * 238
STORED_TWICE = '{"stream":"S","seq":1,"duplicate":true}'
ORDERS = '{"subject":"orders.new"}'
NO_STREAMS = '{"type":"io.nats.jetstream.api.v1.stream_names_response","total":0,"streams":null}'
STREAMS = '{"type":"io.nats.jetstream.api.v1.stream_names_response","total":1,"streams":["S"]}'
DELETED = '{"stream_seq":4,"reason":"Unacknowledged message was deleted"}'
CASES: list[tuple[str, Talks]] = [
    ("B320", lambda: (pulled(12, 3),
        pulled(8, 3), pulled(15, 15, beats=3), pulled(12, 3, after="408 Request Timeout"),
        pulled(12, 3, ask='{"batch":10,"expires":30000000000}'))),
    ("B320", lambda: (pulled(25),
        pulled(8), pulled(25, beats=5))),
    ("B321", lambda: (described(7, 7, 7),
        described(7), described(7, 8, 9), described(7, 7, 7, pending=0),
        described(7, 7, 7, waiting=0), described(7, 7, more=',"priority_policy":"overflow"'))),
    ("B321", lambda: (described(0, 0, pending=134, waiting=268),)),
    ("B321", lambda: (described(7, 7, limit=-1), described(7, 7, limit=0))),
    ("B322", lambda: (moved("409 Leadership Change", 20),
        moved("409 Leadership Change", 5), moved("409 Leadership Change", 20, again=True),
        moved("409 Leadership Change", 20, left=True), moved("408 Request Timeout", 20),
        moved("409 Leadership Change", 20, ask='{"batch":10,"expires":30000000000}'))),
    ("B322", lambda: (moved("409 Server Shutdown", 60),)),
    ("B323", lambda: (advised("QUORUM_LOST"), advised("CREATED"))),
    ("B324", lambda: (advised("MAX_DELIVERIES", '{"stream_seq":4,"deliveries":3}'),
        advised("MSG_NAKED", '{"stream_seq":4,"deliveries":3}'),
        advised("MAX_DELIVERIES", '{"stream_seq":4,"deliveries":3}',
            subscribed="$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>"))),
    ("B325", lambda: (advised("MSG_TERMINATED", DELETED),
        advised("MSG_TERMINATED", '{"stream_seq":4,"reason":""}'))),
    ("B326", lambda: (advised("LEADER_ELECTED", times=3), advised("LEADER_ELECTED", times=2))),
    ("B327", lambda: (answered("$JS.API.STREAM.NAMES", ORDERS, NO_STREAMS),
        answered("$JS.API.STREAM.NAMES", ORDERS, STREAMS),
        answered("$JS.API.STREAM.NAMES", "", NO_STREAMS))),
    ("B328", lambda: (answered("orders", "m", STORED_TWICE),
        answered("orders", "m", STORED_TWICE, headers="Nats-Msg-Id: 1"),
        answered("orders", "m", '{"stream":"S","seq":1}'))),
    ("B328", lambda: (answered("orders", "m", STORED_TWICE, headers="Orig-Nats-Msg-Id: 1"),)),
    ("B329", lambda: (idle(60, 60),
        idle(60), idle(60, 45), idle(60, 60, side=CLIENT), idle(60, 60, error=True),
        idle(3, 3))),
    ("B329", lambda: (idle(350, 350, 350),)),
    ("B330", lambda: (read(5, 9), read(9, 9), read(5, 9, stream="KV_b"))),
    ("B331", lambda: (refused("_INBOX.a.*", "_INBOX.a.1"),
        refused("_INBOX.a.*", "_INBOX.b.1"), refused("events", "_INBOX.a.1"))),
    ("B331", lambda: (refused("_INBOX.x9", "_INBOX.x9"),)),
    ("B331", lambda: (refused("_INBOX.x9", "_INBOX.x9", first=True),
        refused("events", "_INBOX.x9", first=True))),
    ("B332", lambda: (begins(HELLO),
        begins(HELLO, AUTH.replace(b'"headers"', b'"tls_required":true,"headers"') % b"one"),
        begins(HELLO, AUTH.replace(b'"headers"', b'"tls_available":true,"headers"') % b"one"),
        begins(CLIENT_CONNECT))),
    ("B332", lambda: (begins_first(AUTH % b"one"),
        begins_first(AUTH.replace(b'"headers"', b'"tls_required":true,"headers"') % b"one"))),
    ("B335", lambda: (stored_after(3),
        stored_after(1), stored_after(3, '{"error":{"code":400}}'), stored_after(3, "ok"))),
    ("B336", lambda: (gives_up_at_ok(),
        gives_up_at_ok(verbose=b"false"), gives_up_at_ok(oks=0), gives_up_at_ok(oks=2),
        gives_up_at_ok(side=SERVER))),
    ("B337", lambda: (compared(900, 800), compared(900, 900), compared(900, 800, wait=60))),
    ("B338", lambda: (advertised("203.0.113.9", "172.22.0.3:4223", "172.22.0.4:4224"),
        advertised("203.0.113.9", "203.0.113.10:4222"), advertised("203.0.113.9"),
        advertised("10.0.0.9", "172.22.0.3:4223"), advertised("127.0.0.1", "172.22.0.3:4223"),
        advertised("203.0.113.9", "10.0.0.4:4222", "203.0.113.10:4222"))),
    ("B338", lambda: (advertised("203.0.113.9", "10.0.0.3:4222"),)),
    ("B334", lambda: (ended(),
        ended(connect=CLIENT_CONNECT), ended(side=CLIENT), ended(error=True),
        ended(info=AUTH.replace(b'"headers"', b'"tls_required":true,"headers"') % b"one"))),
    ("B333", lambda: (withheld(),
        withheld(wait=0), withheld(subject="orders.new"), withheld(taken=True),
        withheld(others=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in SILENCE_RULES} == {f"NATS-{rule}" for rule, *_ in CASES}


def test_why_a_client_is_refused() -> None:
    """N9c says if CONNECT has no credentials, or signs the nonce of an earlier connection."""
    signed = CLIENT_CONNECT.replace(b'"go"', b'"go","jwt":"e.e.e","sig":"S1"')
    for former, infos, connect, cause in (
        (signed, (b"one", b"one"), CLIENT_CONNECT, "no credentials"),
        (signed, (b"one", b"two"), signed, "signs the nonce"),
        (signed, (b"one", b"two"), signed.replace(b"S1", b"S2"), ""),
        (signed, (b"one", b"one"), signed, ""),
    ):
        talk = Talk(AUTH % infos[0], former)
        talk.close()
        talk._see(talk.connection.finish())
        talk.connect(AUTH % infos[1], connect)
        talk.say(SERVER, b"-ERR 'Authorization Violation'")
        assert talk.found("NATS-N9c")
        said = next(each.message for each in talk.findings or () if each.rule == "NATS-N9c")
        assert (cause in said) == bool(cause or said.endswith("Violation")), (cause, said)


def test_what_a_refused_client_has_to_look_at() -> None:
    """N9c says if a key is refused, or if the client has sent nothing since INFO."""
    signed = CLIENT_CONNECT.replace(b'"go"', b'"go","nkey":"UA","sig":"S1"')
    late = b"-ERR 'Authentication Timeout'"
    for connect, error, part in (
        (signed, b"-ERR 'Authorization Violation'", "another seed"),
        (CLIENT_CONNECT.replace(b'"go"', b'"go","user":"a"'), late, "in time"),
        (b"", late, "does not return"),
    ):
        talk = Talk(AUTH % b"one", connect)
        talk.say(SERVER, error)
        assert talk.found("NATS-N9c")
        said = next(each for each in talk.findings or () if each.rule == "NATS-N9c")
        assert part in said.cause
        assert ("nothing since INFO" in said.message) == (not connect)


def test_a_header_of_a_proxy_that_the_server_refuses() -> None:
    """N9 says so, where it is what the client's side begins with."""
    header = b"PROXY TCP4 10.0.0.1 10.0.0.2 40000 4222\r\n"
    for first, part in ((header + CLIENT_CONNECT, "PROXY"), (CLIENT_CONNECT, "Operation")):
        talk = begins(first)
        assert talk.found("NATS-N9")
        assert (talk.findings or ())[0].message.endswith(part + (" protocol" * (part == "PROXY")))
