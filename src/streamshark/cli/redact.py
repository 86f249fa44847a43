"""`streamshark redact`: a capture without secrets, names and addresses."""

import sys
from typing import Any

import click

from streamshark.capture.output_file import is_source
from streamshark.cli import options
from streamshark.cli.output import complain
from streamshark.conversations.units import counted
from streamshark.protocols.catalog import carriers, catalog
from streamshark.sharing.policy import DEFAULT, KINDS, Policy, load_policy
from streamshark.sharing.redaction import redact
from streamshark.sharing.redaction_key import random_key, read_key

PRINT = "print"
"""Value of `--policy` that prints the default."""


@click.command("redact", context_settings=options.HELP)
@click.argument("files", nargs=-1, type=click.Path(), metavar="[FILE]...")
@click.option(
    "-w", "out", metavar="OUT", help="Write this capture, a pcapng; - is standard output."
)
@click.option(
    "--policy",
    metavar="FILE",
    help="Read from TOML what to keep; print shows the default.",
)
@click.option(
    "--key",
    metavar="FILE",
    help="Replace equal values alike in all captures redacted with this key. "
    "Without it a random key is used once.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="ROLE",
    help=f"Keep values of a role: {', '.join(KINDS)}. Repeatable.",
)
@click.option("--decrypted", is_flag=True, help="Write decrypted TLS as plain TCP.")
@click.option(
    "--keep-unknown",
    is_flag=True,
    help="Write packets of unknown connections and protocols too, their bytes blanked.",
)
@click.option(
    "-d",
    "decode_as",
    multiple=True,
    metavar="tcp.port==N,PROTOCOL",
    callback=options.decode_as,
    help="Decode a TCP port as a protocol. Repeatable.",
)
@options.protocols
def command(files: tuple[str, ...], **given: Any) -> int:  # noqa: ANN401 - click's options
    """Replace secrets, names, bodies and addresses in captures, so that they can be shared.

    Values become others of the same length, equal ones equal. Packets, times, sequence numbers,
    numbers in frames, products and versions stay, and so does what check finds. OUT appears only
    when it is complete.

    \b
    streamshark redact capture.pcapng -w shared.pcapng
    streamshark redact --keep stream --key redaction.key in.pcapng -w out.pcapng
    streamshark redact --policy print > policy.toml
    """  # noqa: D301 - click's mark for lines that stay
    if given["policy"] == PRINT:
        sys.stdout.write(DEFAULT)
        return 0
    out = given["out"]
    if not files:
        raise click.UsageError("no input: name a capture file")
    if not out:
        raise click.UsageError("no output: name the capture to write with -w")
    sources = [*files, *filter(None, [given["keylog"], given["key"], given["policy"]])]
    if out != "-" and is_source(out, sources):
        raise click.UsageError(f"-w {out}: is one of the files that are read")
    policy = load_policy(given["policy"]) if given["policy"] else Policy()
    policy = Policy(
        policy.keep,
        policy.keep_unknown or given["keep_unknown"],
        policy.decrypted or given["decrypted"],
    ).keeping(frozenset(given["keep"]))
    key = read_key(given["key"]) if given["key"] else random_key()
    report = redact(
        files,
        out,
        policy,
        key,
        protocols=catalog(given["paths"]),
        carriers=carriers(given["paths"]),
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        keylog=given["keylog"],
    )
    complain(f"{counted(report.packets, 'packet')} written, {report.dropped:,} left out")
    for note in report.notes:
        complain(note)
    return 0
