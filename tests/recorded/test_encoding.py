"""Every recorded frame is encoded again as it was, changed, and told by its JSON; at length."""

import json

import pytest
from tests.draw import draw
from tests.failures import Failures
from tests.protocols.test_vectors import WIRES, cases
from tests.recorded import encoding, index

from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.session import Session
from streamshark.views.display_options import DisplayOptions
from streamshark.views.json import JsonRows
from streamshark.views.json_encoder import JsonEncoder, RowsWithBytes

PROTOCOLS = sorted({each.protocol for each in index.lines().values()})
UNCHANGED = {
    "pub/accepted_size_leading_zeros",  # the zeros go when the size changes
    "keepalive/old",  # eight bytes of data would be a position
}
"""Vectors whose values cannot all be changed and changed back."""
MOST_CHANGED = 20
"""Frames of a declaration in one capture that are changed."""


def frames(line: index.Line) -> list[FrameRow]:
    """Return the frames of a capture, each content once."""
    found = {
        (row.connection.wire.id, row.data): row
        for row in Session([str(line.path)]).rows()
        if isinstance(row, FrameRow)
    }
    return list(found.values())


@pytest.mark.sweep
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_frame_is_encoded_as_it_was(protocol: str) -> None:
    """From its values alone, and from its JSON; some of each declaration are changed."""
    readers = layers(catalog(), formats())
    encoder = JsonEncoder([each.wire.table() for each in catalog()], readers)
    counts: dict[tuple[str, object], int] = {}
    with Failures() as failures:
        for line in index.of(protocol):
            rows = RowsWithBytes(
                JsonRows(DisplayOptions(secrets=True), loose=True, layers=readers), [encoder]
            )
            for row in frames(line):
                with failures.of(f"{line.capture} {row.command}"):
                    shown = json.loads(rows.row(row))
                    assert encoder.frame(shown) == row.data
                    if row.decoder is None or row.problems:
                        continue
                    encoding.same_bytes(row.decoder, row.data)
                    key = line.capture, row.decoder
                    counts[key] = counts.get(key, 0) + 1
                    if counts[key] <= MOST_CHANGED:
                        encoding.changed(
                            row.decoder, row.data, encoding.draws(f"{key[0]} {counts[key]}")
                        )


@pytest.mark.parametrize("protocol", WIRES)
def test_every_command_is_encoded_and_changed(protocol: str) -> None:
    """A vector of each: the same bytes from its values, and one drawn value changed and back."""
    count = 0
    with Failures() as failures:
        for vector, layout, _ in cases(protocol):
            with failures.of(vector.name):
                if not layout.decoder.read(vector.data)[1]:
                    encoding.same_bytes(layout.decoder, vector.data)
                    if vector.name not in UNCHANGED:
                        draws = encoding.draws(f"{vector.name} {draw()}")
                        count += encoding.changed(layout.decoder, vector.data, draws)
    assert count
