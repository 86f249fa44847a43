"""RabbitMQ's tables on recorded traffic."""

from collections import Counter
from pathlib import Path

import pytest

from streamshark.analysis import Analysis
from streamshark.conversations.resolve import ResolvedTables
from streamshark.conversations.tables import Relief
from streamshark.dissection.row import FrameRow
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.session import Session, answers_of

CAPTURES = Path("captures/rabbitmq_stream")


def analysis(scenario: str) -> Analysis:
    """The analysis of a capture."""
    (path,) = (CAPTURES / scenario).glob("traffic.*")
    return Session([str(path)]).analysis(rules=True, conversations=True)


def test_the_tables_load() -> None:
    """With the rules."""
    model = ResolvedTables(PROTOCOL.wire, PROTOCOL.conversations, PROTOCOL.rules)

    assert len(model.pairs) == 23
    assert [each.table.id for each in model.watches[: len(PROTOCOL.rules)]] == [
        each.id for each in PROTOCOL.rules
    ]
    assert all(isinstance(each.table, Relief) for each in model.watches[len(PROTOCOL.rules) :])


def test_every_response_of_a_whole_capture_has_its_request() -> None:
    """And the requests have theirs at a second reading."""
    rows = list(analysis("publish_confirm").rows())
    answers = [row for row in rows if isinstance(row, FrameRow) and row.kind == "response"]

    assert all(row.annotation.request_frame < row.number for row in answers)
    path = str(CAPTURES / "publish_confirm" / "traffic.pcapng")
    known = answers_of(Session([path]))
    assert all(known.frames[row.annotation.request_frame] == row.number for row in answers)
    twice = list(Session([path]).analysis(answers=known).rows())
    assert [row.annotation.response_frame for row in twice if isinstance(row, FrameRow)][:3] == [
        2, None, 4,
    ]  # fmt: skip


def test_what_a_connection_knows() -> None:
    """User, virtual host, products, and the stream of each row."""
    rows = [row for row in analysis("publish_confirm").rows() if isinstance(row, FrameRow)]
    publish = next(row for row in rows if row.name == "publish")

    assert dict(publish.annotation.context) == {
        "user": "guest", "vhost": "/", "client_product": "raw socket", "client_version": "1",
        "broker_product": "RabbitMQ", "broker_version": "3.10.8", "stream": "orders",
    }  # fmt: skip


def test_publishers_and_subscriptions_are_conversations() -> None:
    """What was confirmed and delivered is measured."""
    made = analysis("publish_and_consume_java_4")
    for _ in made.rows():
        pass
    ended = made.ended()
    types = Counter(each.type for each in ended)
    publisher = next(each for each in ended if each.type == "publisher")
    subscription = next(each for each in ended if each.type == "subscription")

    assert types["connection"] == len({each.flows[0] for each in ended})
    assert publisher.measures["in_flight"] == 0
    assert subscription.measures["chunks"] > 0
    assert any(each.links for each in ended)


@pytest.mark.parametrize(
    ("scenario", "rule"),
    [
        ("correlation_id_reused", "RMQ-X3"),
        ("credit_negative", "RMQ-C6"),
        ("publish_error_unknown_publisher", "RMQ-I1"),
        ("request_before_open", "RMQ-N4"),
        ("unsubscribe_then_credit", "RMQ-I5"),
        ("server_close_unknown_frame", "RMQ-K1"),
    ],
)
def test_faults_are_found(scenario: str, rule: str) -> None:
    """In the captures that were recorded to show them."""
    made = analysis(scenario)
    for _ in made.rows():
        pass
    found = made.findings()

    assert rule in {each.rule for one in found for each in (one, *one.echoes)}
