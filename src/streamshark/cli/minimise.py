"""`streamshark minimise`: the least capture that still shows a finding."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from streamshark.capture.output_file import OutputFile, is_source
from streamshark.cli import options
from streamshark.cli.check import ruled_by
from streamshark.cli.output import complain
from streamshark.cli.run import Ending, concluded, reading
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.conversations.units import counted, size
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding
from streamshark.protocols.catalog import carriers, catalog, formats
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session
from streamshark.sharing.chosen_finding import chosen
from streamshark.sharing.minimise import MinimisedCapture, RecordedCapture, minimised


@click.command("minimise", context_settings=options.HELP)
@refuse_unsupported
@options.sources
@click.option(
    "--finding",
    "finding",
    required=True,
    metavar="RULE[@FRAME]",
    help="The finding of `check` that the result must show.",
)
@click.option(
    "-w", "write", required=True, metavar="OUT", help="Write the result here; - is stdout."
)
@click.option(
    "--force",
    is_flag=True,
    help="Minimise a capture of which bytes are missing or could not be read, too.",
)
@click.option(
    "--rules",
    "rules_file",
    type=click.Path(),
    metavar="FILE",
    help="TOML file with your own rules and thresholds, as for check.",
)
@options.protocols
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Write the least capture that still shows a finding.

    Connections, conversations and frames are left out as long as `check` names the same rule at the
    same frame and nothing else that is new; then bodies are shortened. What is left has TCP written
    anew, at the times of its frames, and TLS that was decrypted is there as plain text.

    \b
    streamshark check capture.pcapng
    streamshark minimise capture.pcapng --finding RMQ-C3@412 -w small.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    refuse_source(given["write"], given)
    protocols, _ = ruled_by(catalog(given["paths"]), given["rules_file"])
    recorded, report = recorded_of(given, protocols)
    refuse_damage(recorded, is_forced=given["force"])
    target = chosen(recorded.findings, given["finding"])
    comment = comment_on(target.finding, recorded)
    with OutputFile(given["write"]) as file:
        made = minimised(recorded, target, partial(opened, given, protocols), [comment])
        file.write(made.data)
        file.commit()
    out = sys.stderr if given["write"] == "-" else sys.stdout
    out.write(f"{summary(made, recorded)}\n")
    for note in notes(made, given["write"]):
        complain(note)
    return report()


def comment_on(finding: Finding, recorded: RecordedCapture) -> str:
    """Return the comment on the section of a minimised capture."""
    return (
        f"Minimised by streamshark from a capture of {recorded.frames:,} frames, where the finding "
        f"is {finding.name}. TCP is written anew."
    )


def refuse_source(name: str, given: dict[str, Any]) -> None:
    """Raise a usage error if a file to write is one of those that are read."""
    sources = [*given["more"], *given["files"], *filter(None, [given["keylog"]])]
    if name != "-" and is_source(name, sources):
        raise click.UsageError(f"-w {name}: is one of the files that are read")


def recorded_of(
    given: dict[str, Any], protocols: tuple[Protocol, ...]
) -> tuple[RecordedCapture, Callable[[], int]]:
    """Return what is read, and a function that reports how reading ended."""
    known = formats(given["paths"])
    with reading(given, protocols=protocols, formats=known, puts_together=True) as session:
        recorded = RecordedCapture(session)
        report = session.report()
    return recorded, lambda: concluded(lambda: report, Ending(), strict=False, problems=0)


def refuse_damage(recorded: RecordedCapture, *, is_forced: bool) -> None:
    """Raise an error for a capture of which bytes are missing, unless it is forced."""
    if recorded.damage and not is_forced:
        more = f" ({len(recorded.damage)} such places)" if len(recorded.damage) > 1 else ""
        raise StreamsharkError(
            f"{recorded.damage[0]}{more}: the finding may need what is missing; "
            "--force minimises it all the same"
        )


def opened(given: dict[str, Any], protocols: tuple[Protocol, ...]) -> Session:
    """Return a session without captures, with the options of the command."""
    return Session(
        (),
        protocols=protocols,
        carriers=carriers(given["paths"]),
        formats=formats(given["paths"]),
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        puts_together=True,
    )


def summary(made: MinimisedCapture, recorded: RecordedCapture) -> str:
    """Return what was made, as one line."""
    frames = f"{made.frames:,} of {counted(recorded.frames, 'frame')}"
    return f"{made.finding.name} in {frames}, {size(len(made.data))}; {made.trials:,} trials"


def notes(made: MinimisedCapture, name: str) -> list[str]:
    """Return what a user must know of a minimised capture, a sentence each."""
    found = []
    if not made.is_minimal:
        found.append(f"{name}: more could be left out; the search was stopped after its limit")
    if made.kept_whole:
        count = counted(made.kept_whole, "connection")
        found.append(f"{name}: {count} kept whole: messages of the carrier could not be separated")
    if made.decrypted:
        count = counted(made.decrypted, "connection")
        found.append(f"{name}: {count} of TLS decrypted, as plain text")
    if made.secretive:
        found.append(f"{name} contains secrets: credentials in {counted(made.secretive, 'frame')}")
    return found
