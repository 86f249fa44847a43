"""The options `-Y` and `-R`: display filters, in the commands that read captures."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from streamshark.cli.output import complain
from streamshark.session import Session

if TYPE_CHECKING:
    from streamshark.conversations.tables import Derived
    from streamshark.filters import Filter

Command = Callable[..., Any]

NOTHING_SATISFIES = (
    "no row can satisfy this filter: a row is one frame, of one command; "
    "--packets tests whole packets"
)


def display_filter(command: Command) -> Command:
    """Add the option that selects rows."""
    return click.option(
        "-Y",
        "--display-filter",
        "display_filter",
        metavar="FILTER",
        help="Select rows by a display filter, in Wireshark's language.",
    )(command)


def filter_of(given: Mapping[str, Any], session: Session) -> "Filter | None":
    """Return the filter that the options give; None without one."""
    texts = [text for name in ("read_filter", "display_filter") if (text := given.get(name))]
    if not texts:
        return None
    from streamshark.fields.registry import Fields  # noqa: PLC0415 - only who filters loads them
    from streamshark.filters import compile  # noqa: A004, PLC0415

    for text in texts:
        compiled = compile(text, Fields(session.protocols, session.layers, _names(session)))
    if len(texts) == 1:
        return compiled
    both = " and ".join(f"({each})" for each in texts)
    return compile(both, Fields(session.protocols, session.layers, _names(session)))


def _names(session: Session) -> list[str]:
    return [each.name for each in session.captures]


def derives(
    chosen: "Filter | None", others: "Callable[[Derived], bool]"
) -> "Callable[[Derived], bool]":
    """Return the choice of derived values: those that a filter names, and others."""
    if chosen is None:
        return others
    used = {each.field.name.rpartition(".")[2] for each in chosen.used}
    return lambda table: table.name in used or others(table)


def report_unsatisfiable(chosen: "Filter", session: Session) -> None:
    """Print a line if no row, of any capture, can satisfy the filter."""
    from streamshark.filters.predicate import EVENTS, Kind  # noqa: PLC0415 - as above

    predicate = chosen.predicate
    if predicate is None:
        return
    kinds = [
        Kind(decoder, table.wire) for table in session.tables for decoder in (None, *table.all)
    ]
    if all(predicate.never(each) for each in (EVENTS, *kinds)):
        complain(NOTHING_SATISFIES)
