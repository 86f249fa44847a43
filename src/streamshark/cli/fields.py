"""`streamshark fields`: every name that the outputs use, with type, unit and meaning."""

import click

from streamshark.cli import options
from streamshark.cli.output import Output
from streamshark.protocols.catalog import catalog, find
from streamshark.views.field_list import FieldEntry, entries, listing
from streamshark.views.fields_output import MEMBERS
from streamshark.views.json import encoded


@click.command("fields", context_settings=options.HELP)
@click.argument("names", nargs=-1, metavar="[PROTOCOL]...")
@options.form("text", "json", default="text")
@options.paths
def command(names: tuple[str, ...], form: str, paths: tuple[str, ...]) -> int:
    """List the fields of all or of the named protocols.

    The text has six columns, separated by tabs: name, type, unit, number of named values,
    description, first release. The first group lists the members of every row. JSON also has the
    names of values.

    \b
    streamshark fields rabbitmq-stream | grep offset
    streamshark fields -T json | jq -r '.fields[] | select(.secret).name'
    """  # noqa: D301 - click's mark for lines that stay
    known = catalog(paths)
    chosen = [find(name, known) for name in names] if names else known
    output = Output()
    if form == "json":
        output.write(encoded(listing(chosen)) + "\n")
    else:
        if not names:
            members = (FieldEntry(name, "", "member", text) for name, text in MEMBERS.items())
            output.write("".join(f"{entry.line()}\n" for entry in members))
        for each in chosen:
            found = entries(each.wire, each.embedded_records, each.derived)
            output.write("".join(f"{entry.line()}\n" for entry in found))
    output.flush()
    return 0
