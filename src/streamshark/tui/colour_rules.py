"""Colour rules of Wireshark: a display filter, and the colours of rows that it selects.

Wireshark keeps them in `colorfilters` in its folder: `@name@filter@[bg][fg]`, each colour as three
numbers of 16 bits; a line that begins with `!` is switched off. Newer ones are JSON.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.color import Color
from rich.style import Style

from streamshark.dissection.row import Row
from streamshark.errors import StreamsharkError
from streamshark.fields.registry import Fields
from streamshark.filters.filter import Filter
from streamshark.filters.row_fields import RowFields

FILE: Final = "colorfilters"
LARGEST: Final = 1 << 20
"""Most bytes of a file that are read."""
MOST_RULES: Final = 200
_LINE: Final = re.compile(
    r"(?P<off>!?)@(?P<name>[^@]*)@(?P<filter>.*)@"
    r"\[(?P<bg>\d+,\d+,\d+)\]\[(?P<fg>\d+,\d+,\d+)\]\s*"
)
_COMMENT: Final = re.compile(r"^\s*//.*$", re.MULTILINE)


class WrittenRule(NamedTuple):
    """A colour rule as it is written."""

    name: str
    filter: str
    style: Style


class ColourRules:
    """The rules that can be applied, in their order.

    Rules whose filter names fields of other protocols, or needs the whole capture, are left out:
    `left_out` counts them.
    """

    def __init__(self, texts: Iterable[WrittenRule], fields: Fields) -> None:
        self.rules: list[tuple[Filter, Style]] = []
        self.left_out = 0
        for each in texts:
            try:
                made = Filter(each.filter, RowFields(fields))
            except StreamsharkError:
                made = None
            if made is None or made.needs_first_reading or made.fields.others.is_needed:
                self.left_out += 1
            else:
                self.rules.append((made, each.style))

    def style(self, row: Row) -> Style | None:
        """Return the colours of a row: those of the first rule that selects it; None without."""
        return next((style for chosen, style in self.rules if chosen(row)), None)


def rules_of(text: str) -> Iterator[WrittenRule]:
    """Yield the rules of a file that are switched on, whichever form it has."""
    if text.lstrip().startswith(("[", "{", "//")):
        yield from _json_rules(text)
        return
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found and not found["off"] and found["filter"]:
            yield WrittenRule(found["name"], found["filter"], _style(found["bg"], found["fg"]))


def _json_rules(text: str) -> Iterator[WrittenRule]:
    """Yield the rules of a file of JSON, with comments."""
    try:
        found: Any = json.loads(_COMMENT.sub("", text))
    except ValueError:
        return
    if isinstance(found, dict):
        found = next((each for each in found.values() if isinstance(each, list)), [])
    for each in found if isinstance(found, list) else ():
        if not isinstance(each, dict) or each.get("disabled"):
            continue
        colours = (
            [each.get(name) for name in ("bg", "background")],
            [each.get(name) for name in ("fg", "foreground")],
        )
        background, foreground = (next((one for one in some if one), None) for some in colours)
        if isinstance(each.get("filter"), str) and background and foreground:
            style = Style(color=_colour(foreground), bgcolor=_colour(background))
            yield WrittenRule(str(each.get("name", "")), each["filter"], style)


def _style(background: str, foreground: str) -> Style:
    return Style(color=_colour(foreground), bgcolor=_colour(background))


def _colour(given: object) -> Color | None:
    """Return a colour: three numbers of 16 bits as text or list, or `#rrggbb`."""
    if isinstance(given, str) and given.startswith("#"):
        return Color.parse(given[:7]) if re.fullmatch(r"#[0-9a-fA-F]{6}.*", given) else None
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list) or len(parts) != len("rgb"):
        return None
    try:
        numbers = [min(int(each), 0xFFFF) >> 8 for each in parts]
    except (TypeError, ValueError):
        return None
    return Color.from_rgb(*numbers)


def read_rules(folders: Iterable[str]) -> list[WrittenRule]:
    """Return the rules of the first folder that has some; none if it cannot be read."""
    for each in folders:
        path = Path(each) / FILE
        try:
            with path.open("rb") as file:
                text = file.read(LARGEST).decode(errors="replace")
        except OSError:
            continue
        return [found for _, found in zip(range(MOST_RULES), rules_of(text), strict=False)]
    return []
