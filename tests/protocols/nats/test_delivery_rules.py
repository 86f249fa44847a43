"""Rules for deliveries of JetStream: late acks, redeliveries, consumers that stop or are shared."""

from tests.failures import every
from tests.protocols.nats.clients import (
    CREATE,
    NEXT,
    Talks,
    configured_as,
    consumed,
    names_the_fault_alone,
    pulls,
    redelivered,
)
from tests.protocols.nats.traffic import CLIENT, MS, SECOND, SERVER, Script

from streamshark.protocols.nats.delivery_rules import CONSUMERS, REDELIVERIES, SHARED_CONSUMERS


def bounded(taken: int) -> Script:
    """A pull of some bytes, which a message ends that does not fit."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a 1")
    talk.pub(NEXT, '{"batch":10,"max_bytes":100}', "_INBOX.a")
    for each in range(taken):
        talk.delivery(each + 1)
    talk.status("_INBOX.a", "409 Message Size Exceeds MaxBytes")
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


def given_up(
    times: int, *, most: int, ack: str = "-NAK", policy: str = "explicit", wait: int = 2 * SECOND,
    advisories: str = "",
) -> Script:  # fmt: skip
    """One message delivered several times, and what its last delivery is answered by."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    if advisories:
        talk.line(CLIENT, f"SUB $JS.EVENT.ADVISORY.{advisories} 9")
    talk.pub("$JS.API.CONSUMER.INFO.S.C", "", "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as(policy, wait="1000000000", most=most, open_=99))
    for each in range(times):
        reply = talk.delivery(1, each + 1, consumed=each + 1)
        talk.pub(reply, ack if each == times - 1 else "-NAK")
    talk.line(CLIENT, "PING", wait=wait)
    talk.close()
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


def grouped_elsewhere(
    group: str, *queues: str, taken: int = 0, seconds: int = 2, subject: str = "deliver"
) -> Script:
    """A push consumer of a group, and a connection with a subscription for each queue group."""
    talk = Script()
    config = f'{{"deliver_subject":"deliver","deliver_group":"{group}","durable_name":"c"}}'
    talk.pub(CREATE + "c", config, "_INBOX.a")
    talk.another()
    for sid, queue in enumerate(queues, 1):
        talk.line(CLIENT, f"SUB {subject} {queue} {sid}".replace("  ", " "))
    for each in range(taken):
        talk.delivery(each + 1)
    talk.pub("other", "x", wait=seconds * SECOND)
    talk.close()
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


def rejected_first(word: str, *, later: str = "+ACK", again: int = 1, number: int = 2) -> Script:
    """Two messages, what they are answered by, and a further delivery."""
    talk = Script()
    first, second = talk.delivery(1), talk.delivery(2)
    for reply, answer in ((first, word), (second, later)):
        if answer:
            talk.pub(reply, answer)
    talk.delivery(again, number, consumed=3)
    return talk


def worded(word: str, payload: str = "") -> Script:
    """An ack with a reply subject."""
    talk = Script()
    talk.pub(talk.delivery(1), payload, word)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B14", lambda: (redelivered([1, 2], ack=True),
        redelivered([1], ack=True), redelivered([2], ack=True))),
    ("B15", lambda: (stalled(acks=False), stalled(acks=True), stalled(acks=False, waiting=0))),
    ("B16", lambda: (consumed(1, 2, 4), consumed(1, 2, 3), consumed(4, 5))),
    ("B17", lambda: (heartbeat("Nats-Consumer-Stalled: $JS.FC.S.C.x\r\n"),
     heartbeat("Nats-Last-Consumer: 3\r\n"))),
    ("B18", lambda: (configured("a", "b", "a"), configured("a", "b"), configured("a", "a", "a"))),
    ("B19", lambda: (delivered_to_two(1, 1), delivered_to_two(1, 2))),
    ("B28", lambda: (beats(3), beats(3, ended=True), beats(1))),
    ("N25b", lambda: (pulls(2, "503", SECOND), pulls(1, "503"), pulls(2, "409 Server Shutdown"))),
    ("N25c", lambda: (pulls(1, "409 Exceeded MaxRequestBatch of 10"),
        pulls(1, "409 Server Shutdown"), pulls(1, "409 Exceeded MaxWaiting"))),
    ("N25c", lambda: (bounded(taken=0), bounded(taken=2))),
    ("B29", lambda: (given_up(3, most=3), given_up(2, most=3), given_up(3, most=3, ack="+TERM"),
                                  given_up(3, most=-1),
                                  given_up(3, most=3, advisories="CONSUMER.MAX_DELIVERIES.S.*"))),
    ("B29", lambda: (given_up(3, most=3, advisories=">"),)),
    ("B29", lambda: (given_up(1, most=1), given_up(1, most=2), given_up(1, most=1, ack="+ACK"),
                                  given_up(1, most=1, policy="none"),
                                  given_up(1, most=1, policy="all"),
                                  given_up(1, most=1, wait=SECOND // 2),
                                  given_up(1, most=1, ack="+WPI", wait=SECOND // 2))),
    ("B29", lambda: (given_up(1, most=1, ack="+WPI"),)),
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
    ("B59", lambda: (filtered("orders.mew.*", "orders.mew"),
        filtered("orders.*", "orders.new"), filtered("orders.*", "bills.new"),
        filtered("Orders.new", "orders.new", taken=1))),
    ("B59", lambda: (filtered("Orders.new", "orders.new", blank=" "),)),
    ("B60", lambda: (grouped("workers", ""),
        grouped("workers", "workers"), grouped("workers", "", taken=1))),
    ("B60", lambda: (grouped("workers", "worker"), grouped("", "workers"))),
    ("B210", lambda: (grouped_elsewhere("workers", ""),
        grouped_elsewhere("workers", "workers"), grouped_elsewhere("workers", "", taken=1),
        grouped_elsewhere("workers", "", "workers"), grouped_elsewhere("", ""),
        grouped_elsewhere("workers", "", seconds=0),
        grouped_elsewhere("workers", "", subject="deliver.a"))),
    ("B210", lambda: (grouped_elsewhere("workers", "worker", ""), grouped("workers", "workers"))),
    ("B14", lambda: (handed_over(1, 2),
        handed_over(1, 2, acked=1), handed_over(1, 2, 1, acked=2), handed_over(1, 2, stream="T"),
        handed_over(1, 1))),
    ("B14", lambda: (handed_over(1, 2, 3, apart=False),)),
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
    ("B14d", lambda: (acked_late(1500, word="+WPI"),
        acked_late(900, word="+WPI"), acked_late(1500), acked_late(900, word="+WPI", before="+WPI"),
        acked_late(1500, word="+WPI", policy="none"))),
    ("B14d", lambda: (acked_late(1200, word="+WPI", before="+WPI"),)),
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
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*REDELIVERIES, *CONSUMERS, *SHARED_CONSUMERS)} == {
        f"NATS-{rule}" for rule, *_ in CASES
    }
