"""Rules about the state of streams: faults are named, and what looks like them is not."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.nats.test_jetstream_behaviour_rules import API, NEXT, STORED, asks, begun, hpub
from tests.protocols.nats.traffic import MS, SECOND, Script

from streamshark.protocols.nats.stream_state_rules import STREAM_STATE_RULES

INFO = '{"type":"io.nats.jetstream.api.v1.stream_create_response","config":{}}'
GONE = '{"type":"io.nats.jetstream.api.v1.stream_delete_response","success":true}'
DENIED = (
    '{"type":"io.nats.jetstream.api.v1.stream_delete_response","error":{"code":404,'
    '"err_code":10059,"description":"stream not found"}}'
)
KEY = "$KV.locks.a"
REFUSED = (
    '{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: %d"},'
    '"stream":"KV_locks","seq":0}'
)
SOURCE = '"sources":[{"name":"S"}]'


def made(*steps: str, answer: str = GONE) -> Script:
    """Streams and consumers that are made and deleted: `+S`, `-S`, `+T source`, `S/C config`."""
    talk = begun()
    for number, step in enumerate(steps):
        name, _, body = step.partition(" ")
        if "/" in name:
            stream, consumer = name.split("/")
            subject = f"{API}CONSUMER.CREATE.{stream}.{consumer}"
            asks(talk, subject, INFO, number, f'{{"stream_name":"{stream}","config":{{{body}}}}}')
        elif name[0] == "-":
            asks(talk, f"{API}STREAM.DELETE.{name[1:]}", answer, number)
        else:
            more = f",{body}" if body else ""
            asks(talk, f"{API}STREAM.CREATE.{name[1:]}", INFO, number,
                 f'{{"name":"{name[1:]}"{more}}}')  # fmt: skip
    return talk


def publishes(talk: Script, *sequences: int, subject: str = "orders", header: str = "") -> Script:
    """Messages that the stream stores."""
    for number, sequence in enumerate(sequences):
        reply = f"_INBOX.a.p{number}"
        if header:
            hpub(talk, subject, header, "x", reply)
        else:
            talk.pub(subject, "x", reply)
        talk.msg(reply, STORED.replace(" ", "") % sequence)
    return talk


def wanted(
    config: str, subject: str = "later.a", header: str = "", retention: str = "interest"
) -> Script:
    """A message to a stream whose consumer has a filter."""
    talk = made(f'+S "retention":"{retention}"', f"S/C {config}")
    return publishes(talk, 1, subject=subject, header=header)


def scheduled(config: str, subject: str = "later.a", retention: str = "interest") -> Script:
    """The same, and the message is a schedule."""
    header = "Nats-Schedule: @at 2026-01-01T00:00:00Z\r\nNats-Schedule-Target: due.a"
    return wanted(config, subject, header, retention)


def starting(start: int, *sequences: int, after: str = "") -> Script:
    """A consumer that starts at a sequence, and what the stream stores after that."""
    talk = made("+S", f'S/C "deliver_policy":"by_start_sequence","opt_start_seq":{start}')
    if after:
        asks(talk, f"{API}STREAM.DELETE.S", GONE, 9)
    return publishes(talk, *sequences)


def put_off(
    times: int, delay: str = '{"delay": 60000000000}', most: int = 3, pending: int = 5,
    pulls: int = 2, again: int = 0,
) -> Script:  # fmt: skip
    """Messages that are rejected with a delay, and pull requests after that."""
    talk = begun()
    config = f'"config":{{"ack_policy":"explicit","max_ack_pending":{most},"x":1}}'
    answer = f'{{"type":"x","stream_name":"S","name":"C",{config}}}'
    asks(talk, f"{API}CONSUMER.INFO.S.C", answer)
    for number in range(1, times + 1):
        reply = f"$JS.ACK.S.C.1.{number}.{number}.17.{pending}"
        talk.msg("_INBOX.a.x", "work", reply)
        talk.pub(reply, f"-NAK {delay}".strip(), wait=MS)
    for number in range(again):
        talk.msg("_INBOX.a.x", "work", f"$JS.ACK.S.C.2.{number + 1}.{times + number + 1}.17.5")
    for number in range(pulls):
        reply = f"_INBOX.a.q{number}"
        talk.pub(NEXT, '{"batch":1,"expires":500000000}', reply)
        talk.now += SECOND
        head = "NATS/1.0 408 Request Timeout\r\n\r\n"
        talk.line(1, f"HMSG {reply} 1 {len(head)} {len(head)}", head, end="\r\n")
    talk.close()
    return talk


def guessed(times: int, *, plus: int = 0, reads: bool = False, watches: bool = False) -> Script:
    """Updates that are refused, and sent again with the sequence of the refusal."""
    talk = begun()
    for number in range(times):
        last = 10 + number * 3
        header = "Nats-Expected-Last-Subject-Sequence: %d"
        hpub(talk, KEY, header % (last - 1), "me", f"_INBOX.a.u{number}")
        talk.msg(f"_INBOX.a.u{number}", REFUSED % last)
        if reads:
            talk.pub(f"{API}STREAM.MSG.GET.KV_locks", f'{{"last_by_subj":"{KEY}"}}', "_INBOX.a.g")
            talk.msg("_INBOX.a.g", f'{{"type":"x","message":{{"subject":"{KEY}","seq":{last}}}}}')
        if watches:
            talk.line(1, f"MSG {KEY} 1 $JS.ACK.KV_locks.w.1.{last}.{last}.17.0 5\r\nother\r\n",
                      end="")  # fmt: skip
        hpub(talk, KEY, header % (last + plus), "me", f"_INBOX.a.v{number}")
        talk.msg(f"_INBOX.a.v{number}", f'{{"stream":"KV_locks","seq":{last + 1}}}')
    talk.close()
    return talk


def left_open(
    stored: int, filters: str = '"filter_subject":"orders.*"', subject: str = "orders.a",
    wait: int = 4 * SECOND,
) -> Script:  # fmt: skip
    """Two messages, which is all that may be open, and what is stored after them."""
    talk = begun()
    config = f'{{"ack_policy":"explicit","max_ack_pending":2,{filters}}}'
    answer = f'{{"type":"x","stream_name":"S","name":"C","config":{config[:-1]},"x":1}}}}'
    body = f'{{"stream_name":"S","config":{config}}}'
    asks(talk, f"{API}CONSUMER.CREATE.S.C", answer, 0, body)
    for each in (1, 2):
        talk.msg("orders.a", "m", f"$JS.ACK.S.C.1.{each}.{each}.17.0")
    publishes(talk, *range(3, 3 + stored), subject=subject)
    talk.line(0, "PING", wait=wait)
    talk.line(1, "PONG")
    talk.close()
    return talk


def contested(
    refused: int, stored: int, writers: int = 3, header: str = "Subject-", expected: int = 4
) -> Script:
    """Conditional writes of several clients, in turn, most of which are refused."""
    talk = begun()
    name = f"Nats-Expected-Last-{header}Sequence: {expected}"
    for each in range(refused + stored):
        if each and each % max(1, (refused + stored) // writers) == 0 and each < refused:
            talk.another()
            talk.line(0, "SUB _INBOX.a.* 1")
        hpub(talk, KEY, name, "me", f"_INBOX.a.{each}")
        answer = f'{{"stream":"KV_locks","seq":{each}}}' if each < stored else REFUSED % each
        talk.msg(f"_INBOX.a.{each}", answer)
    return talk


def purged(
    more: str = "", *, subject: str = "orders.a", delivered: bool = False, wait: int = MS,
    consumer: bool = True,
) -> Script:  # fmt: skip
    """A message that is stored, and a purge of its subject."""
    talk = made("+S", *(["S/C"] if consumer else []))
    publishes(talk, 7, subject="orders.a")
    if delivered:
        talk.line(1, "MSG orders.a 1 $JS.ACK.S.C.1.7.7.17.0 1\r\nm\r\n", end="")
    talk.now += wait
    asks(talk, f"{API}STREAM.PURGE.S", GONE, 20, f'{{"filter":"{subject}"{more}}}')
    return talk


def paused(
    answer: str, *, about: str = "PAUSE.S.C", wait: int = SECOND, pulls: str = "S.C"
) -> Script:
    """An answer about a consumer, and a pull request some time later."""
    talk = made("+S", "S/C")
    asks(talk, f"{API}CONSUMER.{about}", answer, 20)
    talk.now += wait
    talk.line(0, f"PUB {API}CONSUMER.MSG.NEXT.{pulls} _INBOX.p 2\r\n{{}}\r\n", end="")
    return talk


STILL = '{"paused":true,"pause_until":"2026-11-27T08:41:16Z","pause_remaining":8000000000}'
INFO = (
    '{"name":"C","config":{"durable_name":"C"},"paused":true,"pause_remaining":7000000000,"ts":1}'
)


def unstored(times: int, *, stored: int = 1, again: int = 0, subject: str = "orders") -> Script:
    """Messages that a stream stores, and messages that none receives."""
    talk = publishes(begun(), *range(1, stored + 1))
    for number in range(times):
        reply = f"_INBOX.a.v{number}"
        talk.pub(subject, "x", reply)
        talk.status(reply, "503")
        if again and number + 1 == again:
            publishes(talk, 7)
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B200", lambda: (unstored(3),
        unstored(2), unstored(9, stored=0), unstored(4, again=2), unstored(9, subject="bills"))),
    ("B200", lambda: (unstored(5, again=1, stored=4),)),
    ("B137", lambda: (made("+S", f"+T {SOURCE}", "-S", "+S"),
        made("+S", f"+T {SOURCE}", "-S"), made("+S", "-S", "+S", f"+T {SOURCE}"),
        made("+S", f"+T {SOURCE}", "-S", "-T", "+S"), made("+S", "+T", "-S", "+S"),
        made("+S", f"+T {SOURCE}", "-S", "+S", answer=DENIED),
        made("+S", f"+T {SOURCE}", "-T", f"+T {SOURCE}"))),
    ("B137", lambda: (made("+S", '+T "mirror": {"name": "S"}', "-S", "+S"),
        made("+S", '+T "sources":null,"mirror":null,"placement":{"name":"S"}', "-S", "+S"))),
    ("B138", lambda: (made('+S "retention":"workqueue"', "S/C", f"+T {SOURCE}"),
        made('+S "retention":"workqueue"', f"+T {SOURCE}"),
        made('+S "retention":"interest"', "S/C", f"+T {SOURCE}"),
        made('+S "retention":"workqueue"', "S/C", "+T"),
        made('+S "retention":"workqueue"', "S/C", "-S", "+S", f"+T {SOURCE}"),
        made('+S "retention":"workqueue"', "S/C",
             '+T "sources":[{"name":"S","filter_subject":"x"}]'))),
    ("B138", lambda: (made('+S "retention": "workqueue"', f"+T {SOURCE}", "S/C"),
        made('+S "retention":"workqueue"', f"+T {SOURCE}", "-T", "S/C"))),
    ("B139", lambda: (scheduled('"filter_subject":"due.*"'),
        scheduled('"filter_subject":"due.*"', retention="workqueue"),
        scheduled('"filter_subject":"*.a"'), scheduled('"ack_policy":"explicit"'),
        wanted('"filter_subject":"due.*"'))),
    ("B139", lambda: (scheduled('"filter_subjects":["due.*","done.>"]'),
        scheduled('"filter_subjects":["due.*","later.>"]'))),
    ("B139b", lambda: (wanted('"filter_subject":"due.*"'),
        wanted('"filter_subject":"later.*"'), wanted('"ack_policy":"none"'),
        wanted('"filter_subject":"due.*"', retention="limits"))),
    ("B140", lambda: (starting(61, 1, 2, 3),
        starting(61, 1, 2), starting(61, 61, 62, 63, 64), starting(3, 3, 4, 5),
        starting(61, 1, 2, 3, 4, after="deleted"))),
    ("B140", lambda: (starting(5, 2, 3, 4, 5),)),
    ("B141", lambda: (put_off(3),
        put_off(2), put_off(3, delay=""), put_off(3, delay='{"delay": 1000000}'),
        put_off(3, pending=0), put_off(5, most=9), put_off(3, pulls=1), put_off(3, again=1))),
    ("B141", lambda: (put_off(4, delay='{"delay":99000000000}', most=4),)),
    ("B152", lambda: (paused(STILL),
        paused(STILL, wait=9 * SECOND), paused(STILL, pulls="S.D"), paused('{"paused":false}'),
        paused(DENIED))),
    ("B152", lambda: (paused(INFO, about="DURABLE.CREATE.S.C"),
        paused(INFO.replace("true", "false"), about="INFO.S.C"))),
    ("N68", lambda: (made('+S "discard":"new","max_msgs_per_subject":1'),
        made('+S "discard":"new","max_msgs_per_subject":1,"max_msgs":9'))),
    ("N68", lambda: (made("+S", 'S/C "ack_wait":9000000000,"backoff":[1000000000]'),
        made("+S", 'S/C "ack_wait":9000000000,"backoff":[9000000000]'))),
    ("B150", lambda: (contested(12, 3),
        contested(11, 3), contested(12, 9), contested(14, 3, writers=2),
        contested(14, 3, expected=0))),
    ("B150", lambda: (contested(15, 1, writers=5, header=""),)),
    ("B151", lambda: (purged(),
        purged(',"keep":1'), purged(',"seq":7'), purged(subject="orders.b"),
        purged(delivered=True), purged(wait=3 * SECOND), purged(consumer=False))),
    ("B151", lambda: (purged(wait=SECOND), purged(',"keep": 1'))),
    ("B142", lambda: (guessed(2),
        guessed(1), guessed(3, reads=True), guessed(3, watches=True), guessed(3, plus=-1))),
    ("B142b", lambda: (guessed(1), guessed(1, reads=True), guessed(1, watches=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Callable[[], tuple[Script, ...]]) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.found(f"NATS-{rule}"), rule
    for number, each in enumerate(kept):
        assert f"NATS-{rule}" not in each.rules(), (rule, number)


def test_a_consumer_stops_although_it_had_no_message_to_come() -> None:
    """B32: what its filter matches was stored meanwhile; not what it does not want."""
    for talk, found in (
        (left_open(3), True),
        (left_open(1, '"filter_subject": "orders.>"'), True),
        (left_open(0), False),
        (left_open(3, subject="bills.a"), False),
        (left_open(3, wait=SECOND), False),
    ):
        assert ("NATS-B32" in talk.rules()) == found


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in STREAM_STATE_RULES} == {f"NATS-{rule}" for rule, *_ in CASES}
