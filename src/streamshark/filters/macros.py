"""Macros of filters, as Wireshark 4.4 has them: named text with arguments, put in before parsing.

`$name(a,b)`, `$name{a,b}`, `${name:a;b}`, `${name;a;b}` and `${name}` stand for the text of the
macro with its arguments in the places of `$1`, `$2`, ...; in strings too.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from streamshark.filters.error import FilterError

MOST_EXPANDED: Final = 64 * 1024
"""Longest filter that macros make, in characters."""
MOST_NESTED: Final = 32
"""Most macros inside one another."""
BUILT_IN: Final[Mapping[str, str]] = {
    "private_ipv4": "$1 == 192.168.0.0/16 or $1 == 172.16.0.0/12 or $1 == 10.0.0.0/8",
    "private_ipv6": "ipv6 and $1 == fc00::/7",
}
"""Macros that Wireshark brings along."""

_USE: Final = re.compile(
    r"\$(?:(?P<name>\w+)(?:\((?P<round>[^)]*)\)|\{(?P<curly>[^}]*)\})"
    r"|\{(?P<braced>\w+)(?:[:;](?P<inside>[^}]*))?\})",
    re.ASCII,
)
_UNFINISHED: Final = re.compile(r"\$(?:\w+[({]|\{\w+[:;])", re.ASCII)
_ARGUMENT: Final = re.compile(r"\$(\d{1,3})", re.ASCII)
_SEPARATOR: Final = re.compile("[,;]")


def expanded(text: str, macros: Mapping[str, str]) -> str:
    """Return a filter with the text of macros in place of their uses.

    `${name}` is left as it is, a reference to a field, if no macro has the name.

    Raises:
        FilterError: There is no macro of a name, or it takes another number of arguments.
    """
    for _ in range(MOST_NESTED):
        uses = [] if "$" not in text else _uses(text, macros)
        if not uses:
            return text
        text = _replaced(text, uses, macros)
        if len(text) > MOST_EXPANDED:
            raise FilterError(f"macros make it longer than {MOST_EXPANDED} characters", text, 0, 1)
    raise FilterError(f"macros are nested more than {MOST_NESTED} deep", text, 0, len(text))


def _uses(text: str, macros: Mapping[str, str]) -> list["re.Match[str]"]:
    """Return the uses of macros in a text; `${name}` is one if a macro has the name."""
    found = list(_USE.finditer(text))
    if unfinished := _UNFINISHED.search(text, found[-1].end() if found else 0):
        raise FilterError("this macro is not ended", text, unfinished.start(), len(text))
    return [
        each
        for each in found
        if each["name"] or each["inside"] is not None or each["braced"] in macros
    ]


def _replaced(text: str, uses: Sequence["re.Match[str]"], macros: Mapping[str, str]) -> str:
    """Return a text with each use of a macro replaced once."""
    out, end = [], 0
    for found in uses:
        out += [text[end : found.start()], _expansion(found, macros)]
        end = found.end()
    return "".join([*out, text[end:]])


def _expansion(found: "re.Match[str]", macros: Mapping[str, str]) -> str:
    """Return what one use of a macro stands for."""
    name = found["name"] or found["braced"]
    inside = next((each for each in found.group("round", "curly", "inside") if each), "")
    macro = macros.get(name)
    if macro is None:
        raise FilterError(
            f'there is no macro "{name}"', found.string, found.start(), found.end(),
            suggestion=_near(name, macros),
        )  # fmt: skip
    arguments = _SEPARATOR.split(inside) if inside.strip() else []
    count = max((int(each) for each in _ARGUMENT.findall(macro)), default=0)
    if len(arguments) != count:
        raise FilterError(
            f'macro "{name}" takes {count} argument{"s" * (count != 1)}, not {len(arguments)}',
            found.string, found.start(), found.end(),
        )  # fmt: skip
    if not all(map(str.strip, arguments)):
        raise FilterError(
            f'an argument of macro "{name}" is empty', found.string, found.start(), found.end()
        )
    return _ARGUMENT.sub(lambda place: arguments[int(place[1]) - 1] if int(place[1]) else "", macro)


def _near(name: str, macros: Mapping[str, str]) -> str:
    import difflib  # noqa: PLC0415 - for errors alone

    near = difflib.get_close_matches(name, macros, 1)
    return f"${near[0]}" if near else ""
