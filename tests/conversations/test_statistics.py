"""What rows and conversations add up to."""

from pathlib import Path

import pytest
from tests.builders import Conversation as Talk
from tests.madeup import parrot_traffic

from streamshark.conversations import statistics
from streamshark.conversations.conversation import Annotation, Conversation, ConversationTurn, Name
from streamshark.conversations.statistics import OTHER_FLOWS, OTHERS, Statistics
from streamshark.dissection.row import FrameRow, Row
from streamshark.session import Session

CAPTURES = Path(__file__).parents[2] / "captures"
PARROT = "parrot_talk"


def rows(folder: Path, *talks: Talk) -> list[Row]:
    """The rows of connections."""
    return list(parrot_traffic.session(parrot_traffic.write(folder, *talks)).rows())


def read(capture: str) -> Statistics:
    """What the rows of a recorded capture add up to."""
    (path,) = (CAPTURES / capture).glob("traffic.*")
    found = Statistics()
    for row in Session([str(path)]).rows():
        found.take(row)
    return found


def conversation(
    state: str, command: str = "say", *, frame: int = 2, answered: bool = True, **measures: int
) -> Conversation:
    """A call that ended so."""
    return Conversation(
        id="0-2-call", protocols=(PARROT,), flows=(0,), type="call", correlation_id=7, state=state,
        first_frame=frame, last_frame=3, frame_count=2, start=0, duration_ns=100,
        request=ConversationTurn(frame, command, ""),
        outcome=ConversationTurn(3, "said", "") if answered else None,
        measures=measures,
    )  # fmt: skip


def test_commands(tmp_path: Path) -> None:
    """Requests and one-way frames are counted, answers apart; bytes of both."""
    found = Statistics()
    for row in rows(tmp_path, parrot_traffic.talk()):
        found.take(row)

    say = found.commands[PARROT, "say"]
    assert (say.count, say.answers) == (1, 1)
    assert say.size == len(parrot_traffic.say()) + len(parrot_traffic.said())
    assert found.commands[PARROT, "squawk"].count == 1
    assert found.events == {"open": 1, "close": 2}
    assert found.duration_ns > 0


def test_response_times_belong_to_the_request(tmp_path: Path) -> None:
    """Once for each; of one-way frames that answer something else, to themselves."""
    found = Statistics()
    talk = Talk(server=("10.0.0.2", 7777)).handshake().send(0, parrot_traffic.say())
    talk.send(1, parrot_traffic.said()).send(1, parrot_traffic.feed()).send(
        1, parrot_traffic.feed()
    )
    frames = [row for row in rows(tmp_path, talk) if isinstance(row, FrameRow)]
    for row, asked in zip(frames[1:], (1, 1, 3), strict=True):
        name = Name(0, "1", "call")
        row.annotation = Annotation(name, request_frame=asked, response_time_ns=5_000)
    for row in frames:
        found.take(row)

    assert found.commands[PARROT, "say"].times.count == 1
    assert found.commands[PARROT, "feed"].times.count == 1
    assert found.connections[0].times.count == 2


def test_streams_and_connections(tmp_path: Path) -> None:
    """By what the context calls the stream; by sender."""
    found = Statistics()
    for row in rows(tmp_path, parrot_traffic.talk()):
        row.annotation = Annotation(None, {"stream": "nest", "user": "ara"})
        found.take(row)

    nest, connection = found.streams[PARROT, "nest"], found.connections[0]
    assert nest.ways == connection.ways
    assert nest.way("server").frames == 2
    assert nest.way("nobody").frames == 0
    assert connection.context["user"] == "ara"


def test_what_is_too_much_is_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, and it is said."""
    monkeypatch.setattr(statistics, "MOST", 2)
    found = Statistics()
    talks = [Talk(("10.0.0.1", port), ("10.0.0.2", 7777)).handshake() for port in range(1, 6)]
    for each in talks:
        each.send(0, parrot_traffic.login())
    for number, row in enumerate(rows(tmp_path, *talks)):
        row.annotation = Annotation(None, {"stream": f"s{number}"})
        found.take(row)

    assert set(found.connections) == {0, 1, OTHER_FLOWS}
    assert found.connections[OTHER_FLOWS].way("client").frames == 3
    assert found.streams[PARROT, OTHERS].way("client").frames == 3
    assert len(found.capped) == 2


def test_requests_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest first."""
    monkeypatch.setattr(statistics, "MOST_REQUESTS", 1)
    found = Statistics()
    talk = (
        Talk(server=("10.0.0.2", 7777))
        .handshake()
        .send(0, parrot_traffic.say())
        .send(0, parrot_traffic.say())
    )
    for row in rows(tmp_path, talk):
        found.take(row)

    assert list(found._requests) == [2]


def test_conversations() -> None:
    """By type and state; what failed counts at its command, measures that are numbers too."""
    found = Statistics()
    found.end([conversation("done", credit=3), conversation("failed"), conversation("unanswered")])

    kind = found.kinds[PARROT, "call"]
    assert kind.count == 3
    assert kind.states == {"done": 1, "failed": 1, "unanswered": 1}
    assert kind.measures["credit"].greatest == 3
    say = found.commands[PARROT, "say"]
    assert (say.errors, say.unanswered) == (1, 1)


def test_errors_are_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for a request, whatever it began; not what a reset cut off."""
    monkeypatch.setattr(statistics, "MOST_REQUESTS", 1)
    found = Statistics()
    found.end([conversation("failed"), conversation("failed"), conversation("failed", frame=9)])
    found.end([conversation("failed", frame=12, answered=False)])

    assert found.commands[PARROT, "say"].errors == 2
    assert len(found._refused) == 1


def test_starvation(tmp_path: Path) -> None:
    """Counts at the connection."""
    found = Statistics()
    for row in rows(tmp_path, parrot_traffic.talk()):
        found.take(row)
    found.end([conversation("done", starved_ns=7), conversation("done", starved_ns=5)])

    assert found.connections[0].starved_ns == 12


def test_messages_of_real_batches() -> None:
    """As many as the client says it published; compressed as the entries say."""
    found = read("rabbitmq_stream/sub_batches_java")
    publish = found.batches["rabbitmq_stream", "publish"]

    assert publish.messages.total == 205
    assert publish.ratio is not None
    assert publish.ratio > 2
    assert found.connections[1].way("client").messages == 205
    plain = read("rabbitmq_stream/publish_confirm").batches["rabbitmq_stream", "publish"]
    assert (plain.messages.total, plain.ratio) == (16, None)


def test_a_frame_with_a_body_is_one_message() -> None:
    """Where there is no list of them."""
    found = read("rsocket/interactions_java")

    assert found.batches == {}
    assert found.connections[0].way("client").messages > 0
