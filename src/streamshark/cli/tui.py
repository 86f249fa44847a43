"""`streamshark tui`: captures on the screens of a terminal."""

import os
import sys
from functools import partial
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.display_filter import display_filter
from streamshark.cli.filter_macros import folders, with_macros
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
    sources = (*given["more"], *given["files"])
    if not sources:
        raise click.UsageError("no input: name a capture file, or - for standard input")
    streams = [sys.stdout, sys.stderr, *([] if "-" in sources else [sys.stdin])]
    if not all(each.isatty() for each in streams):
        raise click.UsageError("tui needs a terminal; try: streamshark read FILE")
    from streamshark.index.build import IndexOptions  # noqa: PLC0415 - as below
    from streamshark.index.opening import IndexedCaptures  # noqa: PLC0415
    from streamshark.protocols.catalog import formats  # noqa: PLC0415
    from streamshark.tui.app import StreamsharkApp  # noqa: PLC0415 - textual takes long to import
    from streamshark.tui.browser import Browser  # noqa: PLC0415
    from streamshark.tui.colour_rules import ColourRules, read_rules  # noqa: PLC0415
    from streamshark.tui.settings import folder, keep, load  # noqa: PLC0415

    settings = load(folder())
    chosen = IndexOptions(
        paths=given["paths"],
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        limit=given["limit"],
        keylog=given["keylog"],
    )
    with IndexedCaptures(sources, chosen, cached=not given["no_cache"]) as captures:
        if "-" in sources:
            _take_keys_from_the_terminal()
        browser = Browser(
            captures,
            formats(given["paths"]),
            show_secrets=given["show_secrets"],
            macros=with_macros,
        )
        browser.use_time_style(given["time"])
        rules = ColourRules(read_rules(folders(os.environ)), browser.fields)
        app = StreamsharkApp(
            browser,
            settings,
            display_filter=given["display_filter"] or "",
            rules=rules if rules.rules else None,
            keep=partial(keep, folder()),
        )
        return app.run() or app.return_code or 0


def _take_keys_from_the_terminal() -> None:
    """Replace standard input, which another process reads, by the terminal."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise click.UsageError("tui needs a terminal; try: streamshark read -") from None
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)
