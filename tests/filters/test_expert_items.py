"""Expert items of frames: problems, and rules that match."""

from tests.failures import every
from tests.filters.reading import CAPTURES, LOGIN, PUBLISH, error_of, read

from streamshark.filters.filter import compile  # noqa: A004 - as of `re`
from streamshark.filters.other_rows import is_expert
from streamshark.filters.row_fields import RowFields
from streamshark.session import Session

SHORT = CAPTURES / "rabbitmq_stream" / "bug_characters_counted_in_name" / "traffic.pcapng"
FRAMES = {
    'rmqstream.finding == "RMQ-N6"': [6],
    "rmqstream.expert.rmq_n6": [6],
    "rsocket.finding": [],
    '_ws.expert.severity == "Error" && _ws.expert.message contains "RMQ-N6: the broker refused"': [
        6
    ],
    "rmqstream && _ws.expert and _ws.expert.severity > 0x600000": [6],
    '_ws.expert.group == "Security" && rmqstream.sasl_authenticate': [5],
    "rmqstream.expert.short or rmqstream.expert.checksum": [],
}


@every("text", FRAMES)
def test_rules_are_at_the_frames_that_show_them(text: str) -> None:
    """As in Wireshark, by the names that plugins give them."""
    chosen = compile(text)
    if chosen.needs_first_reading:
        analysis = Session([str(LOGIN)]).analysis(rules=True, matches=True)
        chosen.learn(analysis, {})
    rows = Session([str(LOGIN)]).analysis().rows()

    assert [row.number for row in rows if chosen(row)] == FRAMES[text]


def test_problems_need_one_reading() -> None:
    """They are fields of the protocol whose frame it is."""
    found = read(SHORT)

    assert not compile("rmqstream.expert.short").needs_first_reading
    assert found.frames("rmqstream.expert.short") == [11]
    assert found.frames("rsocket.expert.short") == []
    assert found.frames('_ws.expert.group == "Malformed" && _ws.expert.severity == "Error"') == [11]


def test_names() -> None:
    """Wrong ones get a suggestion, and their beginnings are completed."""
    known = RowFields(read(PUBLISH).fields)

    assert "rmqstream.expert.rmq_n6" in str(error_of("rmqstream.expert.rmq_n66"))
    assert {each.name for each in known.starting("_ws.expert")} == {
        "_ws.expert", "_ws.expert.group", "_ws.expert.message", "_ws.expert.severity",
    }  # fmt: skip
    assert "rmqstream.finding" in {each.name for each in known.starting("rmqstream.fi")}
    assert "nats.expert.nats_n8b" in {each.name for each in known.starting("nats.expert.")}
    assert not is_expert("finding.expert")
