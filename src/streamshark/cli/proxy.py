"""`streamshark proxy`: relays connections to servers, records them, and reports what happens."""

import asyncio
import gc
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.check import judging
from streamshark.cli.display_filter import display_filter
from streamshark.cli.garbage import collect_from_now_on
from streamshark.cli.open_files import connections_allowed
from streamshark.cli.output import DAMAGED, complain, held_messages
from streamshark.cli.recording_reader import (
    RecordingReader,
    check_report,
    report_options,
    screen_options,
)
from streamshark.cli.screens import require_terminal
from streamshark.proxy import Proxy
from streamshark.proxy.client_command import ClientCommand, check_command, variables
from streamshark.proxy.listeners import data_folder, parse_port_range
from streamshark.proxy.recorder import Ring
from streamshark.proxy.tls import TlsOptions

_RING = re.compile(r"(filesize|duration|files):(\d{1,9})")
KILOBYTE = 1000
"""Bytes of a unit of `-b filesize`, as in dumpcap."""
CLIENT_COMMAND = "streamshark.client_command"
"""Key of the words of the command in the context."""
CONTROL = "ctl"
"""First word of the command that controls a running proxy."""
TEMPORARY = Ring(bytes=256 << 20, files=4)
"""The ring of a recording that is not kept."""


def _ring(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> Ring:
    """Parse `-b` as dumpcap does."""
    found: dict[str, int] = {}
    for value in values:
        match = _RING.fullmatch(value)
        if match is None or not int(match[2]):
            raise click.UsageError(f"-b {value}: expected filesize:KB, duration:SECONDS or files:N")
        found[match[1]] = int(match[2])
    ring = Ring(
        found.get("filesize", 0) * KILOBYTE, found.get("duration", 0), found.get("files", 0)
    )
    if ring.files and ring.is_single:
        raise click.UsageError("-b files:N goes with -b filesize:KB or -b duration:SECONDS")
    return ring


def _resolved(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Parse `--resolve NAME=ADDRESS`."""
    found = {}
    for value in values:
        name, equals, address = value.partition("=")
        if not (name and equals and address):
            raise click.UsageError(f"--resolve {value}: expected NAME=ADDRESS")
        found[name] = address
    return found


class _BeforeCommand(click.Command):
    """A command whose options end at `--`: what follows is another command."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - click's
    ) -> click.Context:
        """Return the context of this command, or of `ctl` if that is its first word."""
        if args[:1] != [CONTROL]:
            return super().make_context(info_name, args, parent, **extra)
        from streamshark.cli.fault_control import command as control  # noqa: PLC0415 - for this alone

        return control.make_context(f"{info_name} {CONTROL}", args[1:], parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what is before `--`, and keep the rest."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[CLIENT_COMMAND] = args[at + 1 :]
        if at + 1 == len(args):
            raise click.UsageError("-- needs a COMMAND after it", ctx)
        return super().parse_args(ctx, args[:at])


@click.command(
    "proxy",
    cls=_BeforeCommand,
    context_settings=options.HELP,
    short_help="Relay, record and check connections to servers.",
)
@click.argument("urls", nargs=-1, required=True, metavar="URL... [-- COMMAND...]")
@click.option(
    "--listen",
    multiple=True,
    metavar="ADDR",
    help="Listen at HOST:PORT, HOST or PORT; one for each URL, in order (default: 127.0.0.1).",
)
@click.option("-w", "write", type=click.Path(), metavar="FILE", help="Keep the recording (pcapng).")
@click.option(
    "-b",
    "ring",
    multiple=True,
    metavar="NAME:N",
    callback=_ring,
    help="With -w: continue in another file after filesize:KB or duration:SECONDS; keep files:N.",
)
@click.option(
    "--record",
    type=click.Choice(("client", "both")),
    default="client",
    help="Record connections to clients (the default), or to servers as well.",
)
@judging
@options.form("text", "ndjson", default="text")
@display_filter
@click.option("-P", "--print", "print", is_flag=True, help="Show rows although a COMMAND runs.")
@click.option("-q", "quiet", is_flag=True, help="Print no rows and findings.")
@click.option(
    "--tui", "screens", is_flag=True, help="Show the recording on screens while it grows."
)
@click.option(
    "--port-range",
    "ports",
    metavar="FIRST-LAST",
    default="21000-21999",
    show_default=True,
    help="Ports to listen on where none is given.",
)
@click.option(
    "--no-hosts",
    "hosts",
    flag_value=False,
    default=True,
    help="Pass the hosts and ports that servers advertise as they are.",
)
@click.option(
    "--advertise",
    metavar="HOST",
    help="The host to put in place of those that servers advertise.",
)
@click.option(
    "--resolve",
    multiple=True,
    metavar="NAME=ADDRESS",
    callback=_resolved,
    help="Connect to ADDRESS for servers called NAME. Repeatable.",
)
@click.option(
    "--server-ca",
    type=click.Path(),
    metavar="FILE",
    help="Verify servers by the authorities in FILE, not by those of the system.",
)
@click.option("--insecure", is_flag=True, help="Accept any certificate of a server.")
@click.option(
    "--server-cert",
    type=click.Path(),
    metavar="FILE",
    help="Certificate and key (PEM) for servers that ask for one.",
)
@click.option("--pass-tls", is_flag=True, help="Pass TLS as it is; what is inside is not seen.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="FAULT",
    help="Do a fault to frames: 'FILTER -> ACT [TRIGGER]'. Repeatable.",
)
@click.option(
    "--control",
    type=click.Path(),
    metavar="SOCKET",
    help="Make a socket by which `streamshark proxy ctl` adds, awaits and removes faults.",
)
@click.option(
    "--max-connections",
    "connections",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Refuse clients while so many are connected.",
)
@options.colouring
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Relay connections to servers, record them, and report frames and findings.

    Clients connect to the proxy as they would to the server named by URL: rabbitmq-stream://,
    nats://, tcp:// and ws:// (RSocket), tcp:// and tls:// (Pravega), or HOST:PORT. With COMMAND,
    the proxy runs it and ends with it: STREAMSHARK_PROXY_URL, _HOST and _PORT are in its
    environment, and {url}, {host} and {port} in its arguments are replaced. The exit code is that
    of COMMAND if it is not 0; else 1 for findings at or above --fail-on, 3 if the recording is
    incomplete. `streamshark proxy ca` shows the certificate that clients trust for TLS, and how;
    `streamshark proxy ctl --help` shows how to add faults to a proxy that runs.

    \b
    streamshark proxy rabbitmq-stream://broker:5552
    streamshark proxy nats://demo:4222 -w out.pcapng
    streamshark proxy rabbitmq-stream://broker:5552 --fail-on warning -- pytest
    streamshark proxy nats://127.0.0.1:4222 -- ./client --server {url}
    """  # noqa: D301 - click's mark for lines that stay
    if given["urls"] == ("ca",):
        from streamshark.proxy.authority import Authority, trust  # noqa: PLC0415 - for this alone

        click.echo(trust(Authority(data_folder()).path), nl=False)
        return 0
    words = click.get_current_context().meta[CLIENT_COMMAND]
    if words:
        check_command(words)
    if not given["ring"].is_single and given["write"] is None:
        raise click.UsageError("-b is for the files of -w")
    if given["print"] and given["quiet"]:
        raise click.UsageError("-P and -q exclude each other")
    if given["screens"]:
        _check_screens(given, words)
    check_report(given)
    _limit_connections(given)
    gc.freeze()
    gc.enable()  # connections leave cycles, and a proxy may run for days
    with _folder(given) as folder:
        collect_from_now_on()
        return asyncio.run(_Run(given, words, folder).run())


def _limit_connections(given: dict[str, Any]) -> None:
    """Allow no more connections than there can be open files, with a line."""
    wanted = given["connections"]
    given["connections"] = allowed = connections_allowed(wanted)
    if allowed < wanted:
        complain(f"at most {allowed} connections at once: open files are limited (ulimit -n)")


def _check_screens(given: Mapping[str, Any], words: list[str]) -> None:
    """Raise a usage error if screens cannot be shown."""
    others = {"COMMAND": words, "-P": given["print"], "-q": given["quiet"]}
    others |= {"--fail-on": given["fail_on"], "-T ndjson": given["form"] != "text"}
    for name, value in others.items():
        if value:
            raise click.UsageError(f"--tui and {name} exclude each other")
    require_terminal("proxy --tui", "streamshark proxy URL")


@contextmanager
def _folder(given: Mapping[str, Any]) -> Iterator[Path | None]:
    """Make a folder for a recording that is not kept, and delete it; None for one that is."""
    if given["write"] is not None:
        yield None
        return
    with TemporaryDirectory(prefix="streamshark-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


class _Run:
    """One run of the proxy: with a command until that ends, else until Ctrl-C."""

    def __init__(self, given: Mapping[str, Any], words: list[str], folder: Path | None) -> None:
        self._given, self._words = given, words
        self._shows_rows = not given["quiet"] and (not words or given["print"])
        reads = not given["quiet"] or given["fail_on"]
        self._stopped = asyncio.Event()
        self._reader = None
        if given["screens"]:
            self._reader = RecordingReader(screen_options(given), self._stopped.set, screens=True)
        elif reads:
            self._reader = RecordingReader(
                report_options(given, shows_rows=self._shows_rows), self._stopped.set
            )
        write, ring = given["write"], given["ring"]
        if folder is not None:
            write, ring = (folder / "recording.pcapng", TEMPORARY) if reads else (None, None)
        self._proxy = Proxy(
            *given["urls"],
            listen=given["listen"],
            write=write,
            ring=ring,
            both=given["record"] == "both",
            hosts=given["hosts"],
            advertise=given["advertise"],
            tls=TlsOptions(given["server_ca"], given["insecure"], given["server_cert"]),
            pass_tls=given["pass_tls"],
            faults=given["faults"] or None,
            control=given["control"],
            ports=parse_port_range(given["ports"]),
            resolve=given["resolve"],
            connections=given["connections"],
            notice=complain,
        )

    async def run(self) -> int:
        """Relay until the end; return the exit code."""
        proxy, reader = self._proxy, self._reader
        proxy.open(begun=None if reader is None else reader.follow)
        if not self._words:
            self._announce()
        with held_messages() if self._given["screens"] else nullcontext():
            try:
                if reader is not None:
                    await reader.start()
                await proxy.start()
                code = await (self._run_command() if self._words else self._wait())
            finally:
                await proxy.stop()
                self._name_unused_faults()
                found = 0 if reader is None else await self._read_to_end(reader)
        return code or found or (DAMAGED if self._is_incomplete else 0)

    def _name_unused_faults(self) -> None:
        """Say which faults were done to no frame."""
        for each in self._proxy.faults.values():
            if not each.used:
                complain(f"fault not used, {each.matched} frames matched: {each.text}")

    @property
    def _is_incomplete(self) -> bool:
        recorder = self._proxy.recorder
        return recorder is not None and recorder.failure is not None

    async def _run_command(self) -> int:
        """Run the command; return its exit code."""
        client = await ClientCommand.started(self._words, variables(self._proxy.addresses))
        return await client.finished()

    def _announce(self) -> None:
        """Say where clients connect."""
        for target, host, port in self._proxy.addresses:
            complain(f"{target.shown(host, port)} is {target.shown(target.host, target.port)}")

    async def _wait(self) -> int:
        """Wait for a signal, or until the screens are left."""
        loop = asyncio.get_running_loop()
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(each, self._stopped.set)
        await self._stopped.wait()
        return 0

    async def _read_to_end(self, reader: RecordingReader) -> int:
        """Let the reader finish; a signal ends it. Return its exit code, 3 if it failed."""
        loop = asyncio.get_running_loop()
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(each, reader.kill)
        code = await reader.finish()
        return DAMAGED if code is None else code
