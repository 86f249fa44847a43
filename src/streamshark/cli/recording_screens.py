"""The screens of a recording that is being written: a process of its own.

    python -m streamshark.cli.recording_screens [OPTION]...

shows the files that standard input names as they grow, and takes keys from the terminal. It ends
when the user quits.
"""

import signal
import sys
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.display_filter import display_filter
from streamshark.cli.output import complain
from streamshark.cli.screens import index_options, show
from streamshark.errors import StreamsharkError

_PLAIN = {"no_cache": True, "time": "r"}
"""What options of `tui` are here."""


@click.command("recording-screens")
@click.option("--show-secrets", is_flag=True)
@display_filter
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Show recordings that standard input names."""
    chosen = index_options(given, names_files=True)
    return show(["-"], chosen, {**given, **_PLAIN}, follows=True)


def main() -> int:
    """Run as a process of its own; return the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the command, which ends this one
    try:
        with command.make_context("recording-screens", sys.argv[1:]) as context:
            return int(command.invoke(context) or 0)
    except (click.ClickException, StreamsharkError) as error:
        complain(error.message if isinstance(error, click.ClickException) else str(error))
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
