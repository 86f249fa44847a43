"""Statistics under tshark's names."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import Conversation
from tests.madeup import parrot_traffic
from tests.views.findings import FAULT, NOTE

from streamshark.conversations.conversation import Annotation, Name
from streamshark.errors import StreamsharkError
from streamshark.session import Session
from streamshark.views import tap_statistics
from streamshark.views.tap_statistics import Expert, tap_of

START = 1_700_000_000_000_000_000


def shown(name: str, session: Session) -> str:
    """What a statistic says of a session's rows."""
    tap = tap_of(name, session)
    for row in session.rows():
        tap.row(row)
    return tap.text()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session over two connections, two seconds apart."""
    other = Conversation(("10.0.0.9", 5), ("10.0.0.2", 7777), start_ns=START)
    first = parrot_traffic.talk()
    other.time_ns = first.packets[0].time_ns + 2_000_000_000
    other.handshake().send(0, parrot_traffic.login())
    session = parrot_traffic.session(parrot_traffic.write(tmp_path, first, other))
    yield session
    for each in session.captures:
        each.close()


def test_conversations(session: Session) -> None:
    """A line each: frames and bytes there and back, when, how long."""
    lines = shown("conv,tcp", session).splitlines()

    assert len(lines) == 9
    assert "Frames and bytes are those of protocols" in lines[3]
    words = lines[6].split()
    assert (words[0], words[2]) == ("10.0.0.1:40000", "10.0.0.2:7777")
    sizes = [len(parrot_traffic.said()) + len(parrot_traffic.feed())]
    sizes.append(
        len(parrot_traffic.login()) + len(parrot_traffic.say()) + len(parrot_traffic.squawk())
    )
    assert words[3:9] == ["2", str(sizes[0]), "3", str(sizes[1]), "5", str(sum(sizes))]
    assert lines[7].split()[3:5] == ["0", "0"]
    assert float(lines[7].split()[9]) > 2


def test_narrow_tables_omit_columns(session: Session) -> None:
    """Of addresses, frames and bytes last; columns are as wide as their cells."""
    tap = tap_of("conv,tcp", session)
    for row in session.rows():
        tap.row(row)
    full, narrow = tap.text(150).splitlines(), tap.text(80).splitlines()

    assert full == tap.text().splitlines()
    assert max(map(len, narrow)) <= 80
    assert narrow[5].split() == ["Frames", "Bytes", "Frames", "Bytes", "Duration"]
    assert full[6].split()[:7] == narrow[6].split()[:7]
    assert "Duration" not in tap.text(62)


def test_narrow_response_times(session: Session) -> None:
    """Percentiles and sums are omitted before the mean and the greatest."""
    tap = tap_of("srt", session)
    for row in session.rows():
        if getattr(row, "number", 0) == 3:
            row.annotation = Annotation(
                Name(0, 2, "call"), request_frame=2, response_time_ns=20_000_000
            )
        tap.row(row)

    def heads(width: int) -> str:
        return tap.text(width).splitlines()[3]

    assert heads(0).split()[:2] == ["Index", "Command"]
    assert "p99" in heads(0)
    assert ("p99" in heads(70), "p95" in heads(70)) == (False, True)
    assert heads(30).split() == ["Command", "Calls", "Avg", "SRT", "p50", "Max", "SRT"]


def test_conversations_of_one_protocol(session: Session) -> None:
    """By its id or short name."""
    assert shown("conv,parrot", session).splitlines()[1] == "parrot_talk Conversations"


def test_intervals(session: Session) -> None:
    """Empty ones are there; a column for each filter."""
    text = shown("io,stat,1,parrot,tcp", session)
    lines = [line for line in text.splitlines() if "<>" in line]

    assert [line.split("|")[1].split() for line in lines] == [
        ["0", "<>", "1"], ["1", "<>", "2"], ["2", "<>", "3"],
    ]  # fmt: skip
    assert [int(line.split("|")[2]) for line in lines] == [5, 0, 1]
    assert [int(line.split("|")[4]) for line in lines] == [5, 0, 1]
    assert len({len(line) for line in text.splitlines()}) == 1


def test_one_interval_for_all(session: Session) -> None:
    """An interval of 0."""
    assert shown("io,stat,0", session).count("<>") == 1


def test_too_many_intervals(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that says what to do."""
    monkeypatch.setattr(tap_statistics, "MOST_INTERVALS", 2)
    with pytest.raises(StreamsharkError, match="choose a longer one"):
        shown("io,stat,1", session)  # of which one is without frames


@pytest.mark.parametrize("name", ["srt", "srt,parrot", "parrot,srt", "srt,tcp"])
def test_response_times(name: str, session: Session) -> None:
    """A line for each command that was answered, in seconds."""
    tap = tap_of(name, session)
    for row in session.rows():
        if getattr(row, "number", 0) == 3:
            row.annotation = Annotation(
                Name(0, "2", "call"), request_frame=2, response_time_ns=20_000_000
            )
        tap.row(row)
    line = tap.text().splitlines()[4]

    assert line.split() == ["0", "say", "1", *["0.020000"] * 7]


def test_expert() -> None:
    """The worst first, equal ones counted, echoes too."""
    tap = Expert("note")
    tap.found([NOTE, FAULT, replace(FAULT, severity="chat", echoes=())])
    lines = tap.text().splitlines()

    assert lines[1] == "Errors (2)"
    assert lines[4].split(maxsplit=3) == [
        "2", "Sequence", "parrot_talk", "PARROT-1 said \\x1b[31mhello <&>",
    ]  # fmt: skip
    assert lines[6] == "Notes (2)"
    assert len(lines) == 10
    assert Expert("chat").text() == ""
    assert Expert("chat").wants_findings


def test_expert_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many different sentences the last are counted together."""
    monkeypatch.setattr(tap_statistics, "MOST_SUMMARIES", 2)
    tap = Expert("chat")
    tap.found(replace(NOTE, message=str(number)) for number in range(10))

    assert len(tap.counts) == 3
    assert tap.text().splitlines()[4].split(maxsplit=3) == [
        "8", "Protocol", "parrot_talk", "PARROT-2 (others)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("dns,tree", "known: conv,PROTOCOL"),
        ("conv,udp", "unknown protocol 'udp'"),
        ("io,stat,x", "'x' is not a number of seconds"),
        ("io,stat,-1", "not a number of seconds"),
        ("io,stat,nan", "not a number of seconds"),
        ("io,stat,1,tcp.port==80", "display filters are not supported yet"),
        ("expert,bad", "severities are error, warn, note, chat"),
        ("expert,warn,tcp", "display filters are not supported yet"),
    ],
)
def test_what_is_not_known(name: str, told: str, session: Session) -> None:
    """Is refused, with what there is."""
    with pytest.raises(StreamsharkError, match=told.replace("[", ".")):
        tap_of(name, session)


def test_known_severities(session: Session) -> None:
    """Tshark's words."""
    assert isinstance(tap_of("expert,warn", session), Expert)
