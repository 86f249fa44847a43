"""Rules for what clients do with JetStream over time: faults are named, near misses are not."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, MS, SECOND, SERVER, Script

from streamshark.protocols.nats.jetstream_behaviour_rules import JETSTREAM_BEHAVIOURS

STORED = '{"stream":"S", "seq":%d}'
API = "$JS.API."
NEXT = f"{API}CONSUMER.MSG.NEXT.S.C"
NOT_FOUND = (
    '{"type":"io.nats.jetstream.api.v1.stream_info_response","error":{"code":404,'
    '"err_code":10059,"description":"stream not found"}}'
)
INFO = '{"type":"io.nats.jetstream.api.v1.stream_info_response","config":{}}'
CONSUMER = (
    '{"type":"io.nats.jetstream.api.v1.consumer_info_response","stream_name":"S","name":"C",'
    '"config":{"ack_policy":"explicit","ack_wait":30000000000,"max_deliver":%d,'
    '"max_ack_pending":9,"x":1}}'
)


def begun(name: str = "") -> Script:
    """A connection with an inbox."""
    talk = Script(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode()))
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    return talk


def hpub(talk: Script, subject: str, header: str, payload: str, reply: str = "") -> None:
    """Publish with a header."""
    block = f"NATS/1.0\r\n{header}\r\n\r\n"
    sizes = f"{len(block)} {len(block) + len(payload)}"
    line = f"HPUB {subject} {reply} {sizes}".replace("  ", " ")
    talk.line(CLIENT, f"{line}\r\n{block}{payload}\r\n", end="")


def asks(talk: Script, subject: str, answer: str, number: int = 0, payload: str = "") -> None:
    """Send a request that is answered."""
    talk.pub(subject, payload, f"_INBOX.a.{number}")
    if answer:
        talk.msg(f"_INBOX.a.{number}", answer)


def sent_again(
    *answers: str, wait: int = 2 * SECOND, payloads: str = "aa", ids: str = "77"
) -> Script:
    """A message with an id that is published again."""
    talk = begun()
    for number, answer in enumerate(answers):
        talk.now += wait
        reply = f"_INBOX.a.{number}"
        hpub(talk, "orders", f"Nats-Msg-Id: {ids[number]}", payloads[number] * 9, reply)
        if answer:
            talk.msg(reply, answer)
    return talk


def revised(*, last: int = 3, expected: int = 1, direct: bool = False, other: str = "") -> Script:
    """A message that is read, and published again with its sequence."""
    talk = begun()
    for number in range(2):
        reply = f"_INBOX.a.r{number}"
        if direct:
            talk.pub(f"{API}DIRECT.GET.S.anna", "", reply)
            head = "NATS/1.0\r\nNats-Subject: anna\r\nNats-Sequence: 1\r\n\r\n"
            talk.line(SERVER, f"HMSG {reply} 1 {len(head)} {len(head) + 1}\r\n{head}x\r\n", end="")
        else:
            talk.pub(f"{API}STREAM.MSG.GET.S", '{"last_by_subj":"anna"}', reply)
            talk.msg(reply, '{"type":"x","message":{"subject":"anna","seq":1,"data":""}}')
        reply = f"_INBOX.a.p{number}"
        hpub(talk, other or "anna", f"Nats-Expected-Last-Sequence: {expected}", "x", reply)
        refused = f"wrong last sequence: {last}"
        talk.msg(reply, '{"error":{"code":400,"err_code":10071,"description":'
                 f'"{refused}"}},"stream":"S","seq":0}}')  # fmt: skip
    return talk


def answered(*answers: str) -> Script:
    """A request with several answers."""
    talk = begun()
    talk.pub("rooms.get", "x", "_INBOX.a.1")
    for each in answers:
        talk.msg("_INBOX.a.1", each)
    talk.close()
    return talk


def kept(count: int, retention: str = "interest", consumer: str = "") -> Script:
    """A stream, and messages that are published to it."""
    talk = begun()
    body = f'{{"name":"S","retention":"{retention}"}}'
    asks(talk, f"{API}STREAM.CREATE.S", INFO, 0, body)
    if consumer:
        asks(talk, f"{API}CONSUMER.CREATE.{consumer}.c", CONSUMER % -1, 1, "{}")
    for each in range(count):
        asks(talk, "orders", STORED % (each + 1), each + 2, "x")
    talk.close()
    return talk


def words(talk: Script, word: str, times: int = 1, wait: int = SECOND, message: int = 1) -> None:
    """Acknowledge a message."""
    for _ in range(times):
        talk.pub(f"$JS.ACK.S.C.1.{message}.{message}.17.5", word, wait=wait)


def in_progress(*kept: int, times: int = 3, ends: str = "", acks: bool = True) -> Script:
    """Three messages, of which some are kept in progress."""
    talk = begun()
    for each in (1, 2, 3):
        talk.delivery(each)
    for each in kept:
        words(talk, "+WPI", times, message=each)
    for each in {1, 2, 3} - set(kept) if acks else ():
        words(talk, "+ACK", message=each)
    for each in kept if ends else ():
        words(talk, ends, message=each)
    talk.close()
    return talk


def progress(times: int, wait: int, known: bool = True) -> Script:  # noqa: FBT001, FBT002 - one of three
    """A message in progress of a consumer with an ack_wait of 30 s."""
    talk = begun()
    if known:
        asks(talk, f"{API}CONSUMER.INFO.S.C", CONSUMER % -1)
    talk.delivery(1)
    words(talk, "+WPI", times, wait)
    return talk


def after(word: str, times: int) -> Script:
    """Progress after the ack of a message."""
    talk = begun()
    talk.delivery(1)
    words(talk, word)
    words(talk, "+WPI", times)
    return talk


def judged(*verdicts: str) -> Script:
    """Deliveries, each with its ack."""
    talk = begun()
    for number, word in enumerate(verdicts):
        talk.pub(talk.delivery(number + 1), word)
    talk.close()
    return talk


def rejected(number: int, most: int, word: str = "-NAK") -> Script:
    """A delivery that is rejected, of a consumer with a max_deliver."""
    talk = begun()
    asks(talk, f"{API}CONSUMER.INFO.S.C", CONSUMER % most)
    talk.pub(talk.delivery(1, number), word)
    return talk


def acked_as(word: str, subject: str = "_INBOX.other.1", to: str = "rooms.get") -> Script:
    """A request that is answered by a word."""
    talk = begun()
    talk.msg(to, "x", subject)
    talk.pub(subject, word)
    return talk


def got(word: str, subject: str = "rooms.get") -> Script:
    """A request whose answer is a word."""
    talk = begun()
    asks(talk, subject, word)
    return talk


def ack_to(subject: str) -> Script:
    """An ack to a subject."""
    talk = begun()
    talk.pub(subject, "+ACK")
    return talk


def stopped(
    count: int,
    *,
    served: bool = True,
    drained: bool = False,
    by: int = CLIENT,
    jetstream: bool = False,
    queue: str = "q",
) -> Script:
    """Connections of a service, each of which ends while a request waits."""
    talk = Script(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"tax-0"'))
    for number in range(count):
        talk.line(CLIENT, f"SUB tax {queue} 1")
        for each in (1, 2):
            reply = f"_INBOX.x.{number}{each}"
            if jetstream:
                reply = talk.delivery(2 * number + each)
            else:
                talk.msg("tax", "x", reply)
            if (each == 1 and served) or drained:
                talk.pub(reply, "+ACK" if jetstream else "yes")
        for side in (by, 1 - by):
            talk.event(side, "close")
        talk._see(talk.connection.finish())
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"tax-%d"' % number))
    return talk


def misnamed(*requests: tuple[str, str]) -> Script:
    """Requests of the API and their answers."""
    talk = begun()
    for number, (subject, answer) in enumerate(requests):
        asks(talk, API + subject, answer, number)
    talk.close()
    return talk


def endless(count: int, payload: str = '{"batch":1}', *, brings: bool = False) -> Script:
    """Pull requests one after the other."""
    talk = begun()
    for each in range(count):
        talk.pub(NEXT, payload, f"_INBOX.a.{each}", wait=SECOND)
        if brings:
            talk.delivery(each + 1)
    return talk


def put(chunks: int, size: int) -> Script:
    """An object in chunks."""
    talk = begun()
    for _ in range(chunks):
        talk.pub("$O.files.C.n1", "x" * size, "_INBOX.a.1")
    talk.pub(
        "$O.files.M.bmFtZQ==", f'{{"name":"name","nuid":"n1","chunks":{chunks}}}', "_INBOX.a.2"
    )
    return talk


def deleted(count: int, wait: int = 10 * MS) -> Script:
    """Stored messages that are deleted."""
    talk = begun()
    for each in range(count):
        talk.now += wait
        asks(talk, f"{API}STREAM.MSG.DELETE.S", "{}", each, f'{{"seq":{each}}}')
    return talk


def idle(count: int, *, used: bool = False) -> Script:
    """Connections without a message, and one more."""
    talk = Script()
    for _ in range(count):
        if used:
            talk.line(CLIENT, "SUB orders 1")
        talk.line(CLIENT, "PING", wait=2 * SECOND)
        talk.another()
    return talk


def subscribed(subject: str) -> Script:
    """A subscription."""
    talk = Script()
    talk.line(CLIENT, f"SUB {subject} 1")
    return talk


def published(reply: str = "", header: str = "Nats-Msg-Id: 7", subject: str = "orders") -> Script:
    """A message with a header."""
    talk = begun()
    hpub(talk, subject, header, "x", reply)
    return talk


def requested(subject: str, reply: str = "") -> Script:
    """A message to a subject."""
    talk = begun()
    talk.pub(subject, "{}", reply)
    return talk


def locked(
    times: int, *, between: bool = True, revision: bool = False, holds: bool = True,
    operation: str = "DEL",
) -> Script:  # fmt: skip
    """A key that one client creates, another one creates after it, and the first one removes."""
    talk = begun()
    links = [(talk.connection, talk.offsets, 0)]
    talk.connect()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    links.append((talk.connection, talk.offsets, 1))
    last = 0

    def write(at: int, header: str, payload: str = "w") -> None:
        nonlocal last
        talk.connection, talk.offsets, talk.flow = links[at]
        reply = f"_INBOX.a.l{talk.now}"
        hpub(talk, "$KV.locks.k", header, payload, reply)
        last += 1
        talk.msg(reply, STORED % last)

    expected = "Nats-Expected-Last-Subject-Sequence"
    for _ in range(times):
        if holds:
            write(0, f"{expected}: {last}")
        if between:
            write(1, f"{expected}: {last}")
        more = f"\r\n{expected}: {last}" if revision else ""
        write(0, f"KV-Operation: {operation}{more}", "")
    return talk


def written(
    times: int, *, expects: bool = False, direct: bool = False, fresh: bool = False
) -> Script:
    """A key that two clients read and write, the second one without seeing the first write."""
    talk = begun()
    links = [(talk.connection, talk.offsets, 0)]
    talk.connect()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    links.append((talk.connection, talk.offsets, 1))

    def read(at: int, last: int) -> None:
        talk.connection, talk.offsets, talk.flow = links[at]
        reply = f"_INBOX.a.r{talk.now}"
        if direct:
            talk.pub(f"{API}DIRECT.GET.KV_b.$KV.b.k", "", reply)
            head = f"NATS/1.0\r\nNats-Subject: $KV.b.k\r\nNats-Sequence: {last}\r\n\r\n"
            sizes = f"{len(head)} {len(head) + 1}"
            talk.line(SERVER, f"HMSG {reply} 1 {sizes}\r\n{head}x\r\n", end="")
        else:
            talk.pub(f"{API}STREAM.MSG.GET.KV_b", '{"last_by_subj":"$KV.b.k"}', reply)
            answer = '{"type":"x","message":{"subject":"$KV.b.k","seq":%d,"data":""}}'
            talk.msg(reply, answer % last)

    def write(at: int, last: int, sequence: int) -> None:
        talk.connection, talk.offsets, talk.flow = links[at]
        reply = f"_INBOX.a.p{talk.now}"
        if expects:
            hpub(talk, "$KV.b.k", f"Nats-Expected-Last-Subject-Sequence: {last}", "9", reply)
        else:
            talk.pub("$KV.b.k", "9", reply)
        talk.msg(reply, STORED % sequence)

    for each in range(1, 2 * times, 2):
        read(0, each)
        if not fresh:
            read(1, each)
        write(0, each, each + 1)
        if fresh:
            read(1, each + 1)
        write(1, each + fresh, each + 2)
    return talk


def nexts(
    count: int, beats: int = 3, payload: str = "+NXT", beat: str = ',"idle_heartbeat":1000000000'
) -> Script:
    """Connections, each of which asks for the next message and is closed after some seconds."""
    talk = begun("tax-0")
    for each in range(count):
        talk.pub(NEXT, f'{{"batch":1,"expires":20000000000{beat}}}', "_INBOX.a.1")
        talk.pub(talk.delivery(each + 1), payload, "_INBOX.a.1")
        talk.now += beats * SECOND
        talk.event(CLIENT, "close")
        talk.event(SERVER, "close")
        talk._see(talk.connection.finish())
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"tax-1"'))
        talk.line(CLIENT, "SUB _INBOX.a.* 1")
    return talk


def after_next(count: int) -> Script:
    """Messages of a connection, each asked for by the ack of the one before."""
    talk = begun()
    talk.pub(NEXT, '{"batch":1,"idle_heartbeat": 1000000000}', "_INBOX.a.1")
    for each in range(count):
        talk.pub(talk.delivery(each + 1), "+NXT", "_INBOX.a.1")
    return talk


def left(count: int, wait: int = 4, *, subject: str = "", name: str = "tax") -> Script:
    """Connections that are used and then do nothing."""
    talk = begun(name)
    for each in range(count):
        if each:
            said = CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode())
            talk.connect(connect=said if name else CLIENT_CONNECT)
            talk.line(CLIENT, "SUB _INBOX.a.* 1")
        if subject:
            talk.line(CLIENT, f"SUB {subject} 2")
        asks(talk, "rooms.get", "x", each)
        talk.now += wait * SECOND
        talk.close()
        talk._see(talk.connection.finish())
    return talk


ONE, TWO = STORED % 1, STORED % 2
DUPLICATE = '{"stream":"S", "seq":1,"duplicate": true}'


def stopped_with(*acks: int, side: int = CLIENT, number: int = 2) -> Script:
    """Two deliveries, of which some are acknowledged when the connection ends; then another one."""
    talk = begun("work")
    replies = [talk.delivery(each) for each in (1, 2)]
    for each in acks:
        talk.pub(replies[each - 1], "+ACK")
    for each in (side, 1 - side):
        talk.event(each, "close")
    talk._see(talk.connection.finish())
    talk.connect()
    talk.delivery(2, number, consumed=3)
    return talk


def advanced(
    *places: int, config: str = '"ack_policy":"none"', stream: str = "S", turns: int = 1
) -> Script:
    """A consumer that is created, and the places of its deliveries in the stream."""
    talk = begun()
    body = f'{{"stream_name":"{stream}","config":{{{config}}}}}'
    talk.pub(f"{API}CONSUMER.CREATE.{stream}", body, "_INBOX.a.0")
    for turn, place in enumerate(places):
        talk.msg("orders", "m", f"$JS.ACK.{stream}.C.1.{place}.{turn * turns + 1}.17.0")
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B74d", lambda: (stopped_with(1),
        stopped_with(1, 2), stopped_with(1, side=SERVER), stopped_with(1, number=1),
        stopped_with())),
    ("B130", lambda: (advanced(1, 2, 9),
        advanced(1, 2, 5), advanced(1, 2, 3), advanced(1, 9, turns=2), advanced(5, 6),
        advanced(1, 9, config='"filter_subject":"orders"'), advanced(1, 9, stream="KV_S"),
        advanced(1, 9, config='"deliver_policy":"last_per_subject"'))),
    ("B130", lambda: (advanced(1, 2, 3, 40, config='"deliver_policy":"all","durable_name":"C"'),)),
    ("B71", lambda: (sent_again(ONE, TWO),
        sent_again(ONE, DUPLICATE), sent_again("", TWO), sent_again(ONE, TWO, payloads="ab"),
        sent_again(ONE, TWO, ids="78"), sent_again(TWO, ONE), sent_again(ONE, ""))),
    ("B71", lambda: (sent_again(ONE, TWO, wait=200 * SECOND),
        sent_again(ONE, TWO, wait=200 * SECOND, payloads="ab"))),
    ("B72", lambda: (published(), published("_INBOX.a.1"), published(header="Trace: 7"))),
    ("B75", lambda: (revised(),
        revised(last=1), revised(expected=2), revised(other="bert"), revised(last=0))),
    ("B75", lambda: (revised(direct=True),)),
    ("B76", lambda: (answered(ONE, "yes"),
        answered(ONE), answered("yes", "no"), answered(ONE, TWO))),
    ("B76", lambda: (answered("yes", ONE),)),
    ("B77", lambda: (kept(3), kept(2), kept(5, "limits"), kept(5, consumer="S"))),
    ("B77", lambda: (kept(3, consumer="T"),)),
    ("N43", lambda: (acked_as("+ACK"),
        acked_as("+ACK", "$JS.ACK.S.C.1.1.1.17.0", "orders"), acked_as("ACK"), acked_as(""))),
    ("N43", lambda: (acked_as("-NAK", "r.1", f"{API}STREAM.INFO.S"),)),
    ("N43b", lambda: (got("+ACK"), got("yes"), got(""))),
    ("N43b", lambda: (got('-NAK {"delay": 1}', f"{API}INFO"),)),
    ("N44", lambda: (ack_to("$JS.ACK.S.C.1.1.1"),
        ack_to("$JS.ACK.S.C.1.1.1.17.0"), ack_to("$JS.ACK.hub.x.S.C.1.1.1.17.0.y"))),
    ("B78", lambda: (in_progress(1, 2),
        in_progress(1), in_progress(1, 2, times=2), in_progress(1, 2, ends="+ACK"),
        in_progress(1, 2, ends="-NAK"), in_progress(1, 2, acks=False))),
    ("B78b", lambda: (in_progress(1), in_progress(1, times=2), in_progress(1, ends="+TERM"))),
    ("B78c", lambda: (after("+ACK", 3), after("+ACK", 2), after("+WPI", 9))),
    ("B78c", lambda: (after("-NAK", 3),)),
    ("B79", lambda: (progress(3, SECOND), progress(2, SECOND), progress(9, 5 * SECOND))),
    ("B79", lambda: (progress(5, 10 * MS), progress(5, SECOND, known=False))),
    ("B80", lambda: (judged(*["+TERM"] * 5),
        judged(*["+TERM"] * 4), judged(*["+TERM"] * 6, "+ACK"), judged(*["+ACK"] * 9))),
    ("B80", lambda: (judged(*["-NAK"] * 5),)),
    ("B85", lambda: (rejected(3, 3), rejected(2, 3), rejected(3, -1), rejected(3, 3, "+ACK"))),
    ("B74", lambda: (stopped(2),
        stopped(1), stopped(3, served=False), stopped(3, drained=True), stopped(3, by=SERVER),
        stopped(3, jetstream=True), stopped(3, queue=""))),
    ("B74b", lambda: (stopped(1), stopped(1, served=False), stopped(1, drained=True))),
    ("B74c", lambda: (stopped(2, jetstream=True),
        stopped(1, jetstream=True), stopped(3, jetstream=True, drained=True),
        stopped(3, jetstream=True, by=SERVER), stopped(3))),
    ("B73", lambda: (misnamed(("STREAM.CREATE.ORDERS", INFO), ("STREAM.INFO.orders", NOT_FOUND)),
        misnamed(("STREAM.CREATE.ORDERS", INFO), ("STREAM.INFO.ORDERS", NOT_FOUND)),
        misnamed(("STREAM.CREATE.orders1", INFO), ("STREAM.INFO.orders2", NOT_FOUND)),
        misnamed(("STREAM.CREATE.ORDERS", NOT_FOUND), ("STREAM.INFO.orders", NOT_FOUND)),
        misnamed(("STREAM.CREATE.ORDERS", INFO), ("STREAM.INFO.bills", NOT_FOUND)))),
    ("B73", lambda: (
        misnamed(("CONSUMER.INFO.S.worker-a", INFO), ("CONSUMER.INFO.S.worker_a", NOT_FOUND)),
        misnamed(("CONSUMER.INFO.S.worker", INFO), ("STREAM.INFO.S.Worker", NOT_FOUND)))),
    ("N42", lambda: (misnamed(("STREAM.CREAT.S", "")),
        misnamed(("STREAM.CREATE.S", "")), misnamed(("NEW.THING", "")),
        misnamed(("STREAM.CREAT.S", "{}")))),
    ("N42", lambda: (misnamed(("CONSUMER.INFO.S", "")), misnamed(("CONSUMER.INFO.S.C", "")))),
    ("N47", lambda: (requested(NEXT),
        requested(NEXT, "_INBOX.a.1"), requested("$JS.ACK.S.C.1.1.1.1.0"))),
    ("N47", lambda: (requested(f"{API}STREAM.PURGE.S"),)),
    ("N48", lambda: (subscribed("_INBOX.>"), subscribed("_INBOX.a.>"), subscribed(">"))),
    ("B81", lambda: (endless(5),
        endless(4), endless(9, '{"batch":1,"expires":5000000000}'), endless(9, brings=True),
        endless(9, '{"batch":1,"no_wait":true}'))),
    ("B81", lambda: (endless(5, ""),)),
    ("B82", lambda: (put(5, 100), put(4, 100), put(5, 9000))),
    ("B83", lambda: (deleted(5), deleted(4), deleted(9, wait=3 * SECOND))),
    ("B84", lambda: (idle(2), idle(1), idle(5, used=True))),
    ("B86", lambda: (written(3), written(2), written(5, expects=True), written(5, fresh=True))),
    ("B86", lambda: (written(3, direct=True), written(5, direct=True, fresh=True))),
    ("B136", lambda: (locked(2),
        locked(1), locked(3, between=False), locked(3, revision=True), locked(3, holds=False),
        locked(3, operation="PURGE"))),
    ("B136", lambda: (locked(5),)),
    ("B87", lambda: (nexts(2),
        nexts(1), nexts(3, beats=1), nexts(3, beats=9), nexts(3, beat=""),
        nexts(3, payload='+NXT {"batch":1,"idle_heartbeat":1000000000}'))),
    ("B87", lambda: (nexts(2, payload='+NXT {"batch":1}'), nexts(3, payload="+ACK"))),
    ("B87b", lambda: (after_next(2), after_next(1), nexts(3))),
    ("B88", lambda: (left(4),
        left(3), left(6, wait=1), left(6, subject="orders"), left(6, name=""))),
    ("B88", lambda: (left(9, wait=60),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(
    rule: str, talks: Callable[[], tuple[Script, ...]]
) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.found(f"NATS-{rule}"), rule
    for number, each in enumerate(kept):
        assert f"NATS-{rule}" not in each.rules(), (rule, number)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in JETSTREAM_BEHAVIOURS} == {f"NATS-{rule}" for rule, *_ in CASES}
