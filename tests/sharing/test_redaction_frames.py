"""Frames: values by role, in whole frames and in spoilt ones."""

from tests.failures import Failures
from tests.marker import TOKEN
from tests.sharing.marked_traffic import marked
from tests.sharing.redactions import FRAMES, PROTOCOLS

from streamshark.dissection.connection import ConnectionRecord
from streamshark.dissection.row import FrameRow
from streamshark.flows.segment import Flow


def rows() -> list[tuple[str, FrameRow]]:
    """Return a frame of every schema with the marker in it."""
    out = []
    for protocol in PROTOCOLS:
        table = protocol.wire.table()
        connection = ConnectionRecord(Flow(0, ("", ""), (0, 0)), table, "test")
        for decoder in table.all:
            data = marked(decoder, table.head)
            if data is not None:
                row = FrameRow(
                    connection, 0, 0, data, [1], 0, 0, 1, 0, None, decoder, None, None, ()
                )
                out.append((decoder.tree.prefix, row))
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


def test_a_body_of_zeros_is_replaced() -> None:
    """Its first bytes look like the head of an event of Pravega, and so do all others."""
    (row,) = [row for name, row in rows() if name == "pravega.append_block"]
    row.data = row.data[:4] + (16 + 50_000).to_bytes(4, "big") + row.data[8:24] + bytes(50_000)
    assert len(FRAMES.frame(row)) == len(row.data)
