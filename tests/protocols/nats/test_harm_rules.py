"""Behaviours that harm their program, as the same capture proves."""

from tests.failures import every
from tests.protocols.nats.clients import STORED, Talks, configured_as, names_the_fault_alone
from tests.protocols.nats.test_consumer_rules import asks, unpulled
from tests.protocols.nats.test_program_rules import Program
from tests.protocols.nats.test_silence_rules import compared, read
from tests.protocols.nats.traffic import CLIENT, SECOND, SERVER, Script

from streamshark.protocols.nats.harm_rules import HARM_RULES


def begun_again(
    times: int, *, word: str = "+ACK", first: int = 1, stream: str = "S",
    policy: str = "by_start_sequence", at: int = 2,
) -> Script:  # fmt: skip
    """A program that creates a consumer with each start, and acks what it gets."""
    talk = Script()
    for start in range(times):
        if start:
            talk.another()
        talk.line(CLIENT, "SUB _INBOX.a.* 1")
        begin = f',"opt_start_seq":{at}' if policy == "by_start_sequence" else ""
        config = f'{{"config":{{"deliver_policy":"{policy}"{begin}}}}}'
        talk.pub(f"$JS.API.CONSUMER.CREATE.{stream}", config, "_INBOX.a.0")
        talk.msg("_INBOX.a.0", configured_as("explicit"))
        for each in range(6):
            place = each + 1 + (first - 1) * start
            reply = f"$JS.ACK.S.c{start}.1.{place}.{each + 1}.17.5"
            talk.msg("orders", "m", reply)
            talk.pub(reply, word)
    return talk


def stands(delivered: int, last: int, *stored: int) -> Script:
    """A consumer and its stream, and messages that are stored then."""
    talk = compared(delivered, last)
    for number, each in enumerate(stored):
        talk.pub("orders.new", "x", f"_INBOX.a.s{number}")
        talk.msg(f"_INBOX.a.s{number}", f'{{"stream":"S","seq":{each}}}')
    return talk


def reads(*chunks: int, of: int = 9) -> Script:
    """Reads of an object that end after some chunks; those that are under way still come."""
    talk = read(chunks[0], of)
    for number, count in enumerate(chunks[1:], 3):
        for each in range(chunks[0] + 1, of + 1):
            talk.msg("$O.b.C.n", "chunk", f"$JS.ACK.OBJ_b.c.1.{each}.{each}.17.{of - each}", sid=2)
        talk.line(CLIENT, f"SUB _INBOX.d{number} {number}")
        for each in range(1, count + 1):
            reply = f"$JS.ACK.OBJ_b.d{number}.1.{each}.{each}.17.{of - each}"
            talk.msg("$O.b.C.n", "chunk", reply, sid=number)
        talk.line(CLIENT, f"UNSUB {number}")
    return talk


def waits(count: int, **how: str) -> Script:
    """Messages that are stored for a consumer that nothing pulls from."""
    talk = unpulled(**how)
    for number in range(2, count + 1):
        asks(talk, "orders", STORED, number, f"x{number}")
    return talk


def left_open(starts: int, *, names: str = "app", apart: int = 4, first: int = 0) -> Program:
    """A program that leaves the connection of each start; the `first` ones publish at the end."""
    talk = Program(names)
    for number in range(1, starts):
        if number >= first:
            talk.pub("state", f"start {number}")
        talk.pause(apart * SECOND)
        talk.add(names if names != "each" else f"each {'abcdefghij'[number]}")
    for link in range(starts):
        talk.on(link)
        if link < first:
            talk.pub("state", "at once")
    talk.pause(4 * SECOND)
    for link in range(starts):
        talk.on(link)
        talk.end()
    return talk


def missed(next_: int, *, policy: str = "new", before: int = 0, apart: bool = True) -> Script:
    """A consumer, and a new one after a reconnect, with the number of its first message."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    for each in range(1, 7):
        reply = f"$JS.ACK.S.C.1.{each + before}.{each}.17.0"
        talk.msg("orders", "m", reply)
        talk.pub(reply, "+ACK")
    if apart:
        talk.another()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    filters = ',"filter_subject":"orders"' if before else ""
    config = f'{{"stream_name":"S","config":{{"deliver_policy":"{policy}"{filters}}}}}'
    talk.pub("$JS.API.CONSUMER.CREATE.S", config, "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as("explicit"))
    talk.msg("orders", "m", f"$JS.ACK.S.D.1.{next_}.1.17.0")
    return talk


def deaf(seconds: int = 7, *, pong: bool = False, sends: bool = True) -> Program:
    """A client that is pinged, goes on to send, and is pinged again."""
    talk = Program("web")
    talk.line(SERVER, "PING")
    if pong:
        talk.line(CLIENT, "PONG")
    for number in range(seconds):
        talk.pause(SECOND)
        if sends:
            talk.pub("events", f"{number}", f"_INBOX.a.{number}")
            talk.msg(f"_INBOX.a.{number}", "kept")
    talk.pause(SECOND)
    talk.line(SERVER, "PING")
    return talk.end()


def flooded(
    times: int, *, full: bool = True, wait: int = 2, pong: bool = False, side: int = CLIENT
) -> Program:
    """Connections that a client ends some time after its PING, with messages before the PONG."""
    talk = Program("slow")
    for number in range(times):
        if number:
            talk.add("slow")
        talk.line(CLIENT, "SUB ticks 1")
        talk.line(CLIENT, "PING")
        if full:
            talk.connection.flow.trouble[CLIENT].see_zero_window((0, 0, 1))
        for each in range(20):
            talk.msg("ticks", f"{each}")
        if pong:
            talk.line(SERVER, "PONG")
        talk.pause(wait * SECOND)
        talk.end(side)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B342", lambda: (begun_again(3),
        begun_again(2), begun_again(3, word="-NAK"), begun_again(3, first=7),
        begun_again(3, policy="new"), begun_again(5, policy="all"), begun_again(5, at=1))),
    ("B342", lambda: (begun_again(4, word=""),)),
    ("B343", lambda: (stands(900, 800, 801),
        stands(900, 800), stands(900, 800, 901), stands(900, 900, 901))),
    ("B343", lambda: (stands(9, 0, 1, 2),)),
    ("B344", lambda: (reads(5, 5), reads(5), reads(5, 9), reads(9, 5), reads(5, 9, 5))),
    ("B344", lambda: (reads(9, 1, 8, of=12),)),
    ("B345", lambda: (waits(10), waits(9), waits(12, does="pulls"))),
    ("B345", lambda: (waits(30, inbox="_INBOX.b.*"),)),
    ("B348", lambda: (left_open(8),
        left_open(5), left_open(8, names="each"), left_open(8, first=8))),
    ("B348", lambda: (left_open(30, apart=1),)),
    ("B349", lambda: (missed(9),
        missed(7), missed(9, policy="all"), missed(19, before=3), missed(9, apart=False))),
    ("B349", lambda: (missed(900, policy="last"),)),
    ("B350", lambda: (deaf(), deaf(4), deaf(pong=True), deaf(sends=False))),
    ("B350", lambda: (deaf(60),)),
    ("B351", lambda: (flooded(3),
        flooded(2), flooded(3, full=False), flooded(3, pong=True), flooded(3, wait=0),
        flooded(3, side=SERVER))),
    ("B351", lambda: (flooded(8, wait=5),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in HARM_RULES} == {f"NATS-{rule}" for rule, *_ in CASES}
