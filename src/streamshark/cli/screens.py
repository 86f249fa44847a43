"""The screens of the terminal, on an index that another process builds."""

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from streamshark.cli.filter_macros import folders, with_macros
from streamshark.cli.garbage import collect_from_now_on
from streamshark.cli.output import complain
from streamshark.errors import StreamsharkError

if TYPE_CHECKING:
    from streamshark.index.opening import IndexedCaptures
    from streamshark.index.options import IndexOptions

NO_TERMINAL = "needs a terminal; try: "
WAITS = "waiting for the first packet; Ctrl-C ends this"


def require_terminal(what: str, instead: str, *, reads_input: bool = False) -> None:
    """Check that there is a terminal for screens.

    Args:
        what: What needs it, for the message.
        instead: What works without one.
        reads_input: Whether standard input is for something else than keys.

    Raises:
        click.UsageError: There is none.
    """
    streams = [sys.stdout, sys.stderr, *([] if reads_input else [sys.stdin])]
    if not all(each.isatty() for each in streams):
        raise click.UsageError(f"{what} {NO_TERMINAL}{instead}")


def expanded(sources: Sequence[str]) -> tuple[str, ...]:
    """Return captures, those in a folder in its place, by name.

    Raises:
        StreamsharkError: A folder has no captures.
    """
    found: list[str] = []
    for each in sources:
        inside = _captures_in(Path(each)) if Path(each).is_dir() else [each]
        if not inside:
            raise StreamsharkError(f"{each}: no capture in this folder")
        found += inside
    return tuple(found)


def _captures_in(folder: Path) -> list[str]:
    """Return the captures in a folder, known by their contents."""
    from streamshark.capture import CaptureError, open_capture  # noqa: PLC0415 - few ask for it

    found = []
    for each in sorted(folder.iterdir()):
        with suppress(CaptureError):
            if each.is_file():
                open_capture(each).close()
                found.append(str(each))
    return found


def index_options(given: Mapping[str, Any], **others: Any) -> "IndexOptions":  # noqa: ANN401 - of options
    """Return the options of the reading, for those of a command."""
    from streamshark.index.options import IndexOptions  # noqa: PLC0415 - as below

    return IndexOptions(
        paths=given["paths"], dialects=given["dialects"], keylog=given["keylog"], **others
    )


def show(
    sources: Sequence[str],
    options: "IndexOptions",
    given: Mapping[str, Any],
    *,
    follows: bool,
    count: int = 1,
) -> int:
    """Show captures on the screens until the user quits; return the exit code.

    With `follows`, what is appended to them is shown as it comes. `count` processes index them.

    Raises:
        StreamsharkError: A capture cannot be read at all.
    """
    from streamshark.index.opening import IndexedCaptures  # noqa: PLC0415 - as below

    with IndexedCaptures(
        sources,
        options,
        cached=not given["no_cache"],
        follows=follows,
        count=count,
        waits=partial(complain, WAITS) if follows or "-" in sources else lambda: None,
    ) as captures:
        # Another process reads the captures while these modules are imported.
        from streamshark.protocols.catalog import formats  # noqa: PLC0415
        from streamshark.tui.app import StreamsharkApp  # noqa: PLC0415 - textual takes long to import
        from streamshark.tui.browser import Browser  # noqa: PLC0415
        from streamshark.tui.colour_rules import ColourRules, read_rules  # noqa: PLC0415
        from streamshark.tui.settings import folder, keep, load  # noqa: PLC0415

        settings = load(folder())
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
        collect_from_now_on()
        signal.signal(signal.SIGHUP, partial(_hang_up, captures))
        return app.run() or app.return_code or 0


def _hang_up(captures: "IndexedCaptures", number: int, _frame: object) -> NoReturn:
    """End at once: the terminal is gone, and writing to it would wait for ever."""
    captures.close()
    os._exit(128 + number)


def _take_keys_from_the_terminal() -> None:
    """Replace standard input, which another process reads, by the terminal."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise click.UsageError(f"tui {NO_TERMINAL}streamshark read -") from None
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)
