"""Rules for what clients do over time: each names its fault and leaves near misses alone."""

from collections.abc import Iterable

from tests.failures import every
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, SERVER, Talk

from streamshark.protocols.nats.behaviour_rules import BEHAVIOURS

MS, SECOND = 1_000_000, 1_000_000_000
NEXT = "$JS.API.CONSUMER.MSG.NEXT.S.C"
CREATE = "$JS.API.CONSUMER.DURABLE.CREATE.S."
REFUSED = '{"type":"io.nats.jetstream.api.v1.x_response","error":{"code":404,"description":"no"}}'
STORED = '{"stream":"S","seq":1}'
DONE = '{"type":"io.nats.jetstream.api.v1.x_response"}'


class Script(Talk):
    """A connection whose lines come one millisecond after another, unless they wait."""

    def line(
        self, side: int, text: str, payload: str | None = None, wait: int = MS, end: str = ""
    ) -> None:
        """A line, with the length of its payload."""
        if payload is not None:
            text = f"{text} {len(payload)}\r\n{payload}{end}"
        self.say(side, text.encode(), after=wait)

    def pub(self, subject: str, payload: str = "", reply: str = "", wait: int = MS) -> None:
        """A message of the client."""
        self.line(CLIENT, f"PUB {subject} {reply}".rstrip(), payload, wait)

    def msg(self, subject: str, payload: str = "", reply: str = "", sid: int = 1) -> None:
        """A message to the client."""
        self.line(SERVER, f"MSG {subject} {sid} {reply}".rstrip(), payload)

    def status(self, subject: str, code: str, more: str = "", reply: str = "") -> None:
        """A status to the client."""
        block = f"NATS/1.0 {code}\r\n{more}\r\n"
        self.line(
            SERVER, f"HMSG {subject} 1 {reply}".rstrip() + f" {len(block)}", block, end="\r\n"
        )

    def delivery(self, message: int, number: int = 1, waiting: int = 5, consumed: int = 0) -> str:
        """A message of JetStream, and the subject of its ack."""
        reply = f"$JS.ACK.S.C.{number}.{message}.{consumed or message}.17.{waiting}"
        self.msg("orders", "m", reply)
        return reply

    def another(self) -> None:
        """The connection ends, and another one begins."""
        self.close()
        self._see(self.connection.finish())
        self.connect()


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


def created(count: int, *, deleted: bool = False, wait: int = 10 * MS) -> Script:
    """Consumers created one after the other."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("$JS.API.CONSUMER.CREATE.S", "{}", f"_INBOX.a.{each}", wait)
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


def inboxes(count: int, *, ended: bool, answers: int = 1) -> Script:
    """An inbox for each request."""
    talk = Script()
    for each in range(count):
        talk.line(CLIENT, f"SUB _INBOX.{each} {each + 1}")
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


CASES: list[tuple[str, Script, list[Script]]] = [
    ("B1", asked(5, REFUSED), [
        asked(4, REFUSED), asked(5, REFUSED, 3 * SECOND), asked(6, DONE)]),
    ("B2", unheard(5), [unheard(4), unheard(8, "100"), unheard(8, name="LIFT.a.raft")]),
    ("B3", errors(4), [errors(3), errors(4, 11 * SECOND)]),
    ("B4", pulls(20, "404 No Messages"), [
        pulls(19, "404 No Messages"), pulls(20, "404 No Messages", SECOND),
        pulls(20, "408 Request Timeout")]),
    ("B5", queries(20), [queries(19), queries(20, SECOND)]),
    ("B6", redelivered(range(1, 7)), [redelivered(range(1, 5)), redelivered([1])]),
    ("B7", created(10), [created(9), created(12, deleted=True), created(10, wait=3 * SECOND)]),
    ("B8", echoed(22), [echoed(19), echoed(22, own=False)]),
    ("B9", connections(10, 1), [connections(9, 1), connections(10, 6)]),
    ("B10", inboxes(20, ended=True), [inboxes(19, ended=True), inboxes(20, ended=True, answers=2)]),
    ("B11", inboxes(10, ended=False), [inboxes(9, ended=False), inboxes(10, ended=True)]),
    ("B12", subscribed(ended=False), [subscribed(ended=True), subscribed(ended=False, queue="q")]),
    ("B13", durables("abcde"), [
        durables("abcd"), durables("aaaaa"), durables("abcde", apart=False)]),
    ("B14", redelivered([1, 2], ack=True), [
        redelivered([1], ack=True), redelivered([2], ack=True)]),
    ("B15", stalled(acks=False), [stalled(acks=True), stalled(acks=False, waiting=0)]),
    ("B16", consumed(1, 2, 4), [consumed(1, 2, 3), consumed(4, 5)]),
    ("B17", heartbeat("Nats-Consumer-Stalled: $JS.FC.S.C.x\r\n"),
     [heartbeat("Nats-Last-Consumer: 3\r\n")]),
    ("B18", configured("a", "b", "a"), [configured("a", "b"), configured("a", "a", "a")]),
    ("B19", delivered_to_two(1, 1), [delivered_to_two(1, 2)]),
    ("B20", answered_late(ended=True), [answered_late(ended=False)]),
    ("B21", subscribed_late(late=True), [subscribed_late(late=False)]),
    ("B22", steps(21, NEXT, '{"batch": 1}', ""), [
        steps(19, NEXT, '{"batch":1}', ""), steps(25, NEXT, '{"batch":10}', ""),
        steps(25, NEXT, '{"batch":1}', "", SECOND)]),
    ("B23", pings(20), [pings(19), pings(20, SECOND)]),
    ("B24", steps(20, "$JS.API.DIRECT.GET.S", '{"seq":1}', "x"), [
        steps(19, "$JS.API.DIRECT.GET.S", '{"seq":1}', "x")]),
    ("B25", steps(50, "orders", "x", STORED), [
        steps(49, "orders", "x", STORED), steps(50, "orders", "x", "yes")]),
    ("B26", acked("+ACK", "+ACK"), [acked("+ACK"), acked("+WPI", "+WPI", "+ACK")]),
    ("B27", pulled_to("_OTHER.a"), [pulled_to("_INBOX.a")]),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "fault", "kept"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, fault: Script, kept: list[Script]) -> None:
    """The fault is found, and nothing that looks like it."""
    assert fault.found(f"NATS-{rule}"), rule
    for number, each in enumerate(kept):
        assert not each.found(f"NATS-{rule}"), (rule, number)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in BEHAVIOURS} == {f"NATS-{rule}" for rule, *_ in CASES}
