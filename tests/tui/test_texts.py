"""Fields become filters that select their row, and rows commands that show them."""

import json

import pytest
from click.testing import CliRunner
from tests.tui.screens import CREDIT, browser

from streamshark.cli.main import program
from streamshark.errors import StreamsharkError
from streamshark.tui.texts import RowTexts, field_of, filter_of, literal_of


def test_a_filter_made_of_a_field_selects_its_row() -> None:
    """Each field that filters can name gives a valid filter that its own row satisfies."""
    for capture, least in ((CREDIT, 60), ("pravega/bug_event_too_large", 100)):
        found, count = browser(capture), 0
        for at in range(found.total):
            details = found.details(at)
            assert details is not None
            for line in details.lines({}):
                if field_of(details.row, line.item, line.path, found) is None:
                    continue
                text = filter_of(details.row, line.item, line.path, found)
                assert found.judge(text).level == "valid", text
                if "***" not in (line.item.text or "") and line.item.value is not None:
                    found.use_filter(text)
                    assert found.is_selected(at), text
                count += 1
        assert count > least


def test_what_filters_cannot_name_is_an_error() -> None:
    """Generated lines have no filter."""
    found = browser()
    details = found.details(14)
    assert details is not None
    line = details.lines({})[0]
    with pytest.raises(StreamsharkError, match="filters cannot name this field"):
        filter_of(found.row(0), line.item, line.path, found)


def test_literals_are_those_of_the_language() -> None:
    """Text is quoted and escaped, bytes have colons, long or unprintable text has none."""
    values = (7, True, "a\\b", "a\nb", b"", 1.5, None, "x" * 999)
    expected = ["7", "true", '"a\\\\b"', None, None, "1.5", None, None]
    assert [literal_of(each) for each in values] == expected


def test_a_command_shows_the_same_row() -> None:
    """The command that is copied prints the frame."""
    found = browser()
    texts = RowTexts(found)
    arguments = texts.command(16, "").split()[1:]
    done = CliRunner().invoke(program, arguments)
    assert done.exit_code == 0
    assert "Frame 16: rmqstream deliver" in done.output
    assert texts.command(None, 'a == "b"').startswith("streamshark read -Y 'a == \"b\"' ")
    assert json.loads(texts.json(16))["frame"] == 16
    with pytest.raises(StreamsharkError, match="the frame has secrets"):
        texts.digits(5)
