"""Rows of an index are those of a reading, whatever carried them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.draw import some_of
from tests.failures import every
from tests.index.test_conversation_records import texted
from tests.packets import packets, recorded

from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.index import reader, row_packing
from streamshark.index.build import IndexBuilder
from streamshark.index.columns import IndexDamageError
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index
from streamshark.index.windows import CaptureChangedError
from streamshark.session import unread_findings
from streamshark.views.colour import Palette
from streamshark.views.display_options import DisplayOptions
from streamshark.views.json import JsonRows
from streamshark.views.packet_details import DetailRows
from streamshark.views.payload_tree import PayloadTree

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation
    from streamshark.findings.finding import Finding

COVER = recorded(
    "rabbitmq_stream/starts_mid_frame",
    "rabbitmq_stream/bad_bodies",
    "rabbitmq_stream/tls_with_secrets",
    "rsocket/asks_websocket_deflate_js",
    "rsocket/asks_websocket_tls_js",
    "rsocket/composite_metadata_in_fragments_java",
    "nats/leaf_s2_py",
    "nats/jetstream_go",
    "liftbridge/plain_go",
    "pravega/conditional_append_repeated_by_hand",
)
"""Of each protocol, with TLS, WebSocket, HTTP/2, fragments, lost bytes and compressed files."""
NAMED = {Path(each).parent.name: each for each in COVER}
"""The same by their names."""
FEW = 5
"""Captures of these that are indexed and shown in all forms, drawn."""


def index_of(folder: Path, *sources: str) -> Index:
    """Return the index of captures."""
    options = IndexOptions()
    IndexBuilder(sources, folder, options).run()
    return Index(folder, options.known())


class Shown:
    """Rows as JSON and as trees, without their secrets."""

    def __init__(self, index: Index) -> None:
        layers = index.known.layers
        self.hide = SecretMask(layers).row
        trees = PayloadTree(layers, "decoded")
        self.views = (
            JsonRows(DisplayOptions(), (), layers=layers),
            DetailRows(Palette(enabled=False), secrets=False, files=(), loose=False, bodies=trees),
        )

    def __call__(self, row: Row) -> list[str]:
        """Return a row in all forms."""
        hidden = self.hide(row)
        return [each.row(hidden) for each in self.views]


@every("path", some_of(NAMED, FEW), lambda path: Path(path).parent.name)
def test_rows(path: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Rows, conversations and findings are those of a reading, in its order."""
    index = index_of(tmp_path_factory.mktemp("index"), path)
    session = IndexOptions().session([path])
    analysis = session.analysis(
        rules=True, conversations=True, derives=lambda each: bool(each.mark)
    )
    read, indexed = Shown(index), Shown(index)
    ended: list[Conversation] = []
    found: list[Finding] = []

    at = -1
    with session, index:
        for at, row in enumerate(analysis.rows()):
            assert indexed(index[at]) == read(row), f"row {at}"
            assert (index[at].lead, index[at].offset) == (row.lead, row.offset)
            if isinstance(row, FrameRow):
                assert getattr(index[at], "is_carrier", None) == row.is_carrier, f"row {at}"
            ended += analysis.ended()
    ended += analysis.ended()
    found += analysis.findings() + unread_findings(session)

    assert len(index) == at + 1 > 0
    index = Index(index.folder, index.known)
    assert sorted(map(texted, index.conversations()), key=str) == sorted(ended, key=str)
    assert sorted((each.finding for each in index.findings()), key=str) == sorted(found, key=str)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """An index of two captures, merged by time."""
    sources = recorded("rabbitmq_stream/bug_credit_never_renewed", "nats/jetstream_go")
    with index_of(tmp_path_factory.mktemp("index"), *sources) as made:
        yield made


def test_places(index: Index) -> None:
    """Each way to a row leads to the same rows as a search through all of them."""
    rows = list(index)
    heads = [index.head(at) for at in range(len(index))]

    for at, (row, head) in enumerate(zip(rows, heads, strict=True)):
        assert (head.time_ns, head.file, head.packet) == (row.time_ns, row.file, row.packet)
        assert (head.command, head.sender) == (getattr(row, "name", None), row.sender)
        assert head.conversation == (row.annotation and row.annotation.conversation)
        if isinstance(row, FrameRow):
            assert index.row_of_frame(row.number) == at
            assert (head.frame, head.length) == (row.number, len(row.data))
    flows = {each.flow for each in heads}
    assert len(flows) > 1
    for flow in flows:
        assert list(index.rows_of_flow(flow)) == [each.row for each in heads if each.flow == flow]
    for file, packet in {(each.file, each.packet) for each in heads}:
        wanted = [each.row for each in heads if (each.file, each.packet) == (file, packet)]
        assert index.rows_of_packet(file, packet) == wanted
    asked = [each.request for each in heads if each.request is not None]
    assert asked
    for frame in asked:
        wanted = next(each.row for each in heads if each.request == frame)
        assert index.answer(frame) == wanted
    assert index.answer(index.frames) is None
    middle = heads[len(heads) // 2].time_ns
    assert index.row_at(middle) == next(each.row for each in heads if each.time_ns >= middle)
    assert index.row_of_frame(index.frames + 1) is None
    assert [each.time_ns for each in index[-3:]] == [each.time_ns for each in heads[-3:]]
    with pytest.raises(IndexError):
        index[len(index)]


def test_what_is_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows far from the start of their conversation, or from their request, know these too."""
    for module in (reader, row_packing):
        monkeypatch.setattr(module, "FAR", 2)
    (path,) = recorded("nats/jetstream_go")
    session = IndexOptions().session([path])
    with session, index_of(tmp_path / "index", path) as index:
        rows = list(session.analysis(conversations=True).rows())
        assert len(index) == len(rows)
        assert {2, 1, 0} >= set(index.columns["asked"].numbers) >= {2}
        for at, (row, wanted) in enumerate(zip(index, rows, strict=True)):
            found, known = row.annotation, wanted.annotation
            assert (found is None) == (known is None), f"row {at}"
            if found is not None and known is not None:
                assert (found.name, found.request_frame) == (known.name, known.request_frame)
        for frame in (each.annotation and each.annotation.request_frame for each in rows):
            if frame:
                answer = index.answer(frame)
                assert answer is not None
                assert index.request(answer) == frame
        for each in index.conversations():
            assert index.row_of_frame(each.first_frame) in index.rows_of_conversation(each.id)


def test_what_belongs_together(index: Index) -> None:
    """A conversation has its frames, a finding its evidence, a mark its reason."""
    for each in index.conversations():
        rows = list(index.rows_of_conversation(each.id))
        assert index.row_of_frame(each.first_frame) in rows, each.id
        if each.state == "failed" and each.outcome is not None:
            assert index.head(index.row_of_frame(each.outcome.frame) or 0).is_failed
    findings = list(index.findings())
    assert findings
    for found in findings:
        guilty = [index[at].number for at in found.rows]
        assert guilty == list(found.finding.frames)
        worst = found.finding.worst.rank
        for at in found.rows:
            shown = index.head(at).severity
            assert shown is not None
            assert ("chat", "note", "warning", "error").index(shown) >= worst
    assert list(index.rows_of_conversation("no id")) == []


def test_connections(index: Index) -> None:
    """Each has its addresses and its protocol, and statistics count its frames."""
    known = {each.flow: each for each in index.connections()}

    assert len(known) == index.progress.flows
    for row in index:
        found = known[row.connection.flow.number]
        assert found.addresses == row.connection.flow.addresses
        assert found.protocol is not None
    assert sum(each.frames for each in index.statistics()) == len(index)


def test_packets(index: Index) -> None:
    """Those that carried a row hold its bytes, unless its capture is compressed."""
    for at, row in enumerate(index):
        packets = index.packets(at)
        if Path(index.names[row.file]).suffix == ".gz":
            assert packets == []
            continue
        assert [each.number for each in packets] == list(row.packets)
        if row.lead is not None and isinstance(row, FrameRow):
            payload = b"".join(each.payload for each in packets)
            assert payload[row.lead :].startswith(row.data)


def test_capture_that_changes(tmp_path: Path) -> None:
    """Rows whose bytes are gone raise; all else is still there."""
    (source,) = recorded("rabbitmq_stream/bug_credit_never_renewed")
    copy = tmp_path / "copy.pcapng"
    copy.write_bytes(Path(source).read_bytes())
    last = len(packets(source))
    with index_of(tmp_path / "index", str(copy)) as index:
        copy.write_bytes(copy.read_bytes()[:1000])
        with pytest.raises(CaptureChangedError, match="became shorter"):
            index[index.row_of_frame(index.frames) or 0]
        assert index.head(len(index) - 1).packet <= last


@every(
    "name, data",
    [
        ("index.json", b"{}"),
        ("index.json", b"\xff"),
        ("progress.json", b'{"rows": []}'),
        ("progress.json", b'{"lines": 3}'),
        ("rows.time", b""),
        ("settings", b"no block"),
        ("settings.starts", b""),
    ],
)
def test_damage(name: str, data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A damaged or foreign file is an error of the index."""
    folder = tmp_path_factory.mktemp("index")
    index_of(folder, *recorded("rabbitmq_stream/bug_credit_never_renewed"))
    (folder / name).write_bytes(data)

    with pytest.raises(IndexDamageError):
        _ = Index(folder, IndexOptions().known())[0]
