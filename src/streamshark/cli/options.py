"""Options that several commands share, and the parsing of their values."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from streamshark.cli.unsupported_options import FORMATS
from streamshark.views.colour import WHEN
from streamshark.views.display_options import BODIES, DisplayOptions
from streamshark.views.times import DIGITS, STYLES

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Name

Command = Callable[..., Any]

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""Context settings of every command."""

TSHARK = "tshark"
"""The value of `--engine`."""
KEYLOG = "tls.keylog_file"
"""The name of the preference in tshark."""
MOST_PORTS = 65_535
MOST_DIGITS = 18
"""Most digits of the number of a connection."""
CAPTURE_FORMATS = ("pcapng", "pcap", "nsecpcap")
"""Formats that can be written, by Wireshark's names; nsecpcap is pcap with nanoseconds."""
_DECODE_AS = re.compile(r"tcp\.port==(\d+)(?:-(\d+))?,([\w-]+)")
_DIALECT = re.compile(r"([\w-]+)\.dialect:(.*)")
LAYOUT = "header=y|n separator=C occurrence=f|l|a aggregator=C quote=d|s|n (C: a character, /t, /s)"
"""The values of `-E`."""
_TIME = re.compile(rf"({'|'.join(STYLES)})(?:\.(\d))?")


def showing(command: Command) -> Command:
    """Add the options that control how values are shown: secrets, payloads, wide numbers."""
    for option in (
        int_strings,
        click.option(
            "--bodies",
            type=click.Choice(BODIES),
            default=BODIES[0],
            help="Show message bodies decoded (the default), as raw hex, or only their size.",
        ),
        click.option(
            "--show-secrets", is_flag=True, help="Show passwords and other secrets in clear text."
        ),
    ):
        command = option(command)
    return command


def paths(command: Command) -> Command:
    """Add the option that names folders with more protocols.

    The program has it too; a command adds its own folders to those given before its name.
    """
    return click.option(
        "--protocol-path",
        "paths",
        multiple=True,
        type=click.Path(),
        metavar="DIR",
        callback=_paths,
        help="Load more protocols from a folder. Repeatable.",
    )(command)


def _paths(
    context: click.Context, _parameter: click.Parameter, own: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the folders given to the program, then those given to the command."""
    return (*context.find_root().params.get("paths", ()), *own)


def protocols(command: Command) -> Command:
    """Add the options that choose the known protocols and their dialects."""
    dialect = click.option(
        "-o",
        "dialects",
        multiple=True,
        metavar="NAME:VALUE",
        callback=_dialects,
        help="Set a preference: PROTOCOL.dialect:NAME or tls.keylog_file:FILE. Repeatable.",
    )
    return dialect(paths(command))


def protocols_and_output(what: str) -> Callable[[Command], Command]:
    """Return what adds the options of `protocols`, where `-o` also names `what` is written, `out`.

    A preference has a name of its own before a colon, so both can be given.
    """

    def add(command: Command) -> Command:
        option = click.option(
            "-o",
            "dialects",
            multiple=True,
            required=True,
            metavar=f"{what}|NAME:VALUE",
            callback=_output_and_dialects,
            help=f"Write {what}. A preference as in read (PROTOCOL.dialect:NAME, "
            "tls.keylog_file:FILE) is set. Repeatable.",
        )
        return option(paths(command))

    return add


def _output_and_dialects(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Set `out` to the only value that is no preference; parse the others."""
    preferences = tuple(each for each in values if _is_preference(each))
    outputs = [each for each in values if not _is_preference(each)]
    if len(outputs) != 1:
        wrong = f"{outputs[0]} and {outputs[1]}" if outputs else "missing"
        raise click.UsageError(f"-o names one output: {wrong}", context)
    (context.params["out"],) = outputs
    return _dialects(context, parameter, preferences)


def _is_preference(value: str) -> bool:
    return value.startswith(f"{KEYLOG}:") or _DIALECT.fullmatch(value) is not None


def sources(command: Command) -> Command:
    """Add the options that name the captures and limit the packets; see `run.reading`."""
    for option in (
        click.option(
            "-n",
            "numeric",
            is_flag=True,
            help="Accepted for compatibility with tshark; names are never resolved.",
        ),
        decoding,
        click.option(
            "-c", "limit", type=click.IntRange(1), metavar="N", help="Stop after N packets."
        ),
        click.option(
            "-r",
            "--read-file",
            "more",
            multiple=True,
            type=click.Path(),
            metavar="FILE",
            help="Read this capture; - is standard input. Repeatable.",
        ),
        click.argument("files", nargs=-1, type=click.Path(), metavar="[FILE]..."),
    ):
        command = option(command)
    return command


def engine(command: Command) -> Command:
    """Add the option that lets tshark read captures."""
    return click.option(
        "--engine",
        "engine",
        type=click.Choice([TSHARK]),
        is_eager=True,  # `-o` then takes preferences of tshark
        help="Let tshark read the packets: for its formats, link types and decryption; -o sets its"
        " preferences.",
    )(command)


def decoding(command: Command) -> Command:
    """Add the option that chooses protocols by ports."""
    return click.option(
        "-d",
        "decode_as",
        multiple=True,
        metavar="tcp.port==N,PROTOCOL",
        callback=decode_as,
        help="Decode a TCP port as a protocol. Repeatable.",
    )(command)


def flows(command: Command) -> Command:
    """Add the option that chooses connections."""
    return flows_as("flows")(command)


def flows_as(parameter: str) -> Callable[[Command], Command]:
    """Return what adds the option that chooses connections, as a parameter of this name."""
    return click.option(
        "--flow",
        parameter,
        multiple=True,
        metavar="N[,N]...",
        callback=_flow_numbers,
        help="Only connections with these numbers (tcp.stream). Repeatable.",
    )


def _flow_numbers(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[int, ...]:
    """Parse numbers of connections, separated by commas."""
    numbers = [each.strip() for value in values for each in value.split(",")]
    for each in numbers:
        if not each.isdecimal() or len(each) > MOST_DIGITS:
            raise click.UsageError(f"--flow {each!r}: not the number of a connection", context)
    return tuple(map(int, numbers))


def conversations(command: Command) -> Command:
    """Add the option that chooses conversations."""
    return click.option(
        "--conversation",
        "conversations",
        multiple=True,
        metavar="ID[,ID]...",
        callback=_conversation_names,
        help="Only conversations with these ids (`conversations` lists them). Repeatable.",
    )(command)


def _conversation_names(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> "tuple[Name, ...]":
    """Parse ids of conversations, separated by commas."""
    if not values:
        return ()
    from streamshark.conversations.follow import parsed  # noqa: PLC0415 - few need it

    names = []
    for each in (each for value in values for each in value.split(",")):
        name = parsed(each)
        if name is None:
            raise click.UsageError(
                f"--conversation {each!r}: not an id (such as 0-18-publisher)", context
            )
        names.append(name)
    return tuple(names)


def strictness(command: Command) -> Command:
    """Add the option that makes damage an exit code."""
    return click.option(
        "--strict",
        is_flag=True,
        help="Exit with 3 if a capture is damaged or a frame has a problem.",
    )(command)


def colouring(command: Command) -> Command:
    """Add the option that controls colour."""
    return click.option(
        "--color",
        "colour",
        type=click.Choice(WHEN),
        default="auto",
        help="Use colours: auto (on a terminal), always, never.",
    )(command)


def int_strings(command: Command) -> Command:
    """Add the option that writes 64-bit numbers as text."""
    return click.option(
        "--int-strings", is_flag=True, help="Write 64-bit numbers as strings in JSON."
    )(command)


def paging(command: Command) -> Command:
    """Add the option against a pager."""
    return click.option(
        "--no-pager", is_flag=True, help="Use no pager on a terminal (by default $PAGER, or less)."
    )(command)


def rendering(command: Command) -> Command:
    """Add the options for trees, bytes, width, colour and strictness."""
    for option in (
        strictness,
        colouring,
        click.option("--wide", is_flag=True, help="Fold no lines to the width of the terminal."),
        click.option("-x", "dump", is_flag=True, help="Show the bytes of each frame."),
        click.option(
            "-V", "tree", is_flag=True, help="Show each frame as a tree of all its fields."
        ),
    ):
        command = option(command)
    return command


def form(*known: str, default: str | None) -> Callable[[Command], Command]:
    """Add `-T`, with errors that name the alternative to tshark's other formats."""

    def check(context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
        if value is None or value in known:
            return value
        instead = FORMATS.get(value)
        message = f"-T {value} is not supported: {instead}" if instead else f"unknown -T {value}"
        raise click.UsageError(f"{message} (known: {', '.join(known)})", context)

    shown = "|".join(known)
    return click.option(
        "-T", "form", default=default, metavar=shown, callback=check, help="Output format."
    )


def showing_of(given: dict[str, Any]) -> DisplayOptions:
    """Return the values of the options of `showing`."""
    return DisplayOptions(given["show_secrets"], given["int_strings"], given["bodies"])


def decode_as(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[int, str]:
    """Parse `tcp.port==N,PROTOCOL` (or a range `N-M`) into protocols by port."""
    ports: dict[int, str] = {}
    for value in values:
        found = _DECODE_AS.fullmatch(value)
        first = int(found[1]) if found else 0
        last = int(found[2] or first) if found else 0
        if not found or not 0 < first <= last <= MOST_PORTS:
            raise click.UsageError(f"-d {value}: expected tcp.port==N,PROTOCOL", context)
        ports |= dict.fromkeys(range(first, last + 1), found[3])
    return ports


def time_style(context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, int]:
    """Parse `-t` into the style and the number of digits."""
    found = _TIME.fullmatch(value)
    if not found:
        known = ", ".join(STYLES)
        raise click.UsageError(f"-t {value}: unknown time format (known: {known})", context)
    return found[1], DIGITS if found[2] is None else int(found[2])


def _dialects(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Parse `PROTOCOL.dialect:NAME` into dialects by protocol.

    Set `keylog` as well, and `preferences`: with `--engine tshark`, all others are those of tshark.
    """
    dialects, preferences = {}, []
    context.params["keylog"] = None
    for value in values:
        name, _, rest = value.partition(":")
        if name == KEYLOG and rest:
            context.params["keylog"] = rest
            continue
        found = _DIALECT.fullmatch(value)
        if not found and rest and context.params.get("engine") == TSHARK:
            preferences.append(value)
            continue
        if not found:
            raise click.UsageError(
                f"-o {value}: expected PROTOCOL.dialect:NAME or {KEYLOG}:FILE",
                context,
            )
        dialects[found[1]] = found[2]
    context.params["preferences"] = preferences
    return dialects


QUOTES = {"d": '"', "s": "'", "n": ""}
_SPECIAL = {"/t": "\t", "/s": " "}


def layout(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    """Parse `-E` into members of a `Layout`."""
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
                raise click.UsageError(f"-E {given}: expected {LAYOUT}", context)
    return chosen
