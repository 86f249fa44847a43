"""Short forms of display filters: `--flow`, `--stream`, `--command` and `--failed`.

Each stands for a filter over all protocols, in the language of `-Y`, and is combined with it by
`&&`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from streamshark.cli import options
from streamshark.errors import StreamsharkError

if TYPE_CHECKING:
    from streamshark.fields.registry import Fields

Command = Callable[..., Any]

FLOWS, STREAMS, COMMANDS, FAILED = "only_flows", "only_streams", "only_commands", "only_failed"
REFUSED = "only_refused"
"""Names of the parameters; those that a command selects by itself have other names."""


def short_filters(command: Command) -> Command:
    """Add `--stream`, `--command` and `--failed`."""
    failed = click.option(
        "--failed",
        FAILED,
        is_flag=True,
        help="Select only frames that report a failure: an error code, -ERR, ERROR.",
    )
    stream = click.option(
        "--stream",
        STREAMS,
        multiple=True,
        metavar="NAME",
        help="Select only frames of this stream, subject, segment or route, and answers to them. "
        "Repeatable.",
    )
    return stream(command_filter(failed(command)))


def message_filters(command: Command) -> Command:
    """Add `--command` and `--failed` for the messages in frames."""
    failed = click.option(
        "--failed",
        REFUSED,
        is_flag=True,
        help="Show only messages that were refused; reads the captures twice.",
    )
    return command_filter(failed(command))


def command_filter(command: Command) -> Command:
    """Add `--command`."""
    return click.option(
        "--command",
        COMMANDS,
        multiple=True,
        metavar="NAME",
        shell_complete=_completed_commands,
        help="Select only frames of this command, such as open (both directions) or "
        "open_response. Repeatable.",
    )(command)


def flow_filter(command: Command) -> Command:
    """Add `--flow` as a filter, to commands that do not choose connections otherwise."""
    return options.flows_as(FLOWS)(command)


def is_given(given: Mapping[str, Any]) -> bool:
    """Return whether rows are selected by a short form."""
    return any(given.get(name) for name in (FLOWS, STREAMS, COMMANDS, FAILED, REFUSED))


def is_filtered(given: Mapping[str, Any]) -> bool:
    """Return whether rows are selected by `-Y` or by a short form."""
    return bool(given.get("display_filter")) or is_given(given)


def spelling(given: Mapping[str, Any]) -> str:
    """Return the short forms as the user has typed them, for messages."""
    flows = ",".join(map(str, given.get(FLOWS) or ()))
    words = [f"--flow {flows}"] if flows else []
    words += [f"--stream {name}" for name in given.get(STREAMS) or ()]
    words += [f"--command {name}" for name in given.get(COMMANDS) or ()]
    is_failed = given.get(FAILED) or given.get(REFUSED)
    return " ".join([*words, *(["--failed"] if is_failed else [])])


def filter_text(given: Mapping[str, Any], fields: "Fields") -> str:
    """Return the display filter that the short forms stand for; empty without any.

    Raises:
        StreamsharkError: No protocol has a given command; names similar ones.
    """
    parts = []
    if flows := given.get(FLOWS):
        parts.append(f"tcp.stream in {{{', '.join(map(str, flows))}}}")
    if streams := given.get(STREAMS):
        wanted = ", ".join(map(_quoted, streams))
        parts.append(
            _any_of(
                f"{who}{name} in {{{wanted}}}"
                for name in _stream_fields(fields)
                for who in ("", "request.")
            )
        )
    if commands := given.get(COMMANDS):
        known = _known_commands(fields, given["paths"])
        parts.append(_any_of(_of_command(name, known) for name in commands))
    if given.get(FAILED) or given.get(REFUSED):
        failures = [f"{short}.failed" for short in fields.protocols]
        failures = [name for name in failures if fields.find(name) is not None]
        answers = [f"answer.{name}" for name in failures] if given.get(REFUSED) else []
        parts.append(_any_of([*failures, *answers]))
    return " && ".join(f"({part})" for part in parts)


def _any_of(tests: Iterable[str]) -> str:
    return " || ".join(tests)


def _quoted(text: str) -> str:
    """Return a string literal of the filter language."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _stream_fields(fields: "Fields") -> list[str]:
    """Return the names of the fields that `--stream` compares, of all protocols."""
    return [
        f"{short}.{table.name}"
        for short, own in fields.protocols.items()
        for table in own.source.fields
        if getattr(table, "is_stream", False)
    ]


def _of_command(name: str, known: Mapping[str, Sequence[str]]) -> str:
    """Return the test of a command, by its name in rows or in JSON."""
    plain = name if name in known else name.lower().replace("-", "_")
    if plain in known:
        return _any_of(known[plain])
    from difflib import get_close_matches  # noqa: PLC0415 - for errors alone

    near = get_close_matches(plain, known, 1)
    hint = f"; did you mean {near[0]}?" if near else " (`streamshark fields` lists the commands)"
    raise StreamsharkError(f"--command {name!r}: no protocol has this command{hint}")


def _known_commands(fields: "Fields", paths: Sequence[str]) -> dict[str, list[str]]:
    """Return the tests of all commands by name: frames by command, else events.

    A response has two names: that of the command, and the one in its row (`open_response`).
    """
    found: dict[str, dict[str, None]] = {}
    for short, own in fields.protocols.items():
        for prefix, decoders in own.prefixes.items():
            name, full = decoders[0].schema.name, prefix.partition(".")[2]
            found.setdefault(name, {})[f'{short}.command == "{name}"'] = None
            if full != name:
                found.setdefault(full, {})[prefix] = None
    for name in _events(paths):
        found.setdefault(name, {f'(command == "{name}" && kind == "event")': None})
    return {name: list(tests) for name, tests in found.items()}


def _events(paths: Sequence[str]) -> Iterable[str]:
    """Return the names of the events of TCP and of carriers."""
    from streamshark.dissection.row import EVENTS  # noqa: PLC0415 - for --command alone
    from streamshark.protocols.catalog import carriers  # noqa: PLC0415

    return [*EVENTS, *(name for each in carriers(paths) for name in each.events)]


def _completed_commands(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Return the commands that begin with what is typed."""
    from streamshark.fields.registry import Fields  # noqa: PLC0415 - for completion alone
    from streamshark.protocols.catalog import catalog  # noqa: PLC0415

    paths = context.params.get("paths") or ()
    known = _known_commands(Fields(catalog(paths)), paths)
    return sorted(name for name in known if name.startswith(incomplete))
