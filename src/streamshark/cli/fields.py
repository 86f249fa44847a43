"""`streamshark fields`: every name that the outputs use, with type, unit and meaning."""

import click

from streamshark.cli import options
from streamshark.cli.output import Output, terminal_width
from streamshark.fields.registry import Fields
from streamshark.protocols.catalog import catalog, find
from streamshark.views.field_list import line, listing, on_terminal
from streamshark.views.json import encoded


@click.command("fields", context_settings=options.HELP)
@click.argument("names", nargs=-1, metavar="[PROTOCOL]...")
@options.form("text", "json", default="text")
@options.paths
def command(names: tuple[str, ...], form: str, paths: tuple[str, ...]) -> int:
    """List the fields of all or of the named protocols.

    The text has six columns, separated by tabs: name, type, unit, number of named values,
    description, first release; on a terminal, name, type, unit and description. The first group
    lists the members of every row. JSON also has the names of values.

    \b
    streamshark fields rabbitmq-stream | grep offset
    streamshark fields -T json | jq -r '.fields[] | select(.secret).name'
    """  # noqa: D301 - click's mark for lines that stay
    known = catalog(paths)
    chosen = [find(name, known) for name in names] if names else known
    registry = Fields(chosen)
    output, join = Output(folds=form == "text"), on_terminal if terminal_width() else line
    if form == "json":
        own = (each for each in registry.all() if each.protocol)
        output.write(encoded(listing(own)) + "\n")
    else:
        shown = (each for each in registry.all() if each.protocol or not names)
        output.write("".join(f"{join(each)}\n" for each in shown))
    output.flush()
    return 0
