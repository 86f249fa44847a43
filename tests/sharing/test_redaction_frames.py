"""Frames: values by role, in whole frames and in spoilt ones."""

from tests.failures import Failures
from tests.marker import MARKER, TOKEN
from tests.sharing.redactions import FRAMES, PROTOCOLS

from streamshark.dissection.connection import ConnectionRecord
from streamshark.dissection.row import FrameRow
from streamshark.flows.segment import Flow
from streamshark.schema import nodes, random_frames, reference

KEPT = {"keyword", "product", "identifies"}


def planted(node: nodes.Node, value: object) -> object:
    """Return a value with the marker in all texts and bytes that no role keeps."""
    match node, value:
        case nodes.RecordNode(), dict():
            known = {each.name: each for each in nodes.scope(node.members)}
            return {
                name: planted(known[name], each) if name in known else each
                for name, each in value.items()
            }
        case nodes.ListNode(), list():
            return [planted(node.item, each) for each in value]
        case nodes.ProtoNode(), _ if node.message or isinstance(value, list):
            return value
        case nodes.BlobNode(encoding="uuid"), _:
            return value
        case _, str() | bytes() if not KEPT & set((node.facts.role or "").split()):
            return MARKER if isinstance(value, str) else TOKEN
    return value


def rows() -> list[tuple[str, FrameRow]]:
    """Return a frame of every schema with the marker in it."""
    out = []
    for protocol in PROTOCOLS:
        table = protocol.wire.table()
        connection = ConnectionRecord(Flow(0, ("", ""), (0, 0)), table, "test")
        for decoder in table.all:
            for values in random_frames.samples(decoder.tree, 6, seed=3):
                try:
                    made = planted(decoder.tree.root, values)
                    data = reference.build(decoder.tree.schema, table.head, made)
                except Exception:  # noqa: BLE001, S112 - the marker does not fit
                    continue
                if TOKEN in data:
                    row = FrameRow(
                        connection, 0, 0, data, [1], 0, 0, 1, 0, None, decoder, None, None, ()
                    )
                    out.append((decoder.tree.prefix, row))
                    break
    return out


def test_no_marker_stays_in_any_frame() -> None:
    """Sizes, numbers and problems stay."""
    found = rows()
    assert len(found) > 100
    with Failures() as failures:
        for name, row in found:
            with failures.of(name):
                made = FRAMES.frame(row)
                assert len(made) == len(row.data)
                assert TOKEN not in made
                assert row.decoder is not None
                before, after = row.decoder.examine(row.data), row.decoder.examine(made)
                assert [each[:3] for each in before.ranges] == [each[:3] for each in after.ranges]


def test_no_marker_stays_in_cut_frames() -> None:
    """At any length: what is not decoded is blanked."""
    with Failures() as failures:
        for name, row in rows()[::7]:
            with failures.of(name):
                whole = row.data
                for size in range(whole.index(TOKEN) + 6, len(whole), 3):
                    row.data = whole[:size]
                    assert TOKEN[:6] not in FRAMES.frame(row)
