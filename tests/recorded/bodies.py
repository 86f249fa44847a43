"""Message bodies of the recorded captures, for those who read bodies."""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.recorded import index

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, cells
from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.session import Session

CAPTURES = Path(__file__).parents[2] / "captures"


@cache
def known() -> PayloadReaders:
    """Every embedded record and format."""
    return layers(catalog(), formats())


def messages(decoder: Decoder, values: dict[str, object]) -> Iterator[bytes]:
    """The messages of a frame, those inside sub-batches too."""
    for cell in cells(decoder.tree, values):
        body = known().body(cell.slot, cell.data)
        if body is not None and isinstance(body.reader, EmbeddedRecord):
            yield from messages(body.reader.decoder, {"records": body.decoded.value})
        else:
            yield cell.data


def bodies(captures: Iterable[index.Line]) -> Iterator[bytes]:
    """Every message of some captures, once."""
    seen: set[bytes] = set()
    for each in captures:
        for row in Session([str(each.path)]).rows():
            if isinstance(row, FrameRow) and row.decoder is not None:
                found = set(messages(row.decoder, row.values)) - seen
                seen |= found
                yield from found
