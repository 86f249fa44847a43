"""Colour rules of Wireshark give rows their colours."""

from pathlib import Path

from rich.color import Color
from rich.style import Style
from tests.tui.screens import browser, run

from streamshark.tui.colour_rules import ColourRules, read_rules, rules_of

TEXT = """\
# This file was created by Wireshark. Edit with care.
@Refused@rmqstream.response_code > 1@[64250,10280,15420][65535,65535,65535]
!@Off@rmqstream@[0,0,0][65535,65535,65535]
@Deliveries@rmqstream.command == "deliver"@[4626,10023,11822][63479,34695,34695]
@TCP@tcp.analysis.flags && !tcp.analysis.window_update@[4626,10023,11822][63479,34695,34695]
@Bad@no such filter@[0,0,0][1,1,1]
@Short@tcp@[0,0][1,1,1]
"""
JSON = """\
// Wireshark
{"coloring_rules": [
  {"name": "a", "filter": "rmqstream.deliver", "bg": "#102030", "fg": [65535, 0, 0]},
  {"name": "b", "filter": "tcp", "disabled": true, "bg": "#000000", "fg": "#ffffff"},
  {"name": "c", "filter": 5, "bg": "x", "fg": "y"}
]}
"""


def test_both_forms_of_the_file_are_read(tmp_path: Path) -> None:
    """Rules that are off, and lines that are no rules, are left out."""
    names = [each.name for each in rules_of(TEXT)]
    assert names == ["Refused", "Deliveries", "TCP", "Bad"]
    (found,) = rules_of(JSON)
    style = Style(color=Color.from_rgb(255, 0, 0), bgcolor=Color.parse("#102030"))
    assert (found.name, found.filter, found.style) == ("a", "rmqstream.deliver", style)
    assert not list(rules_of("{broken"))
    assert not read_rules([str(tmp_path)])
    (tmp_path / "colorfilters").write_text(TEXT)
    assert [each.name for each in read_rules([str(tmp_path)])] == names


def test_the_first_rule_that_selects_a_row_colours_it() -> None:
    """A rule whose filter cannot be applied to rows is counted, and skipped."""
    found = browser()
    rules = ColourRules(rules_of(TEXT), found.fields)
    assert rules.left_out >= 1
    deliver = rules.style(found.original(16))
    assert deliver is not None
    assert deliver.bgcolor == Color.from_rgb(18, 39, 46)
    assert rules.style(found.original(9)) is None

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        frames = app.frames
        frames.go_to(14, "row")
        await pilot.pause()
        line = 16 - frames.list.scroll_offset.y + 1
        coloured = [each.style.bgcolor for each in frames.list.render_line(line)]
        assert coloured[1] == deliver.bgcolor
        app.run_command("colour-rules")
        await pilot.pause()
        assert frames.list.render_line(line)._segments[1].style.bgcolor != deliver.bgcolor

    run(script, rules=rules)
