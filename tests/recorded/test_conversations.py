"""What conversations of recorded captures are measured, and joined with, against what is known.

The counts are the drivers' own, from `provenance.toml`; times are read off the packets.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from streamshark.conversations.conversation import Conversation
from streamshark.dissection.row import FrameRow
from streamshark.session import Session, answers_of

CAPTURES = Path(__file__).parents[2] / "captures"


def conversations(name: str) -> list[Conversation]:
    """All of a capture, in the order of their first frames."""
    folder = CAPTURES / name
    file = tomllib.loads((folder / "provenance.toml").read_text())["file"]
    analysis = Session([str(folder / file)]).analysis(conversations=True)
    for _ in analysis.rows():
        pass
    return sorted(analysis.ended(), key=lambda each: each.first_frame)


def of(found: Iterable[Conversation], kind: str) -> list[Conversation]:
    """Those of one type."""
    return [each for each in found if each.type == kind]


def total(found: Iterable[Conversation], measure: str) -> int:
    """Sum of a measure."""
    return sum(each.measures.get(measure, 0) for each in found)


@pytest.mark.parametrize(
    ("name", "measures"),
    [
        # Two chunks use up the credit at 0.003215 s; it is renewed at 4.006201 s.
        ("credit_runs_out", {"credit": 6, "granted": 12, "chunks": 6, "messages": 30,
                             "first_delivery_ns": 865_000, "starved_ns": 4_002_986_000}),
        ("credit_zero", {"credit": 0, "granted": 0, "chunks": 0, "messages": 0,
                         "starved_ns": 3_003_619_000}),
        ("locator_to_leader", {"credit": 10, "granted": 20, "chunks": 10, "messages": 200,
                               "starved_ns": 0}),
    ],
)  # fmt: skip
def test_credit_of_a_subscription(name: str, measures: dict[str, int]) -> None:
    """Granted, used, left, and how long there was none."""
    subscription = of(conversations(f"rabbitmq_stream/{name}"), "subscription")[0]

    assert {key: subscription.measures.get(key) for key in measures} == measures


def test_what_waits_when_a_confirm_is_lost() -> None:
    """Ten of fifteen are confirmed."""
    publisher = of(conversations("rabbitmq_stream/bug_confirm_lost"), "publisher")[0]

    assert (publisher.measures["confirmed"], publisher.measures["in_flight"]) == (10, 5)


@pytest.mark.parametrize(
    ("name", "measures"),
    [
        ("bug_answer_lost", {"unanswered": 1, "late": 0, "orphans": 0, "duplicates": 0}),
        ("bug_answer_with_wrong_id", {"unanswered": 1, "late": 0, "orphans": 1, "duplicates": 0}),
        ("bug_answer_late", {"unanswered": 0, "late": 1, "orphans": 0, "duplicates": 0}),
        ("correlation_id_reused", {"unanswered": 0, "late": 0, "orphans": 0, "duplicates": 1}),
        ("publish_confirm", {"unanswered": 0, "late": 0, "orphans": 0, "duplicates": 0}),
    ],
)
def test_answers_of_a_connection(name: str, measures: dict[str, int]) -> None:
    """Missing, late, of nothing, and requests under an id in use."""
    connection = of(conversations(f"rabbitmq_stream/{name}"), "connection")[0]

    assert {key: connection.measures.get(key) for key in measures} == measures


@pytest.mark.parametrize(
    "name", ["starts_mid_frame", "lost_segment", "server_side_only", "client_side_only"]
)
def test_counts_of_damaged_captures_cannot_be_known(name: str) -> None:
    """There are no counts if the beginning, a side or bytes are missing, and no finding."""
    found = conversations(f"rabbitmq_stream/{name}")
    known = {key for each in found if each.type != "call" for key in each.measures}

    assert known <= {"frame_max", "heartbeat_s"}
    assert not [each for each in found if each.state in ("unanswered", "failed")]


@pytest.mark.parametrize(
    ("name", "kind", "state"),
    [
        ("rabbitmq_stream/login_fails", "connection", "failed"),
        ("rabbitmq_stream/handshake_frame_cut", "connection", "failed"),
        ("rabbitmq_stream/client_resets", "connection", "failed"),
        ("rabbitmq_stream/publish_confirm", "connection", "done"),
        ("rabbitmq_stream/ends_early", "connection", "open"),
        ("rabbitmq_stream/bug_answer_lost", "call", "unanswered"),
        ("rabbitmq_stream/missing_stream", "subscription", "failed"),
        ("rabbitmq_stream/client_side_only", "publisher", "unknown"),
        ("rsocket/bug_request_n_never_granted", "stream", "failed"),
        ("rsocket/resume_refused_java", "stream", "unknown"),
        ("rsocket/setup_refused_java", "connection", "failed"),
        ("rsocket/errors_java", "stream", "failed"),
    ],
)
def test_states(name: str, kind: str, state: str) -> None:
    """How a conversation ended."""
    assert state in {each.state for each in of(conversations(name), kind)}


def joined(name: str, kind: str) -> set[tuple[int, int]]:
    """Which connections are joined by conversations of a type, the earlier one first."""
    found = of(conversations(name), kind)
    return {
        tuple(sorted((each.flows[0], int(link.split("-")[0]))))  # type: ignore[misc]
        for each in found
        for link in each.links
    }


@pytest.mark.parametrize(
    ("name", "kind", "pairs"),
    [
        # The locator asks Metadata, and all others connect to what it is told.
        ("rabbitmq_stream/locator_to_leader", "connection", {(0, flow) for flow in range(1, 7)}),
        # The producer to each leader, the consumer to a replica of the same stream.
        ("rabbitmq_stream/locator_to_leader", "subscription", {(1, 2), (3, 4), (5, 6)}),
        # The reader comes back twice; the writer, of the same product, is another program.
        ("rabbitmq_stream/two_clients_reconnect", "connection", {(1, 2), (2, 3)}),
        ("rabbitmq_stream/two_clients_reconnect", "subscription",
         {(1, 2), (2, 3), (0, 1), (0, 2), (0, 3)}),
        ("rabbitmq_stream/reconnect_java", "publisher", {(1, 2), (1, 5), (4, 5)}),
        ("rabbitmq_stream/reconnect_java", "subscription", {(1, 2), (2, 4), (4, 5)}),
        ("rabbitmq_stream/reconnect_rbfly", "publisher", {(0, 1)}),
        ("rsocket/resume_java", "connection", {(0, 1)}),
        ("rsocket/resume_go", "connection", {(0, 1)}),
        ("rsocket/resume_js", "connection", {(0, 1)}),
        ("rsocket/resume_websocket_go", "connection", {(0, 1)}),
        ("rsocket/resume_refused_java", "connection", {(0, 1)}),
    ],
)  # fmt: skip
def test_links_between_connections(name: str, kind: str, pairs: set[tuple[int, int]]) -> None:
    """Those that belong together, and no others."""
    assert joined(name, kind) == pairs


def test_each_publish_names_its_own_confirm() -> None:
    """A confirm is of all frames that it confirms; publishes of one confirm all name it."""
    path = str(CAPTURES / "rabbitmq_stream/publish_confirm/traffic.pcapng")
    rows = Session([path]).analysis(answers=answers_of(Session([path])), in_full=True).rows()
    told = {row.number: row.annotation for row in rows if isinstance(row, FrameRow)}

    assert [told[publish].response_frame for publish in (13, 15, 17, 18, 19, 20)] == [
        14, 16, 21, 22, 22, 22,
    ]  # fmt: skip
    assert told[22].answers == (18, 19, 20)
    assert (told[22].request_frame, told[21].answers) == (18, ())


def test_requests_that_nobody_answers() -> None:
    """Their state is open; an answer with another id belongs to no request."""
    path = str(CAPTURES / "rabbitmq_stream/bug_answer_with_wrong_id/traffic.pcapng")
    answers = answers_of(Session([path]))
    unanswered = [number for number in answers.unanswered if number not in answers.frames]
    rows = Session([path]).analysis(derives=lambda table: table.name == "orphan").rows()
    orphans = [row.number for row in rows if getattr(row, "derived", ())]

    assert [answers.unanswered[number] for number in unanswered] == ["unanswered"]
    assert orphans == [unanswered[0] + 1]


def worked_out(name: str, value: str) -> list[int]:
    """A derived value of a capture, row after row."""
    path = str(CAPTURES / name)
    rows = Session([path]).analysis(derives=lambda table: table.name == value).rows()
    return [each.value for row in rows for each in getattr(row, "derived", ())]


def test_credit_on_each_frame() -> None:
    """Chunks of RabbitMQ, payloads of RSocket; below zero where the peer sends too much."""
    starves = worked_out("rabbitmq_stream/credit_starves_java/traffic.pcapng.gz", "credit_balance")
    overrun = worked_out("rsocket/bug_stream_overrun/traffic.pcapng", "credit_balance")

    assert starves == [2, 1, 0]
    assert overrun == [3, 2, 1, 0, -1, -2, -3, -4, -5, -6, -7, -4, -1, 2, 2]
