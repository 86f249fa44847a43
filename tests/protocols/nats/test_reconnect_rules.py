"""Rules for NATS clients that reconnect: what they do not restore, read again or skip."""

from tests.failures import every
from tests.protocols.nats.clients import (
    CREATE,
    NAMED,
    NEXT,
    Talks,
    absent,
    away,
    configured_as,
    names_the_fault_alone,
)
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, SECOND, SERVER, Script

from streamshark.protocols.nats.reconnect_rules import ENDED_BY_SERVERS, RECONNECTS

FILTER = ',"filter_subject":"orders.new"'


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


def pulling(*, again: str = "", left: bool = False, pulls: bool = True, beat: str = "") -> Script:
    """A client with a pull request whose connection is lost, and what it does on the next one."""
    talk = Script(connect=NAMED)
    talk.line(CLIENT, "SUB _INBOX.p.* 1")
    if pulls:
        talk.pub(NEXT, '{"batch":1' + beat + "}", "_INBOX.p.1")
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


CASES: list[tuple[str, Talks]] = [
    ("B33", lambda: (lost("a"), lost("a", "b"), lost("a", left=True))),
    ("B33", lambda: (lost(),)),
    ("B34", lambda: (limited(5), limited(2))),
    ("B120", lambda: (regrouped(),
        regrouped("q"), regrouped("p"), regrouped(before=""), regrouped(side=CLIENT),
        regrouped(wait=90))),
    ("B121", lambda: (refiltered(),
        refiltered(FILTER), refiltered(before=""), refiltered(side=CLIENT))),
    ("B35", lambda: (begun_at(12), begun_at(11))),
    ("B35b", lambda: (begun_at(10), begun_at(11))),
    ("B36b", lambda: (pushed("deliver.d"), pushed("deliver.c"), pushed("deliver.*"))),
    ("B36", lambda: (pushed("_INBOX.d", "_INBOX.c"), pushed("_INBOX.c", "_INBOX.c"))),
    ("B42", lambda: (duck(), duck(after=False), duck(left=True), duck(told=False))),
    ("B48", lambda: (watched(),
        watched(again="subscribes"), watched(again="creates"), watched(left=True))),
    ("B35c", lambda: (read_again("new"),
        read_again("all"), read_again("new", apart=False),
        read_again("new", durable='"durable_name":"c",'))),
    ("B35c", lambda: (read_again("last"),)),
    ("B128", lambda: (away("other"),
        away("other", side=CLIENT), away("app", "other"), away(), away("other", wait=3),
        away("other", early=True))),
    ("B128", lambda: (away(error="User Authentication Expired"),)),
    ("B302", lambda: (absent(),
        absent(requests=2), absent(pause=0), absent("store.get"), absent(side=CLIENT),
        absent(works=False))),
    ("B35d", lambda: (made_again(),
        made_again("by_start_sequence"), made_again(durable=""), made_again(acks=False),
        made_again(pending=0), made_again(consumed=6), made_again(removes="DELETE"),
        made_again(removes="PURGE"))),
    ("B35d", lambda: (made_again(pending=1, durable='"durable_name": "C",'),)),
    ("B48b", lambda: (pulling(),
        pulling(again="pulls"), pulling(again="nothing"), pulling(left=True),
        pulling(pulls=False), pulling(beat=',"idle_heartbeat":2000000000'))),
    ("B48b", lambda: (pulling(beat=',"idle_heartbeat":900000000'),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*RECONNECTS, *ENDED_BY_SERVERS)} == {
        f"NATS-{rule}" for rule, *_ in CASES
    }
