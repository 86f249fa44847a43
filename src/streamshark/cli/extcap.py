"""`streamshark extcap`: what Wireshark calls to capture on other machines, and its installation."""

import os
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from streamshark import __version__
from streamshark.capture import extcap_interface
from streamshark.capture.capture_program import CaptureProgram, CaptureRequest, default_filter
from streamshark.capture.remote_program import Remote
from streamshark.cli import options
from streamshark.cli.output import Output
from streamshark.errors import StreamsharkError
from streamshark.lua import install as installing
from streamshark.protocols.catalog import catalog

FOLDERS = ("Personal Extcap path", "Extcap path")
"""Names of the folders in `tshark -G folders`: from Wireshark 4.2 on, and before."""
NAME = "streamshark"
_MARK = "# Written by streamshark extcap install."
_PROGRAM = click.option(
    "--tshark",
    "program",
    default=installing.PROGRAM,
    metavar="PROGRAM",
    help="The tshark of the Wireshark installation to use.",
)


@click.group("extcap", context_settings=options.HELP, invoke_without_command=True)
@click.option("--extcap-interfaces", "lists", is_flag=True, help="List the interface.")
@click.option("--extcap-version", "version", is_flag=False, flag_value="", help="Of Wireshark.")
@click.option("--extcap-interface", "interface", metavar="NAME", help="Choose the interface.")
@click.option("--extcap-dlts", "links", is_flag=True, help="List its link types.")
@click.option("--extcap-config", "config", is_flag=True, help="List its options.")
@click.option("--extcap-reload-option", "reload", metavar="NAME", help="List values of an option.")
@click.option("--extcap-capture-filter", "capture_filter", metavar="FILTER", help="As -f.")
@click.option("--extcap-control-in", "control_in", type=click.Path(), help="Not used.")
@click.option("--extcap-control-out", "control_out", type=click.Path(), help="Not used.")
@click.option("--capture", "captures", is_flag=True, help="Capture.")
@click.option(
    "--fifo", type=click.Path(path_type=Path), metavar="PIPE", help="Write packets to it."
)
@click.option("--remote-host", "host", metavar="[USER@]HOST", help="Capture on this machine.")
@click.option("--remote-port", "port", type=click.IntRange(1, 65_535), help="Port of its sshd.")
@click.option("--remote-identity", "identity", metavar="FILE", help="Private key for ssh.")
@click.option("--remote-interface", "there", metavar="IF", help="Interface there.")
@click.option("--remote-filter", "remote_filter", metavar="FILTER", help="Capture filter.")
@click.option("--remote-sudo", "sudo", is_flag=True, help="Run tcpdump with sudo.")
@click.option("--remote-tcpdump", "tcpdump", metavar="COMMAND", help="What runs tcpdump there.")
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Let Wireshark capture on other machines, with the interface "Streamshark over ssh".

    Wireshark calls this command with the options below; `install` tells Wireshark so.

    \b
    streamshark extcap install
    tshark -i streamshark-ssh -o extcap.streamshark_ssh.remotehost:me@server
    """  # noqa: D301 - click's mark for lines that stay
    context = click.get_current_context()
    if context.invoked_subcommand:
        return 0
    if given["lists"]:
        return _print(extcap_interface.interfaces(__version__))
    if given["interface"] not in (None, extcap_interface.INTERFACE):
        raise StreamsharkError(f"there is no interface {given['interface']!r}")
    if given["links"]:
        return _print(extcap_interface.link_types())
    if given["config"]:
        return _print("" if given["reload"] else extcap_interface.configuration(_default()))
    if given["captures"]:
        return _capture(given)
    if given["interface"] is None:
        click.echo(context.get_help())
    return 0  # a filter that Wireshark wants to be checked: only the other machine can


def _default() -> str:
    return default_filter(port for each in catalog(()) for port in each.wire.ports)


def _capture(given: dict[str, Any]) -> int:
    """Capture until Wireshark stops it; return the exit code."""
    if given["fifo"] is None:
        raise click.UsageError("--capture needs --fifo")
    if not given["host"]:
        raise StreamsharkError("no host is given: set it in the options of the interface")
    remote = Remote(
        given["host"],
        sudo=given["sudo"],
        tcpdump=given["tcpdump"] or "tcpdump",
        ssh=extcap_interface.ssh(given["port"], given["identity"]),
    )
    chosen = given["capture_filter"] or given["remote_filter"]
    request = CaptureRequest(
        given["fifo"],
        interfaces=[given["there"]] if given["there"] else [],
        filter=_default() if chosen is None else chosen,
    )
    reason = extcap_interface.capture(CaptureProgram("tcpdump", "tcpdump", remote), request)
    if reason:
        raise StreamsharkError(reason)
    return 0


@command.command("install", context_settings=options.HELP)
@_PROGRAM
def install(program: str) -> int:
    """Install the interface in Wireshark, and check with tshark -D that it is there."""
    path = _folder(program) / NAME
    text = f'#!/bin/sh\n{_MARK}\nexec {shlex.quote(sys.executable)} -m streamshark extcap "$@"\n'
    try:
        if path.exists() and _MARK not in path.read_text("utf-8", "replace"):
            raise StreamsharkError(f"{path} is not of Streamshark; move it away first")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(0o755)
    except OSError as error:
        raise StreamsharkError(_refusal(path, error)) from None
    found, complaints = installing.run("-D", program=program)
    if extcap_interface.INTERFACE not in found:
        why = complaints.strip().splitlines()[-1:] or ["it calls no extcap"]
        raise StreamsharkError(f"{path}: {program} -D does not list the interface: {why[0]}")
    shown = next(each for each in found.splitlines() if extcap_interface.INTERFACE in each)
    return _print(f"{path}: {program} -D lists {shown.partition('. ')[2]}\n")


@command.command("uninstall", context_settings=options.HELP)
@_PROGRAM
def uninstall(program: str) -> int:
    """Remove the interface from Wireshark."""
    path = _folder(program) / NAME
    if not path.is_file() or _MARK not in path.read_text("utf-8", "replace"):
        return 0
    try:
        path.unlink()
    except OSError as error:
        raise StreamsharkError(_refusal(path, error)) from None
    return _print(f"removed {path}\n")


def _folder(program: str) -> Path:
    """Return the folder of extcap programs of this Wireshark, the user's own if there is one."""
    for name in FOLDERS:
        try:
            return installing.named_folder(name, program)
        except LookupError:
            continue
    raise StreamsharkError(f"{program} has no folder for extcap programs")


def _refusal(path: Path, error: OSError) -> str:
    """Return why a file cannot be written, and what helps."""
    command_line = f"sudo {shlex.quote(sys.argv[0])} extcap install"
    hint = f"; this Wireshark has no folder of yours: {command_line}" if os.geteuid() else ""
    return f"{path}: {error.strerror or error}{hint}"


def _print(text: str) -> int:
    output = Output()
    output.write(text)
    output.flush()
    return 0
