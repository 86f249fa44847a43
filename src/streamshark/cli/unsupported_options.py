"""Options of tshark that Streamshark lacks: each is an error that names the alternative.

None is accepted and then ignored, so users learn at once what to type instead.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import click

_CAPTURE = "`streamshark capture` captures packets, and has"
_DUMPCAP = (
    "`streamshark capture` has no such option; use a pipe: dumpcap -w - | streamshark read -l -"
)
_DISPLAY_FILTER = "`streamshark read -Y` selects rows by a display filter"
_WRITE = "`streamshark read` has -w OUT, with --flow N for the packets of one connection"
_NAMES = "names are never resolved"
_PROTOCOLS = "all recognised protocols are decoded; -d tcp.port==N,PROTOCOL selects one for a port"
_PARTS = "rows are shown in full; -T fields -e FIELD or -T ndjson | jq selects fields"
_LOG = "there is no log; errors are printed on standard error"


class UnsupportedOption(NamedTuple):
    """An option of tshark that Streamshark lacks."""

    names: tuple[str, ...]
    instead: str
    takes_value: bool = True


UNSUPPORTED = (
    UnsupportedOption(("-Y", "--display-filter"), _DISPLAY_FILTER),
    UnsupportedOption(("-R", "--read-filter"), _DISPLAY_FILTER),
    UnsupportedOption(("-w",), _WRITE),
    UnsupportedOption(("-F",), _WRITE),
    UnsupportedOption(("-W",), "`streamshark read -w` writes what a capture has, but names"),
    UnsupportedOption(
        ("--capture-comment",), "comments of captures are kept; editcap adds one to a file"
    ),
    UnsupportedOption(("-i", "--interface"), f"{_CAPTURE} -i"),
    UnsupportedOption(("-f",), f"{_CAPTURE} -f"),
    UnsupportedOption(("-s", "--snapshot-length"), f"{_CAPTURE} -s"),
    UnsupportedOption(("-B", "--buffer-size"), f"{_CAPTURE} -B"),
    UnsupportedOption(("-y", "--linktype"), _DUMPCAP),
    UnsupportedOption(("-a", "--autostop"), f"{_CAPTURE} -a; -c N stops after N packets"),
    UnsupportedOption(("-b", "--ring-buffer"), f"{_CAPTURE} -b"),
    UnsupportedOption(("-p", "--no-promiscuous-mode"), f"{_CAPTURE} -p", takes_value=False),
    UnsupportedOption(("-I", "--monitor-mode"), _DUMPCAP, takes_value=False),
    UnsupportedOption(("-D", "--list-interfaces"), f"{_CAPTURE} -D", takes_value=False),
    UnsupportedOption(("-L", "--list-data-link-types"), f"{_CAPTURE} -L", takes_value=False),
    UnsupportedOption(("--time-stamp-type",), _DUMPCAP),
    UnsupportedOption(("--list-time-stamp-types",), "dumpcap has this option", takes_value=False),
    UnsupportedOption(("-N",), _NAMES),
    UnsupportedOption(("-H",), _NAMES),
    UnsupportedOption(("-M",), "memory does not grow with the capture, so no reset is needed"),
    UnsupportedOption(("-O",), f"-V shows the tree of every row; {_PARTS}"),
    UnsupportedOption(("-j",), _PARTS),
    UnsupportedOption(("-J",), _PARTS),
    UnsupportedOption(("-P", "--print"), "one line per frame is the default", takes_value=False),
    UnsupportedOption(
        ("-S",), "rows end with a newline; -E separator= separates the fields of -T fields"
    ),
    UnsupportedOption(("--hexdump",), "-x shows the bytes"),
    UnsupportedOption(("-u",), "-t selects the time format; -T ndjson has nanoseconds"),
    UnsupportedOption(("-Q",), "2>/dev/null hides standard error", takes_value=False),
    UnsupportedOption(("-g",), "umask(1) sets the rights of files", takes_value=False),
    UnsupportedOption(("-U",), "-T ndjson writes one object per frame and line"),
    UnsupportedOption(
        ("-X",), "--protocol-path DIR adds protocols; Lua plugins run in Wireshark only"
    ),
    UnsupportedOption(("-z",), "`streamshark stats -z` supports conv, io,stat, expert and srt"),
    UnsupportedOption(("-G",), "`streamshark fields` lists the fields"),
    UnsupportedOption(("-C",), "there are no profiles; use the options of the command"),
    UnsupportedOption(("-K",), "Kerberos is not decrypted; use tshark"),
    UnsupportedOption(("-v",), "`streamshark --version`", takes_value=False),
    UnsupportedOption(
        ("-2",), "one pass is enough here; only `streamshark read` has -2", takes_value=False
    ),
    UnsupportedOption(("--enable-protocol",), _PROTOCOLS),
    UnsupportedOption(("--disable-protocol",), _PROTOCOLS),
    UnsupportedOption(("--enable-heuristic",), _PROTOCOLS),
    UnsupportedOption(("--disable-heuristic",), _PROTOCOLS),
    UnsupportedOption(("--export-objects",), "-T ndjson --bodies raw writes every body as hex"),
    UnsupportedOption(("--export-tls-session-keys",), "session keys are not exported; use tshark"),
    UnsupportedOption(("--no-duplicate-keys",), "JSON keys are never repeated", takes_value=False),
    UnsupportedOption(
        ("--elastic-mapping-filter",), "`streamshark fields -T json` describes the fields"
    ),
    UnsupportedOption(("--temp-dir",), "no temporary files are written"),
    UnsupportedOption(("--log-level",), _LOG),
    UnsupportedOption(("--log-fatal",), _LOG),
    UnsupportedOption(("--log-domains",), _LOG),
    UnsupportedOption(("--log-debug",), _LOG),
    UnsupportedOption(("--log-noisy",), _LOG),
    UnsupportedOption(("--log-file",), _LOG),
)

FORMATS = {
    "ek": "-T ndjson writes one JSON object per line",
    "jsonraw": "-T json --bodies raw writes bodies as hex",
    "pdml": "-T json has every field",
    "ps": "-T text writes lines",
    "psml": "-T text writes lines",
    "tabs": "-T fields -e FIELD ... separates fields by tabs",
}
"""Values of tshark's -T that Streamshark lacks, and the alternative to each."""


def refuse_unsupported(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add hidden options to a command that refuse those of tshark, naming the alternative.

    Apply it above the command's own options: those of tshark's options that it has are skipped.
    """
    own = {name for each in getattr(command, "__click_params__", ()) for name in each.opts}
    for lack in UNSUPPORTED:
        if not own.isdisjoint(lack.names):
            continue
        command = click.option(
            *lack.names,
            f"lack{lack.names[0].replace('-', '_')}",
            hidden=True,
            expose_value=False,
            is_eager=True,
            is_flag=not lack.takes_value,
            flag_value=True if not lack.takes_value else "",
            callback=_refusal(lack),
        )(command)
    return command


def _refusal(lack: UnsupportedOption) -> Callable[[click.Context, click.Parameter, object], None]:
    def refuse(context: click.Context, _parameter: click.Parameter, value: object) -> None:
        if value not in (None, False):
            names = " ".join(lack.names)
            raise click.UsageError(f"{names} is not supported: {lack.instead}", context)

    return refuse
