"""`streamshark ticket`: a folder with what a maintainer needs to see a finding."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from streamshark.capture.output_file import umask
from streamshark.cli import options
from streamshark.cli.check import ruled_by
from streamshark.cli.explain import page_of
from streamshark.cli.minimise import notes, opened, recorded_of, refuse_damage, summary
from streamshark.cli.output import complain
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.errors import StreamsharkError
from streamshark.protocols.catalog import carriers, catalog, formats
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session
from streamshark.sharing.chosen_finding import chosen, worst
from streamshark.sharing.judged_parts import PlacedFinding
from streamshark.sharing.minimise import RecordedCapture, minimised
from streamshark.sharing.policy import KINDS, Policy
from streamshark.sharing.redaction import redact
from streamshark.sharing.redaction_key import random_key, read_key
from streamshark.sharing.report import report_of
from streamshark.sharing.report_page import page
from streamshark.sharing.ticket import CAPTURE, REPORT, TEXT, TicketContent, markdown
from streamshark.views.rule_reference import TCP
from streamshark.views.sequence_diagram import LANGUAGES, Diagram


@click.command("ticket", context_settings=options.HELP)
@refuse_unsupported
@options.sources
@click.option(
    "--finding",
    "finding",
    metavar="RULE[@FRAME]",
    help="The finding of `check` that it is about; by default that of `check --top`.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Take a capture of which bytes are missing or could not be read, too.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="ROLE",
    help=f"Do not replace values of a role: {', '.join(KINDS)}. Repeatable.",
)
@click.option(
    "--key", metavar="FILE", help="Replace equal values alike in all tickets with this key."
)
@click.option(
    "--rules",
    "rules_file",
    type=click.Path(),
    metavar="FILE",
    help="TOML file with your own rules and thresholds, as for check.",
)
@options.protocols_and_output("DIR")
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Write a folder that shows a finding to someone else, without secrets.

    It has the least capture that shows the finding, with names, credentials, bodies and addresses
    replaced; a report of it; and a text in Markdown to paste into an issue: the finding, versions,
    commands, a sequence diagram in Mermaid, and what happened. DIR must be new or empty.

    \b
    streamshark check --top capture.pcapng
    streamshark ticket capture.pcapng -o ticket
    streamshark ticket capture.pcapng --finding RMQ-C3@412 -o ticket
    """  # noqa: D301 - click's mark for lines that stay
    policy = Policy().keeping(frozenset(given["keep"]))
    key = read_key(given["key"]) if given["key"] else random_key()
    protocols, _ = ruled_by(catalog(given["paths"]), given["rules_file"])
    with _folder(given["out"]) as folder:
        recorded, report = recorded_of(given, protocols)
        refuse_damage(recorded, is_forced=given["force"])
        target = _target(recorded, given["finding"])
        ticket = _Ticket(folder, given, protocols)
        ticket.write(recorded, target, policy, key)
    click.echo(f"{given['out']}: {ticket.summary}")
    for note in ticket.notes:
        complain(note)
    return report()


def _target(recorded: RecordedCapture, name: str | None) -> PlacedFinding:
    """Return the finding that is named, else the one that explains most."""
    if name is not None:
        return chosen(recorded.findings, name)
    found = worst(recorded.findings)
    if found is None:
        raise StreamsharkError("no finding: there is nothing to make a ticket of")
    return found


@contextmanager
def _folder(name: str) -> Iterator[Path]:
    """Yield a folder that gets its name once it is complete."""
    path = Path(name)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise StreamsharkError(f"{name}: exists, and is no empty folder")
    made = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.resolve().parent))
    try:
        yield made
        if path.exists():
            path.rmdir()
        made.chmod(0o777 & ~umask())
        made.replace(path)
    finally:
        shutil.rmtree(made, ignore_errors=True)


class _Ticket:
    """The files of one ticket."""

    def __init__(
        self, folder: Path, given: dict[str, Any], protocols: tuple[Protocol, ...]
    ) -> None:
        self._folder = folder
        self._capture = str(folder / CAPTURE)
        self._given = given
        self._protocols = protocols
        self.summary = ""
        self.notes: list[str] = []

    def write(
        self, recorded: RecordedCapture, target: PlacedFinding, policy: Policy, key: bytes
    ) -> None:
        """Write all files."""
        given, name = self._given, str(self._folder / "minimised.pcapng")
        made = minimised(recorded, target, partial(opened, given, self._protocols))
        Path(name).touch(0o600)
        Path(name).write_bytes(made.data)
        redacted = redact(
            [name], self._capture, policy, key,
            protocols=self._protocols, carriers=carriers(given["paths"]),
            decode_as=given["decode_as"], dialects=given["dialects"],
        )  # fmt: skip
        Path(name).unlink()
        Path(self._capture).chmod(0o666 & ~umask())
        with self._session() as session:
            found = self._found(RecordedCapture(session), made.finding.name)
        with self._session() as session:
            explanation = page_of(session)
        protocols = (*self._protocols, TCP)
        content = TicketContent(
            finding=found.finding,
            protocol=next(
                each.title for each in protocols if each.wire.id == found.finding.protocol
            ),
            title=next(
                (
                    rule.title
                    for each in protocols
                    for rule in each.rules
                    if rule.id == found.finding.rule
                ),
                "",
            ),
            context=recorded.contexts.get(target.finding.flow, {}),
            explanation=explanation,
            diagram=self._drawn(found),
            frames=made.frames,
            all_frames=recorded.frames,
        )
        (self._folder / TEXT).write_text(markdown(content), "utf-8")
        (self._folder / REPORT).write_text(page(report_of(self._session)), "utf-8")
        self.summary = summary(made, recorded)
        self.notes = [*notes(made._replace(secretive=0), given["out"]), *redacted.notes]

    def _session(self) -> Session:
        """Return a session of the redacted capture."""
        given = self._given
        return Session(
            [self._capture], protocols=self._protocols, carriers=carriers(given["paths"]),
            formats=formats(given["paths"]), decode_as=given["decode_as"],
            dialects=given["dialects"], puts_together=True,
        )  # fmt: skip

    @staticmethod
    def _found(recorded: RecordedCapture, name: str) -> PlacedFinding:
        """Return the finding as the redacted capture shows it."""
        try:
            return chosen(recorded.findings, name)
        except StreamsharkError as error:
            raise StreamsharkError(f"the redacted capture does not show it: {error}") from None

    def _drawn(self, found: PlacedFinding) -> str:
        """Return the redacted capture as a sequence diagram."""
        diagram = Diagram()
        with self._session() as session:
            for row in session.analysis().rows():
                diagram.row(row)
        return diagram.text(LANGUAGES["mermaid"], [found.finding])
