"""A configuration profile of Wireshark for the plugins: columns, colours, buttons and graphs.

A profile is a folder of Wireshark's own files. `wireshark -C Streamshark` starts with it, and
`tshark -C Streamshark` takes its columns and preferences. Wireshark writes a file again when
somebody changes what is in it: such a file is the user's, and is kept.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from streamshark.errors import StreamsharkError
from streamshark.lua import install as installing

NAME: Final = "Streamshark"
CONFIGURATION: Final = "Personal configuration"
"""Name of the folder in `tshark -G folders` that profiles are in."""
SYSTEM: Final = "Global configuration"
"""Name of the folder with the colours that Wireshark comes with."""
_MARK: Final = "# Written by Streamshark; Wireshark replaces this file when the profile is changed."
SLOW: Final = 1
"""Seconds from which on a response is coloured as slow."""


class _Column(NamedTuple):
    """A column of the packet list."""

    title: str
    format: str
    """Wireshark's `%x`, or the name of a field that each protocol has."""
    width: int
    """Pixels."""


_COLUMNS: Final = (
    _Column("No.", "%m", 65),
    _Column("Time", "%t", 85),
    _Column("Source", "%s", 100),
    _Column("Destination", "%d", 100),
    _Column("Protocol", "%p", 85),
    _Column("Command", "command", 120),
    _Column("Conversation", "conversation", 145),
    _Column("Response time", "response_time", 100),
    _Column("Finding", "finding.message", 450),
    _Column("Info", "%i", 700),
)

_BLACK: Final = "4718,10030,11796"
_WHITE: Final = "65535,65535,65535"
_COLOURS: Final = (
    ("finding, error", 'finding and _ws.expert.severity == "Error"', "42148,0,0", _WHITE),
    (
        "finding, warning",
        'finding and _ws.expert.severity == "Warning"',
        "65535,53713,32896",
        _BLACK,
    ),
    ("finding", "finding", "65535,62708,52428", _BLACK),
    ("problem", "problem", "65535,46774,46774", _BLACK),
    ("failure", "failed", "62194,56540,65535", _BLACK),
    (f"response after {SLOW} s", f"response_time > {SLOW}", "65535,65535,43690", _BLACK),
)
"""Name, filter, background and foreground; the first rule that matches colours a packet."""

_BUTTONS: Final = (
    ("Findings", "finding", "Packets of what check reports"),
    (
        "Faults",
        'finding and _ws.expert.severity >= "Warning"',
        "Packets of what check reports as a warning or an error",
    ),
    ("Failures", "failed", "Responses that report a failure"),
    ("Unanswered", 'kind == "request" and not response_frame', "Requests without a response"),
    ("Slow", f"response_time > {SLOW}", f"Responses after more than {SLOW} s"),
    ("Problems", "problem", "Frames that are damaged or break the protocol"),
)

_GRAPHS: Final = (
    ("Streaming packets", "", "#2E3436", "Line", "Packets", ""),
    ("Failures", "failed", "#A40000", "Bar", "Packets", ""),
    ("Findings", "finding", "#CE5C00", "Dot", "Packets", ""),
)
_RESPONSE_TIMES: Final = ("Slowest response", "#204A87", "Line", "MAX(Y Field)", "response_time")


WIDTHS: Final = "recent"
"""File with the widths of columns: written once, since Wireshark writes it on every exit."""


def files(shorts: Sequence[str], colours: str) -> dict[str, str]:
    """Return the files of the profile by name.

    Args:
        shorts: Filter names of the protocols whose plugins are installed; a filter on a field that
            Wireshark does not know would be an error.
        colours: Wireshark's own colour rules, which follow ours.
    """
    return {
        "preferences": _preferences(shorts),
        WIDTHS: _widths(shorts),
        "colorfilters": _colours(shorts, colours),
        "dfilter_buttons": _table(
            ("TRUE", label, _any(shorts, filter_), comment) for label, filter_, comment in _BUTTONS
        ),
        "io_graphs": _graphs(shorts),
    }


def install(shorts: Sequence[str], program: str) -> Path:
    """Write the profile; return its folder.

    Raises:
        StreamsharkError: It exists, and somebody has changed it in Wireshark.
    """
    where = folder(program)
    changed = [path for path in _present(where) if path.name != WIDTHS and not is_generated(path)]
    if changed:
        raise StreamsharkError(
            f"{changed[0]} was changed in Wireshark; rename the profile {NAME} there, or remove it"
        )
    where.mkdir(parents=True, exist_ok=True)
    own = installing.named_folder(SYSTEM, program) / "colorfilters"  # ours replace them otherwise
    colours = own.read_text(encoding="utf-8", errors="replace") if own.is_file() else ""
    for name, text in files(shorts, colours).items():
        if name != WIDTHS or not (where / name).exists():
            (where / name).write_text(text, encoding="utf-8")
    return where


def uninstall(program: str) -> list[Path]:
    """Remove the unchanged files of the profile; return their paths."""
    where = folder(program)
    removed = [path for path in _present(where) if path.name == WIDTHS or is_generated(path)]
    for path in removed:
        path.unlink()
    if where.is_dir() and not any(where.iterdir()):
        where.rmdir()
    return removed


def folder(program: str) -> Path:
    """Return the folder of the profile."""
    return installing.named_folder(CONFIGURATION, program) / "profiles" / NAME


def is_generated(path: Path) -> bool:
    """Return whether Streamshark wrote a file of the profile."""
    return path.read_text(encoding="utf-8", errors="replace").startswith(_MARK)


def _present(where: Path) -> list[Path]:
    return [path for name in files((), "") if (path := where / name).is_file()]


def _any(shorts: Sequence[str], filter_: str) -> str:
    """Write a filter on fields that every protocol has, for one protocol or another."""
    each = [_of(short, filter_) for short in shorts]
    return " or ".join(f"({one})" if " " in one and len(each) > 1 else one for one in each)


def _of(short: str, filter_: str) -> str:
    words = filter_.split(" ")
    names = {"finding", "problem", "failed", "response_time", "kind", "response_frame"}
    return " ".join(f"{short}.{word}" if word in names else word for word in words)


def _format(column: _Column, shorts: Sequence[str]) -> str:
    if column.format.startswith("%"):
        return column.format
    return f"%Cus:{_fields(column, shorts)}:0:R"


def _fields(column: _Column, shorts: Sequence[str]) -> str:
    return " or ".join(f"{short}.{column.format}" for short in shorts)


def _preferences(shorts: Sequence[str]) -> str:
    pairs = ",\n".join(f'\t"{each.title}", "{_format(each, shorts)}"' for each in _COLUMNS)
    return f"{_MARK}\n\ngui.column.format: \n{pairs}\n\ntcp.reassemble_out_of_order: TRUE\n"


def _widths(shorts: Sequence[str]) -> str:
    widths = ",\n".join(
        f"\t{_format(each, shorts)}, {each.width}"
        if each.format.startswith("%")
        else f'\t"%Cus:{_fields(each, shorts)}", {each.width}'
        for each in _COLUMNS
    )
    return f"{_MARK}\n\ncolumn.width: \n{widths}\n"


def _colours(shorts: Sequence[str], others: str) -> str:
    own = "\n".join(
        f"@Streamshark: {name}@{_any(shorts, filter_)}@[{background}][{foreground}]"
        for name, filter_, background, foreground in _COLOURS
    )
    return f"{_MARK}\n{own}\n{others}"


def _graphs(shorts: Sequence[str]) -> str:
    everything = " or ".join(shorts)
    name, colour, style, axis, field = _RESPONSE_TIMES
    rows = [
        (title, _any(shorts, filter_) if filter_ else everything, *rest)
        for title, filter_, *rest in _GRAPHS
    ] + [(f"{name}, {short}", short, colour, style, axis, f"{short}.{field}") for short in shorts]
    return _table(
        ("Enabled" if index < len(_GRAPHS) else "Disabled", *row, "None", "1")
        for index, row in enumerate(rows)
    )


def _table(rows: object) -> str:
    """Write one of Wireshark's user tables."""
    lines = (",".join(f'"{_escaped(cell)}"' for cell in row) for row in rows)  # type: ignore[attr-defined]
    return "\n".join((_MARK, *lines, ""))


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\x5c").replace('"', "\\x22")
