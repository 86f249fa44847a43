"""NATS's tables: connections, subscriptions, requests and answers, also across connections."""

from collections import Counter

import pytest
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, SERVER, Talk

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.resolve import ResolvedTables
from streamshark.conversations.tables import Relief
from streamshark.protocols.nats import PROTOCOL

NO_RESPONDERS = b"NATS/1.0 503\r\n\r\n"
HMSG_503 = b"HMSG r 1 %d %d\r\n%s\r\n" % (len(NO_RESPONDERS), len(NO_RESPONDERS), NO_RESPONDERS)


def of(talk: Talk, kind: str) -> list[Conversation]:
    """The conversations of a kind."""
    return [each for each in talk.conversations() if each.type == kind]


def test_the_tables_load() -> None:
    """With the rules."""
    model = ResolvedTables(PROTOCOL.wire, PROTOCOL.conversations, PROTOCOL.rules)

    rules, reliefs = model.watches[: len(PROTOCOL.rules)], model.watches[len(PROTOCOL.rules) :]
    assert [each.table.id for each in rules] == [each.id for each in PROTOCOL.rules]
    assert all(isinstance(each.table, Relief) for each in reliefs)


@pytest.mark.parametrize(
    ("lines", "state", "delivered"),
    [
        ([(SERVER, b"MSG a 1 2\r\nhi")], "open", 1),
        ([(SERVER, b"MSG a 1 2\r\nhi"), (CLIENT, b"UNSUB 1")], "done", 1),
        ([(CLIENT, b"UNSUB 1 2"), (SERVER, b"MSG a 1 0\r\n"), (SERVER, b"MSG a 1 0\r\n")],
         "done", 2),
        ([(SERVER, b"MSG a 1 0\r\n"), (CLIENT, b"UNSUB 1 1")], "done", 1),
        ([(CLIENT, b"UNSUB 1 3"), (SERVER, b"MSG a 1 0\r\n")], "open", 1),
    ],
)  # fmt: skip
def test_subscriptions(lines: list[tuple[int, bytes]], state: str, delivered: int) -> None:
    """They end by UNSUB, at once or when their limit has come."""
    talk = Talk()
    talk.say(CLIENT, b"SUB a 1")
    for side, data in lines:
        talk.say(side, data)

    (found,) = of(talk, "subscription")
    assert found.state == state
    assert found.measures["delivered"] == delivered


@pytest.mark.parametrize(
    ("answer", "state"),
    [([(SERVER, b"MSG r 1 2\r\nhi")], "done"), ([(SERVER, HMSG_503)], "failed"), ([], "open")],
)
def test_requests(answer: list[tuple[int, bytes]], state: str) -> None:
    """A publish with a reply subject, and the message that comes on it."""
    talk = Talk()
    talk.say(CLIENT, b"SUB r 1\r\nPUB a r 1\r\n?")
    for side, data in answer:
        talk.say(side, data)

    (found,) = of(talk, "request")
    assert found.state == state


def test_what_is_served() -> None:
    """A message with a reply subject is answered by a publish on it; JetStream's are acked."""
    talk = Talk()
    talk.say(CLIENT, b"SUB a 1")
    talk.say(SERVER, b"MSG a 1 r 1\r\n?")
    talk.say(CLIENT, b"PUB r 1\r\n!")
    talk.say(SERVER, b"MSG a 1 $JS.ACK.S.C.1.1.1.1.0 1\r\nx")
    talk.say(CLIENT, b"PUB $JS.ACK.S.C.1.1.1.1.0 4\r\n+WPI")
    talk.say(CLIENT, b"PUB $JS.ACK.S.C.1.1.1.1.0 4\r\n+ACK")

    found = of(talk, "service")
    assert [each.state for each in found] == ["done", "done"]
    assert [each.frame_count for each in found] == [2, 3]
    assert found[1].measures["answer_ns"] == 2_000_000_000


def test_what_a_message_of_jetstream_says() -> None:
    """The number of deliveries is the first number after stream and consumer."""
    talk = Talk()
    talk.say(CLIENT, b"SUB a 1")
    for reply in (b"$JS.ACK.S.C.2.3.4.5.6", b"$JS.ACK.S.C.21.30.40.50.60", b"r"):
        talk.say(SERVER, b"MSG a 1 %s 0\r\n" % reply)
    told = [{each.table.name: each.value for each in row.derived} for row in talk.rows[-3:]]

    assert [each.get("jetstream_delivery") for each in told] == [2, 21, None]
    assert [each["delivered"] for each in told] == [1, 2, 3]


def test_a_request_is_joined_with_who_serves_it() -> None:
    """On another connection."""
    talk = Talk()
    first = talk.connection, list(talk.offsets), talk.flow
    talk.say(CLIENT, b"SUB r.* 1")
    talk.connect()
    talk.say(CLIENT, b"SUB service 1")
    second = talk.connection, list(talk.offsets), talk.flow
    for side, data, (talk.connection, talk.offsets, talk.flow) in (
        (CLIENT, b"PUB service r.1 1\r\n?", (first[0], [first[1][0] + 11, first[1][1]], first[2])),
        (SERVER, b"MSG service 1 r.1 1\r\n?", second),
    ):
        talk.say(side, data)

    (asked,) = of(talk, "request")
    (served,) = [each for each in talk.engine.ended if each.type == "service"]
    assert asked.id in served.links or served.id in asked.links


def test_what_answers_each_line_in_verbose_mode() -> None:
    """-ERR replaces +OK; in pedantic mode an invalid subject has -ERR and then +OK."""
    talk = Talk(connect=CLIENT_CONNECT.replace(b'"verbose":false', b'"verbose":true'))
    lines = b"SUB a..b 1\r\nPUB a.* 0\r\n\r\nPUB no.x 0\r\n\r\nSUB b 2\r\n"
    talk.say(SERVER, b"+OK")
    talk.say(CLIENT, lines)
    first = talk.rows[-1].number - 3
    answers = (
        (b"-ERR 'Invalid Subject'", 0), (b"-ERR 'Invalid Publish Subject'", 1), (b"+OK", 1),
        (b"-ERR 'Permissions Violation for Publish to \"no.x\"'", 2), (b"+OK", 3),
        (b"-ERR 'Stale Connection'", None),
    )  # fmt: skip
    for said, line in answers:
        talk.say(SERVER, said)
        assert talk.rows[-1].annotation.request_frame == (None if line is None else first + line)


def test_connections_are_counted() -> None:
    """Counts are of published and delivered messages, errors, and requests without an answer."""
    talk = Talk()
    talk.say(CLIENT, b"SUB r 1\r\nPUB a 0\r\n\r\nPUB b r 0\r\n")
    talk.say(SERVER, HMSG_503)
    talk.say(SERVER, b"-ERR 'Authorization Violation'")
    talk.close()

    (found,) = of(talk, "connection")
    assert found.state == "failed"
    assert found.measures == {"published": 2, "delivered": 1, "errors": 1, "no_responders": 1}
    assert Counter(each.type for each in talk.engine.ended)["connection"] == 1
