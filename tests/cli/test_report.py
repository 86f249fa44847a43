"""`report`: its file, and what it refuses."""

from pathlib import Path

import pytest
from tests.cli.console import call
from tests.failures import every
from tests.recorded.index import lines

CAPTURE = str(lines()["rabbitmq_stream/bug_wrong_password"].path)


def test_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The page is written whole; `-o` sets preferences too."""
    out = tmp_path / "report.html"
    done = call(
        monkeypatch, "report", CAPTURE, "-o", "rabbitmq_stream.dialect:2020", "-o", str(out)
    )
    assert (done.code, done.err, done.out) == (0, "", "")
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    printed = call(monkeypatch, "report", "-o", "-", CAPTURE)
    assert "RMQ-N6" in printed.out


REFUSED = {
    (CAPTURE,): "Missing option '-o'",
    (CAPTURE, "-o", "a.html", "-o", "b.html"): "-o names one output: a.html and b.html",
    (CAPTURE, "-o", "rabbitmq_stream.dialect:2020"): "-o names one output: missing",
    ("-", "-o", "OUT"): "standard input can only be read once",
    ("OUT/none.pcap", "-o", "OUT/x"): "cannot be written",
    (CAPTURE, "-o", CAPTURE): "is one of the files that are read",
}


@every("given", REFUSED)
def test_refusals(given: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line says why, and nothing is written."""
    arguments = [each.replace("OUT", str(tmp_path / "none")) for each in given]
    done = call(monkeypatch, "report", *arguments)
    assert done.code == 2
    assert REFUSED[given] in done.err
    assert not list(tmp_path.iterdir())
