"""The manual is written from the code, and a page that is not what it would be is found."""

from pathlib import Path

import pytest
from tests.views.manual.test_protocol import BINARY, LINES

from streamshark.views.manual import write as manual
from streamshark.views.manual.write import main, pages

pytestmark = pytest.mark.process  # pages show what a program prints


def test_a_protocol_that_is_added_has_a_page() -> None:
    """Without a line of writing."""
    assert list(pages([BINARY, LINES])) == [
        "vocabulary.md",
        "protocols/made_up.md",
        "protocols/lines.md",
    ]


def test_the_repository_is_fresh() -> None:
    """Its pages are what they would be."""
    assert main(["--check"]) == 0


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checking writes nothing and names what to run."""
    monkeypatch.setattr(manual, "catalog", lambda: (LINES,))

    assert main(["--check", str(tmp_path)]) == 1
    assert not list(tmp_path.iterdir())
    assert (
        "vocabulary.md is stale; run: python -m streamshark.views.manual.write"
        in capsys.readouterr().err
    )
    assert main([str(tmp_path)]) == 0
    assert main(["--check", str(tmp_path)]) == 0
