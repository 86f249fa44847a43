"""`-j`: the number of processes, and the state from which one process continues."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.cli.console import PARROT, call
from tests.madeup import parrot_traffic

from streamshark.cli.parallel import following, jobs_of


def given(*files: str, jobs: int = 3, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - options
    """Options of a command."""
    return {"jobs": jobs, "files": files, "more": (), "keylog": None, **more}


def test_what_one_process_must_read(tmp_path: Path) -> None:
    """Standard input, pipes, TLS with a key log, and rows that are wanted at once."""
    file, pipe = tmp_path / "a.pcap", tmp_path / "pipe"
    file.touch()
    os.mkfifo(pipe)

    assert jobs_of(given(str(file))) == 3
    assert jobs_of(given(str(file), jobs=0)) == len(os.sched_getaffinity(0))
    assert [
        jobs_of(given(str(file), jobs=1)),
        jobs_of(given(str(file), "-")),
        jobs_of(given(str(pipe))),
        jobs_of(given(str(file), keylog="keys.log")),
        jobs_of(given(str(file), immediate=True)),
    ] == [1] * 5


def test_what_was_written_is_left_out() -> None:
    """However the text is divided."""
    parts: list[str] = []
    write = following(parts.append, 5)
    for each in ("abc", "defg", "", "hi"):
        write(each)
    assert "".join(parts) == "fghi"


@pytest.mark.process
def test_connections_of_a_protocol_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders with protocols are those of all processes."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    for command in ("read", "stats"):
        one = call(monkeypatch, command, *PARROT, path)
        two = call(monkeypatch, command, *PARROT, "-j", "2", path)
        assert two == one
        assert one.out


def test_no_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a usage error that says what -j takes."""
    done = call(monkeypatch, "read", "-j", "http", "x.pcap")
    assert done.code == 2
    assert "-j" in done.err
