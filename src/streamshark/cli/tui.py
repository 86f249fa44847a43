"""`streamshark tui`: captures on the screens of a terminal."""

from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.display_filter import display_filter
from streamshark.cli.parallel import jobs, jobs_of
from streamshark.cli.screens import expanded, index_options, require_terminal, show
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.views.times import STYLES


@click.command("tui", context_settings=options.HELP, short_help="Browse captures on screens.")
@refuse_unsupported
@options.sources
@display_filter
@click.option(
    "-t",
    "time",
    default="r",
    type=click.Choice([each for each in STYLES if each not in ("d", "dd")]),
    help="Time format: relative to the first packet (r, the default), time of day (a), ...",
)
@click.option(
    "--follow", "follows", is_flag=True, help="Show what is appended to the captures as it comes."
)
@click.option(
    "--show-secrets", is_flag=True, help="Show passwords and other secrets in clear text."
)
@click.option(
    "--no-cache", is_flag=True, help="Index the captures in a temporary folder, not in the cache."
)
@jobs
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Browse frames, conversations, connections, findings and statistics in the terminal.

    Captures are indexed by another process meanwhile; what has been read is shown at once. `?`
    shows the keys, `/` takes a display filter, `:` a command, F5 shows the findings.

    Several processes (-j) index large captures sooner, but leave fewer cores to the screens, and do
    not continue an index whose building was interrupted: they begin anew.

    \b
    streamshark tui capture.pcapng
    streamshark tui -Y 'rmqstream.stream == "orders"' capture.pcapng
    streamshark tui --follow growing.pcapng
    streamshark tui --follow folder/
    """  # noqa: D301 - click's mark for lines that stay
    sources = (*given["more"], *given["files"])
    if not sources:
        raise click.UsageError("no input: name a capture file, or - for standard input")
    require_terminal("tui", "streamshark read FILE", reads_input="-" in sources)
    if given["follows"] and "-" in sources:
        raise click.UsageError("standard input is followed without --follow")
    if not given["follows"]:
        sources = expanded(sources)
    chosen = index_options(given, decode_as=given["decode_as"], limit=given["limit"])
    count = 1 if given["follows"] else jobs_of({**given, "more": (), "files": sources})
    return show(sources, chosen, given, follows=given["follows"], count=count)
