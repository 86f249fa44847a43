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

FILTERS = ("read_filter", "display_filter")
"""Names of the options."""
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
    texts = [text for name in FILTERS if (text := given.get(name))]
    if not texts:
        return None
    from streamshark.fields.registry import Fields  # noqa: PLC0415 - only who filters loads them
    from streamshark.filters.filter import both, compile  # noqa: A004, PLC0415

    names = [each.name for each in session.captures]
    fields = Fields(session.protocols, session.layers, names)
    filters = [compile(text, fields) for text in texts]
    return filters[0] if len(filters) == 1 else both(*filters)


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
