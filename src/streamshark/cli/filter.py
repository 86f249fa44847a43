"""`streamshark filter`: checks a display filter, and shows how it is read."""

from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.filter_macros import with_macros
from streamshark.cli.output import Output
from streamshark.cli.unsupported_options import refuse_unsupported


@click.command("filter", context_settings=options.HELP, short_help="Check a display filter.")
@refuse_unsupported
@click.argument("text", metavar="[FILTER]", required=False)
@click.option("--packets", is_flag=True, help="Filter packets, as `read --packets` does.")
@click.option(
    "--complete",
    "completed",
    metavar="TEXT@N",
    help="List what may follow at offset N of TEXT, one line each.",
)
@options.form("text", "json", "sql", default="text")
@options.paths
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Check a display filter, and show its tree, the types of its fields and what it needs.

    The language is Wireshark's; `streamshark fields` lists the fields. A filter that is wrong exits
    with 2.

    \b
    streamshark filter 'rmqstream.command == "publish" && frame.number > 100'
    streamshark filter --complete 'rmqstream.publish.pub@21'
    """  # noqa: D301 - click's mark for lines that stay
    if (given["text"] is None) == (given["completed"] is None):
        raise click.UsageError("give one filter, or --complete TEXT@N")
    from streamshark.decoding.payloads import PayloadReaders  # noqa: PLC0415 - this command alone
    from streamshark.fields.registry import Fields  # noqa: PLC0415
    from streamshark.filters.filter import Filter  # noqa: PLC0415
    from streamshark.filters.packet_fields import PacketFields  # noqa: PLC0415
    from streamshark.filters.row_fields import RowFields  # noqa: PLC0415
    from streamshark.protocols.catalog import catalog, formats  # noqa: PLC0415
    from streamshark.views.filter_tree import as_json, as_text  # noqa: PLC0415

    fields = Fields(catalog(given["paths"]), PayloadReaders(()), formats=formats(given["paths"]))
    known = (PacketFields if given["packets"] else RowFields)(fields)
    output = Output(folds=given["form"] == "text" and given["completed"] is None)
    if given["completed"] is not None:
        output.write(_completions(given["completed"], known))
    elif given["form"] == "sql":
        from streamshark.filters.sql import statement  # noqa: PLC0415 - as above

        output.write(f"{statement(with_macros(given['text']), fields)}\n")
    else:
        show = as_json if given["form"] == "json" else as_text
        output.write(show(Filter(with_macros(given["text"]), known)))
    output.flush()
    return 0


def _completions(asked: str, known: Any) -> str:  # noqa: ANN401 - the fields
    """Return the completions at `TEXT@N`, one line each: text and description."""
    from streamshark.filters.completion import complete  # noqa: PLC0415 - as above

    text, _, cursor = asked.rpartition("@")
    if not cursor.isdecimal():
        raise click.UsageError("--complete TEXT@N: N is the offset of the cursor in TEXT")
    return "".join(f"{each.text}\t{each.doc}\n" for each in complete(text, int(cursor), known))
