"""How a capture ends, with programs that stand for dumpcap and tcpdump and need no rights."""

import asyncio
from pathlib import Path

import pytest
from tests.cli.test_capture import program
from tests.packets import packets, recorded, write

from streamshark.capture.capture_program import CaptureProgram, CaptureRequest, Limits
from streamshark.cli.capture_run import CaptureRun
from streamshark.errors import StreamsharkError

pytestmark = pytest.mark.process
(BUG,) = recorded("rabbitmq_stream/bug_credit_never_renewed")
BEGIN = '#!/bin/sh\necho "Capturing on \'lo\'" >&2\necho "File: {0}" >&2\n'
REPORT = ["--fail-on", "warning", "--needs-frames", "-q"]


def run(
    name: str, folder: Path, text: str, report: list[str] | None = None, seconds: float = 0
) -> int:
    """Run a program of this name and text to its end; return the exit code."""
    path = program(folder / "bin", name, text) / name
    request = CaptureRequest(folder / "out", filter="tcp", stop=Limits(duration=seconds))
    chosen = CaptureProgram("dumpcap" if name == "dumpcap" else "tcpdump", str(path))
    return asyncio.run(CaptureRun(chosen, request, report).run())


def test_tcpdump_is_ended_by_time(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its packets are written to the file, and judged; dumpcap would end by itself."""
    pcap = write(tmp_path / "traffic.pcap", packets(BUG))
    ends = "trap 'echo 9 packets captured >&2; exit 0' TERM"
    text = f"#!/bin/sh\n{ends}\ncat {pcap}\nwhile :; do sleep 0.05; done\n"
    assert run("tcpdump", tmp_path, text, REPORT, seconds=0.2) == 1
    assert (tmp_path / "out").read_bytes() == Path(pcap).read_bytes()
    out, errors = capfd.readouterr()
    assert out == ""
    assert errors.splitlines() == [
        "streamshark: tcpdump captures on its interface; filter: tcp",
        "streamshark: 9 packets captured, none dropped",
    ]


def test_nothing_was_captured(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A check without frames does not succeed."""
    (tmp_path / "file").touch()
    assert run("dumpcap", tmp_path, BEGIN.format(tmp_path / "file"), REPORT) == 2
    assert "no packets" in capfd.readouterr().err


def test_programs_that_end_early(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """By a signal, with a message, or with damage: 3, with a line that says why.

    A disk that is full before the first packet is an error.
    """
    begin = BEGIN.format(tmp_path / "file")
    pcap = write(tmp_path / "traffic.pcap", packets(BUG))
    damage = "head -c 16 /dev/zero | tr '\\0' '\\377'"
    for name, text, reason in (
        ("dumpcap", f"{begin}kill -9 $$\n", "dumpcap was ended by signal 9"),
        ("dumpcap", f"{begin}echo 'dumpcap: No space.' >&2\nexit 1\n", "No space."),
        (
            "dumpcap",
            f"{begin}echo 'dumpcap: lo is no longer attached.' >&2\n",
            "lo is no longer attached.",
        ),
        (
            "tcpdump",
            f"#!/bin/sh\ncat {pcap}\nsleep 0.1\n{damage}\nexec sleep 9\n",
            "tcpdump wrote a record that is too long",
        ),
    ):
        assert run(name, tmp_path, text) == 3
        assert f" are missing: {reason}\n" in capfd.readouterr().err
    (tmp_path / "out").unlink()
    (tmp_path / "out").symlink_to("/dev/full")
    text = f"#!/bin/sh\ncat {pcap}\nexec sleep 9\n"
    with pytest.raises(StreamsharkError, match="No space left on device"):
        run("tcpdump", tmp_path, text)


def test_refusals(tmp_path: Path) -> None:
    """An error before the first file is begun, also if the file cannot be written."""
    with pytest.raises(StreamsharkError, match="-f 'tcp': syntax error"):
        run("dumpcap", tmp_path, "#!/bin/sh\necho 'dumpcap: (syntax error)' >&2\nexit 1\n")
    (tmp_path / "out").mkdir()
    with pytest.raises(StreamsharkError, match="Is a directory"):
        run("tcpdump", tmp_path, f"#!/bin/sh\nhead -c 99 {BUG}\nexec sleep 9\n")
