"""Rules for the order and number of lines, by made connections."""

from tests.failures import every
from tests.protocols.nats.clients import NEXT, Talks, names_the_fault_alone
from tests.protocols.nats.traffic import (
    CLIENT,
    CLIENT_CONNECT,
    MS,
    SECOND,
    SERVER,
    SERVER_INFO,
    Script,
)

from streamshark.protocols.nats.order_rules import ORDER_RULES

INFO_ANSWER = '{"type":"io.nats.jetstream.api.v1.stream_info_response","config":{"name":"S"}}'
BLOCK = "NATS/1.0\r\nNats-Stream: S\r\n\r\n"


def asking(*lines: str, served: str = "") -> Script:
    """A client that sends PING (`P`) and requests (`R`), and gets PONG (`p`) and answers (`r`)."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    asked = answered = 0
    for each in "".join(lines):
        if each == "P":
            talk.line(CLIENT, "PING")
        elif each == "p":
            talk.line(SERVER, "PONG")
        elif each == "R":
            talk.pub("service", "x", f"_INBOX.a.{asked}")
            asked += 1
        else:
            talk.msg(f"_INBOX.a.{answered}", served or f"y{answered}")
            answered += 1
    talk.close()
    return talk


def serving(lines: str) -> Script:
    """A service that gets PING (`P`) and requests (`R`), and sends PONG (`p`) and replies (`r`)."""
    talk = Script()
    talk.line(CLIENT, "SUB service 1")
    asked = replied = 0
    for each in lines:
        if each == "P":
            talk.line(SERVER, "PING")
        elif each == "p":
            talk.line(CLIENT, "PONG")
        elif each == "R":
            talk.msg("service", "x", f"_INBOX.b.{asked}")
            asked += 1
        else:
            talk.pub(f"_INBOX.b.{replied}", "y")
            replied += 1
    talk.close()
    return talk


def beginning(order: str) -> Script:
    """The first lines of a connection: INFO (`I`), CONNECT (`C`), PING (`P`) and its PONG (`p`)."""
    talk = Script(info=b"", connect=b"")
    for each in order:
        if each in "Ip":
            talk.say(SERVER, SERVER_INFO if each == "I" else b"PONG")
        else:
            talk.say(CLIENT, CLIENT_CONNECT if each == "C" else b"PING")
    return talk


def unsubscribed(*lines: str) -> Script:
    """A client that ends its subscriptions."""
    talk = Script()
    for each in lines:
        talk.line(CLIENT, each)
    return talk


def limited(most: int, messages: int, *, wait: int = 0, pings: bool = False) -> Script:
    """A subscription of at most so many messages, and what it gets."""
    talk = Script()
    talk.line(CLIENT, "SUB a 1")
    talk.line(CLIENT, f"UNSUB 1 {most}", wait=wait)
    if pings:
        talk.line(CLIENT, "PING")
        talk.line(SERVER, "PONG")
    for _ in range(messages):
        talk.msg("a", "x")
    return talk


def asked_twice(*requests: tuple[str, str, str], answer: str = "", answers: int = 0) -> Script:
    """Requests with subject, content and reply subject, and answers to the first one."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for subject, content, reply in requests:
        talk.pub(subject, content, f"_INBOX.a.{reply}")
    for _ in range(answers):
        talk.msg(f"_INBOX.a.{requests[0][2]}", answer)
    return talk


def got_directly(*contents: str, block: str = BLOCK) -> Script:
    """Answers to one direct get."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("$JS.API.DIRECT.GET.S", '{"seq":1}', "_INBOX.a.1")
    for each in contents:
        size = len(block)
        talk.line(SERVER, f"HMSG _INBOX.a.1 1 {size} {size + len(each)}\r\n{block}{each}")
    return talk


def unasked(answer: str, *, asks: bool = False, inbox: str = "_INBOX.a.*", more: int = 1) -> Script:
    """Answers, the first of them to a request that was sent, or not."""
    talk = Script()
    talk.line(CLIENT, f"SUB {inbox} 1")
    if asks:
        talk.pub("orders", "x", "_INBOX.a.1")
    for each in range(more):
        talk.msg(f"_INBOX.a.{each + 1}", answer)
    return talk


def own_inboxes(*exchanges: str) -> Script:
    """Requests (`r`), each with an inbox of its own, and what comes there (`a`)."""
    talk = Script()
    for each, exchange in enumerate(exchanges):
        talk.line(CLIENT, f"SUB _INBOX.{each} {each + 1}")
        if "r" in exchange:
            talk.pub("service", "x", f"_INBOX.{each}")
        talk.msg(f"_INBOX.{each}", "y", sid=each + 1)
    return talk


def statuses(*codes: str, pulls: int = 1, requests: int = 0) -> Script:
    """Statuses for pull requests, or for other ones."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for _ in range(pulls):
        talk.pub(NEXT, '{"batch":1}', "_INBOX.a.1")
    for _ in range(requests):
        talk.pub("service", "x", "_INBOX.a.1")
    for each in codes:
        talk.status("_INBOX.a.1", each)
    return talk


def consumed(*deliveries: tuple[int, int, int], pulls: bool = True, again: int = 0) -> Script:
    """Deliveries of a consumer: number, message and delivery of the consumer."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.1 1")
    if pulls:
        talk.pub(NEXT, '{"batch":9}', "_INBOX.a.1")
    for at, (number, message, place) in enumerate(deliveries):
        if again and at == again:
            talk.another()
            talk.line(CLIENT, "SUB _INBOX.a.1 1")
        talk.delivery(message, number, consumed=place)
    talk.close()
    return talk


def stored(*acks: tuple[int, int], more: str = "", subject: str = "orders") -> Script:
    """Messages and their acks: which of them it is for, and the sequence."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(len(acks)):
        talk.pub(subject, f"x{each}", f"_INBOX.a.{each}")
    for each, sequence in acks:
        talk.msg(f"_INBOX.a.{each}", f'{{"stream":"S","seq":{sequence}{more}}}')
    return talk


def heard(
    sends: str, gets: str, *, queue: str = "", connect: bytes = CLIENT_CONNECT, reply: str = ""
) -> Script:
    """A client that publishes messages, each named by a letter, and gets some of them."""
    talk = Script(connect=connect)
    talk.line(CLIENT, f"SUB orders.* {queue} 1".replace("  ", " "))
    for each in sends:
        talk.pub("orders.new", each * 8, reply)
    for each in gets:
        talk.msg("orders.new", each * 8, reply)
    return talk


def left_open(*acks: int, policy: str = "explicit") -> Script:
    """Three messages of a consumer, of which some are acknowledged."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("$JS.API.CONSUMER.INFO.S.C", "", "_INBOX.a.i")
    talk.msg(
        "_INBOX.a.i",
        '{"type":"io.nats.jetstream.api.v1.consumer_info_response",'
        f'"stream_name":"S","name":"C","config":{{"ack_policy":"{policy}","x":1}}}}',
    )
    talk.pub(NEXT, '{"batch":3}', "_INBOX.a.1")
    replies = [talk.delivery(each + 1) for each in range(3)]
    for each in acks:
        talk.pub(replies[each], "+ACK")
    talk.close()
    return talk


def acked(*words: str, delivered: bool = True, subject: str = "") -> Script:
    """A message of a consumer, and acks for it."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    reply = talk.delivery(1) if delivered else "$JS.ACK.S.C.1.1.1.17.5"
    for each in words:
        talk.pub(subject or reply, each)
    return talk


def replied(*contents: str) -> Script:
    """A request, and replies of one client."""
    talk = Script()
    talk.line(CLIENT, "SUB service 1")
    talk.msg("service", "x", "_INBOX.b.1")
    for each in contents:
        talk.pub("_INBOX.b.1", each)
    return talk


ONE, TWO, THREE = (1, 1, 1), (1, 2, 2), (1, 3, 3)
NO_ECHO = CLIENT_CONNECT.replace(b'"lang"', b'"echo":false,"lang"')

CASES: list[tuple[str, Talks]] = [
    ("B220", lambda: (asking("PRr"), asking("PRpr"), asking("RPrp"), asking("RrP"))),
    ("B220", lambda: (asking("PpPPpRr"), asking("PPppRr"))),
    ("B220b", lambda: (serving("PRr"), serving("PRpr"), serving("RPr"))),
    ("B220b", lambda: (serving("RrPRrp"), serving("RrPpRr"))),
    ("B220c", lambda: (asking("PP"), asking("PPp"), asking("PpP"), asking("PpPp"))),
    ("B220c", lambda: (asking("PpPPp", "P"), asking("PpPPpp"))),
    ("B221", lambda: (beginning("CI"), beginning("IC"))),
    ("B221", lambda: (beginning("CIPp"), beginning("ICPp"))),
    ("B222", lambda: (beginning("IPpC"), beginning("ICPp"))),
    ("B222", lambda: (beginning("IP"), beginning("ICP"))),
    ("B223", lambda: (unsubscribed("SUB a 1", "UNSUB 1", "UNSUB 1"),
        unsubscribed("SUB a 1", "UNSUB 1", "SUB a 1", "UNSUB 1"))),
    ("B223", lambda: (unsubscribed("SUB a 1", "UNSUB 1", "SUB b 2", "UNSUB 1"),
        unsubscribed("SUB a 1", "UNSUB 1 5", "UNSUB 1"))),
    ("B224", lambda: (limited(1, 2), limited(2, 2), limited(1, 2, wait=MS))),
    ("B224", lambda: (limited(2, 4), limited(2, 3, pings=True))),
    ("B225", lambda: (asked_twice(("a", "x", "1"), ("a", "x", "1")),
        asked_twice(("a", "x", "1"), ("a", "y", "1")),
        asked_twice(("a", "x", "1"), ("a", "x", "2")))),
    ("B225", lambda: (asked_twice(("$JS.API.INFO", "", "1"), ("$JS.API.INFO", "", "1")),
        asked_twice(("$JS.API.INFO", "", "1"), ("$JS.API.INFO", "", "2")))),
    ("B226", lambda: (
        asked_twice(("$JS.API.STREAM.INFO.S", "", "1"), answer=INFO_ANSWER, answers=2),
        asked_twice(("$JS.API.STREAM.INFO.S", "", "1"), answer=INFO_ANSWER, answers=1))),
    ("B226", lambda: (asked_twice(("$JS.API.STREAM.INFO.S", "", "1"), ("x", "", "2"),
        answer=INFO_ANSWER, answers=3), asked_twice(("a", "", "1"), answer="y", answers=1))),
    ("B226b", lambda: (asked_twice(("a", "x", "1"), answer="y", answers=2),
        asked_twice(("a", "x", "1"), answer="y", answers=1), asking("RRrr"))),
    ("B226b", lambda: (asked_twice(("$KV.a.b", "x", "1"), answer='{"stream":"KV_a","seq":1}',
        answers=2), asked_twice(("a", "x", "1"), answer="", answers=2))),
    ("B226c", lambda: (got_directly("m", "m"), got_directly("m"), got_directly("m", "n"))),
    ("B226c", lambda: (got_directly("mm", "mm"), got_directly("mm", "mm",
        block="NATS/1.0\r\nNats-Num-Pending: 1\r\n\r\n"))),
    ("B227", lambda: (unasked(INFO_ANSWER), unasked(INFO_ANSWER, asks=True),
        unasked(INFO_ANSWER, inbox="_INBOX.>"), unasked("x"))),
    ("B227", lambda: (unasked('{"stream":"S","seq":1}'), unasked('{"id":1}'),
        unasked('{"stream":"S","seq":1}', inbox="_INBOX.a.1"))),
    ("B227", lambda: (unasked('{"error":{"code":400,"err_code":10071}}'), unasked('{"error":1}'))),
    ("B227b", lambda: (asking("Rrr"), asking("Rr"), asking("r"))),
    ("B227b", lambda: (unasked("x", asks=True, more=2), unasked("x", asks=True, more=1))),
    ("B227b", lambda: (own_inboxes("ra", "a"), own_inboxes("ra", "ra"), own_inboxes("a"))),
    ("B227c", lambda: (statuses("404", pulls=0), statuses("404"), statuses("404", "404"))),
    ("B227c", lambda: (statuses("503", pulls=0), statuses("503", pulls=0, requests=1))),
    ("B228", lambda: (statuses("408", "408"), statuses("408", "408", pulls=2),
        statuses("409", "409"))),
    ("B228", lambda: (statuses("404", "404", "408", pulls=2), statuses("404", "409"))),
    ("B228b", lambda: (statuses("503", "503", pulls=0, requests=1),
        statuses("503", pulls=0, requests=1))),
    ("B228b", lambda: (statuses("404", "404", pulls=0, requests=1),
        statuses("404", "503", pulls=0, requests=1))),
    ("B229", lambda: (consumed(ONE, ONE), consumed(ONE, TWO))),
    ("B229", lambda: (consumed(ONE, THREE, TWO, pulls=False), consumed(TWO, ONE, pulls=False))),
    ("B229b", lambda: (consumed(ONE, THREE), consumed(ONE, THREE, pulls=False),
        consumed(ONE, TWO, THREE, again=1))),
    ("B229b", lambda: (consumed(ONE, TWO, (1, 9, 9)), consumed(ONE, (1, 9, 2)))),
    ("B229c", lambda: (consumed(TWO, (1, 1, 3)), consumed(TWO, (2, 1, 3)), consumed(ONE, TWO))),
    ("B229c", lambda: (consumed(ONE, TWO, (1, 2, 3)), consumed(ONE, TWO, (1, 1, 1)))),
    ("B230", lambda: (stored((0, 5), (1, 5)), stored((0, 5), (1, 6)),
        stored((0, 5), (1, 5), more=',"duplicate":true'), stored((0, 5), (1, 1)))),
    ("B230", lambda: (stored((0, 5), (1, 6), (2, 4), subject="$KV.a.b"), stored((0, 5), (1, 9)))),
    ("B230b", lambda: (stored((1, 5), (0, 6)), stored((0, 5), (1, 6)))),
    ("B230b", lambda: (stored((0, 1), (2, 2), (1, 3), subject="$KV.a.b"),
        stored((0, 1), (1, 2), (2, 3)))),
    ("B231", lambda: (heard("ab", "aab"), heard("ab", "ab"), heard("aab", "aab"))),
    ("B231", lambda: (heard("abc", "abcc", queue="q"), heard("", "aa"))),
    ("B231b", lambda: (heard("abc", "ac"), heard("abc", "abc"), heard("abc", "ac", queue="q"))),
    ("B231b", lambda: (heard("abc", "bc"), heard("", "bc"), heard("abc", "ab"))),
    ("B231c", lambda: (heard("abc", "acb"), heard("abc", "abc"))),
    ("B231c", lambda: (heard("xyz", "yx", queue="q", reply="r"), heard("xyy", "xyy"))),
    ("B232", lambda: (heard("a", "a", connect=NO_ECHO), heard("a", "a"))),
    ("B232", lambda: (heard("ab", "b", connect=NO_ECHO), heard("a", "b", connect=NO_ECHO))),
    ("B233", lambda: (left_open(0, 2), left_open(0, 1), left_open(0, 2, policy="all"))),
    ("B233", lambda: (left_open(1, 2), left_open(0, 1, 2), left_open())),
    ("B234", lambda: (acked("+ACK", delivered=False), acked("+ACK"))),
    ("B234", lambda: (acked("", subject="$JS.ACK.S.C.1.2.2.17.5"),
        acked("", subject="$JS.ACK.S.C"))),
    ("B235", lambda: (acked("+ACK", "+ACK"), acked("+ACK"), acked("+WPI", "+ACK"))),
    ("B235", lambda: (acked("", ""), acked("-NAK", "+ACK"), acked("+WPI", "+WPI"))),
    ("B236", lambda: (replied("y", "y"), replied("y"), replied("y", "z"))),
    ("B236", lambda: (replied("z", "y", "z"), replied("", ""))),
    ("B237", lambda: (serving("Rrr"), serving("Rr"), serving("r"))),
    ("B237", lambda: (serving("RRrrr"), serving("RrPpRr"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_two_cases() -> None:
    """No rule is left out above."""
    rules = [f"NATS-{rule}" for rule, *_ in CASES]
    assert {each.id for each in ORDER_RULES} == set(rules)
    assert all(rules.count(each) > 1 for each in rules)


def test_what_began_before_the_capture_is_left_alone() -> None:
    """A PING, a request or a delivery that was not captured is no fault."""
    talk = Script(late=True)
    talk.line(CLIENT, "PING", wait=SECOND)
    talk.msg("_INBOX.a.1", INFO_ANSWER)
    talk.status("_INBOX.a.2", "404")
    talk.pub("$JS.ACK.S.C.1.1.1.17.5", "+ACK")
    talk.line(CLIENT, "PONG")
    talk.close()

    assert not {each.id for each in ORDER_RULES} & talk.rules()
