"""Screens need a terminal."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.failures import every

from streamshark.cli import tui
from streamshark.cli.main import program
from streamshark.cli.screens import expanded
from streamshark.errors import StreamsharkError

BUG = "captures/rabbitmq_stream/bug_credit_never_renewed/traffic.pcapng"
REFUSED = (
    ((BUG,), "tui needs a terminal; try: streamshark read FILE"),
    (("-",), "tui needs a terminal; try: streamshark read FILE"),
    ((), "no input: name a capture file, or - for standard input"),
)


def test_a_folder_stands_for_the_captures_in_it(tmp_path: Path) -> None:
    """By name, whatever they are called; all else in it is left out, and an empty one refused."""
    with pytest.raises(StreamsharkError, match="no capture in this folder"):
        expanded([str(tmp_path)])
    data = Path(BUG).read_bytes()
    for name in ("b.pcapng", "a"):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "notes.txt").write_text("no capture")
    (tmp_path / "below").mkdir()
    found = expanded([BUG, str(tmp_path)])
    assert found == (BUG, str(tmp_path / "a"), str(tmp_path / "b.pcapng"))


@every("arguments, message", REFUSED)
def test_without_a_terminal_it_names_read(arguments: tuple[str, ...], message: str) -> None:
    """Output to a file or pipe is an error, and so is no file at all."""
    done = CliRunner().invoke(program, ["tui", *arguments])
    assert done.exit_code == 2
    assert message in done.output


def test_several_processes_index_with_j(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only if they are asked for, and not what is still being written."""
    counts = []
    monkeypatch.setattr(tui, "require_terminal", lambda *_, **__: None)
    monkeypatch.setattr(tui, "show", lambda *_, count, **__: counts.append(count) or 0)
    for given in ((BUG,), ("-j", "2", BUG), ("-j", "2", "--follow", BUG), ("-j", "2", "-")):
        assert CliRunner().invoke(program, ["tui", *given]).exit_code == 0
    assert counts == [1, 2, 1, 1]
