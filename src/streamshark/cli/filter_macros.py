"""Macros of display filters from Wireshark's own files: `dmacros`, or `dfilter_macros` of 4.0."""

import os.path
import re
from collections.abc import Iterator, Mapping
from typing import Final

from streamshark.cli.output import complain

LARGEST: Final = 1 << 20
"""Bytes of a file that are read at most."""

_LINE: Final = re.compile(r'\s*"(?P<name>\w+)"\s+(?P<text>\S.*)')
"""A line of `dmacros`."""
_OLD_LINE: Final = re.compile(r'\s*"(?P<name>\w+)"\s*,\s*"(?P<text>(?:[^"\\]|\\.)*)"\s*')
"""A line of `dfilter_macros`."""
_FILES: Final = (("dmacros", _LINE), ("dfilter_macros", _OLD_LINE))
_ESCAPE: Final = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|(.))")


def with_macros(text: str) -> str:
    """Return a filter with macros of the user, or of Wireshark, in place of their uses.

    Raises:
        FilterError: There is no macro of a name, or it takes another number of arguments.
    """
    if "$" not in text:
        return text
    from streamshark.filters.macros import BUILT_IN, expanded  # noqa: PLC0415 - few filters use any

    return expanded(text, {**BUILT_IN, **user_macros(folders(os.environ))})


def folders(environment: Mapping[str, str]) -> list[str]:
    """Return the folders in which Wireshark looks for a user's files, the first one first."""
    if chosen := environment.get("WIRESHARK_CONFIG_DIR"):
        return [chosen]
    if appdata := environment.get("APPDATA"):
        return [os.path.join(appdata, "Wireshark")]  # noqa: PTH118 - pathlib takes 5 ms to import
    home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - as above
    own = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    return [f"{own}/wireshark", f"{home}/.wireshark"]


def user_macros(places: list[str]) -> dict[str, str]:
    """Return the user's macros by name, from the first file that exists."""
    for folder in places:
        for name, form in _FILES:
            path = os.path.join(folder, name)  # noqa: PTH118 - as above
            if os.path.isfile(path):  # noqa: PTH113 - as above
                return dict(reversed(list(_macros(path, form))))
    return {}


def _macros(path: str, form: "re.Pattern[str]") -> Iterator[tuple[str, str]]:
    """Yield the macros of a file; a line that defines no macro is reported."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            text = file.read(LARGEST).decode(errors="replace")
    except OSError as error:
        complain(f"{path}: {error.strerror}")
        return
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = form.fullmatch(line)
        if found is None:
            complain(f'{path}, line {number}: expected "name" and a filter')
        else:
            is_old = form is _OLD_LINE
            yield found["name"], _unescaped(found["text"]) if is_old else found["text"].strip()


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)
