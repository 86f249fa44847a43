"""`streamshark redact`: options, refusals, and what is left when it fails."""

from pathlib import Path

import pytest
from tests.cli.console import call
from tests.recorded import index

from streamshark.capture.output_file import OutputFile
from streamshark.errors import StreamsharkError
from streamshark.sharing.policy import DEFAULT

SOURCE = index.lines()["rabbitmq_stream/login_fails"].path


def test_the_output_is_private_and_the_source_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line says what was written."""
    before = SOURCE.read_bytes()
    out = tmp_path / "out.pcapng"
    code, text, errors = call(monkeypatch, "redact", str(SOURCE), "-w", str(out))
    assert (code, text) == (0, "")
    assert "14 packets written, 0 left out" in errors
    assert out.stat().st_mode & 0o777 == 0o600
    assert SOURCE.read_bytes() == before


def test_the_default_policy_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a file that can be given."""
    assert call(monkeypatch, "redact", "--policy", "print") == (0, DEFAULT, "")


def test_what_cannot_work_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With exit code 2, and nothing is written."""
    copy = tmp_path / "in.pcapng"
    copy.write_bytes(SOURCE.read_bytes())
    (tmp_path / "link").symlink_to(copy)
    (tmp_path / "key").write_bytes(bytes(32))
    out = str(tmp_path / "out.pcapng")
    for arguments, says in (
        ([str(copy)], "name the capture to write with -w"),
        (["-w", out], "name a capture file"),
        ([str(copy), "-w", str(copy)], "is one of the files that are read"),
        ([str(copy), "-w", str(tmp_path / "link")], "is one of the files that are read"),
        ([str(copy), "-w", out, "--key", str(tmp_path / "none")], "the key cannot be read"),
        ([str(copy), "-w", out, "--key", str(tmp_path / "key")], "others can read the key"),
        ([str(copy), "-w", out, "--keep", "all"], "cannot keep 'all'"),
        ([str(tmp_path / "none.pcap"), "-w", out], "none.pcap"),
        ([str(copy), "-w", str(tmp_path / "no" / "folder")], "cannot be written"),
    ):
        code, text, errors = call(monkeypatch, "redact", *arguments)
        assert (code, text) == (2, ""), arguments
        assert says in errors, errors
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in.pcapng", "key", "link"]


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even a part."""

    def full(*_: object) -> None:
        raise StreamsharkError("out.pcapng: cannot be written: No space left on device")

    assert call(monkeypatch, "redact", str(SOURCE), "-w", "/dev/full").code == 2
    monkeypatch.setattr(OutputFile, "write", full)
    code, _, errors = call(monkeypatch, "redact", str(SOURCE), "-w", str(tmp_path / "out.pcapng"))
    assert code == 2
    assert "No space left on device" in errors
    assert list(tmp_path.iterdir()) == []
