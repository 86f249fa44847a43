"""Rows of an index as the screens show them: without secrets, with their neighbours."""

import pytest
from tests.failures import every
from tests.tui.screens import browser

from streamshark.errors import StreamsharkError
from streamshark.tui.pieces import pieces, text_of

VERDICTS = (
    ("", ""),
    ('rmqstream.command == "deliver"', "valid"),
    ("tcp.stream == 0 && answer.missing", "valid"),
    ("rmqstream.publish && rmqstream.open", "odd"),
    ('nats.lmsg.account == "$G"', "valid"),
    ("liftbridge.append_entries.rpc_type == 0", "valid"),
    ("rmqstream.kommand", "invalid"),
    ("_ws.expert", "valid"),
    ("frame.number ==", "invalid"),
    ("rmqstream.problem &&", "invalid"),
)


@every("text, level", VERDICTS)
def test_filters_are_judged_as_they_are_typed(text: str, level: str) -> None:
    """A filter is valid, satisfied by no row, or wrong, with a sentence that says why."""
    verdict = browser().judge(text)
    assert verdict.level == level
    assert bool(verdict.message) == (level in {"odd", "invalid"})


def test_filters_select_rows_by_what_only_the_whole_capture_has() -> None:
    """Findings and answers are known from the index."""
    found = browser()
    for text, rows in (
        ('rmqstream.command == "deliver"', [15, 16]),
        ('finding.severity == "warning"', [16]),
        ('_ws.expert.severity == "Warning"', [16]),
        ("rmqstream.finding", [5, 16]),
        ("rmqstream.expert.rmq_c2", [16]),
        ("answer.rmqstream.open_response", [9]),
        ("request.rmqstream.subscribe", [14]),
        ("answer.missing", []),
    ):
        found.use_filter(text)
        assert [each for each in range(found.total) if found.is_selected(each)] == rows, text


def test_secrets_are_masked_unless_asked_for() -> None:
    """A password is in no line, field or byte, and in all of them with `show_secrets`."""
    for shown in (False, True):
        found = browser(show_secrets=shown)
        row = found.row_of_frame(5)
        assert row is not None
        details = found.details(row)
        assert details is not None
        values = [each.item.text or "" for each in details.lines({})]
        assert (b"guest\0guest" in details.frame.data) == shown
        assert bool(details.hidden) != shown
        assert ("***" in values) != shown


def test_requests_and_responses_lead_to_each_other() -> None:
    """`%` leads from a request to its response and back; events have neither."""
    found = browser()
    assert (found.pair(13), found.pair(14), found.pair(0)) == (14, 13, None)
    assert list(found.in_conversation(13, 1)) == [14, 15, 16, 17, 18]
    assert list(found.in_conversation(16, -1)) == [15, 14, 13]
    assert list(found.in_conversation(0, 1)) == []


def test_places_are_found_by_number_and_time() -> None:
    """Frames, packets and times lead to rows; what is not there to None."""
    found = browser()
    assert (found.row_of_frame(1), found.row_of_frame(99)) == (1, None)
    assert (found.row_of_packet(22), found.row_of_packet(9999)) == (15, None)
    assert (found.row_at(1_000_000_000), found.row_at(10**12)) == (17, None)


def test_lines_are_those_of_read() -> None:
    """The line of a frame is as `read` writes it."""
    found = browser()
    line = text_of(pieces(found.info(found.row(14))))
    assert line == "subscribe_response bug-starves code=ok -> 13, 785 us"
    assert text_of(pieces(found.line(14))) == f"14 ← {line}"


def test_times_have_the_styles_of_t() -> None:
    """Times count from the first packet, or are dates; an unknown style is an error."""
    found = browser()
    row = found.row(17)
    assert found.time(row, None).strip() == "5.010025"
    assert found.time(row, 16).strip() == "5.004165"
    assert "UTC" in found.use_time_style("ud")
    assert found.time(row, None).startswith("20")
    with pytest.raises(StreamsharkError, match="no time format 'x'"):
        found.use_time_style("x")


def test_rows_that_are_gone_are_said_to_be() -> None:
    """Another process may have begun the index anew, with fewer rows so far."""
    found = browser()
    beyond = found.total + 5
    assert found.line(beyond) == "this row is gone: the index is made again"
    assert found.details(beyond) is None
    assert (found.severity(beyond), found.comments.of(found.place(beyond))) == (("", ""), [])
