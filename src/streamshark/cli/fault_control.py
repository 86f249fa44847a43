"""`streamshark proxy ctl`: adds faults to a running proxy, waits for them, and removes them."""

import json
from pathlib import Path
from typing import Any

import click

from streamshark.cli import options
from streamshark.proxy.control import asked

ACTIONS = ("add", "list", "wait", "remove")


@click.command("ctl", context_settings=options.HELP, short_help="Control the faults of a proxy.")
@click.argument("path", metavar="SOCKET", type=click.Path(path_type=Path))
@click.argument("action", metavar="|".join(ACTIONS), type=click.Choice(ACTIONS))
@click.argument("what", metavar="[FAULT|ID]", required=False)
@click.option(
    "--times",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="With wait: how often the fault must have been used.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="With wait: exit with 2 after so many seconds.",
)
def command(path: Path, action: str, what: str | None, times: int, timeout: float) -> int:
    """Control the faults of a proxy that runs with `--control SOCKET`.

    `add FAULT` prints the new fault with its id, `list` prints all. `wait ID` returns once the
    fault was used, `remove ID` ends it; what it has stalled goes on. Each fault is a JSON object
    on a line, with how many frames its filter has selected (matched) and how often it was used.

    \b
    streamshark proxy nats://demo:4222 --control /tmp/ctl
    streamshark proxy ctl /tmp/ctl add 'nats.command == "msg" -> drop once'
    streamshark proxy ctl /tmp/ctl wait 1
    """  # noqa: D301 - click's mark for lines that stay
    request: dict[str, Any] = {"do": action}
    if action == "add":
        if what is None:
            raise click.UsageError("add needs a FAULT")
        request["fault"] = what
    elif action == "list":
        if what is not None:
            raise click.UsageError(f"unexpected argument {what!r}")
    elif what is None or not (what.isascii() and what.isdigit()):
        raise click.UsageError(f"{action} needs the ID of a fault, which add and list print")
    else:
        request["id"] = int(what)
    if action == "wait":
        request |= {"times": times, "timeout": timeout}
    answer = asked(path, request)
    for each in answer["faults"] if action == "list" else (answer,):
        click.echo(json.dumps(each))
    return 0
