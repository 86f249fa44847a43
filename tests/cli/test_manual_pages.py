"""Man pages: one for each command, with all options."""

import click

from streamshark.cli.main import COMMANDS
from streamshark.cli.manual_pages import main, page, pages

MACROS = {".TH", ".SH", ".PP", ".TP", ".B", ".BR", ".nf", ".fi", ".RS", ".RE"}


@click.command("odd")
@click.option("--back\\slash", "slash", help="-5 is `less`.")
def odd(slash: str) -> None:
    """Begin a line with a dot.

    .hidden files are read.

    \b
    'quoted' --as-it-is
    second line
    """  # noqa: D301 - click's mark for lines that stay


def test_every_command_has_a_page() -> None:
    """With its options, examples and exit codes."""
    made = pages()

    assert {f"streamshark-{each}.1" for each in COMMANDS} < made.keys()
    assert "streamshark-lua-install.1" in made
    check = made["streamshark-check.1"]
    assert ".B \\-\\-fail\\-on" in check
    assert "\n.nf\n.RS\nstreamshark check capture.pcapng\n" in check
    assert "\n.TP\n.B 141\n" in check
    assert ".BR streamshark\\-check (1)" in made["streamshark.1"]


def test_text_is_no_macro() -> None:
    """Dots, quotes, hyphens and backslashes of a help text come out as they are."""
    lines = page(click.Context(odd, info_name="odd")).splitlines()
    all_lines = [line for text in pages().values() for line in text.splitlines()]

    assert "\\&.hidden files are read." in lines
    assert "\\&'quoted' \\-\\-as\\-it\\-is" in lines
    assert "second line" in lines
    assert ".B \\-\\-back\\eslash TEXT" in lines
    assert "\\-5 is \\fBless\\fP." in lines
    assert {line.split()[0] for line in all_lines if line.startswith(".")} <= MACROS
    assert not [line for line in all_lines if line.startswith("'")]


def test_the_repository_is_fresh() -> None:
    """Its pages are what they would be."""
    assert main(["--check"]) == 0
