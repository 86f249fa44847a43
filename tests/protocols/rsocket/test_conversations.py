"""RSocket's tables, on bytes and on recorded traffic."""

from collections import Counter
from pathlib import Path

import pytest
from tests.protocols.rsocket.traffic import Talk, framed, resume, resume_ok, setup

from streamshark.analysis import Analysis
from streamshark.conversations import engine_state
from streamshark.conversations.resolve import ResolvedTables
from streamshark.conversations.tables import Relief
from streamshark.dissection.row import FrameRow
from streamshark.protocols.rsocket import PROTOCOL
from streamshark.session import Session

CAPTURES = Path("captures/rsocket")
CLIENT, SERVER = 0, 1
N = (5).to_bytes(4, "big")
RESPONSE, FNF, STREAM, CHANNEL, REQUEST_N, CANCEL, PAYLOAD, ERROR = range(0x04, 0x0C)
FOLLOWS, COMPLETE, NEXT = 0x80, 0x40, 0x20
FAILED = (0x201).to_bytes(4, "big") + b"no"


def analysis(scenario: str) -> Analysis:
    """The analysis of a capture."""
    (path,) = (CAPTURES / scenario).glob("traffic.*")
    return Session([str(path)]).analysis(rules=True, conversations=True)


def test_the_tables_load() -> None:
    """With the rules."""
    model = ResolvedTables(PROTOCOL.wire, PROTOCOL.conversations, PROTOCOL.rules)

    rules, reliefs = model.watches[: len(PROTOCOL.rules)], model.watches[len(PROTOCOL.rules) :]
    assert [each.table.id for each in rules] == [each.id for each in PROTOCOL.rules]
    assert all(isinstance(each.table, Relief) for each in reliefs)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ([(CLIENT, framed(1, RESPONSE, 0, b"a"))], "unknown"),
        (
            [
                (CLIENT, framed(1, RESPONSE, 0, b"a")),
                (SERVER, framed(1, PAYLOAD, NEXT | COMPLETE, b"b")),
            ],
            "done",
        ),
        ([(CLIENT, framed(1, FNF, 0, b"a"))], "done"),
        ([(CLIENT, framed(1, RESPONSE, 0, b"a")), (SERVER, framed(1, ERROR, 0, FAILED))], "failed"),
        ([(CLIENT, framed(1, STREAM, 0, N)), (CLIENT, framed(1, CANCEL, 0))], "done"),
        ([(CLIENT, framed(1, STREAM, 0, N)), (SERVER, framed(1, PAYLOAD, COMPLETE))], "done"),
        ([(CLIENT, framed(1, CHANNEL, 0, N)), (SERVER, framed(1, PAYLOAD, COMPLETE))], "open"),
        (
            [
                (CLIENT, framed(1, CHANNEL, COMPLETE, N)),
                (SERVER, framed(1, PAYLOAD, COMPLETE)),
            ],
            "done",
        ),
        (
            [
                (CLIENT, framed(1, RESPONSE, FOLLOWS, b"a")),
                (CLIENT, framed(1, PAYLOAD, NEXT, b"a")),
                (SERVER, framed(1, PAYLOAD, NEXT | COMPLETE | FOLLOWS, b"b")),
                (SERVER, framed(1, PAYLOAD, NEXT, b"b")),
            ],
            "done",
        ),
    ],
)
def test_how_a_stream_ends(said: list[tuple[int, bytes]], state: str) -> None:
    """Each model in its own way, fragments at the last one."""
    talk = Talk()
    talk.say(CLIENT, setup())
    talk.say(SERVER, framed(0, 0x03, 0, bytes(8)))
    for side, data in said:
        talk.say(side, data)
    streams = [each for each in talk.conversations() if each.type == "stream"]

    assert len(streams) == 1
    if state == "unknown":
        assert streams[0].state in ("open", "unanswered")
    else:
        assert streams[0].state == state


def test_credit_is_counted() -> None:
    """What was requested, less what came."""
    talk = Talk()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, STREAM, 0, N + b"a"))
    for _ in range(3):
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"b"))
    talk.say(CLIENT, framed(1, REQUEST_N, 0, N))
    (stream,) = (each for each in talk.conversations() if each.type == "stream")

    assert stream.measures["requested"] == 10
    assert stream.measures["credit"] == 7
    assert stream.measures["items"] == 3


def test_payloads_answer_their_request() -> None:
    """Of every model, in a recorded capture."""
    rows = [
        row
        for row in analysis("interactions_java").rows()
        if isinstance(row, FrameRow) and row.command == "payload" and row.sender == "server"
    ]

    assert len(rows) == 27 - sum(row.annotation.request_frame is None for row in rows)
    assert all(row.annotation.request_frame < row.number for row in rows)
    assert all(row.annotation.response_time_ns >= 0 for row in rows)


def test_streams_are_conversations() -> None:
    """As many as requests."""
    made = analysis("interactions_java")
    requests = Counter(
        row.command
        for row in made.rows()
        if isinstance(row, FrameRow) and (row.command or "").startswith("request_r")
    )
    kinds = Counter(each.type for each in made.ended())

    assert requests["request_response"] > 0
    assert kinds["connection"] == 1
    assert kinds["stream"] == 7


RESUMED = ("resume_java", "resume_go", "resume_js", "resume_js_0_0", "resume_websocket_go",
           "resume_websocket_js_0_0")  # fmt: skip


@pytest.mark.parametrize("scenario", RESUMED)
def test_a_resumed_stream_is_one_conversation(scenario: str) -> None:
    """Over both connections, its payloads counted once, and each answer with its request."""
    made = analysis(scenario)
    rows = [row for row in made.rows() if isinstance(row, FrameRow)]
    streams = {each.correlation_id: each for each in made.ended() if each.type == "stream"}
    of_it = [row for row in rows if row.annotation.conversation == streams[1].id]

    assert (streams[1].flows, streams[1].state) == ((0, 1), "done")
    assert streams[1].measures["items"] == sum(
        row.sender == "server" and bool(row.shallow["flags"] & NEXT) for row in of_it
    )
    assert streams[1].frame_count == len(of_it)
    assert {row.connection.flow.number for row in of_it} == {0, 1}
    assert {row.annotation.request_frame for row in of_it if row.sender == "server"} == {
        streams[1].first_frame
    }
    assert sorted(streams) == [1, 3]


def test_a_session_that_nobody_resumes_ends_with_the_captures() -> None:
    """Its streams are not known to have ended."""
    talk = Talk()
    talk.say(CLIENT, setup(token=b"token"))
    talk.say(SERVER, framed(0, 0x03, 0, bytes(8)))
    talk.say(CLIENT, framed(1, STREAM, 0, N + b"a"))
    talk.close()
    assert [each.type for each in talk.engine.ended] == ["connection"]

    (stream,) = (each for each in talk.conversations() if each.type == "stream")
    assert (stream.state, stream.flows) == ("unknown", (0,))


def test_a_connection_that_is_still_open_gives_its_streams_too() -> None:
    """Where the network was cut without a FIN; what was not seen before is not known."""
    talk = Talk()
    talk.say(CLIENT, setup(token=b"token"))
    talk.say(SERVER, framed(0, 0x03, 0, bytes(8)))
    talk.say(CLIENT, framed(1, STREAM, 0, N + b"a"))
    talk.connect()
    talk.say(CLIENT, resume(b"token"))
    talk.say(SERVER, resume_ok(11))
    talk.say(SERVER, framed(1, PAYLOAD, NEXT | COMPLETE, b"b"))
    talk.say(SERVER, framed(9, PAYLOAD, NEXT | COMPLETE, b"b"))
    streams = [each for each in talk.conversations() if each.type == "stream"]

    assert [(each.id, each.flows, each.state) for each in streams] == [
        ("0-3-stream", (0, 1), "done"), ("1-7-stream", (1,), "open"),
    ]  # fmt: skip
    assert streams[0].parent == "0-1-connection"


def test_sessions_that_are_left_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest ends, and that is said."""
    monkeypatch.setattr(engine_state, "MOST_LEFT", 1)
    talk = Talk()
    for number in range(3):
        talk.say(CLIENT, setup(token=b"%d" % number))
        talk.say(SERVER, framed(0, 0x03, 0, bytes(8)))
        talk.say(CLIENT, framed(1, STREAM, 0, N + b"a"))
        talk.close()
        talk.connect()

    assert talk.engine.capped == {"resumable connections": 2}
    assert [each.type for each in talk.engine.ended].count("stream") == 2
