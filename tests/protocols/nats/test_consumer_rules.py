"""Rules about streams and consumers: faults are named, near misses are not."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.nats.test_jetstream_behaviour_rules import API, NEXT, asks, begun, hpub
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, MS, SECOND, SERVER, Script

from streamshark.protocols.nats.consumer_rules import CONSUMER_RULES

KNOWN = '"ack_policy":"explicit","max_deliver":5,"filter_subject":"orders.new"'
CREATE, UPDATE = f"{API}STREAM.CREATE.S", f"{API}STREAM.UPDATE.S"
STREAM = '{"type":"io.nats.jetstream.api.v1.stream_info_response","config":{%s},"state":{}}'
MADE = STREAM % '"name":"S","subjects":["orders.>","bills"],"retention":"limits"'
CONSUMER = (
    '{"type":"io.nats.jetstream.api.v1.consumer_info_response","stream_name":"S","name":"C",'
    '"config":{"ack_policy":"%s","ack_wait":30000000000,"max_deliver":-1%s,'
    '"max_ack_pending":9,"x":1}}'
)


def called(*requests: tuple[str, str], answer: str = "{}") -> Script:
    """Requests of the API."""
    talk = begun()
    for number, (subject, payload) in enumerate(requests):
        asks(talk, subject, answer, number, payload)
    return talk


def configured(*subjects: str, request: str = UPDATE) -> Script:
    """Updates of a stream."""
    return called(*((request, f'{{"name":"S","subjects":["{each}"]}}') for each in subjects))


def filtered(filters: str, answer: str = MADE, asked: str = f"{API}STREAM.INFO.S") -> Script:
    """A consumer of a stream whose subjects are known."""
    talk = begun()
    asks(talk, asked, answer)
    body = f'{{"stream_name":"S","config":{{"durable_name":"C",{filters}}}}}'
    asks(talk, f"{API}CONSUMER.CREATE.S.C", "{}", 1, body)
    return talk


def updated(body: str, config: str = '"allow_direct":true,"deny_delete":false',
            stream: str = "S") -> Script:  # fmt: skip
    """An update of a stream whose configuration is known."""
    talk = begun()
    answer = '{"type":"x","config":{"name":"S","subjects":["a"],%s},"created":"2026","state":{}}'
    asks(talk, f"{API}STREAM.INFO.S", answer % config)
    asks(talk, f"{API}STREAM.UPDATE.{stream}", "{}", 1, body)
    return talk


def limited(body: str, config: str = '"max_deliver":5,"ack_wait":30000000000', name: str = "C",
            *, deletes: bool = False) -> Script:  # fmt: skip
    """An update of a consumer whose configuration is known."""
    talk = begun()
    answer = '{"type":"x","stream_name":"S","name":"C","config":{%s},"delivered":{},"x":1}'
    asks(talk, f"{API}CONSUMER.INFO.S.C", answer % config)
    if deletes:
        asks(talk, f"{API}CONSUMER.DELETE.S.C", "{}", 1)
    asks(talk, f"{API}CONSUMER.CREATE.S.{name}", "{}", 2, f'{{"config":{{{body}}}}}')
    return talk


def muted(subject: str = "orders", *, no_ack: str = "true", answer: str = "") -> Script:
    """A message to a stream that sends no acks."""
    talk = begun()
    asks(talk, CREATE, MADE, 0, f'{{"name":"S","subjects":["orders"],"no_ack":{no_ack}}}')
    asks(talk, subject, answer, 1, "x")
    talk.now += 3 * SECOND
    talk.close()
    return talk


def remade(*requests: str) -> Script:
    """Streams and consumers that are deleted and created."""
    return called(*((API + each, "{}") for each in requests))


def shared(*names: str, subject: str = NEXT, more: str = "") -> Script:
    """Pull requests of programs."""
    talk = Script(connect=b"")
    links = {}
    for name in names:
        if name not in links:
            said = CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode())
            talk.connect(connect=said if name else CLIENT_CONNECT)
            talk.line(CLIENT, "SUB _INBOX.a.* 1")
            links[name] = (talk.connection, talk.offsets, talk.flow)
        talk.connection, talk.offsets, talk.flow = links[name]
        body = f'{{"batch":1{more},"expires":5000000000}}'
        talk.pub(subject, body, f"_INBOX.a.{talk.now}")
    return talk


def pinned(*ids: str, refused: int = 0, status: int = 423, own: bool = False) -> Script:
    """Pull requests with pin ids, of which those from one on are refused."""
    talk = begun()
    for number, name in enumerate(ids):
        inbox = f"_INBOX.a.{number if own else 0}"
        pin = f',"id":"{name}"' if name else ""
        talk.pub(NEXT, f'{{"batch":1,"group":"g","expires":5000000000{pin}}}', inbox)
        if number >= refused:
            head = f"NATS/1.0 {status} Nats-Pin-Id mismatch\r\n\r\n"
            talk.line(1, f"HMSG {inbox} 1 {len(head)} {len(head)}", head, end="\r\n")
    return talk


def told(policy: str = "explicit", more: str = "") -> Script:
    """A connection that has asked for its consumer."""
    talk = begun()
    asks(talk, f"{API}CONSUMER.INFO.S.C", CONSUMER % (policy, more))
    return talk


def rejected(times: int, more: str = ',"backoff":[1000000000,5000000000]', word: str = "-NAK"
             ) -> Script:  # fmt: skip
    """Messages that are rejected."""
    talk = told(more=more)
    for each in range(times):
        talk.pub(talk.delivery(each + 1), word)
    return talk


def acked(policy: str, *places: int) -> Script:
    """Messages of which some are acknowledged."""
    talk = told(policy)
    for each in range(1, max(places) + 1):
        reply = talk.delivery(each)
        if each in places:
            talk.pub(reply, "+ACK")
    return talk


def batches(*acks: int, policy: str = "explicit", again: int = 1, size: int = 5) -> Script:
    """Batches of messages, and what of each is acknowledged."""
    talk = told(policy)
    for batch in range(3):
        replies = [talk.delivery(batch * size + each + 1) for each in range(size)]
        for each in acks:
            talk.pub(replies[each], "+ACK")
    talk.now += 30 * SECOND
    talk.delivery(again, 2, consumed=40)
    return talk


def given_up(
    times: int, *, wait: int = SECOND, brings: int = 0, status: str = "", other: str = NEXT
) -> Script:
    """Pull requests whose inbox is unsubscribed."""
    talk = Script()
    for each in range(times):
        talk.line(CLIENT, f"SUB _INBOX.p{each} {each + 1}")
        subject = other if each % 2 else NEXT
        talk.pub(subject, '{"batch":1,"expires":5000000000}', f"_INBOX.p{each}")
        for message in range(brings):
            talk.msg("orders", "m", f"$JS.ACK.S.C.1.{message}.{message}.17.0", sid=each + 1)
        if status:
            head = f"NATS/1.0 {status}\r\n\r\n"
            talk.line(1, f"HMSG _INBOX.p{each} {each + 1} {len(head)}", head, end="\r\n")
        talk.line(CLIENT, f"UNSUB {each + 1}", wait=wait)
    return talk


def fetches(
    times: int, *, between: int = 4 * MS, asks: str = '"no_wait":true', ended: bool = False,
    brings: bool = False, own: bool = False
) -> Script:  # fmt: skip
    """Pull requests in pairs, of which the second one begins a fetch."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.f 1")
    for each in range(times):
        inbox = f"_INBOX.f{each}" if own else "_INBOX.f"
        talk.pub(NEXT, '{"batch":5,"expires":800000000}', "_INBOX.f")
        if ended:
            talk.status("_INBOX.f", "408")
        if brings:
            talk.msg("orders", "m", f"$JS.ACK.S.C.1.{each}.{each}.17.0")
        talk.pub(NEXT, f'{{"batch":5,"expires":800000000,{asks}}}', inbox, between)
        talk.now += 800 * MS
        for _ in range(2):
            talk.status("_INBOX.f", "408")
    return talk


def batch(
    *places: int, commits: bool = True, ids: str = "", closes: bool = True, at: int = -1
) -> Script:
    """Messages of an atomic batch, committed by the last one and by the one `at` an index."""
    talk = begun()
    for number, place in enumerate(places):
        name = ids[number] if ids else "b"
        header = f"Nats-Batch-Id: {name}\r\nNats-Batch-Sequence: {place}"
        if commits and number in (at, len(places) - 1):
            header += "\r\nNats-Batch-Commit: 1"
        hpub(talk, "orders", header, "x", f"_INBOX.a.{number}")
    if closes:
        talk.close()
    return talk


def gone(
    status: str = "409 Consumer Deleted", then: str = "", *, times: int = 1, wait: int = 5,
    deletes: bool = False, brings: bool = False,
) -> Script:  # fmt: skip
    """A pull request that finds no consumer, and what the client does then."""
    talk = begun()
    if deletes:
        asks(talk, f"{API}CONSUMER.DELETE.S.C", "{}", 9)
    talk.pub(NEXT, '{"batch":1,"expires":30000000000}', "_INBOX.a.1")
    talk.status("_INBOX.a.1", status)
    for each in range(times if then else 0):
        talk.pub(f"{API}{then}", "{}", f"_INBOX.a.{each + 2}")
    if brings:
        talk.delivery(9)
    talk.line(CLIENT, "PING", wait=wait * SECOND)
    talk.close()
    return talk


def fed(  # noqa: PLR0913
    config: str = "", *, again: str = "_INBOX.push", does: str = "", stored: str = "orders",
    side: int = SERVER, wait: int = 2, late: bool = False,
) -> Script:  # fmt: skip
    """A push consumer, and what comes of it after the connection was lost.

    The client closes its side before it connects again, or only after that (`late`).
    """
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.push 1")
    body = f'{{"stream_name":"S","config":{{"deliver_subject":"_INBOX.push"{config}}}}}'
    asks(talk, f"{API}CONSUMER.CREATE.S", "", 0, body)
    talk.delivery(1)
    for each in (side,) if late else (side, 1 - side):
        talk.event(each, "close")
    first = talk.connection
    if not late:
        talk._see(first.finish())
    talk.connect()
    talk.line(CLIENT, f"SUB {again} 1")
    if late:
        talk._see(first.finish())
    if does == "creates":
        asks(talk, f"{API}CONSUMER.CREATE.S", "", 2, body)
    talk.now += wait * SECOND
    asks(talk, stored, '{"stream":"S", "seq":2}', 1, "x")
    if does == "receives":
        talk.delivery(2)
    return talk


def unpulled(
    config: str = "", *, inbox: str = "_INBOX.b", does: str = "", wait: int = 4,
    stored: str = "orders",
) -> Script:  # fmt: skip
    """A consumer, an inbox beside that of the requests, and what is stored later."""
    talk = begun()
    if inbox:
        talk.line(CLIENT, f"SUB {inbox} 2")
    body = f'{{"stream_name":"S","config":{{"durable_name":"C"{config}}}}}'
    asks(talk, f"{API}CONSUMER.CREATE.S.C", "{}", 0, body)
    if does == "pulls":
        talk.pub(NEXT, '{"batch":1}', "_INBOX.b")
    if does == "unsubscribes":
        talk.line(CLIENT, "UNSUB 2")
    talk.now += wait * SECOND
    asks(talk, stored, '{"stream":"S", "seq":2}', 1, "x")
    return talk


def abandoned(
    count: int, body: str = "", *, acks: bool = False, apart: bool = True, wait: int = 2
) -> Script:
    """Pull requests on an inbox each, and messages that come for the one before."""
    talk = begun()
    for each in range(count + 1):
        talk.line(CLIENT, f"SUB _INBOX.p{each if apart else 0} {each + 2}")
        talk.pub(NEXT, body, f"_INBOX.p{each if apart else 0}")
        if each:
            reply = f"$JS.ACK.S.C.1.{each}.{each}.17.5"
            talk.msg("orders", "m", reply, sid=each + 1)
            if acks:
                talk.pub(reply, "+ACK")
    talk.line(CLIENT, "PING", wait=wait * SECOND)
    talk.close()
    return talk


def acked_in_vain(status: str = "503", subject: str = "$JS.ACK.S.C.1.1.1.17.0") -> Script:
    """An ack that asks for an answer."""
    talk = begun()
    talk.pub(subject, "+ACK", "_INBOX.a.1")
    talk.status("_INBOX.a.1", status)
    return talk


def starting(time: str, more: str = "}}") -> Script:
    """A consumer that is to start at a time, made soon after the first second of 1970."""
    talk = begun()
    config = f'{{"stream_name":"S","config":{{"opt_start_time":{time}{more}'
    asks(talk, f"{API}CONSUMER.CREATE.S.C", "", 0, config)
    return talk


def brief(times: int, *, status: str = "408", wait: int = 500, brings: int = -1) -> Script:
    """Pull requests that expire."""
    talk = begun()
    for each in range(times):
        talk.pub(NEXT, '{"batch":1,"expires":500000000}', f"_INBOX.a.{each}")
        if each == brings:
            talk.delivery(1)
        talk.now += wait * MS
        talk.status(f"_INBOX.a.{each}", status)
    return talk


def handled(
    *consumers: str, names: tuple[str, ...] = ("work-1", "work-2"), stream: str = "S",
    word: str = "+ACK", count: int = 3,
) -> Script:  # fmt: skip
    """Messages of a stream that are acknowledged for consumers, each on a connection."""
    talk = Script()
    for name, consumer in zip(names, consumers, strict=True):
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode()))
        for each in range(1, count + 1):
            reply = f"$JS.ACK.{stream}.{consumer}.1.{each}.{each}.17.0"
            talk.msg("orders", "m", reply)
            talk.pub(reply, word)
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B122", lambda: (gone(),
        gone(wait=1), gone(then="CONSUMER.MSG.NEXT.S.C"), gone(then="CONSUMER.CREATE.S.C"),
        gone(deletes=True), gone("408 Request Timeout"), gone("409 Leadership Change"))),
    ("B122", lambda: (gone("503"),)),
    ("B122b", lambda: (gone(then="CONSUMER.MSG.NEXT.S.C", times=2),
        gone(then="CONSUMER.MSG.NEXT.S.C"), gone(then="CONSUMER.MSG.NEXT.S.D", times=9),
        gone(then="CONSUMER.MSG.NEXT.S.C", times=2, brings=True),
        gone(then="CONSUMER.MSG.NEXT.S.C", times=2, wait=1),
        gone("409 Leadership Change", "CONSUMER.MSG.NEXT.S.C", times=2))),
    ("B122b", lambda: (gone(then="CONSUMER.MSG.NEXT.S.C", times=9),)),
    ("B48c", lambda: (fed(),
        fed(does="creates"), fed(does="receives"), fed(again="_INBOX.other"), fed(side=CLIENT),
        fed(wait=0), fed(',"filter_subject":"bills"'), fed(',"deliver_group":"q"'))),
    ("B48c", lambda: (fed(',"durable_name":"C","filter_subject":"orders"'),)),
    ("B48c", lambda: (fed(',"filter_subject":"$KV.b.>"', stored="$KV.b.key", late=True),
        fed(',"filter_subject":"$KV.b.>"', stored="$KV.b.key", late=True, does="receives"),
        fed(',"filter_subject":"$KV.b.>"', stored="$KV.c.key", late=True))),
    ("B131", lambda: (unpulled(),
        unpulled(does="pulls"), unpulled(does="unsubscribes"), unpulled(inbox=""), unpulled(wait=1),
        unpulled(',"deliver_subject":"_INBOX.b"'), unpulled(',"filter_subject":"bills"'))),
    ("B131", lambda: (unpulled(',"filter_subject":"orders"', inbox="_INBOX.b.*"),)),
    ("B132", lambda: (abandoned(3),
        abandoned(2), abandoned(9, acks=True), abandoned(9, '{"batch":1,"expires":5000000000}'),
        abandoned(9, apart=False), abandoned(9, wait=0), abandoned(9, '{"no_wait":true}'))),
    ("B132", lambda: (abandoned(4, '{"batch":1}'),)),
    ("N66", lambda: (acked_in_vain(), acked_in_vain("100"), acked_in_vain(subject="orders"))),
    ("N66", lambda: (acked_in_vain(subject="$JS.ACK.T.D.2.7.9.17.3"),)),
    ("N67", lambda: (starting('"1970-01-01T02:00:00.123456789Z"'),
        starting('"1970-01-01T00:00:30Z"'), starting('"0001-01-01T00:00:00Z"'),
        starting('"1970-01-01T02:00:00"'), starting('"tomorrow"'), starting("7200"),
        starting('"1970-01-01T02:00:00Z"', "}"), starting('"1970-01-01T02:00:00+02:00"'))),
    ("N67", lambda: (starting('"1970-01-01T00:00:00-05:00"'),)),
    ("B4b", lambda: (brief(8),
        brief(7), brief(14, wait=1500), brief(14, status="404"), brief(14, brings=7))),
    ("B4b", lambda: (brief(8, wait=900),)),
    ("B123", lambda: (handled("C", "D"),
        handled("C", "C"), handled("C", "D", names=("work", "audit")),
        handled("C", "D", stream="KV_S"), handled("C", "D", word="-NAK"),
        handled("C", "D", count=2))),
    ("B123", lambda: (handled("C", "C", "D", names=("w", "w", "w")),)),
    ("B90", lambda: (configured("a", "b", "a", "b"),
        configured("a", "b", "a"), configured("a", "a", "a", "a"), configured("a", "b", "c"),
        configured("a", "b", "a", "b", request=CREATE))),
    ("B90", lambda: (configured("a", "b", "c", "a", "b"),)),
    ("B91", lambda: (filtered('"filter_subject":"order.new"'),
        filtered('"filter_subject":"orders.new"'), filtered('"filter_subject":"*.new"'),
        filtered('"filter_subject":""'), filtered('"filter_subjects":["bills"]'),
        filtered('"filter_subject":"order.new"', "{}"),
        filtered('"filter_subject":"order.new"', STREAM % '"name":"S","sources":[{"name":"T"}]'),
        filtered('"filter_subject":"order.new"', asked=f"{API}STREAM.INFO.T"))),
    ("B91", lambda: (filtered('"filter_subjects":["orders.a","bills.b"]', asked=CREATE),)),
    ("B106", lambda: (updated('{"name":"S","subjects":["a"]}'),
        updated('{"name":"S","allow_direct":true}'), updated('{"name":"S","allow_direct":false}'),
        updated('{"name":"S"}', '"allow_direct":false'), updated('{"name":"T"}', stream="T"))),
    ("B106", lambda: (
        updated('{"name":"S","allow_direct":true}', '"allow_direct":true,"no_ack":true'),)),
    ("B107", lambda: (limited('"durable_name":"C"'),
        limited('"durable_name":"C","max_deliver":5'), limited('"max_deliver":9'),
        limited('"durable_name":"C"', '"max_deliver":-1'), limited('"a":1', name="D"),
        limited('"durable_name":"C"', deletes=True))),
    ("B107", lambda: (
        limited('"max_deliver":5', '"max_deliver":5,"filter_subject":"orders.new"'),
        limited('"filter_subjects":["a","b"]', '"filter_subject":"orders.new"'),
        limited('"filter_subject":"a"', '"filter_subjects":["a","b"]'),
        limited('"backoff":[2000000000]', '"ack_wait":9000000000'))),
    ("B107", lambda: (
        limited('"filter_subjects":[]', '"filter_subject":"orders.new"'),
        limited('"ack_wait":2000000000', '"ack_wait":9000000000'))),
    ("B92", lambda: (muted(), muted(no_ack="false"), muted("bills"), muted(answer="yes"))),
    ("B93", lambda: (called((CREATE, '{"num_replicas":2}')),
        called((CREATE, '{"num_replicas":3}')), called((CREATE, "{}")),
        called(("orders", '{"num_replicas":2}')))),
    ("B93", lambda: (called((f"{API}CONSUMER.CREATE.S.C", '{"config":{"num_replicas": 4}}')),)),
    ("B94", lambda: (remade(*["STREAM.CREATE.S", "STREAM.DELETE.S"] * 3),
        remade(*["STREAM.CREATE.S", "STREAM.DELETE.S"] * 2), remade(*["STREAM.CREATE.S"] * 9),
        remade("STREAM.CREATE.S", "STREAM.DELETE.S", "STREAM.CREATE.T", "STREAM.DELETE.T") )),
    ("B94", lambda: (remade(*["CONSUMER.CREATE.S.C", "CONSUMER.DELETE.S.C"] * 3),
        remade(*(f"CONSUMER.{e}.S.{each}" for each in "abcd" for e in ("CREATE", "DELETE"))))),
    ("B94", lambda: (remade(*["CONSUMER.DURABLE.CREATE.S.C", "CONSUMER.DELETE.S.C"] * 3),)),
    ("B95", lambda: (shared("tax", "audit", "tax"),
        shared("tax", "audit"), shared("tax-1", "tax-2", "tax-1"), shared("tax", "", "tax"))),
    ("B95", lambda: (shared("tax", "audit", "tax"),
        shared("tax", "audit", "tax", more=',"group":"g"'))),
    ("B110", lambda: (pinned("x", "x", "x"),
        pinned("x", "x"), pinned("x", "", "", ""), pinned("x", "y", "z", "u"),
        pinned("x", "x", "x", "x", refused=4), pinned("x", "x", "x", status=408))),
    ("B110", lambda: (pinned("x", "x", "x", "x", own=True, refused=1),)),
    ("B96", lambda: (rejected(3),
        rejected(2), rejected(9, ""), rejected(9, word="+ACK"),
        rejected(9, word='-NAK {"delay":1000000000}'))),
    ("B97", lambda: (acked("all", 1, 2, 3, 4, 5, 6),
        acked("all", 1, 2, 3), acked("all", *range(5, 60, 5)),
        acked("explicit", 1, 2, 3, 4, 5, 6, 7))),
    ("B98", lambda: (batches(4),
        batches(0, 1, 2, 3, 4), batches(4, policy="all"), batches(4, again=15),
        batches(0, 1, 2, 4))),
    ("B98", lambda: (batches(9, size=10),)),
    ("B99", lambda: (given_up(4),
        given_up(3), given_up(9, wait=6 * SECOND), given_up(9, brings=1),
        given_up(9, status="408"), given_up(5, wait=5 * SECOND - 50 * MS))),
    ("B99", lambda: (given_up(9, other=f"{API}CONSUMER.MSG.NEXT.S.D"),)),
    ("B300", lambda: (fetches(3),
        fetches(2), fetches(9, between=500 * MS), fetches(9, asks='"idle_heartbeat":0'),
        fetches(9, ended=True), fetches(9, brings=True), fetches(9, own=True))),
    ("B301", lambda: (limited('"durable_name":"C"', KNOWN, deletes=True),
        limited('"durable_name":"C"', KNOWN), limited('"ack_policy":"all"', KNOWN, deletes=True),
        limited('"durable_name":"C"', '"ack_policy":"explicit"', deletes=True),
        limited('"durable_name":"D"', KNOWN, name="D", deletes=True))),
    ("B100", lambda: (batch(1, 2, 4),
        batch(1, 2, 3), batch(1, 1, 2, 2, ids="abab"), batch(1, 2, 1, 2, at=1))),
    ("B100", lambda: (batch(1, 1, 2),)),
    ("B100", lambda: (batch(1, 2, 4, at=1), batch(1, 2, 1, at=1))),
    ("B100b", lambda: (batch(1, 2, commits=False),
        batch(1, 2), batch(1, 2, commits=False, closes=False))),
    ("N57", lambda: (called((f"{'$JS.EVENT.ADVISORY.'}CONSUMER.MAX_DELIVERIES.S.C", "{}")),
        called((f"{API}STREAM.INFO.S", "")))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Callable[[], tuple[Script, ...]]) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.found(f"NATS-{rule}"), rule
    for number, each in enumerate(kept):
        assert f"NATS-{rule}" not in each.rules(), (rule, number)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in CONSUMER_RULES} == {f"NATS-{rule}" for rule, *_ in CASES}
