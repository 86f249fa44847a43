"""`minimise`: what it writes, what it refuses, and what it says."""

from pathlib import Path

import pytest
from tests.cli.console import call
from tests.failures import every
from tests.recorded.index import lines

LOGIN = str(lines()["rabbitmq_stream/bug_wrong_password"].path)
GAP = str(lines()["rabbitmq_stream/lost_segment"].path)


def test_result(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The result shows the finding, says what it is, and its secrets are named."""
    out = str(tmp_path / "out.pcapng")
    done = call(monkeypatch, "minimise", LOGIN, "--finding", "RMQ-N6@5", "-w", out)
    assert (done.code, done.err) == (
        0,
        f"streamshark: {out} contains secrets: credentials in 1 frame\n",
    )
    assert done.out.startswith("RMQ-N6@")
    found = call(monkeypatch, "check", "-T", "ndjson", out)
    assert '"rule":"RMQ-N6"' in found.out
    assert "Minimised by streamshark" in call(monkeypatch, "info", out).out


def test_lost_bytes_need_force(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A capture of which bytes are missing is refused with the place, and minimised if forced."""
    out = tmp_path / "out.pcapng"
    given = ("minimise", GAP, "--finding", "RMQ-P2", "-w", str(out))
    refused = call(monkeypatch, *given)
    assert refused.code == 2
    assert "lacks 1,448 bytes before packet" in refused.err
    assert "--force" in refused.err
    assert not out.exists()
    assert call(monkeypatch, *given, "--force").code == 0
    assert out.exists()


REFUSED = {
    ("--finding", "RMQ-Z9", "-w", "OUT"): "no finding of RMQ-Z9; there are: ",
    ("--finding", "RMQ-N6@77", "-w", "OUT"): "no finding RMQ-N6@77; there are: RMQ-N6@5 (",
    ("--finding", "?", "-w", "OUT"): "'?' names no finding",
    ("-w", "OUT"): "Missing option '--finding'",
    ("--finding", "RMQ-N6"): "Missing option '-w'",
    ("--finding", "RMQ-N6", "-w", "OUT/no/such"): "cannot be written",
}


@every("given", REFUSED)
def test_refusals(given: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line says why, and nothing is written."""
    arguments = [each.replace("OUT", str(tmp_path / "out")) for each in given]
    done = call(monkeypatch, "minimise", LOGIN, *arguments)
    assert done.code == 2
    assert REFUSED[given] in done.err
    assert not list(tmp_path.iterdir())


def test_source_is_not_overwritten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """OUT may not be IN, also through a link."""
    source, link = tmp_path / "in.pcapng", tmp_path / "link.pcapng"
    source.write_bytes(Path(LOGIN).read_bytes())
    link.symlink_to(source)
    done = call(monkeypatch, "minimise", str(source), "--finding", "RMQ-N6", "-w", str(link))
    assert done.code == 2
    assert "is one of the files that are read" in done.err
    assert source.read_bytes() == Path(LOGIN).read_bytes()
