"""`read --packets`: whole packets, as tshark selects them."""

import pytest
from tests.cli.console import call
from tests.filters.reading import PUBLISH

BOTH = "rmqstream.publish && frame.number == 25 || tcp.flags.syn == 1"


def test_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows of a packet, and a line for one that has none."""
    lines = call(monkeypatch, "read", "--packets", "-Y", BOTH, str(PUBLISH)).out.splitlines()

    assert [line[:9].split()[-1] for line in lines] == ["p1", "p2", "p25", "p25", "p25"]
    assert lines[1].endswith("tcp       flags=A··S length=0")


def test_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each packet, with the values of all its rows."""
    columns = ("-e", "frame.number", "-e", "rmqstream.command", "-e", "tcp.flags.syn")
    given = ("--packets", "-Y", BOTH, "-T", "fields", *columns, "-E", "header=y", str(PUBLISH))
    done = call(monkeypatch, "read", *given)

    assert done.out.splitlines() == [
        "frame.number\trmqstream.command\ttcp.flags.syn",
        "1\t\t1",
        "2\t\t1",
        "25\tpublish,publish,publish\t0",
    ]


def test_json_has_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packets without rows have none."""
    given = ("--packets", "-Y", BOTH, "-T", "ndjson", str(PUBLISH))
    assert len(call(monkeypatch, "read", *given).out.splitlines()) == 4
    assert call(monkeypatch, "read", "--packets", "-q", "-Y", "tcp", str(PUBLISH)).out == ""


def test_first_readings_and_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are known; packets come from standard input as well."""
    text = 'answer.rmqstream.command == "open" && tcp.len > 0'
    numbers = ("-T", "fields", "-e", "frame.number")
    done = call(monkeypatch, "read", "--packets", "-Y", text, *numbers, str(PUBLISH))
    assert done.out == "15\n"
    data = PUBLISH.read_bytes()
    done = call(monkeypatch, "read", "--packets", "-Y", "tcp.len == 83", *numbers, "-", stdin=data)
    assert done.out == "4\n"
