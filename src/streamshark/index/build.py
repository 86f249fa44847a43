"""Building an index: one reading of captures, judged, and written as it comes."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from streamshark.index.layout import Progress, header, write_json, write_progress
from streamshark.index.writer import IndexWriter, plain
from streamshark.session import Session, unread_findings

if TYPE_CHECKING:
    from streamshark.analysis import Analysis
    from streamshark.conversations.tables import Derived
    from streamshark.dissection.row import Row
    from streamshark.flows.segment import Flow

COMMIT: Final = 0.25
"""Seconds after which what is indexed becomes visible."""
EVERY: Final = 64
"""Packets between two collections of findings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOptions:
    """Options of the reading that change its rows."""

    paths: tuple[str, ...] = ()
    """Folders with further protocols."""
    decode_as: Mapping[int, str] = field(default_factory=dict)
    dialects: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    """Most packets."""
    keylog: str | None = None

    def session(self, sources: Sequence[str]) -> Session:
        """Return a session over captures."""
        from streamshark.protocols.catalog import carriers, catalog, formats  # noqa: PLC0415 - late

        return Session(
            sources,
            protocols=catalog(self.paths),
            carriers=carriers(self.paths),
            formats=formats(self.paths),
            decode_as=self.decode_as,
            dialects=self.dialects,
            limit=self.limit,
            keylog=self.keylog,
            live="-" in sources,
        )

    def plain(self) -> dict[str, Any]:
        """Return the options as JSON shows them."""
        return {
            "paths": list(self.paths),
            "decode_as": {str(port): name for port, name in self.decode_as.items()},
            "dialects": dict(self.dialects),
            "limit": self.limit,
            "keylog": self.keylog,
        }


class IndexBuilder:
    """The building of one index in a folder."""

    def __init__(self, sources: Sequence[str], folder: Path, options: IndexOptions) -> None:
        self.sources, self.folder, self.options = list(sources), folder, options
        self.progress = Progress(size=sum(map(_size, sources)))

    def run(self, report: Callable[[Progress], object] = lambda _progress: None) -> Progress:
        """Read the captures and write their index; return how far it is.

        Args:
            report: Called with each commit.

        Raises:
            StreamsharkError: A capture cannot be read at all.
        """
        with self.options.session(self.sources) as session:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            names = [each.name for each in session.captures]
            write_json(self.folder / "index.json", header(names, self.options.plain()))
            writer = IndexWriter(self.folder, self.progress)
            write_progress(self.folder, self.progress)
            try:
                _Building(self, session, writer, report).run()
            finally:
                writer.close()
        return self.progress

    def commit(self, writer: IndexWriter, **members: Any) -> None:  # noqa: ANN401 - of progress
        """Make visible what was written."""
        self.progress = self.progress._replace(**writer.commit(), **members)
        write_progress(self.folder, self.progress)


class _Building:
    """One pass over the rows of a session."""

    def __init__(
        self,
        builder: IndexBuilder,
        session: Session,
        writer: IndexWriter,
        report: Callable[[Progress], object],
    ) -> None:
        self.builder, self.session, self.writer, self.report = builder, session, writer, report
        self.next = time.monotonic() + COMMIT
        self.flows = 0
        """Number of connections that were written."""

    def run(self) -> None:
        """Read everything."""
        session, writer = self.session, self.writer
        for each in session.captures:
            writer.follow(each)
        analysis = session.analysis(rules=True, conversations=True, derives=_is_mark)

        def taken(row: "Row") -> None:
            if not row.packet % EVERY:
                writer.add_findings(analysis.findings())

        for rows in analysis.batches(taken):
            writer.add(rows)
            if time.monotonic() >= self.next:
                self.take(analysis)
                self.commit(state="building")
                self.next = time.monotonic() + COMMIT
        self.take(analysis)
        writer.add_findings(unread_findings(session))
        writer.add_connections(self.connections(0))
        report = session.report()
        problems = tuple(f"{name}: {damage}" for name, damage in report.damage)
        self.commit(state="complete", problems=problems, notes=tuple(report.notes))

    def take(self, analysis: "Analysis") -> None:
        """Write what the analysis has found so far."""
        self.writer.add_conversations(analysis.ended())
        self.writer.add_findings(analysis.findings())
        self.writer.add_connections(self.connections(self.flows))
        self.flows = len(self.session.dissector.tracker.flows)

    def commit(self, **members: Any) -> None:  # noqa: ANN401 - of progress
        """Make visible what was written."""
        captures = self.session.captures
        self.builder.commit(
            self.writer,
            packets=sum(each.packets for each in captures),
            read=sum(each.reached for each in captures),
            started_ns=self.session.started_ns,
            flows=len(self.session.dissector.tracker.flows),
            **members,
        )
        self.report(self.builder.progress)

    def connections(self, first: int) -> Iterator[tuple[Any, ...]]:
        """Yield the connections from a number on, as they are known now."""
        known = self.session.dissector.connections
        for flow in self.session.dissector.tracker.flows[first:]:
            yield connection_record(flow, known.get(flow.number))


def connection_record(flow: "Flow", connection: Any) -> tuple[Any, ...]:  # noqa: ANN401 - see above
    """Return the members of `reader.IndexedConnection` as plain values."""
    client = flow.client if connection is None else connection.client
    return (
        flow.number, flow.addresses, flow.ports, client, flow.first_file, flow.first_packet,
        flow.packets, flow.payload, flow.repeated,
        None if connection is None else connection.wire.id,
        None if connection is None or connection.carrier is None else connection.carrier.id,
        "" if connection is None else connection.reason,
        {} if connection is None else plain(connection.agreed),
        0 if connection is None else connection.lost,
    )  # fmt: skip


def _is_mark(table: "Derived") -> bool:
    """Return whether a derived value is shown in lines."""
    return bool(table.mark)


def _size(source: str) -> int:
    """Return the bytes of a capture; 0 if unknown."""
    try:
        return Path(source).stat().st_size
    except OSError:
        return 0
