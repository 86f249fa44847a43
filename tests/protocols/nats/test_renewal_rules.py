"""Rules for keys, objects, consumers and messages over time: faults, and what looks like them."""

from tests.failures import every
from tests.protocols.nats.clients import Talks, names_the_fault_alone
from tests.protocols.nats.test_jetstream_behaviour_rules import API, asks, begun, hpub
from tests.protocols.nats.traffic import CLIENT, SECOND, Script

from streamshark.protocols.nats.renewal_rules import RENEWAL_RULES

KEY, LOCK = "$KV.locks.leader", "Nats-Expected-Last-Subject-Sequence: "
FULL = (
    '{"error":{"code":503,"err_code":10077,"description":"maximum bytes exceeded"},'
    '"stream":"OBJ_b","seq":0}'
)


def refused(last: int) -> str:
    """The refusal of a key that was written last at a sequence."""
    return (
        f'{{"error":{{"code":400,"err_code":10071,"description":"wrong last sequence: {last}"}},'
        '"stream":"KV_locks","seq":0}'
    )


def stored(seq: int, stream: str = "KV_locks") -> str:
    """The ack of a stream."""
    return f'{{"stream":"{stream}","seq":{seq}}}'


def renews(  # noqa: PLR0913 - what may be written in between
    times: int, *, ttl: str = "", value: str = "a", waits: int = 3, operation: str = "",
    plain: bool = False, made_again: bool = True, answer: str = "",
) -> Script:  # fmt: skip
    """A key with a time to live of 2 s that is written again, and then created by another one."""
    talk = begun()
    hpub(talk, KEY, f"{LOCK}0\r\nNats-TTL: 2s", "a", "_INBOX.a.0")
    talk.msg("_INBOX.a.0", stored(1))
    for number in range(1, times + 1):
        talk.now += SECOND
        if plain:
            talk.pub(KEY, value, f"_INBOX.a.{number}")
        else:
            more = f"\r\nNats-TTL: {ttl}" if ttl else ""
            more += f"\r\nKV-Operation: {operation}" if operation else ""
            hpub(talk, KEY, f"{LOCK}{number}{more}", value, f"_INBOX.a.{number}")
        talk.msg(f"_INBOX.a.{number}", stored(number + 1))
    if made_again:
        talk.now += waits * SECOND
        hpub(talk, KEY, f"{LOCK}0\r\nNats-TTL: 2s", "b", "_INBOX.a.99")
        talk.msg("_INBOX.a.99", answer or refused(times + 1))
    return talk


def uploads(*answers: str, chunks: int = 2, deleted: str = "", nuid: str = "N") -> Script:
    """An object whose chunks have these answers, and its metadata."""
    talk = begun()
    for number, answer in enumerate(answers):
        talk.pub("$O.b.C.N", "x" * 9, f"_INBOX.a.{number}")
        if answer:
            talk.msg(f"_INBOX.a.{number}", answer)
    talk.pub("$O.b.M.YQ==", f'{{"name":"a","nuid":"{nuid}","size":18,"chunks":{chunks}{deleted}}}')
    return talk


def consumer(start: int, policy: str = "new", consumed: int = 0, more: str = "") -> str:
    """A consumer, as the server describes it."""
    return (
        '{"type":"io.nats.jetstream.api.v1.consumer_create_response","stream_name":"S","name":"C",'
        f'"config":{{"deliver_policy":"{policy}","ack_policy":"explicit"{more}}},'
        f'"delivered":{{"consumer_seq":{consumed},"stream_seq":{start}}}}}'
    )


def made_again(
    start: int = 9, policy: str = "new", consumed: int = 0, gone: str = "info", *,
    deletes: bool = False, more: str = "",
) -> Script:  # fmt: skip
    """A consumer for new messages that reads up to the fifth, and is made again."""
    talk = begun()
    asks(talk, f"{API}CONSUMER.CREATE.S.C", consumer(2), 1, "{}")
    for message in (3, 4, 5):
        talk.pub(talk.delivery(message), "+ACK")
    if deletes:
        asks(talk, f"{API}CONSUMER.DELETE.S.C", '{"success":true}', 2)
    if gone == "info":
        error = '{"type":"x","error":{"code":404,"err_code":10014,"description":"not found"}}'
        asks(talk, f"{API}CONSUMER.INFO.S.C", error, 3)
    if gone == "pull":
        talk.pub(f"{API}CONSUMER.MSG.NEXT.S.C", '{"batch":1}', "_INBOX.a.4")
        talk.status("_INBOX.a.4", "503")
    asks(talk, f"{API}CONSUMER.CREATE.S.C", consumer(start, policy, consumed, more), 5, "{}")
    return talk


def rounds(
    times: int, *, subject: str = "raw.n", others: int = 0, own: int = 1, begins: bool = False,
    acks: str = "after",
) -> Script:  # fmt: skip
    """A client that receives messages of a stream on a subject, and publishes one for each."""
    talk = Script()
    talk.line(CLIENT, "SUB raw.> 1")
    if begins:
        talk.pub(subject, "reading")
    for number in range(times):
        reply = f"$JS.ACK.S.C.1.{number + 1}.{number + 1}.17.0"
        for other in range(others):
            talk.msg("raw.n", f"other {number} {other}", f"{reply}{other + 1}")
        talk.msg("raw.n", f"reading {number}", reply)
        if acks == "before":
            talk.pub(reply, "+ACK")
        for each in range(own):
            talk.pub(subject, f"reading {number} placed {each}")
        if acks == "after":
            talk.pub(reply, "+ACK")
    return talk


def tries(  # noqa: PLR0913
    times: int, *, header: str = "", acked: bool = False, then: str = "reading 2",
    answers: str = "S", seen: bool = False, more: int = 0,
) -> Script:  # fmt: skip
    """A message that is sent several times before its ack, and another one."""
    talk = begun()
    sent = ["reading 1"] * (times + seen)
    if seen:
        asks(talk, "meters", stored(1, "S"), 90, "reading 1")
    for number in range(times):
        reply = f"_INBOX.a.{number}"
        if header:
            hpub(talk, "meters", header, sent[number], reply)
        else:
            talk.pub("meters", sent[number], reply)
        if acked:
            talk.msg(reply, stored(number + 2, answers))
    if not acked:
        for number in range(times):
            talk.msg(f"_INBOX.a.{number}", stored(number + 2, answers) if answers else "ok")
    for number in range(more):
        talk.pub("meters", "reading 1", f"_INBOX.b.{number}")
    talk.pub("meters", then, "_INBOX.a.50")
    return talk


CASES = [
    ("B270", lambda: (renews(3, made_again=False), renews(2, made_again=False),
        renews(3, ttl="2s", made_again=False), renews(3, value="done", made_again=False),
        renews(3, operation="DEL", made_again=False))),
    ("B270b", lambda: (renews(3, plain=True, made_again=False),
        renews(2, plain=True, made_again=False), renews(3, made_again=False))),
    ("B270c", lambda: (renews(1), renews(1, ttl="2s"), renews(1, waits=1), renews(0),
        renews(1, operation="PURGE"), renews(1, answer=stored(3)), renews(1, answer=refused(7)))),
    ("B270c", lambda: (renews(1, plain=True, value="other"),)),
    ("B271", lambda: (uploads(stored(1, "OBJ_b"), FULL),
        uploads(stored(1, "OBJ_b"), FULL, stored(2, "OBJ_b")), uploads(stored(1, "OBJ_b"), ""),
        uploads(stored(1, "OBJ_b"), FULL, deleted=',"deleted":true'),
        uploads(stored(1, "OBJ_b"), FULL, nuid="M"))),
    ("B271", lambda: (uploads(FULL, FULL),)),
    ("B272", lambda: (made_again(), made_again(5), made_again(policy="all"),
        made_again(consumed=3), made_again(gone=""), made_again(deletes=True),
        made_again(more=',"filter_subject":"a"'))),
    ("B272", lambda: (made_again(gone="pull"),)),
    ("B273", lambda: (rounds(22), rounds(22, subject="placed.n"), rounds(12), rounds(45, others=1),
        rounds(22, own=0), rounds(22, own=2), rounds(22, begins=True),
        rounds(22, acks="before"))),
    ("B274", lambda: (tries(3), tries(2), tries(3, header="Nats-Msg-Id: 1"), tries(3, acked=True),
        tries(3, then="reading 1"), tries(3, answers=""), tries(3, seen=True),
        tries(3, more=120, then="reading 1"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_rule_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in RENEWAL_RULES} == {f"NATS-{rule}" for rule, _ in CASES}
