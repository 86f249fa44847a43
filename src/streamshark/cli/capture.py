"""`streamshark capture`: captures packets, and reports frames and findings as they come."""

import asyncio
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from streamshark.capture.capture_program import (
    CaptureProgram,
    CaptureRequest,
    Limits,
    default_filter,
    installed_program,
    parse_limits,
)
from streamshark.capture.interface_addresses import interface_addresses
from streamshark.capture.program_messages import grant, listed_interfaces, missing
from streamshark.capture.remote_program import Remote
from streamshark.cli import options
from streamshark.cli.capture_run import CaptureRun
from streamshark.cli.check import judging
from streamshark.cli.display_filter import display_filter
from streamshark.cli.following import check_followed, follow, followed_source
from streamshark.cli.garbage import collect_from_now_on
from streamshark.cli.output import Output, held_messages
from streamshark.cli.recording_reader import (
    CODES,
    check_report,
    report_options,
    screen_options,
)
from streamshark.cli.screens import require_terminal
from streamshark.errors import StreamsharkError
from streamshark.protocols.catalog import catalog

STOPS = ("duration", "filesize", "files", "packets")
SWITCHES = (*STOPS, "interval")
CAPTURES = {
    "interfaces": "-i",
    "capture_filter": "-f",
    "snaplen": "-s",
    "buffer": "-B",
    "limit": "-c",
    "remote": "--remote",
    "screens": "--tui",
    "write": "-w",
    "lists": "-D",
    "lists_links": "-L",
}
"""Parameters for a capture, and their options; `--follow` captures nothing."""
TEMPORARY = Limits(filesize=64_000, files=4)
"""The ring of a recording that is not kept."""


def _limits(names: Sequence[str]) -> Callable[..., Limits]:
    """Return the parser of an option with conditions of these names."""

    def parse(
        _context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
    ) -> Limits:
        try:
            return parse_limits(values, names)
        except ValueError as error:
            known = ", ".join(f"{each}:N" for each in names)
            raise click.UsageError(f"{parameter.opts[0]} {error}: expected {known}") from None

    return parse


@click.command(
    "capture",
    context_settings=options.HELP,
    short_help="Capture packets; print frames and findings as they come.",
)
@click.option(
    "-i",
    "--interface",
    "interfaces",
    multiple=True,
    metavar="IF",
    help="Capture on this interface (default: the first that is not a loopback). Repeatable.",
)
@click.option(
    "-f",
    "capture_filter",
    metavar="FILTER",
    help="Capture filter of libpcap (default: the protocols' ports); '' for all packets.",
)
@click.option(
    "-s",
    "--snapshot-length",
    "snaplen",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Capture N bytes of each packet (default: all).",
)
@click.option(
    "-p", "--no-promiscuous-mode", "passive", is_flag=True, help="Not in promiscuous mode."
)
@click.option(
    "-B",
    "--buffer-size",
    "buffer",
    type=click.IntRange(1, 2047),
    metavar="MIB",
    help="Size of the kernel's buffer (default: 16).",
)
@click.option("-c", "limit", type=click.IntRange(1), metavar="N", help="Stop after N packets.")
@click.option(
    "-a",
    "--autostop",
    "stop",
    multiple=True,
    metavar="NAME:N",
    callback=_limits(STOPS),
    help="Stop after duration:SECONDS or packets:N; with -w, filesize:KB; with -b, files:N.",
)
@click.option("-w", "write", type=click.Path(), metavar="FILE", help="Keep the packets in FILE.")
@click.option(
    "-b",
    "--ring-buffer",
    "switch",
    multiple=True,
    metavar="NAME:N",
    callback=_limits(SWITCHES),
    help="With -w: continue in another file after duration:SECONDS, filesize:KB, packets:N or at"
    " multiples of interval:SECONDS; keep files:N.",
)
@click.option("-D", "--list-interfaces", "lists", is_flag=True, help="List interfaces and exit.")
@click.option(
    "-L", "--list-data-link-types", "lists_links", is_flag=True, help="List link types and exit."
)
@click.option(
    "--remote",
    metavar="[USER@]HOST",
    help="Capture on another machine, by ssh and tcpdump as they are configured.",
)
@click.option("--sudo", is_flag=True, help="With --remote: run tcpdump with sudo.")
@click.option(
    "--remote-tcpdump",
    metavar="COMMAND",
    help="With --remote: what runs tcpdump there, such as 'nsenter -n -t PID tcpdump'.",
)
@follow
@options.engine
@judging
@options.form("text", "ndjson", default="text")
@options.decoding
@click.option("-V", "tree", is_flag=True, help="Show each frame as a tree of all its fields.")
@click.option("-x", "dump", is_flag=True, help="Show the bytes of each frame.")
@display_filter
@click.option("-q", "quiet", is_flag=True, help="Print no rows and findings.")
@click.option("--tui", "screens", is_flag=True, help="Show packets on screens as they come.")
@options.colouring
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Capture packets, and report frames and findings as they come.

    dumpcap captures if it is installed, else tcpdump, else scapy. Options that they have in common
    with dumpcap have its meaning. Without -w the packets are not kept. Ctrl-C ends the capture, and
    so do -c and -a. At the end a line on standard error counts packets that were dropped. The exit
    code is 1 for findings at or above --fail-on, 2 if nothing can be captured or, with --fail-on,
    no frame was, 3 if the capture ended early.

    \b
    streamshark capture -D
    streamshark capture -i lo
    streamshark capture -i lo --fail-on warning -a duration:20
    streamshark capture -i eth0 -f 'tcp port 4222' -T ndjson | jq .command
    streamshark capture -i eth0 -w ring.pcapng -b filesize:100000 -b files:9
    streamshark capture --remote me@server -i eth0 --sudo
    streamshark capture -i any --tui
    streamshark capture --follow /var/captures
    """  # noqa: D301 - click's mark for lines that stay
    if check_followed(given, **CAPTURES):
        if given["stop"] != Limits() or given["switch"] != Limits():
            raise click.UsageError("--follow does not go with -a and -b")
        return _followed(given)
    program = _program(given)
    if given["lists"]:
        return _print_interfaces(program)
    if given["lists_links"]:
        return subprocess.run(program.link_types(given["interfaces"]), check=False).returncode and 2  # noqa: S603 - found on PATH
    _check(given)
    check_report(given)
    screens = given["screens"]
    with _recording(given) as path, held_messages() if screens else nullcontext():
        request, report = _request(given, path), _report(given)
        collect_from_now_on()
        return asyncio.run(CaptureRun(program, request, report, screens=screens).run())


def _program(given: Mapping[str, Any]) -> CaptureProgram:
    """Return the program that captures, here or on another machine."""
    host = given["remote"]
    if host is None:
        if given["sudo"] or given["remote_tcpdump"]:
            raise click.UsageError("--sudo and --remote-tcpdump go with --remote")
        program = installed_program()
        if program is None:
            raise StreamsharkError(missing())
        return program
    if not shutil.which("ssh"):
        raise StreamsharkError("ssh was not found; --remote needs it")
    remote = Remote(host, sudo=given["sudo"], tcpdump=given["remote_tcpdump"] or "tcpdump")
    return CaptureProgram("tcpdump", "tcpdump", remote)


def _followed(given: Mapping[str, Any]) -> int:
    """Report on captures that other programs write; return the exit code."""
    from streamshark.cli.recording_report import reported  # noqa: PLC0415 - the other process else

    collect_from_now_on()
    source = followed_source(given["followed"])
    chosen = {"follow": not given["quiet"], "needs_frames": bool(given["fail_on"]), "since": 0}
    return CODES[reported(source, {**given, **chosen})]


def _check(given: Mapping[str, Any]) -> None:
    """Raise a usage error for options that do not go together."""
    if given["screens"]:
        for name, option in (("fail_on", "--fail-on"), ("quiet", "-q"), ("engine", "--engine")):
            if given[name]:
                raise click.UsageError(f"--tui and {option} exclude each other")
        require_terminal("capture --tui", "streamshark capture")
    stop, switch, write = given["stop"], given["switch"], given["write"]
    if switch != Limits() and write is None:
        raise click.UsageError("-b is for the files of -w")
    if switch.files and not switch.switches:
        raise click.UsageError("-b files:N goes with another -b, such as -b filesize:KB")
    if stop.filesize and (write is None or switch.switches):
        raise click.UsageError("-a filesize:KB is for one file of -w")
    if stop.files and not switch.switches:
        raise click.UsageError("-a files:N goes with -b")
    if write == "-":
        raise click.UsageError("-w - is not supported: rows are written to standard output")


@contextmanager
def _recording(given: Mapping[str, Any]) -> Iterator[Path]:
    """Return the path of the recording, in a folder that is deleted unless `-w` keeps it."""
    if given["write"] is not None:
        yield Path(given["write"])
        return
    with TemporaryDirectory(prefix="streamshark-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "recording.pcapng"


def _request(given: Mapping[str, Any], path: Path) -> CaptureRequest:
    """Return what the options ask for."""
    chosen = given["capture_filter"]
    if chosen is None:
        chosen = default_filter(
            port for each in catalog(given["paths"]) for port in each.wire.ports
        )
    return CaptureRequest(
        path=path,
        interfaces=given["interfaces"],
        filter=chosen,
        snaplen=given["snaplen"],
        promiscuous=not given["passive"],
        buffer=given["buffer"] or 0,
        packets=given["limit"] or 0,
        stop=given["stop"],
        switch=given["switch"] if given["write"] is not None else TEMPORARY,
    )


def _report(given: Mapping[str, Any]) -> list[str] | None:
    """Return the options of the process that reads the recording; None if none is needed."""
    if given["screens"]:
        return screen_options(given)
    if given["quiet"] and not given["fail_on"]:
        return None
    needs_frames = ["--needs-frames"] if given["fail_on"] else []
    return [*report_options(given, shows_rows=not given["quiet"]), *needs_frames]


def _print_interfaces(program: CaptureProgram) -> int:
    """List interfaces with their addresses; return the exit code."""
    done = subprocess.run(  # noqa: S603 - found on PATH
        program.interfaces(), capture_output=True, text=True, errors="replace", check=False
    )
    found = listed_interfaces(done.stdout, {} if program.remote else interface_addresses())
    if not found:
        why = done.stderr.strip().splitlines()[-1:] if program.remote else [grant()]
        raise StreamsharkError("; ".join([f"{program.title} sees no interface", *why]))
    output = Output()
    output.write("".join(f"{each.line()}\n" for each in found))
    output.flush()
    return 0
