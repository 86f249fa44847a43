"""Fields of other rows: requests, answers, conversations, findings."""

from tests.failures import every
from tests.filters.reading import LOGIN, PUBLISH, read

from streamshark.filters.filter import compile  # noqa: A004 - as of `re`
from streamshark.filters.other_rows import CONVERSATIONS, FINDINGS
from streamshark.session import Session

FRAMES = {
    "request.rmqstream.sasl_authenticate": [6],
    'request.rmqstream.command == "sasl_handshake"': [4],
    'answer.rmqstream.command == "sasl_handshake"': [3],
    'answer.rmqstream.sasl_authenticate_response.response_code != "ok"': [5],
    "answer.missing": [],
    "finding": [5, 6],
    'finding.rule == "RMQ-N6" && finding.severity == "error"': [5, 6],
    'conv.state == "failed"': [5, 6],
    'conv.type == "call" and conv.duration > 0.001': [1, 2],
    'conv.id == "0-10-call"': [5, 6],
    "conv.frames == 2 and frame < 3": [1, 2],
}


@every("text", FRAMES)
def test_after_a_first_reading(text: str) -> None:
    """Fields that depend on all rows need a first reading."""
    chosen = compile(text)
    if chosen.needs_first_reading:
        session = Session([str(LOGIN)])
        analysis = session.analysis(
            rules=FINDINGS in chosen.needs,
            conversations=CONVERSATIONS in chosen.needs,
            in_full=True,
        )
        chosen.learn(analysis, analysis.engine.unanswered)
    rows = Session([str(LOGIN)]).analysis().rows()

    assert [row.number for row in rows if chosen(row)] == FRAMES[text]


def test_a_confirm_has_the_fields_of_its_publish() -> None:
    """Each of them, by the frame that it answers."""
    text = "request.rmqstream.publish.published_messages.publishing_id == 5"
    assert read(PUBLISH).frames(text) == [16]


def test_a_request_without_an_answer() -> None:
    """Is missing its answer, at the end of the captures."""
    chosen = compile("rmqstream.publish && answer.missing")
    analysis = Session([str(PUBLISH)], limit=24).analysis(in_full=True)
    chosen.learn(analysis, analysis.engine.unanswered)
    rows = Session([str(PUBLISH)], limit=24).analysis().rows()

    assert [row.number for row in rows if chosen(row)] == [17]
