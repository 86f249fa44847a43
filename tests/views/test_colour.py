"""Colours are for terminals, and only where they are wanted."""

import io

import pytest

from streamshark.views.colour import Palette, wanted


class Terminal(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


@pytest.mark.parametrize(
    ("when", "environment", "terminal", "coloured"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, False, False),
        ("auto", {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"CLICOLOR_FORCE": "1"}, True, False),
    ],
)
def test_wanted(when: str, environment: dict[str, str], terminal: bool, coloured: bool) -> None:  # noqa: FBT001
    """The option counts first, then NO_COLOR, CLICOLOR_FORCE, TERM and the terminal."""
    stream = Terminal() if terminal else io.StringIO()

    assert wanted(when, stream, environment) is coloured


def test_paint() -> None:
    """A style has its colour; without colours, or without a style, text stays as it is."""
    assert Palette(enabled=True).paint("client", "a") == "\x1b[31ma\x1b[0m"
    assert Palette(enabled=True).paint("server", "a") == "\x1b[34ma\x1b[0m"
    assert Palette(enabled=True).paint(None, "a") == "a"
    assert Palette(enabled=False).paint("client", "a") == "a"
