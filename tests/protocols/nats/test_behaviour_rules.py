"""Rules for what clients do over time: each names its fault and leaves near misses alone."""

from collections.abc import Callable, Iterable

from tests.failures import every
from tests.protocols.nats.traffic import (
    CLIENT,
    CLIENT_CONNECT,
    MS,
    SECOND,
    SERVER,
    SERVER_INFO,
    Script,
)

from streamshark.protocols.nats.behaviour_rules import BEHAVIOURS

NEXT = "$JS.API.CONSUMER.MSG.NEXT.S.C"
CREATE = "$JS.API.CONSUMER.DURABLE.CREATE.S."
REFUSED = '{"type":"io.nats.jetstream.api.v1.x_response","error":{"code":404,"description":"no"}}'
STORED = '{"stream":"S","seq":1}'
DONE = '{"type":"io.nats.jetstream.api.v1.x_response"}'


def asked(count: int, answer: str, wait: int = 10 * MS, last: str = "") -> Script:
    """Requests to JetStream that are answered."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("$JS.API.STREAM.CREATE.S", "{}", f"_INBOX.a.{each}", wait)
        talk.msg(f"_INBOX.a.{each}", last if last and each == count - 1 else answer)
    return talk


def unheard(count: int, code: str = "503", name: str = "") -> Script:
    """Messages that are answered with a status."""
    talk = Script(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode()))
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("events", "x", f"_INBOX.a.{each}")
        talk.status(f"_INBOX.a.{each}", code)
    return talk


def errors(count: int, wait: int = SECOND) -> Script:
    """The same -ERR."""
    talk = Script()
    for _ in range(count):
        talk.pub("secret", "x", wait=wait)
        talk.line(SERVER, "-ERR 'Permissions Violation for Publish to \"secret\"'")
    return talk


def pulls(count: int, code: str, wait: int = 5 * MS) -> Script:
    """Pull requests that end with a status."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub(NEXT, '{"batch":1,"no_wait":true}', f"_INBOX.a.{each}", wait)
        talk.status(f"_INBOX.a.{each}", code)
    return talk


def bounded(taken: int) -> Script:
    """A pull of some bytes, which a message ends that does not fit."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a 1")
    talk.pub(NEXT, '{"batch":10,"max_bytes":100}', "_INBOX.a")
    for each in range(taken):
        talk.delivery(each + 1)
    talk.status("_INBOX.a", "409 Message Size Exceeds MaxBytes")
    return talk


def queries(count: int, wait: int = 10 * MS) -> Script:
    """The state of a consumer asked for."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("$JS.API.CONSUMER.INFO.S.C", "", f"_INBOX.a.{each}", wait)
        talk.msg(f"_INBOX.a.{each}", DONE)
    return talk


def redelivered(numbers: Iterable[int], *, ack: bool = False) -> Script:
    """One message delivered again, perhaps acknowledged in the end by its first number."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    replies = [talk.delivery(7, each, consumed=each) for each in numbers]
    if ack:
        talk.pub(replies[0], "+ACK")
    return talk


def created(count: int, *, deleted: bool = False, wait: int = 10 * MS, stream: str = "S") -> Script:
    """Consumers created one after the other."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub(f"$JS.API.CONSUMER.CREATE.{stream}", "{}", f"_INBOX.a.{each}", wait)
        if deleted:
            talk.pub(f"$JS.API.CONSUMER.DELETE.S.c{each}", "", f"_INBOX.a.d{each}")
    return talk


def echoed(count: int, *, own: bool = True) -> Script:
    """Messages that the client publishes after each that it receives."""
    talk = Script()
    talk.line(CLIENT, "SUB events.> 1")
    for _ in range(count):
        talk.pub("events.new", "x")
        talk.msg("events.new" if own else "events.other", "x")
    return talk


def connections(count: int, messages: int) -> Script:
    """Connections one after the other."""
    talk = Script()
    for _ in range(count):
        for _ in range(messages):
            talk.pub("orders", "x")
        talk.another()
    return talk


def inboxes(count: int, *, ended: bool, answers: int = 1, requests: int = 1) -> Script:
    """An inbox for each request, or for some."""
    talk = Script()
    for each in range(count):
        talk.line(CLIENT, f"SUB _INBOX.{each} {each + 1}")
        for _ in range(requests):
            talk.pub("service", "x", f"_INBOX.{each}")
        for _ in range(answers):
            talk.msg(f"_INBOX.{each}", "y", sid=each + 1)
        if ended:
            talk.line(CLIENT, f"UNSUB {each + 1}")
    talk.close()
    return talk


def subscribed(*, ended: bool, queue: str = "") -> Script:
    """One subject subscribed to twice."""
    talk = Script()
    talk.line(CLIENT, f"SUB orders {queue} 1".replace("  ", " "))
    talk.msg("orders", "x")
    if ended:
        talk.line(CLIENT, "UNSUB 1")
    talk.line(CLIENT, f"SUB orders {queue} 2".replace("  ", " "))
    for sid in (1, 2):
        if not (ended and sid == 1):
            talk.msg("orders", "x", sid=sid)
    talk.close()
    return talk


def durables(names: Iterable[str], *, apart: bool = True) -> Script:
    """Durable consumers, each of a connection of its own."""
    talk = Script()
    for name in names:
        talk.pub(CREATE + name, f'{{"config": {{"durable_name": "{name}"}}}}', "_INBOX.a")
        if apart:
            talk.another()
    return talk


def configured(*filters: str) -> Script:
    """One durable consumer with filters."""
    talk = Script()
    for each in filters:
        talk.pub(CREATE + "c", f'{{"durable_name":"c","filter_subject":"{each}"}}', "_INBOX.a")
    return talk


def stalled(*, acks: bool, waiting: int = 5) -> Script:
    """Pulls that expire after messages."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub(NEXT, '{"batch":2}', "_INBOX.a.1")
    replies = [talk.delivery(each, waiting=waiting) for each in (1, 2)]
    for reply in replies if acks else []:
        talk.pub(reply, "+ACK")
    for each in (2, 3, 4):
        talk.pub(NEXT, '{"batch":2}', f"_INBOX.a.{each}", SECOND)
        talk.status(f"_INBOX.a.{each}", "408 Request Timeout")
    talk.close()
    return talk


def consumed(*numbers: int) -> Script:
    """Deliveries of a push consumer."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    for each in numbers:
        talk.delivery(each)
    talk.close()
    return talk


def heartbeat(more: str) -> Script:
    """An idle heartbeat of a push consumer."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    talk.status("deliver", "100 Idle Heartbeat", more)
    return talk


def delivered_to_two(*numbers: int) -> Script:
    """Deliveries of a push consumer, each to another connection."""
    talk = Script()
    for each in numbers:
        talk.line(CLIENT, "SUB deliver 1")
        talk.delivery(each)
        talk.another()
    return talk


def answered_late(*, ended: bool) -> Script:
    """A reply to an inbox that was given up, or not."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.r 1")
    talk.pub("service", "x", "_INBOX.r")
    if ended:
        talk.line(CLIENT, "UNSUB 1")
    talk.pub("_INBOX.r", "late", wait=SECOND)
    talk.close()
    return talk


def subscribed_late(*, late: bool) -> Script:
    """A reply subject subscribed to before or after its request."""
    talk = Script()
    if not late:
        talk.line(CLIENT, "SUB _INBOX.r 1")
    talk.pub("service", "x", "_INBOX.r")
    if late:
        talk.line(CLIENT, "SUB _INBOX.r 1")
    return talk


def pulled_to(prefix: str) -> Script:
    """Pull requests with replies of a prefix, on a connection with inboxes _INBOX.a."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in (1, 2):
        talk.pub(NEXT, '{"batch":1}', f"{prefix}.{each}")
    talk.close()
    return talk


def closed_at_work(*, acks: int, inbox: str = "_INBOX.a.*") -> Script:
    """A client that ends its subscription, handles what it had received, and pulls again."""
    talk = Script()
    talk.line(CLIENT, f"SUB {inbox} 1")
    replies = [talk.delivery(each + 1) for each in range(3)]
    talk.line(CLIENT, "UNSUB 1")
    for each in range(2):
        if each < acks:
            talk.pub(replies[each], "+ACK")
        talk.pub(NEXT, '{"batch":1}', "_INBOX.a.1")
    talk.close()
    return talk


def steps(count: int, ask: str, payload: str, answer: str, wait: int = MS) -> Script:
    """Questions one by one."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub(ask, payload, f"_INBOX.a.{each}", wait)
        if answer:
            talk.msg(f"_INBOX.a.{each}", answer)
        else:
            talk.delivery(each + 1)
    return talk


def pings(count: int, wait: int = MS) -> Script:
    """PINGs, each after the PONG before."""
    talk = Script()
    for _ in range(count):
        talk.line(CLIENT, "PING", wait=wait)
        talk.line(SERVER, "PONG")
    return talk


def acked(*words: str) -> Script:
    """Deliveries that are acknowledged by words."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    for each in range(4):
        reply = talk.delivery(each + 1)
        for word in words:
            talk.pub(reply, word)
    talk.close()
    return talk


def beats(count: int, *, more: str = "", ended: bool = False) -> Script:
    """Heartbeats of a push consumer, each after half a second, then five seconds of PINGs."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    for _ in range(count):
        talk.line(CLIENT, "PING", wait=SECOND // 2)
        talk.status("deliver", "100 Idle Heartbeat", more)
    if ended:
        talk.line(CLIENT, "UNSUB 1")
    for _ in range(5):
        talk.line(CLIENT, "PING", wait=SECOND)
        talk.line(SERVER, "PONG")
    talk.close()
    return talk


def configured_as(policy: str, *, wait: str = "30000000000", most: int = -1, open_: int = 2) -> str:
    """What the server says of a consumer."""
    return (
        '{"type":"io.nats.jetstream.api.v1.consumer_info_response","stream_name":"S","name":"C",'
        f'"config":{{"ack_policy":"{policy}","ack_wait":{wait},"max_deliver":{most},'
        f'"max_ack_pending":{open_},"x":1}}}}'
    )


def taken(
    policy: str, count: int, *, acks: int = 0, waiting: int = 5, seconds: int = 4, **more: int
) -> Script:
    """Messages of a consumer of which the policy is known; the first ones are acknowledged."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("$JS.API.CONSUMER.INFO.S.C", "", "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as(policy, **more))
    replies = [talk.delivery(each + 1, waiting=waiting) for each in range(count)]
    for reply in replies[:acks]:
        talk.pub(reply, "+ACK")
    talk.line(CLIENT, "PING", wait=seconds * SECOND)
    talk.line(SERVER, "PONG")
    talk.close()
    return talk


def given_up(times: int, *, most: int, ack: str = "-NAK") -> Script:
    """One message delivered several times, and what its last delivery is answered by."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("$JS.API.CONSUMER.INFO.S.C", "", "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as("explicit", most=most, open_=99))
    for each in range(times):
        reply = talk.delivery(1, each + 1, consumed=each + 1)
        talk.pub(reply, ack if each == times - 1 else "-NAK")
    talk.line(CLIENT, "PING", wait=2 * SECOND)
    talk.close()
    return talk


FILTER = ',"filter_subject":"orders.new"'
NAMED = CLIENT_CONNECT.replace(b'"go"', b'"go","name":"reader"')


def lost(*subjects: str, left: bool = False) -> Script:
    """A client with two subscriptions, and those that it has after its connection was lost."""
    talk = Script(connect=NAMED)
    talk.line(CLIENT, "SUB a 1")
    talk.line(CLIENT, "SUB b 2")
    for side in (CLIENT, SERVER) if left else (SERVER, CLIENT):
        talk.event(side, "close")
    talk._see(talk.connection.finish())
    talk.connect(connect=NAMED)
    for sid, each in enumerate(subjects):
        talk.line(CLIENT, f"SUB {each} {sid + 1}")
    talk.line(CLIENT, "PING", wait=3 * SECOND)
    talk.close()
    return talk


def limited(most: int) -> Script:
    """A subscription of five messages, of which three came; after a reconnect its limit again."""
    talk = Script(connect=NAMED)
    talk.line(CLIENT, "SUB a 1")
    talk.line(CLIENT, "UNSUB 1 5")
    for _ in range(3):
        talk.msg("a", "x")
    for side in (SERVER, CLIENT):
        talk.event(side, "close")
    talk._see(talk.connection.finish())
    talk.connect(connect=NAMED)
    talk.line(CLIENT, "SUB a 1")
    talk.line(CLIENT, f"UNSUB 1 {most}")
    return talk


def regrouped(group: str = "", *, before: str = "q", side: int = SERVER, wait: int = 0) -> Script:
    """A subscription in a queue group, and one after the connection was lost."""
    talk = Script(connect=NAMED)
    talk.line(CLIENT, f"SUB a {before} 1".replace("  ", " "))
    for each in (side, 1 - side):
        talk.event(each, "close")
    talk._see(talk.connection.finish())
    talk.now += wait * SECOND
    talk.connect(connect=NAMED)
    talk.line(CLIENT, f"SUB a {group} 1".replace("  ", " "))
    return talk


def refiltered(filters: str = "", *, side: int = SERVER, before: str = FILTER) -> Script:
    """A consumer with a filter, and one after the connection was lost."""
    talk = Script(connect=NAMED)
    for each in (before, filters):
        talk.line(CLIENT, "SUB _INBOX.a.* 1")
        body = f'{{"stream_name":"S","config":{{"ack_policy":"none"{each}}}}}'
        talk.pub("$JS.API.CONSUMER.CREATE.S", body, "_INBOX.a.0")
        talk.msg("_INBOX.a.0", configured_as("none"))
        talk.delivery(1)
        for end in (side, 1 - side):
            talk.event(end, "close")
        talk._see(talk.connection.finish())
        talk.connect(connect=NAMED)
    return talk


def begun_at(sequence: int) -> Script:
    """Ten messages, then another consumer that begins somewhere."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(10):
        talk.delivery(each + 1)
    config = f'{{"config":{{"opt_start_seq":{sequence},"ack_policy":"none"}}}}'
    talk.pub("$JS.API.CONSUMER.CREATE.S", config, "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as("none"))
    return talk


def pushed(subject: str, to: str = "deliver.c") -> Script:
    """A push consumer, on a connection with one subscription."""
    talk = Script()
    talk.line(CLIENT, f"SUB {subject} 1")
    talk.pub(CREATE + "c", f'{{"durable_name":"c","deliver_subject":"{to}"}}', "_INBOX.a")
    talk.line(CLIENT, "PING", wait=2 * SECOND)
    talk.close()
    return talk


def unanswered(count: int, *, answers: bool = False) -> Script:
    """Requests to a service."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("service", "x", f"_INBOX.a.{each}", SECOND)
        if answers:
            talk.msg(f"_INBOX.a.{each}", "y")
    talk.line(CLIENT, "PING", wait=2 * SECOND)
    talk.close()
    return talk


def answered_by(names: Iterable[str], *, listened: bool = False) -> Script:
    """Three requests, each answered by connections of some names."""
    talk = Script()
    if listened:
        for each in range(3):
            talk.line(CLIENT, f"SUB _INBOX.r.{each} {each + 1}")
    for name in names:
        talk.another()
        talk._see(talk.connection.finish())
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode()))
        for each in range(3):
            talk.pub(f"_INBOX.r.{each}", "answer")
    return talk


def unheard_of(pattern: str, *subjects: str) -> Script:
    """A subscription, and messages on subjects."""
    talk = Script()
    talk.line(CLIENT, f"SUB {pattern} 1")
    for each in subjects:
        talk.pub(each, "x")
    talk.close()
    return talk


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


def duck(*, after: bool = True, left: bool = False, told: bool = True) -> Script:
    """A server that leaves, and what the client does then."""
    talk = Script()
    if told:
        talk.line(SERVER, 'INFO {"server_id":"a","ldm":true}')
    if after:
        talk.pub("orders", "x")
    for side in (CLIENT, SERVER) if left else (SERVER, CLIENT):
        talk.event(side, "close")
    return talk


def queues(*groups: str, subject: str = "orders", name: bytes = b"worker") -> Script:
    """Subscriptions of one program, each on a connection of its own, all open at once."""
    talk = Script()
    for number, each in enumerate(groups):
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name))
        talk.line(CLIENT, f"SUB {subject if number else 'orders'} {each} 1".replace("  ", " "))
        name = b"worker"
    return talk


def stored(chunks: int, *, meta: bool = False, purged: bool = False) -> Script:
    """Chunks of an object, and what follows them."""
    talk = Script()
    for _ in range(chunks):
        talk.pub("$O.files.C.a", "x" * 99, "_INBOX.a")
    if meta:
        talk.pub("$O.files.M.bmFtZQ==", "{}", "_INBOX.a")
    if purged:
        talk.pub("$JS.API.STREAM.PURGE.OBJ_files", "{}", "_INBOX.a")
    talk.close()
    return talk


def key_read(count: int, *, keys: int = 1, wait: int = MS) -> Script:
    """Reads of keys."""
    talk = Script()
    for each in range(count):
        talk.pub(f"$JS.API.DIRECT.GET.KV_b.$KV.b.{each % keys}", "", f"_INBOX.a.{each}", wait)
    return talk


def key_written(count: int, *, values: int = 1, wait: int = MS) -> Script:
    """Writes of a key."""
    talk = Script()
    for each in range(count):
        talk.pub("$KV.b.k", str(each % values), f"_INBOX.a.{each}", wait)
    return talk


def batch(wanted: int, policy: str = "explicit") -> Script:
    """A pull from a consumer with two messages without acks at most."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("$JS.API.CONSUMER.INFO.S.C", "", "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as(policy))
    talk.pub(NEXT, f'{{"batch":{wanted},"expires":5}}', "_INBOX.a.1")
    return talk


def watched(*, again: str = "", left: bool = False) -> Script:
    """A push consumer whose connection is lost, and what the next connection does."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.w 1")
    talk.pub(CREATE + "c", '{"durable_name":"c","deliver_subject":"_INBOX.w"}', "_INBOX.a")
    talk.status("_INBOX.w", "100 Idle Heartbeat", "")
    for side in (CLIENT, SERVER) if left else (SERVER, CLIENT):
        talk.event(side, "close")
    talk._see(talk.connection.finish())
    talk.connect(connect=CLIENT_CONNECT)
    if again == "subscribes":
        talk.line(CLIENT, "SUB _INBOX.w 1")
    if again == "creates":
        talk.pub(CREATE + "c", '{"durable_name":"c","deliver_subject":"_INBOX.v"}', "_INBOX.a")
    talk.line(CLIENT, "PING", wait=3 * SECOND)
    talk.close()
    return talk


def replicas(*groups: str, deliveries: int = 3, names: tuple[bytes, ...] = ()) -> Script:
    """Connections with a subscription each, and what each of them receives."""
    talk = Script()
    for number, group in enumerate(groups):
        more = b',"name":"%s"' % names[number] if names else b""
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go"' + more))
        talk.line(CLIENT, f"SUB orders {group} 1".replace("  ", " "))
        for _ in range(deliveries):
            talk.msg("orders", "m")
    return talk


def put(
    *uploads: tuple[str, int, int], size: int = 10, purges: str = "", blank: str = "",
    wait: int = 2 * SECOND, deleted: bool = False, created: bool = False,
) -> Script:  # fmt: skip
    """Objects: nuid, chunks that are published, chunks that the metadata announces.

    With `created` each is in a new bucket of the same name.
    """
    talk = Script()
    for nuid, sent, said in uploads:
        if created:
            talk.pub("$JS.API.STREAM.CREATE.OBJ_files", "{}", "_INBOX.a")
        for _ in range(sent):
            talk.pub(f"$O.files.C.{nuid}", "x" * size, "_INBOX.a")
        counts = f'"size":{blank}{said * size},"chunks":{blank}{said}'
        end = ',"deleted":true' if deleted and not said else ""
        meta = f'{{"name":"a","nuid":{blank}"{nuid}",{counts}{end}}}'
        talk.pub("$O.files.M.YQ==", meta, "_INBOX.a")
    if purges:
        talk.pub(
            "$JS.API.STREAM.PURGE.OBJ_files", f'{{"filter":"$O.files.C.{purges}"}}', "_INBOX.a"
        )
    talk.pub("other", "x", wait=wait)
    talk.close()
    return talk


def put_anew() -> Script:
    """Objects of one name, each put after another client has purged the chunks of the last."""
    talk = Script()
    links = [(talk.connection, talk.offsets, talk.flow)]
    talk.connect()
    links.append((talk.connection, talk.offsets, talk.flow))
    for nuid in "abcde":
        talk.connection, talk.offsets, talk.flow = links[0]
        talk.pub(f"$O.files.C.{nuid}", "x", "_INBOX.a")
        talk.pub("$O.files.M.YQ==", f'{{"nuid":"{nuid}","size":1,"chunks":1}}', "_INBOX.a")
        talk.connection, talk.offsets, talk.flow = links[1]
        talk.pub("$JS.API.STREAM.PURGE.OBJ_files", f'{{"filter":"$O.files.C.{nuid}"}}', "_INBOX.b")
    for talk.connection, talk.offsets, talk.flow in links:
        talk.close()
    return talk


def published(*payloads: tuple[int, bytes], subject: str = "orders") -> Script:
    """Messages of one subject, each from a client of a number; all clients stay connected."""
    talk, clients = Script(), 1
    for client, payload in payloads:
        while clients <= client:
            talk.connect()
            clients += 1
        talk.say(CLIENT, b"PUB %s %d\r\n%s" % (subject.encode(), len(payload), payload), after=MS)
    return talk


def subscriptions(count: int, *, ended: bool = False, queue: str = "") -> Script:
    """One subject subscribed to many times on a connection."""
    talk = Script()
    for each in range(count):
        talk.line(CLIENT, f"SUB orders {queue} {each + 1}".replace("  ", " "))
        if ended:
            talk.line(CLIENT, f"UNSUB {each + 1}")
    talk.close()
    return talk


def named_replies(count: int, *, ended: bool) -> Script:
    """A reply subject for each request whose name is not that of an inbox."""
    talk = Script()
    for each in range(count):
        talk.line(CLIENT, f"SUB replies.{each} {each + 1}")
        talk.pub("service", "x", f"replies.{each}")
        talk.msg(f"replies.{each}", "y", sid=each + 1)
        if ended:
            talk.line(CLIENT, f"UNSUB {each + 1}")
    talk.close()
    return talk


def subscribed_to(pattern: str) -> Script:
    """One subscription."""
    talk = Script()
    talk.line(CLIENT, f"SUB {pattern} 1")
    return talk


def filtered(pattern: str, *subjects: str, taken: int = 0, blank: str = "") -> Script:
    """A consumer with a filter, and messages."""
    talk = Script()
    config = f'{{"config":{{"filter_subject":{blank}"{pattern}","ack_policy":"none"}}}}'
    talk.pub("$JS.API.CONSUMER.CREATE.S", config, "_INBOX.a.0")
    for each in subjects:
        talk.pub(each, "x")
    for each in range(taken):
        talk.delivery(each + 1)
    talk.pub("other", "x", wait=2 * SECOND)
    talk.close()
    return talk


def grouped(group: str, queue: str, *, taken: int = 0) -> Script:
    """A push consumer of a group, and the queue group of its subscription."""
    talk = Script()
    talk.line(CLIENT, f"SUB deliver {queue} 1".replace("  ", " "))
    config = f'{{"deliver_subject":"deliver","deliver_group":"{group}","durable_name":"c"}}'
    talk.pub(CREATE + "c", config, "_INBOX.a")
    for each in range(taken):
        talk.delivery(each + 1)
    talk.pub("other", "x", wait=2 * SECOND)
    talk.close()
    return talk


def streams(*names: str, wait: int = 10 * MS, payload: str = "{}") -> Script:
    """Streams that are created."""
    talk = Script()
    for number, each in enumerate(names):
        talk.pub(f"$JS.API.STREAM.CREATE.{each}", payload * (number + 1), "_INBOX.a", wait)
    return talk


def idle_pings(count: int, *, answers: bool = True, busy: bool = False) -> Script:
    """PINGs every half second."""
    talk = Script()
    for _ in range(count):
        talk.line(CLIENT, "PING", wait=SECOND // 2)
        if answers:
            talk.line(SERVER, "PONG")
        if busy:
            talk.pub("orders", "x")
    return talk


def read_again(policy: str, *, apart: bool = True, durable: str = "") -> Script:
    """Messages of a stream, then another consumer of it on another connection."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    for each in range(6):
        talk.pub(talk.delivery(each + 1), "+ACK")
    if apart:
        talk.another()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    config = f'{{"config":{{{durable}"deliver_policy":"{policy}"}}}}'
    talk.pub("$JS.API.CONSUMER.CREATE.S", config, "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as("none"))
    return talk


def heard_late(count: int, pattern: str, *, early: str = "") -> Script:
    """Messages, then a subscription; perhaps one before them."""
    talk = Script()
    if early:
        talk.line(CLIENT, f"SUB {early} 1")
    for _ in range(count):
        talk.pub("orders.new", "order")
    talk.line(CLIENT, f"SUB {pattern} 2")
    return talk


def with_ids(*messages: tuple[str, str], wait: int = SECOND) -> Script:
    """Messages with their ids."""
    talk = Script()
    for number, payload in messages:
        block = f"NATS/1.0\r\nNats-Msg-Id: {number}\r\n\r\n"
        sizes = f"{len(block)} {len(block) + len(payload)}"
        talk.say(CLIENT, f"HPUB orders {sizes}\r\n{block}{payload}".encode(), after=wait)
    return talk


def sharing(*replies: str, subjects: str = "ab", answers: bool = False) -> Script:
    """Two requests for each reply subject."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.> 1")
    for reply in replies:
        for each in subjects:
            talk.pub(each, "x", f"_INBOX.{reply}")
            if answers:
                talk.msg(f"_INBOX.{reply}", "y")
    return talk


def spaced(*names: str, subscribes: str = "") -> Script:
    """Messages to subjects with these names."""
    talk = Script()
    if subscribes:
        talk.line(CLIENT, f"SUB {subscribes} 1")
    for each in names:
        talk.line(CLIENT, f"PUB weather.{each}", "sunny")
    return talk


def pulling(*, again: str = "", left: bool = False, pulls: bool = True) -> Script:
    """A client with a pull request whose connection is lost, and what it does on the next one."""
    talk = Script(connect=NAMED)
    talk.line(CLIENT, "SUB _INBOX.p.* 1")
    if pulls:
        talk.pub(NEXT, '{"batch":1}', "_INBOX.p.1")
    for side in (CLIENT, SERVER) if left else (SERVER, CLIENT):
        talk.event(side, "close")
    talk._see(talk.connection.finish())
    talk.connect(connect=NAMED)
    if again != "nothing":
        talk.line(CLIENT, "SUB _INBOX.p.* 1")
    if again == "pulls":
        talk.pub(NEXT, '{"batch":1}', "_INBOX.p.2")
    talk.line(CLIENT, "PING", wait=3 * SECOND)
    talk.close()
    return talk


def stored_by(*answers: str) -> Script:
    """A publish, and what comes on its reply subject."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("orders", "x", "_INBOX.a.1")
    for each in answers:
        talk.msg("_INBOX.a.1", each)
    return talk


def key_ended(operation: str = "", value: str = "", subject: str = "$KV.b.k") -> Script:
    """A key without a value, perhaps with an operation."""
    talk = Script()
    if not operation:
        talk.pub(subject, value)
        return talk
    block = f"NATS/1.0\r\nKV-Operation: {operation}\r\n\r\n"
    talk.say(CLIENT, f"HPUB {subject} {len(block)} {len(block)}\r\n{block}\r\n".encode())
    return talk


def paged(
    *offsets: int,
    total: int = 600,
    kind: str = "CONSUMER.LIST.S",
    wait: int = MS,
    left: bool = True,
) -> Script:
    """A list of JetStream, of which pages of 256 are asked for."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each, offset in enumerate(offsets):
        asks = f'{{"offset":{offset}}}' if offset else ""
        talk.pub(f"$JS.API.{kind}", asks, f"_INBOX.a.{each}")
        page = f'"total":{total},"offset":{offset},"limit":256,"items":[]'
        talk.msg(f"_INBOX.a.{each}", f'{{"type":"io.nats.jetstream.api.v1.x_response",{page}}}')
    talk.line(CLIENT, "PING", wait=wait)
    if left:
        talk.close()
    return talk


class Team(Script):
    """Two workers that a consumer delivers to, each on its own connection."""

    def __init__(self, policy: str) -> None:
        super().__init__()
        self.line(CLIENT, "SUB _INBOX.a.* 1")
        self.pub("$JS.API.CONSUMER.INFO.S.C", "", "_INBOX.a.0")
        self.msg("_INBOX.a.0", configured_as(policy))
        self.workers = [(self.flow, self.connection, self.offsets)]
        self.connect()
        self.workers.append((self.flow, self.connection, self.offsets))

    def turn(self, worker: int) -> None:
        """The next lines are those of a worker."""
        self.flow, self.connection, self.offsets = self.workers[worker]

    def end(self) -> "Team":
        """Both workers leave."""
        for worker in (0, 1):
            self.turn(worker)
            self.close()
            self._see(self.connection.finish())
        return self


def team(*steps: str, policy: str = "all") -> Script:
    """Workers 0 and 1: `0+4` is the delivery of message 4, `0-4` its ack, `0!4` a refusal."""
    talk = Team(policy)
    replies: dict[str, str] = {}
    for worker, what, message in steps:
        talk.turn(int(worker))
        if what == "+":
            replies[message] = talk.delivery(int(message))
        else:
            talk.pub(replies[message], "+ACK" if what == "-" else "-NAK")
    return talk.end()


def put_off(count: int, word: str = '-NAK {"delay":250000000}') -> Script:
    """A message that the client rejects each time, and takes in the end."""
    talk = Script()
    for number in range(1, count):
        talk.pub(talk.delivery(7, number, consumed=number), word)
    talk.pub(talk.delivery(7, count, consumed=count), "+ACK")
    return talk


def made_again(
    policy: str = "all", *, durable: str = '"durable_name":"C",', acks: bool = True,
    pending: int = 6, consumed: int = 0, removes: str = "",
) -> Script:  # fmt: skip
    """Messages of a consumer, then the same consumer made anew."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(6):
        reply = talk.delivery(each + 1)
        if acks:
            talk.pub(reply, "+ACK")
    if removes:
        talk.pub(f"$JS.API.STREAM.{removes}.S", "", "_INBOX.a.1")
    config = f'{{"stream_name":"S","config":{{{durable}"ack_policy":"explicit"}}}}'
    talk.pub("$JS.API.CONSUMER.CREATE.S.C", config, "_INBOX.a.0")
    talk.msg(
        "_INBOX.a.0",
        '{"type":"io.nats.jetstream.api.v1.consumer_create_response","stream_name":"S",'
        f'"name":"C","config":{{"deliver_policy":"{policy}","ack_policy":"explicit"}},'
        f'"delivered":{{"consumer_seq":{consumed},"stream_seq":0}},"num_pending":{pending}}}',
    )
    return talk


def handed_over(*numbers: int, acked: int = 0, stream: str = "S", apart: bool = True) -> Script:
    """Deliveries of a message to two workers in turn, the first of which acks one of them."""
    talk, links = Script(), []
    for _ in range(2):
        talk.connect()
        links.append((talk.connection, talk.offsets, talk.flow))
    replies = []
    for at, number in enumerate(numbers):
        talk.connection, talk.offsets, talk.flow = links[at % 2 if apart else 0]
        replies.append(talk.delivery(1, number))
    talk.connection, talk.offsets, talk.flow = links[0]
    talk.pub(replies[acked].replace(".S.", f".{stream}."), "+ACK")
    return talk


def acked_late(
    wait: int,
    *,
    word: str = "+ACK",
    before: str = "",
    policy: str = "explicit",
    again: bool = False,
) -> Script:
    """A message that is acknowledged some time after its delivery; ack_wait is a second."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("$JS.API.CONSUMER.INFO.S.C", "", "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as(policy, wait="1000000000", open_=99))
    reply = talk.delivery(1)
    if before:
        talk.pub(reply, before, wait=500 * MS)
    talk.pub(reply, word, wait=wait * MS)
    if again:
        talk.delivery(1, 2, consumed=2)
    return talk


def away(
    *back: str, side: int = SERVER, error: str = "", wait: int = 8, early: bool = False
) -> Script:
    """A program `app` whose connection ends, and the programs that connect after that."""
    talk = Script(connect=NAMED.replace(b"reader", b"app"))
    talk.line(CLIENT, "PING")
    links = [(talk.connection, talk.offsets, talk.flow)]
    if early:
        talk.connect(connect=NAMED.replace(b"reader", b"app"))
        talk.line(CLIENT, "PING")
        links.append((talk.connection, talk.offsets, talk.flow))
        talk.connection, talk.offsets, talk.flow = links[0]
    if error:
        talk.line(SERVER, f"-ERR '{error}'")
    for each in (side, 1 - side):
        talk.event(each, "close")
    talk._see(talk.connection.finish())
    for each in back:
        talk.now += SECOND
        talk.connect(connect=NAMED.replace(b"reader", each.encode()))
        talk.line(CLIENT, "PING")
    if not back:
        talk.connect(connect=b"")
    talk.line(SERVER, "PONG", wait=wait * SECOND)
    return talk


def veiled(count: int, wait: int = 9 * MS) -> Script:
    """Connections on which the client begins TLS, and that it closes."""
    info = SERVER_INFO.replace(b'"headers"', b'"tls_required":true,"headers"').decode().strip()
    hello = b"\x16\x03\x01\x00\xf8\x01\x00\x00\xf4\x03\x03" + bytes(242)
    talk = Script(info=b"", connect=b"")
    for each in range(count):
        if each:
            talk.connect(info=b"", connect=b"")
        talk.line(SERVER, info)
        talk.part(CLIENT, hello, packet=9)
        talk.now += wait
        talk.close()
        talk._see(talk.connection.finish())
    return talk


def stored_late(
    count: int, *, created: bool = True, subjects: str = "orders.*", reply: str = ""
) -> Script:
    """Messages, then the stream for them."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for _ in range(count):
        talk.pub("orders.new", "order", reply)
    talk.pub("$JS.API.STREAM.CREATE.S", "{}", "_INBOX.a.0")
    more = ',"did_create":true' if created else ""
    config = f'{{"name":"S","subjects":["{subjects}"]}}'
    talk.msg("_INBOX.a.0", f'{{"type":"x","config":{config}{more}}}')
    return talk


def rejected_first(word: str, *, later: str = "+ACK", again: int = 1, number: int = 2) -> Script:
    """Two messages, what they are answered by, and a further delivery."""
    talk = Script()
    first, second = talk.delivery(1), talk.delivery(2)
    for reply, answer in ((first, word), (second, later)):
        if answer:
            talk.pub(reply, answer)
    talk.delivery(again, number, consumed=3)
    return talk


def slowly_unheard(count: int, wait: int) -> Script:
    """Messages with a pause after each, which no stream has."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("events", "x", f"_INBOX.a.{each}", wait=wait)
        talk.status(f"_INBOX.a.{each}", "503")
    return talk


def heard_between(away: int, *, left: bool = True, wide: str = "", reply: str = "") -> Script:
    """A subscription that ends, messages, and the same subscription again."""
    talk = Script()
    if wide:
        talk.line(CLIENT, f"SUB {wide} 9")
    talk.line(CLIENT, "SUB orders.new 1")
    if left:
        talk.line(CLIENT, "UNSUB 1")
    for _ in range(away):
        talk.pub("orders.new", "order", reply)
    talk.line(CLIENT, "SUB orders.new 2")
    return talk


def worded(word: str, payload: str = "") -> Script:
    """An ack with a reply subject."""
    talk = Script()
    talk.pub(talk.delivery(1), payload, word)
    return talk


JSON, PACKED = b'{"id":1}', b"\x81\xa2id\1"


def missing(*keys: str) -> Script:
    """Keys that a bucket does not have."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for number, key in enumerate(keys):
        reply = f"_INBOX.a.{number}"
        talk.pub("$JS.API.STREAM.MSG.GET.KV_b", f'{{"last_by_subj":"$KV.b.{key}"}}', reply)
        talk.msg(reply, REFUSED)
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B1", lambda: (asked(3, REFUSED),
        asked(2, REFUSED), asked(4, REFUSED, 3 * SECOND), asked(6, DONE), missing(*"abcd"))),
    ("B1", lambda: (missing(*"aaa"),)),
    ("B2", lambda: (unheard(3), unheard(2), unheard(8, "100"), unheard(8, name="LIFT.a.raft"))),
    ("B3", lambda: (errors(3), errors(2), errors(3, 11 * SECOND))),
    ("B4", lambda: (pulls(5, "404 No Messages"),
        pulls(4, "404 No Messages"), pulls(10, "404 No Messages", SECOND))),
    ("B5", lambda: (queries(5), queries(4), queries(10, 3 * SECOND))),
    ("B6", lambda: (redelivered(range(1, 5)), redelivered(range(1, 4)), redelivered([1]))),
    ("B7", lambda: (created(4), created(3), created(5, deleted=True), created(5, wait=90 * SECOND),
        created(5, stream="OBJ_files"))),
    ("B7", lambda: (created(4, wait=20 * SECOND),)),
    ("B8", lambda: (echoed(7), echoed(4), echoed(12, own=False))),
    ("B9", lambda: (connections(3, 1), connections(2, 1), connections(5, 9))),
    ("B9b", lambda: (connections(3, 6), connections(2, 1), connections(5, 9))),
    ("B10", lambda: (inboxes(4, ended=True),
        inboxes(3, ended=True), inboxes(6, ended=True, answers=2))),
    ("B11", lambda: (inboxes(5, ended=False), inboxes(4, ended=False), inboxes(10, ended=True))),
    ("B12", lambda: (subscribed(ended=False),
        subscribed(ended=True), subscribed(ended=False, queue="q"))),
    ("B13", lambda: (durables("abc"),
        durables("ab"), durables("aaaaa"), durables("abcde", apart=False),
        durables(("audit", "billing", "archive", "mails")))),
    ("B13", lambda: (durables(("app-17f3", "app-92ab", "app-c001")),)),
    ("B14", lambda: (redelivered([1, 2], ack=True),
        redelivered([1], ack=True), redelivered([2], ack=True))),
    ("B15", lambda: (stalled(acks=False), stalled(acks=True), stalled(acks=False, waiting=0))),
    ("B16", lambda: (consumed(1, 2, 4), consumed(1, 2, 3), consumed(4, 5))),
    ("B17", lambda: (heartbeat("Nats-Consumer-Stalled: $JS.FC.S.C.x\r\n"),
     heartbeat("Nats-Last-Consumer: 3\r\n"))),
    ("B18", lambda: (configured("a", "b", "a"), configured("a", "b"), configured("a", "a", "a"))),
    ("B19", lambda: (delivered_to_two(1, 1), delivered_to_two(1, 2))),
    ("B20", lambda: (answered_late(ended=True), answered_late(ended=False))),
    ("B21", lambda: (subscribed_late(late=True), subscribed_late(late=False))),
    ("B22", lambda: (steps(7, NEXT, '{"batch": 1}', ""),
        steps(5, NEXT, '{"batch":1}', ""), steps(25, NEXT, '{"batch":10}', ""),
        steps(25, NEXT, '{"batch":1}', "", SECOND))),
    ("B23", lambda: (pings(6), pings(5), pings(10, SECOND))),
    ("B24", lambda: (steps(6, "$JS.API.DIRECT.GET.S", '{"seq":1}', "x"),
        steps(5, "$JS.API.DIRECT.GET.S", '{"seq":1}', "x"))),
    ("B25", lambda: (steps(8, "orders", "x", STORED),
        steps(7, "orders", "x", STORED), steps(20, "orders", "x", "yes"))),
    ("B26", lambda: (acked("+ACK", "+ACK"), acked("+ACK"), acked("+WPI", "+WPI", "+ACK"))),
    ("B27", lambda: (pulled_to("_OTHER.a"), pulled_to("_INBOX.a"))),
    ("B27", lambda: (closed_at_work(acks=0), closed_at_work(acks=2))),
    ("B27b", lambda: (closed_at_work(acks=2), closed_at_work(acks=0))),
    ("B27b", lambda: (closed_at_work(acks=1, inbox="_INBOX.a.1"),
        closed_at_work(acks=1, inbox="_INBOX.b.1"))),
    ("B28", lambda: (beats(3), beats(3, ended=True), beats(1))),
    ("N25b", lambda: (pulls(2, "503", SECOND), pulls(1, "503"), pulls(2, "409 Server Shutdown"))),
    ("N25c", lambda: (pulls(1, "409 Exceeded MaxRequestBatch of 10"),
        pulls(1, "409 Server Shutdown"), pulls(1, "409 Exceeded MaxWaiting"))),
    ("N25c", lambda: (bounded(taken=0), bounded(taken=2))),
    ("B29", lambda: (given_up(3, most=3), given_up(2, most=3), given_up(3, most=3, ack="+TERM"),
                                  given_up(3, most=-1))),
    ("B30", lambda: (taken("explicit", 3), taken("none", 5), taken("explicit", 5, acks=1),
                                   taken("explicit", 5, seconds=1), taken("explicit", 2))),
    ("B31", lambda: (taken("none", 1, acks=1), taken("explicit", 1, acks=1))),
    ("B32", lambda: (taken("explicit", 2),
        taken("explicit", 2, acks=1), taken("explicit", 2, waiting=0),
                                   taken("explicit", 2, open_=9), taken("explicit", 2, seconds=1))),
    ("B32b", lambda: (taken("explicit", 1, open_=1),
        taken("explicit", 2), taken("explicit", 1, open_=1, seconds=1),
        taken("explicit", 1, open_=1, waiting=0), taken("explicit", 1, open_=1, acks=1))),
    ("B32b", lambda: (taken("all", 1, open_=1, seconds=9),)),
    ("B33", lambda: (lost("a"), lost("a", "b"), lost("a", left=True))),
    ("B33", lambda: (lost(),)),
    ("B34", lambda: (limited(5), limited(2))),
    ("B120", lambda: (regrouped(),
        regrouped("q"), regrouped("p"), regrouped(before=""), regrouped(side=CLIENT),
        regrouped(wait=90))),
    ("B121", lambda: (refiltered(),
        refiltered(FILTER), refiltered(before=""), refiltered(side=CLIENT))),
    ("B7b", lambda: (created(6, deleted=True),
        created(5, deleted=True), created(9, wait=3 * SECOND))),
    ("B35", lambda: (begun_at(12), begun_at(11))),
    ("B35b", lambda: (begun_at(10), begun_at(11))),
    ("B36b", lambda: (pushed("deliver.d"), pushed("deliver.c"), pushed("deliver.*"))),
    ("B36", lambda: (pushed("_INBOX.d", "_INBOX.c"), pushed("_INBOX.c", "_INBOX.c"))),
    ("B40", lambda: (unheard_of("orders.*", "orders.new.eu"),
        unheard_of("orders.*", "orders.new"), unheard_of("orders.*", "invoices.new"))),
    ("B40", lambda: (unheard_of("orders.create", "orders.created"),
        unheard_of("orders.created", "orders.creates"), unheard_of("orders.a1bcde", "orders.abcde"),
        unheard_of("orders.new", "orders.news"))),
    ("B40", lambda: (unheard_of("orders.created", "orders/created"),)),
    ("B41", lambda: (in_parts(5), in_parts(4), in_parts(10, parts=1))),
    ("B40b", lambda: (unheard_of("orders.new", "orders.new.eu"),
        unheard_of("orders.new", "orders.new.eu", "orders.new"), unheard_of("orders.*", "a.b"))),
    ("B42", lambda: (duck(), duck(after=False), duck(left=True), duck(told=False))),
    ("B43", lambda: (queues("workers-1", "workers-2"),
        queues("workers", "workers"), queues("workers-1", "workers-2", subject="bills"),
        queues("workers-1", "workers-2", name=b"other"))),
    ("B43b", lambda: (queues("audit", "billing"),
        queues("workers", "workers"), queues("audit", "billing", subject="bills"))),
    ("B44", lambda: (queues("workers", ""),
        queues("workers", "workers"), queues("", ""), queues("workers", "", name=b"other"))),
    ("B38", lambda: (answered_by(("", "")),)),
    ("B55", lambda: (replicas("", ""),
        replicas("", "", deliveries=2), replicas("a", "b"), replicas(""),
        replicas("", "", names=(b"shop", b"audit")), replicas("a", "a", names=(b"app", b"app")))),
    ("B55", lambda: (replicas("", "", names=(b"app", b"app")),)),
    ("B55", lambda: (replicas("", "", names=(b"app-7d9f-x2x4k", b"app-7d9f-k9q7z")),)),
    ("B56", lambda: (put(("a", 3, 4)), put(("a", 4, 4)), put(("a", 4, 4), ("a", 0, 4)))),
    ("B56", lambda: (put(("a", 4, 0)), put(("a", 4, 4), ("a", 0, 0), deleted=True))),
    ("B56", lambda: (put(("a", 5, 4), blank=" "), put(("a", 4, 4), blank=" "))),
    ("B57", lambda: (put(("a", 2, 2), ("b", 3, 3)),
        put(("a", 2, 2), ("b", 3, 3), purges="a"), put(("a", 2, 2)),
        put(("a", 2, 2), ("b", 3, 3), wait=MS), put(("a", 2, 2), ("b", 3, 3), created=True))),
    ("B57b", lambda: (put(*((nuid, 2, 2) for nuid in "abcd")),
        put(*((nuid, 2, 2) for nuid in "abcd"), purges="a"), put(("a", 2, 2), ("b", 2, 2)),
        put_anew())),
    ("B45", lambda: (stored(3), stored(3, meta=True), stored(3, purged=True), stored(0))),
    ("B46", lambda: (key_read(6), key_read(5), key_read(20, keys=9), key_read(9, wait=3 * SECOND))),
    ("B47", lambda: (key_written(3),
        key_written(2), key_written(9, values=2), key_written(6, wait=11 * SECOND))),
    ("B48", lambda: (watched(),
        watched(again="subscribes"), watched(again="creates"), watched(left=True))),
    ("B49", lambda: (batch(5), batch(2), batch(5, "none"))),
    ("B37", lambda: (unanswered(3), unanswered(2), unanswered(5, answers=True))),
    ("B38", lambda: (answered_by("ss"), answered_by("st"), answered_by("ss", listened=True))),
    ("B39", lambda: (verbose(4), verbose(3), verbose(20, asked_for=False))),
    ("N32", lambda: (signed(b'"nkey":"UA"'),
        signed(b'"nkey":"UA","sig":"x"'), signed(b'"nkey":"UA"', nonce=False))),
    ("B11", lambda: (named_replies(5, ended=False), named_replies(9, ended=True))),
    ("B12b", lambda: (subscriptions(4),
        subscriptions(3), subscriptions(9, ended=True), subscriptions(9, queue="q"))),
    ("B35c", lambda: (read_again("new"),
        read_again("all"), read_again("new", apart=False),
        read_again("new", durable='"durable_name":"c",'))),
    ("B35c", lambda: (read_again("last"),)),
    ("B58", lambda: (published((0, JSON), (1, PACKED), (1, PACKED)),
        published((0, JSON), (1, PACKED)), published((0, JSON), (1, b"[1]"), (1, b"[2]")),
        published((0, JSON), (0, PACKED), (1, PACKED), (1, PACKED)),
        published((0, JSON), (1, PACKED), (1, PACKED), subject="_INBOX.a"))),
    ("B58", lambda: (published((0, b"<a/>"), (1, JSON), (1, JSON)),)),
    ("B58", lambda: (published((0, b"\x1f\x8b\x08"), (1, b"text"), (1, b"text")),)),
    ("B58b", lambda: (published((0, JSON), (0, PACKED), (0, PACKED)),
        published((0, JSON), (0, PACKED), (0, JSON)),
        published((0, JSON), (0, b"[1]"), (0, b"[]")))),
    ("B59", lambda: (filtered("orders.mew.*", "orders.mew"),
        filtered("orders.*", "orders.new"), filtered("orders.*", "bills.new"),
        filtered("Orders.new", "orders.new", taken=1))),
    ("B59", lambda: (filtered("Orders.new", "orders.new", blank=" "),)),
    ("B60", lambda: (grouped("workers", ""),
        grouped("workers", "workers"), grouped("workers", "", taken=1))),
    ("B60", lambda: (grouped("workers", "worker"), grouped("", "workers"))),
    ("B62", lambda: (streams(*"abc"),
        streams(*"ab"), streams(*"aaaa"), streams(*"abcd", wait=3 * SECOND))),
    ("B62b", lambda: (streams(*"aaaa", payload=""), streams(*"aaa", payload=""), streams(*"aaaa"))),
    ("B63", lambda: (idle_pings(7),
        idle_pings(5), idle_pings(12, answers=False), idle_pings(12, busy=True))),
    ("B125", lambda: (answered_by("st"), answered_by("ss"), answered_by("st", listened=True))),
    ("B125", lambda: (answered_by("sts"),)),
    ("B14", lambda: (handed_over(1, 2),
        handed_over(1, 2, acked=1), handed_over(1, 2, 1, acked=2), handed_over(1, 2, stream="T"),
        handed_over(1, 1))),
    ("B14", lambda: (handed_over(1, 2, 3, apart=False),)),
    ("B128", lambda: (away("other"),
        away("other", side=CLIENT), away("app", "other"), away(), away("other", wait=3),
        away("other", early=True))),
    ("B128", lambda: (away(error="User Authentication Expired"),)),
    ("B9c", lambda: (veiled(3), veiled(2), veiled(9, wait=2 * SECOND))),
    ("B127", lambda: (stored_late(3),
        stored_late(2), stored_late(9, created=False), stored_late(9, subjects="bills"),
        stored_late(9, reply="_INBOX.a.1"))),
    ("B127", lambda: (stored_late(9, subjects=">"),)),
    ("B129", lambda: (rejected_first("-NAK"),
        rejected_first("-NAK", later=""), rejected_first("-NAK", later="-NAK"),
        rejected_first("-NAK", again=3), rejected_first("-NAK", number=1))),
    ("B129", lambda: (rejected_first("", later="+TERM"),)),
    ("B14b", lambda: (acked_late(1500),
        acked_late(900), acked_late(1500, word="-NAK"), acked_late(1500, before="+WPI"),
        acked_late(1500, policy="none"))),
    ("B14b", lambda: (acked_late(9000, word='+NXT {"batch":1}', again=True),)),
    ("B14c", lambda: (acked_late(9, again=True),
        acked_late(9), acked_late(9, word="-NAK", again=True),
        acked_late(9, word="+WPI", again=True), handed_over(1, 2))),
    ("B14c", lambda: (acked_late(1500, word="", again=True),)),
    ("B2", lambda: (slowly_unheard(3, 5 * SECOND), slowly_unheard(9, 20 * SECOND))),
    ("B11", lambda: (inboxes(5, ended=False, answers=0), inboxes(5, ended=True, answers=0))),
    ("B11", lambda: (inboxes(5, ended=False, answers=6),
        inboxes(9, ended=False, answers=6, requests=6), inboxes(9, ended=True, answers=6))),
    ("B6", lambda: (put_off(4, "-NAK"), put_off(4), put_off(6))),
    ("B6", lambda: (put_off(14),)),
    ("B14d", lambda: (acked_late(1500, word="+WPI"),
        acked_late(900, word="+WPI"), acked_late(1500), acked_late(900, word="+WPI", before="+WPI"),
        acked_late(1500, word="+WPI", policy="none"))),
    ("B14d", lambda: (acked_late(1200, word="+WPI", before="+WPI"),)),
    ("B35d", lambda: (made_again(),
        made_again("by_start_sequence"), made_again(durable=""), made_again(acks=False),
        made_again(pending=0), made_again(consumed=6), made_again(removes="DELETE"),
        made_again(removes="PURGE"))),
    ("B35d", lambda: (made_again(pending=1, durable='"durable_name": "C",'),)),
    ("B64b", lambda: (heard_late(3, "orders.*"),
        heard_late(2, "orders.*"), heard_late(9, "bills.*"), heard_late(9, "orders.new"),
        heard_late(9, "orders.*", early="bills"))),
    ("B64b", lambda: (heard_late(4, ">"),)),
    ("B64c", lambda: (heard_between(3),
        heard_between(2), heard_between(9, left=False), heard_between(9, wide="orders.>"),
        heard_between(9, reply="_INBOX.a"))),
    ("B64c", lambda: (heard_between(30),)),
    ("B64", lambda: (heard_late(3, "orders.new"),
        heard_late(2, "orders.new"), heard_late(5, "orders.new", early="orders.new"),
        heard_late(5, "orders.new", early="orders.*"), heard_late(5, "bills.new"))),
    ("B65", lambda: (with_ids(("1", "an order"), ("2", "an order")),
        with_ids(("1", "an order"), ("1", "an order")),
        with_ids(("1", "an order"), ("2", "a bill..")),
        with_ids(("1", "an order"), ("2", "an order"), wait=200 * SECOND))),
    ("N34", lambda: (subscribed_to("orders.eu*"),
        subscribed_to("orders.*"), subscribed_to("orders.eu.>"))),
    ("N34", lambda: (subscribed_to("orders.>.eu"), subscribed_to("_INBOX.a*"))),
    ("B48b", lambda: (pulling(),
        pulling(again="pulls"), pulling(again="nothing"), pulling(left=True),
        pulling(pulls=False))),
    ("B67", lambda: (stored_by(STORED, STORED.replace("1", "2")),
        stored_by(STORED), stored_by("yes", "no"), stored_by(STORED, "{}"))),
    ("B69", lambda: (paged(0),
        paged(0, 256, 512), paged(0, total=256), paged(0, left=False), paged(0, 256, total=512))),
    ("B69", lambda: (paged(0, 256),)),
    ("B69", lambda: (paged(0, 0, kind="STREAM.NAMES", wait=2 * SECOND, left=False),)),
    ("B69", lambda: (paged(0, kind="STREAM.INFO.S"),)),
    ("B70", lambda: (team("0+1", "0+2", "1+3", "1+4", "1-4"),
        team("0+1", "0+2", "1+3", "1+4", "0-2", "1-4"),
        team("0+1", "0+2", "1+3", "1+4", "1-4", policy="explicit"),
        team("0+1", "0+2", "1+3", "1+4", "1!4"), team("0+1", "0+2", "0+3", "0-3"))),
    ("B70", lambda: (team("0+1", "1+2", "0+3", "1+4", "0-3"),)),
    ("N37", lambda: (worded("-NAK", "{}"), worded("", "-NAK"), worded("_INBOX.a.1", "+ACK"))),
    ("N37", lambda: (worded("+ACK"),)),
    ("N36", lambda: (key_ended("DELETE"), key_ended("DEL"), key_ended("PURGE"), key_ended())),
    ("B68", lambda: (key_ended(),
        key_ended("DEL"), key_ended(value="x"), key_ended(subject="orders"))),
    ("B66", lambda: (sharing("a", "b"),
        sharing("a", "b", answers=True), sharing("a", "b", subjects="aa"))),
    ("B66b", lambda: (sharing("a"), sharing("a", answers=True), sharing("a", subjects="aa"))),
    ("N35", lambda: (spaced("new york", "san jose"),
        spaced("new york", "old york"), spaced("new york", "san jose", subscribes="*"),
        spaced("new _INBOX.1", "san _INBOX.2"), spaced("york", "jose"))),
    ("N11b", lambda: (pulled_to("_INBOX.*"), pulled_to("_INBOX.b"))),
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
        assert not each.found(f"NATS-{rule}"), (rule, number)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in BEHAVIOURS} == {f"NATS-{rule}" for rule, *_ in CASES}
