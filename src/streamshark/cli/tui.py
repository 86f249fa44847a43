"""`streamshark tui`: captures on the screens of a terminal."""

import sys
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.display_filter import display_filter
from streamshark.cli.filter_macros import with_macros
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
    "--show-secrets", is_flag=True, help="Show passwords and other secrets in clear text."
)
@click.option(
    "--no-cache", is_flag=True, help="Index the captures in a temporary folder, not in the cache."
)
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Browse frames, conversations, connections, findings and statistics in the terminal.

    Captures are indexed by another process meanwhile; what has been read is shown at once. `?`
    shows the keys, `/` takes a display filter, `:` a command, F5 shows the findings.

    \b
    streamshark tui capture.pcapng
    streamshark tui -Y 'rmqstream.stream == "orders"' capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    if not all(each.isatty() for each in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError("tui needs a terminal; try: streamshark read FILE")
    from streamshark.index.build import IndexOptions  # noqa: PLC0415 - as below
    from streamshark.index.opening import IndexedCaptures  # noqa: PLC0415
    from streamshark.protocols.catalog import formats  # noqa: PLC0415
    from streamshark.tui.app import StreamsharkApp  # noqa: PLC0415 - textual takes long to import
    from streamshark.tui.browser import Browser  # noqa: PLC0415
    from streamshark.tui.keys import KeyMap  # noqa: PLC0415

    sources = (*given["more"], *given["files"])
    if not sources:
        raise click.UsageError("no input: name a capture file, or - for standard input")
    chosen = IndexOptions(
        paths=given["paths"],
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        limit=given["limit"],
        keylog=given["keylog"],
    )
    with IndexedCaptures(sources, chosen, cached=not given["no_cache"]) as captures:
        browser = Browser(
            captures,
            formats(given["paths"]),
            show_secrets=given["show_secrets"],
            macros=with_macros,
        )
        browser.use_time_style(given["time"])
        app = StreamsharkApp(browser, KeyMap(), given["display_filter"] or "")
        return app.run() or app.return_code or 0
