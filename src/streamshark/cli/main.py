"""The program: finds the command, runs it, and turns errors into one line and an exit code.

Only the module of the command that runs is imported, so that help and errors are quick.
"""

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from streamshark import __version__
from streamshark.cli.options import HELP, paths
from streamshark.cli.output import CLOSED_PIPE, INTERRUPTED, complain, silence
from streamshark.errors import StreamsharkError
from streamshark.table_cache import use as use_table_cache

COMMANDS = {
    "overview": "Summarise captures on one screen, as `streamshark FILE` does.",
    "read": "Print frames and connection events, one line each.",
    "conversations": "List calls, publishers, subscriptions, streams; follow one.",
    "messages": "List the messages that applications published and received.",
    "explain": "Explain in plain sentences what happened on each connection.",
    "diagram": "Draw a conversation or connection as a sequence diagram.",
    "check": "Find faults: client mistakes, refusals, lost data.",
    "info": "Summarise captures: files, connections, protocols, losses.",
    "stats": "Print statistics: commands, batches, streams, TCP.",
    "minimise": "Write the least capture that still shows a finding.",
    "report": "Write captures as one page of HTML: findings, evidence, drawings.",
    "ticket": "Write a folder that shows a finding to others, without secrets.",
    "tui": "Browse captures on the screens of a terminal.",
    "index": "Make an index of captures, so that any frame is shown at once.",
    "decode": "Decode frames from hex or bytes, without a capture.",
    "encode": "Encode frames from JSON to hex or bytes: the reverse of decode.",
    "redact": "Write a capture without secrets, names and addresses.",
    "fields": "List the fields of all protocols.",
    "filter": "Check a display filter.",
    "capture": "Capture packets; print frames and findings as they come.",
    "proxy": "Relay, record and check connections to servers.",
    "extcap": "Capture on other machines in Wireshark, over ssh.",
    "lua": "Generate and install Wireshark plugins.",
    "spark": "Convert archives of captures to tables and query them, with Spark.",
}
"""Description of each command, which is `command` in the module of its name."""

HELPS = "help"
"""Word before a command that asks for its help, as with git."""
MEANT = {
    "version": "streamshark --version",
    **dict.fromkeys(("follow", "conversation"), "streamshark conversations --follow ID FILE"),
    **dict.fromkeys(("dissect", "dump", "show", "cat", "tshark"), "streamshark read FILE"),
    **dict.fromkeys(
        ("lint", "findings", "diagnose", "analyze", "analyse"), "streamshark check FILE"
    ),
    **dict.fromkeys(("summary", "open"), "streamshark FILE"),
    **dict.fromkeys(("live", "sniff", "dumpcap", "tcpdump"), "streamshark capture -i IF"),
    **dict.fromkeys(("plugin", "wireshark"), "streamshark lua install"),
    **dict.fromkeys(("list", "convs", "flows"), "streamshark conversations FILE"),
    **dict.fromkeys(("browse", "termshark", "ui", "view"), "streamshark tui FILE"),
    **dict.fromkeys(("intercept", "mitm", "relay"), "streamshark proxy URL"),
    **dict.fromkeys(("grep", "search"), "streamshark read -Y FILTER FILE"),
    "statistics": "streamshark stats FILE",
    "merge": "streamshark read FILE1 FILE2",
    "decrypt": "streamshark read -o tls.keylog_file:KEYS FILE",
    "export": "streamshark messages --export-objects PROTOCOL,DIR FILE",
    "sequence": "streamshark diagram FILE",
    **dict.fromkeys(
        ("anonymise", "anonymize", "sanitise", "sanitize", "scrub"),
        "streamshark redact FILE -w OUT",
    ),
    "rules": "streamshark check --list-rules",
    "completion": "streamshark --install-completion",
}
"""Words that are not commands, with what to type instead."""
TRY = "; try: "
NAME = "streamshark"
COMPLETION = "_STREAMSHARK_COMPLETE"
"""Set by a shell that completes a command line (click's convention)."""
SHELLS = ("bash", "zsh", "fish")
AUTO = "auto"
"""Value of `--install-completion` for the user's shell."""

LIBRARIES = (
    *(
        "construct",
        "click",
        "cramjam",
        "cryptography",
        "google-crc32c",
        "lz4",
        "platformdirs",
        "rich",
        "textual",
    ),
    "zstandard",
    *("numba", "numpy", "pandas", "pyarrow", "pyshark", "pyspark", "scapy"),
)
"""Libraries that `--version` names if they are installed."""


class Commands(click.Group):
    """A click group whose commands are imported when they run."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name; a file means `overview`.

        Raises:
            click.UsageError: There is no such command or file.
        """
        name = args[0]
        if name == HELPS and not os.path.exists(name):  # noqa: PTH110 - as below
            name, args = (args[1] if args[1:] else ""), [*args[1:2], "--help"]
            if not name:
                click.echo(ctx.get_help())
                ctx.exit()
        if name in COMMANDS:
            return super().resolve_command(ctx, args)
        if name == "-" or os.path.exists(name):  # noqa: PTH110 - pathlib would be imported
            return "overview", self.get_command(ctx, "overview"), args
        if os.sep in name or "." in name:
            raise click.UsageError(f"{name}: no such file", ctx)
        raise click.UsageError(f"no command or file {name!r}{_suggestion(name)}", ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"streamshark.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the help text of the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _suggestion(name: str) -> str:
    """Return what a wrong command may mean, for the end of a message; empty if nothing is near."""
    if name in MEANT:
        return f"{TRY}{MEANT[name]}"
    from difflib import get_close_matches  # noqa: PLC0415 - only errors need it

    near = get_close_matches(name, COMMANDS, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    if value:
        click.echo(version())
        context.exit()


def _install_completion(context: click.Context, _parameter: click.Parameter, shell: str) -> None:
    if shell:
        from streamshark.cli.completion import install  # noqa: PLC0415 - only this needs it

        click.echo(install(None if shell == AUTO else shell))
        context.exit()


@click.group(cls=Commands, context_settings=HELP)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version of Streamshark and of the libraries in use.",
)
@click.option(
    "--install-completion",
    type=click.Choice((*SHELLS, AUTO)),
    is_flag=False,
    flag_value=AUTO,
    is_eager=True,
    expose_value=False,
    callback=_install_completion,
    help="Install shell completion for your shell, or for the named one, and exit.",
)
@paths
def program(**_paths: tuple[str, ...]) -> None:
    """Wireshark for streaming protocols: RabbitMQ Streams, RSocket, Pravega, Liftbridge over NATS.

    `streamshark COMMAND --help` describes a command. Exit codes: 0 success, 1 findings at or above
    --fail-on, 2 usage error or unreadable input, 3 damage or problems with --strict.
    """


def version() -> str:
    """Return the text of `--version`: Streamshark, libraries in use, output schema."""
    import platform  # noqa: PLC0415 - only this needs them
    from importlib import metadata  # noqa: PLC0415

    from streamshark.views.json import SCHEMA_VERSION  # noqa: PLC0415

    lines = [f"streamshark {__version__}", f"schema_version {SCHEMA_VERSION}"]
    lines.append(f"Python {platform.python_version()}")
    for name in LIBRARIES:
        try:
            lines.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return "\n".join(lines)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit code."""
    gc.disable()  # imports leave no garbage, and collections would take a tenth of the startup
    try:
        return _invoked(sys.argv[1:] if arguments is None else arguments)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except (click.ClickException, StreamsharkError) as error:
        complain(_message(error))
        if details := getattr(error, "details", ""):
            sys.stderr.write(f"{details}\n")
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        silence()
        return CLOSED_PIPE
    except OSError as error:
        silence()
        failure = StreamsharkError(f"{error.filename or 'output'}: {error.strerror or error}")
        complain(str(failure))
        return failure.exit_code
    finally:
        gc.enable()


def _invoked(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name, or answer a shell that completes them."""
    if COMPLETION in os.environ:
        program.main(prog_name=NAME)
    try:
        with program.make_context(NAME, list(arguments)) as context:
            code = program.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    return code if isinstance(code, int) else 0


def _message(error: click.ClickException | StreamsharkError) -> str:
    """Return the message of an error as one line; a usage error also names the help option."""
    if isinstance(error, StreamsharkError):
        return str(error)
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and context and context.command is program:
        message = message.rstrip(".") + _command_with(error.option_name)
    if context is None or TRY in message:
        return message
    return f"{message} (see {context.command_path} --help)"


def _command_with(option: str) -> str:
    """Return what to type for an option of `read` that was given before any command."""
    command = program.get_command(click.Context(program), "read")
    if command is None or not any(option in each.opts for each in command.params):
        return ""
    return f"{TRY}{NAME} read {option} ..."


def main() -> NoReturn:
    """Run the program and exit with its code."""
    use_table_cache()
    sys.exit(run())
