"""Rows that one process packs, and another writes."""

from pathlib import Path

from tests.packets import recorded

from streamshark.conversations.conversation import Annotation
from streamshark.index.connection_records import connection_record
from streamshark.index.layout import IndexProgress, header, write_json, write_progress
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index
from streamshark.index.shares import SharePacker, ShareUnpacker
from streamshark.index.writer import IndexWriter
from streamshark.session import Session


def test_records_get_the_numbers_of_the_index(tmp_path: Path) -> None:
    """Of several packers, each called several times: the rows are those of the session."""
    (path,) = recorded("rsocket/long_run_websocket_go")
    with Session([path]) as session:
        rows = list(session.rows())
        known = session.dissector.connections
        flows = [
            connection_record(each, known.get(each.number))
            for each in session.dissector.tracker.flows
        ]
    for row in rows:
        row.annotate(Annotation(None, {"side": row.side}))
    writer = IndexWriter(tmp_path, IndexProgress(), session.protocols)
    packers = [SharePacker(session.protocols, ()) for _ in range(2)]
    unpackers = [ShareUnpacker(writer) for _ in range(2)]
    for start in range(0, len(rows), 10):
        part = rows[start : start + 10]
        for at, (packer, unpacker) in enumerate(zip(packers, unpackers, strict=True)):
            unpacker.take(packer.packed(part[at::2], [(start, at)]))
            assert unpacker.connections == [(start, at)]
        for at in range(len(part)):
            unpackers[at % 2].put()
    writer.add_connections(flows)
    write_json(tmp_path / "index.json", header([path], IndexOptions().plain()))
    made = IndexProgress(flows=len(flows), state="complete")
    write_progress(tmp_path, made._replace(**writer.commit()))
    writer.close()

    with Index(tmp_path, IndexOptions().known()) as index:
        found = [(each.data, each.side, dict(each.annotation.context)) for each in index]  # type: ignore[union-attr]
        settings = index.progress.records["settings"][0]
    assert found == [(each.data, each.side, {"side": each.side}) for each in rows]
    assert settings < len(rows) / 2
