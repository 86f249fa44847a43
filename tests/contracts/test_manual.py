"""The manual: its index, and the pictures in it."""

import re

import pytest
from docs import example_ticket_page, python_page, tui_page
from docs.images import screens
from docs.images.terminal import main, picture
from tests.contracts.repository import ROOT

import streamshark

LINK = re.compile(r"\]\(([\w/.-]+\.md)\)")


def test_every_page_is_in_the_index() -> None:
    """Each page has a link in the index."""
    listed = set(LINK.findall((ROOT / "docs/index.md").read_text("utf-8")))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    pages |= {f"findings/{path.name}" for path in (ROOT / "docs/findings").glob("*.md")}

    assert pages - listed == set()


def test_pictures_are_what_commands_print(monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed message makes a picture stale."""
    monkeypatch.chdir(ROOT)

    assert main(["--check"]) == 0


def test_the_page_of_the_python_api_is_what_docstrings_say(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every name of the package and every member of a record has its description."""
    assert sorted(python_page.FUNCTIONS) == sorted(streamshark.__all__)
    assert python_page.main(["--check"]) == 0, capsys.readouterr().err
    assert not re.search(r"\|  \|$", python_page.page(), re.MULTILINE)


def test_pictures_of_screens_are_what_is_on_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A screen that has changed makes its picture stale."""
    monkeypatch.chdir(ROOT)

    assert screens.main(["--check"]) == 0, capsys.readouterr().err


def test_the_page_of_the_terminal_interface_has_its_keys(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A changed key or command makes the page stale."""
    assert tui_page.main(["--check"]) == 0, capsys.readouterr().err


def test_the_ticket_is_what_the_command_makes(capsys: pytest.CaptureFixture[str]) -> None:
    """A change of tickets makes the page that shows one stale."""
    assert example_ticket_page.main(["--check"]) == 0, capsys.readouterr().err


def test_text_of_a_picture_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text from the wire cannot become markup."""
    monkeypatch.setattr("docs.images.terminal.printed", lambda _: "\x1b[1;31m<b>\x1b[0m & c\n")
    drawn = picture(("check", "a<b"))

    assert '<tspan fill="#ff7b72" font-weight="bold">&lt;b&gt;</tspan>' in drawn
    assert "> &amp; c</tspan>" in drawn
    assert "streamshark check a&lt;b<" in drawn
