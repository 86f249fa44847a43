"""The option `--follow` of commands that read captures: wait for more, until a signal."""

import signal
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from streamshark.cli.output import complain

if TYPE_CHECKING:
    from streamshark.capture.followed_files import FollowedFiles

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end a reading that would wait for ever; a second one ends it at once."""

Command = Callable[..., Any]


def follow(command: Command) -> Command:
    """Add the option that follows a growing file, or the captures in a folder."""
    return click.option(
        "--follow",
        "followed",
        type=click.Path(),
        metavar="FILE|DIR",
        help="Read a growing capture, its ring, or the captures in a folder; wait for more.",
    )(command)


def check_followed(given: dict[str, Any], **others: str) -> bool:
    """Return whether `--follow` is given; raise a usage error for what does not go with it.

    `others` are the options of parameters that do not.
    """
    if given["followed"] is None:
        return False
    if given.get("more") or given.get("files"):
        raise click.UsageError("--follow names what is read: no other files go with it")
    for parameter, option in others.items():
        if given[parameter]:
            raise click.UsageError(f"--follow does not go with {option}")
    return True


def followed_source(path: str) -> "FollowedFiles":
    """Return the source, which SIGINT, SIGTERM and SIGHUP end: what is there is read.

    Raises:
        CaptureError: There is no such file or folder.
    """
    from streamshark.capture.followed_files import FollowedFiles  # noqa: PLC0415 - few need it

    source = FollowedFiles(path, complain)

    def stop(number: int, _frame: FrameType | None) -> None:
        source.stop()
        signal.signal(
            number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        )

    for each in SIGNALS:
        if each != signal.SIGHUP or signal.getsignal(each) is not signal.SIG_IGN:  # as of nohup
            signal.signal(each, stop)
    return source
