"""Options that several commands share, and how their texts become values."""

import re
from collections.abc import Callable
from typing import Any

import click

from streamshark.cli.unsupported_options import FORMATS
from streamshark.views.colour import WHEN
from streamshark.views.display_options import BODIES, DisplayOptions
from streamshark.views.times import DIGITS, STYLES

Command = Callable[..., Any]

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""Context settings of every command."""

KEYLOG = "tls.keylog_file"
"""tshark's name of the preference."""
MOST_PORTS = 65_535
_DECODE_AS = re.compile(r"tcp\.port==(\d+)(?:-(\d+))?,([\w-]+)")
_DIALECT = re.compile(r"([\w-]+)\.dialect:(.*)")
LAYOUT = "header=y|n separator=C occurrence=f|l|a aggregator=C quote=d|s|n (C: a character, /t, /s)"
"""What `-E` takes."""
_TIME = re.compile(rf"({'|'.join(STYLES)})(?:\.(\d))?")


def showing(command: Command) -> Command:
    """What is shown of values: secrets, bodies, wide numbers."""
    for option in (
        int_strings,
        click.option(
            "--bodies",
            type=click.Choice(BODIES),
            default=BODIES[0],
            help="How message bodies are shown: decoded (the default), raw hex, or their size.",
        ),
        click.option("--show-secrets", is_flag=True, help="Show passwords and the like."),
    ):
        command = option(command)
    return command


def paths(command: Command) -> Command:
    """Where more protocols are."""
    return click.option(
        "--protocol-path",
        "paths",
        multiple=True,
        metavar="DIR",
        help="Find more protocols in a folder. Repeatable.",
    )(command)


def protocols(command: Command) -> Command:
    """Which protocols there are, and in which dialect they are read."""
    dialect = click.option(
        "-o",
        "dialects",
        multiple=True,
        metavar="NAME:VALUE",
        callback=_dialects,
        help="Read a dialect: PROTOCOL.dialect:NAME. Repeatable.",
    )
    return dialect(paths(command))


def sources(command: Command) -> Command:
    """Which captures are read, and how much of them; `reading.reading` opens them."""
    for option in (
        click.option("-n", "numeric", is_flag=True, help="Resolve no names; they never are."),
        click.option(
            "-d",
            "decode_as",
            multiple=True,
            metavar="tcp.port==N,PROTOCOL",
            callback=decode_as,
            help="Read a port as a protocol. Repeatable.",
        ),
        click.option(
            "-c", "limit", type=click.IntRange(1), metavar="N", help="Stop after N packets."
        ),
        click.option(
            "-r",
            "--read-file",
            "more",
            multiple=True,
            metavar="FILE",
            help="Read a capture; - is stdin.",
        ),
        click.argument("files", nargs=-1, metavar="[FILE]..."),
    ):
        command = option(command)
    return command


def strictness(command: Command) -> Command:
    """What exit codes mean."""
    return click.option("--strict", is_flag=True, help="Exit with 3 on damage or problems.")(
        command
    )


def colouring(command: Command) -> Command:
    """Whether text is coloured."""
    return click.option(
        "--color",
        "colour",
        type=click.Choice(WHEN),
        default="auto",
        help="Colour text: auto (on a terminal), always, never.",
    )(command)


def int_strings(command: Command) -> Command:
    """How wide numbers are written."""
    return click.option(
        "--int-strings", is_flag=True, help="Write 64-bit numbers as text in JSON."
    )(command)


def rendering(command: Command) -> Command:
    """Trees, bytes, colours, and what exit codes mean."""
    for option in (
        strictness,
        colouring,
        click.option("-x", "dump", is_flag=True, help="Show each frame's bytes."),
        click.option("-V", "tree", is_flag=True, help="Show each row as a tree of all its fields."),
    ):
        command = option(command)
    return command


def form(*known: str, default: str | None) -> Callable[[Command], Command]:
    """`-T`, with errors that say what does the work of tshark's other formats."""

    def check(context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
        if value is None or value in known:
            return value
        instead = FORMATS.get(value)
        told = f"-T {value} is tshark's: {instead}" if instead else f"-T has no {value!r}"
        raise click.UsageError(f"{told} (known: {', '.join(known)})", context)

    shown = "|".join(known)
    return click.option(
        "-T", "form", default=default, metavar=shown, callback=check, help="Format of the output."
    )


def showing_of(given: dict[str, Any]) -> DisplayOptions:
    """The values of `showing`."""
    return DisplayOptions(given["show_secrets"], given["int_strings"], given["bodies"])


def decode_as(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[int, str]:
    """`tcp.port==N,PROTOCOL` (or a range `N-M`) to port and protocol."""
    ports: dict[int, str] = {}
    for value in values:
        found = _DECODE_AS.fullmatch(value)
        first = int(found[1]) if found else 0
        last = int(found[2] or first) if found else 0
        if not found or not 0 < first <= last <= MOST_PORTS:
            raise click.UsageError(f"-d {value}: not of the form tcp.port==N,PROTOCOL", context)
        ports |= dict.fromkeys(range(first, last + 1), found[3])
    return ports


def time_style(context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, int]:
    """`-t` to style and digits."""
    found = _TIME.fullmatch(value)
    if not found:
        known = ", ".join(STYLES)
        raise click.UsageError(f"-t {value}: not a format of times (known: {known})", context)
    return found[1], DIGITS if found[2] is None else int(found[2])


def _dialects(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """`PROTOCOL.dialect:NAME` to protocol and dialect; `tls.keylog_file:FILE` is `keylog`."""
    dialects = {}
    context.params["keylog"] = None
    for value in values:
        name, _, rest = value.partition(":")
        if name == KEYLOG and rest:
            context.params["keylog"] = rest
            continue
        found = _DIALECT.fullmatch(value)
        if not found:
            raise click.UsageError(
                f"-o {value}: the only preferences are PROTOCOL.dialect:NAME and {KEYLOG}:FILE",
                context,
            )
        dialects[found[1]] = found[2]
    return dialects


QUOTES = {"d": '"', "s": "'", "n": ""}
_SPECIAL = {"/t": "\t", "/s": " "}


def layout(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    """`-E` to the members of a Layout."""
    chosen: dict[str, Any] = {}
    for given in values:
        name, _, value = given.partition("=")
        match name:
            case "header" if value in ("y", "n"):
                chosen[name] = value == "y"
            case "occurrence" if value in ("f", "l", "a"):
                chosen[name] = value
            case "quote" if value in QUOTES:
                chosen[name] = QUOTES[value]
            case "separator" | "aggregator" if len(value) == 1 or value in _SPECIAL:
                chosen[name] = _SPECIAL.get(value, value)
            case _:
                raise click.UsageError(f"-E {given}: {LAYOUT}", context)
    return chosen
