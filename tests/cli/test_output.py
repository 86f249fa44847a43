"""Whole rows, in blocks or at once, and quiet about a closed pipe."""

import io
import os
import sys

import pytest
from tests import draw
from tests.cli.terminal import on_terminal
from tests.failures import Failures
from tests.recorded.index import ROOT

from streamshark.cli.main import COMMANDS as PROGRAM
from streamshark.cli.main import run
from streamshark.cli.output import BLOCK, CLOSED_PIPE, Output, complain, silence
from streamshark.views.terminal_lines import columns

WIDTH = 80
PACKETS = "120"
"""Packets that are read of each capture, enough for rows of all kinds."""


class Counting(io.BytesIO):
    """Counts what is written."""

    writes = 0

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write once more."""
        self.writes += 1
        return super().write(data)


def stream(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Replace standard output by a stream."""
    raw = Counting()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "utf-8"))
    return raw


def test_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written before there is a block, or an end."""
    raw = stream(monkeypatch)
    output = Output()
    output.write("a\n")
    output.write("b\n")

    assert raw.getvalue() == b""
    output.write("x" * BLOCK)
    assert len(raw.getvalue()) == BLOCK + 4
    output.write("c\n")
    output.flush()
    assert raw.getvalue().endswith(b"xc\n")
    assert raw.writes == 2


def test_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row by row."""
    raw = stream(monkeypatch)
    output = Output(immediate=True)
    output.write("a\n")

    assert raw.getvalue() == b"a\n"


def test_a_terminal_is_written_to_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is written to a terminal at once."""
    raw = stream(monkeypatch)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    Output().write("a\n")

    assert raw.getvalue() == b"a\n"


def test_output_is_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the locale; what has no bytes is escaped."""
    raw = stream(monkeypatch)
    output = Output()
    output.write("ü\ud800")
    output.flush()

    assert raw.getvalue() == "ü\\ud800".encode()


def test_a_closed_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told once; what is left in buffers then goes nowhere."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as broken:
        monkeypatch.setattr(sys, "stdout", broken)
        with pytest.raises(BrokenPipeError):
            Output(immediate=True).write("a\n")
        silence()
        broken.write("b\n")


def test_silence_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A standard output that is no file is left alone."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())

    silence()


def test_complaints_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever they hold."""
    complain("a\nb\x1b[2J: no such file")

    assert capsys.readouterr().err == "streamshark: a\\nb\\x1b[2J: no such file\n"


CAPTURES = tuple(
    str(next((ROOT / "captures" / each).glob("traffic.*")))
    for each in (
        "rabbitmq_stream/super_stream_groups_java",
        "rsocket/composite_metadata_java",
        "pravega/segments_by_hand",
        "nats/jetstream_py",
        "liftbridge/plain_go",
    )
)
"""Captures of all protocols, with long names."""
COMMANDS = (
    ["overview"], ["read"], ["read", "-V", "--no-pager"], ["conversations"], ["messages"],
    ["explain", "--no-pager"], ["check"], ["info"], ["stats"],
    ["stats", "-z", "conv,tcp", "-z", "srt"],
)  # fmt: skip
COMMANDS_A_CAPTURE = 4
"""Commands that are run for each capture: a process and a terminal each."""
MORE = (
    ["check", "--list-rules"], ["check", "--explain-rule", "NATS-B6"], ["fields"],
    ["check", "--open", CAPTURES[1]], ["conversations", "--follow", "0-4-connection", CAPTURES[1]],
    ["decode", "-T", "text", "0000000400170001"], ["filter", 'rmqstream.command == "publish"'],
)  # fmt: skip
SMALL = str(ROOT / "captures/rabbitmq_stream/login_fails/traffic.pcapng")


@pytest.mark.process
@pytest.mark.parametrize("capture", CAPTURES)
def test_no_line_is_wider_than_the_terminal(capture: str) -> None:
    """Of some commands, drawn, that print text for people: lines are folded at blanks, or cut."""
    with Failures() as failures:
        commands = {f"{capture} {' '.join(each)}": each for each in COMMANDS}
        for command in draw.some_of(commands, COMMANDS_A_CAPTURE):
            with failures.of(" ".join(command)):
                shown = on_terminal([*command, "-c", PACKETS, capture])
                assert shown.code == 0
                assert [each for each in shown.text.split("\n") if columns(each) > WIDTH] == []


@pytest.mark.process
def test_no_line_of_other_commands_is_wider_than_the_terminal() -> None:
    """Lists, one rule, one conversation, messages in a form, frames without a capture."""
    with Failures() as failures:
        for command in MORE:
            with failures.of(" ".join(command)):
                shown = on_terminal(command)
                assert shown.code == 0
                assert [each for each in shown.text.split("\n") if columns(each) > WIDTH] == []


@pytest.mark.process
def test_no_help_is_wider_than_the_terminal() -> None:
    """Of any command."""
    with Failures() as failures:
        for name in ("", *PROGRAM):
            with failures.of(name):
                shown = on_terminal([*([name] if name else []), "--help"])
                assert [each for each in shown.text.split("\n") if columns(each) > WIDTH] == []


@pytest.mark.process
def test_rows_on_a_terminal_say_what_they_say_in_a_pipe(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Folded, and coloured unless NO_COLOR is set; --wide folds nothing."""
    plain = {"NO_COLOR": "1"}
    assert run(["read", SMALL]) == 0
    piped = capsys.readouterr().out

    folded = on_terminal(["read", SMALL], environment=plain)
    assert folded.text.split() == piped.split()
    assert "\n             ! sasl_authenticate_response code=authentication_failure " in folded.text
    assert on_terminal(["read", "--wide", SMALL], environment=plain).text == piped
    coloured = on_terminal(["read", "--wide", SMALL]).text
    assert "\x1b[1;31m! sasl_authenticate_response\x1b[0m" in coloured
    assert "\x1b[1;31mcode=authentication_failure\x1b[0m" in coloured
    assert "\x1b[32mcode=ok\x1b[0m" in coloured


@pytest.mark.process
def test_long_texts_go_through_the_pager() -> None:
    """$PAGER; none with --no-pager, and a pager that the user leaves ends the program."""
    numbered = {"PAGER": "sed s/^/|/", "NO_COLOR": "1"}

    for command in (["explain", SMALL], ["read", "-V", SMALL]):
        lines = on_terminal(command, environment=numbered).text.splitlines()
        assert lines
        assert all(each.startswith("|") for each in lines)
    for command in (["explain", "--no-pager", SMALL], ["read", SMALL]):
        assert "|" not in on_terminal(command, environment=numbered).text
    assert on_terminal(["explain", SMALL], environment={"PAGER": "true"}).code in (0, CLOSED_PIPE)
    assert on_terminal(["explain", SMALL], environment={"PAGER": "no_such_program"}).code == 0
