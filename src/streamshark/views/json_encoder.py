"""Frames from their JSON: what `encode` reads, and the bytes that `decode` adds where needed.

A frame whose fields do not say all of its bytes has them as the member `bytes`: text lines with
other blanks, bodies that are shown decoded, compressed batches, malformed frames. `encode` changes
in them what the fields say otherwise.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from streamshark.decoding.amending import amended
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.masking import MaskedRow
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.fields.reassembled import REASSEMBLED
from streamshark.framing.frame_names import FrameName, decoders_of, without_length
from streamshark.framing.wire_format import FrameTable
from streamshark.schema.encoding import Changes, changes_between, encoded
from streamshark.schema.json_lines import deeper_than
from streamshark.schema.value_checks import EncodingError, quoted
from streamshark.views.display_options import MASK
from streamshark.views.json import JsonRows
from streamshark.views.json_values import MASKED, ValueReader

BYTES: Final = "bytes"
"""The member with the bytes of a frame whose fields do not say all of them."""
MAX_DEPTH: Final = 320
"""Most values inside each other: what formats read (64) in as many layers as are shown (4)."""
_NAMES: Final = {"command": str, "kind": str, "key": int, "version": int}
"""Members that name the declaration of a frame, with their types."""


class JsonEncoder:
    """Encodes frames from JSON; `tables` are the protocols, each in the chosen dialect."""

    def __init__(self, tables: Iterable[FrameTable], layers: PayloadReaders) -> None:
        self.tables = {each.wire.id: each for each in tables}
        self.layers = layers

    def frame(self, given: object, *, protocol: str | None = None, bare: bool = False) -> bytes:
        """Return the bytes of one frame.

        `protocol` is the id of the protocol of frames that do not name it. `bare`: the frame comes
        as a message, without a length, where the protocol has such frames.

        Raises:
            StreamsharkError: It is no frame in JSON, or a value does not fit.
        """
        if deeper_than(given, MAX_DEPTH):
            raise StreamsharkError(f"more than {MAX_DEPTH} values inside each other")
        if not isinstance(given, dict):
            raise StreamsharkError("a frame in JSON is an object with protocol, command and fields")
        table = self._table(given, protocol)
        fields = given.get("fields", {})
        if not isinstance(fields, dict):
            raise StreamsharkError("fields: not an object")
        fields = {name: value for name, value in fields.items() if name != REASSEMBLED}
        data = _bytes(given)
        if data is not None and given.get("command") is None:
            return _unknown(table, data, fields)
        name = _name(given)
        wire, dialect = table.wire, table.dialect
        as_message = bare and bool(wire.bare)
        if data is None:
            made = self._first(decoders_of(wire, name, dialect, bare=as_message), fields)
            return without_length(made, table) if bare and not as_message else made
        found = decoders_of(wire, name, dialect)
        messages = decoders_of(wire, name, dialect, bare=True) if wire.bare else ()
        decoder, changes = self._changes([*found, *messages], data, fields)
        made = amended(decoder, data, changes)
        return without_length(made, table) if bare and decoder in found and table.cuts else made

    def _first(self, found: Sequence[Decoder], fields: dict[str, Any]) -> bytes:
        """Return the frame of the first declaration that the fields fit."""
        error: EncodingError | None = None
        for each in found:
            try:
                return encoded(each.tree, ValueReader(each.tree, self.layers).values(fields))
            except EncodingError as wrong:
                error = error or wrong
        raise error or StreamsharkError("no declaration fits")

    def _changes(
        self, found: Sequence[Decoder], data: bytes, fields: dict[str, Any]
    ) -> tuple[Decoder, Changes]:
        """Return the decoder that bytes and fields fit best, and what the fields say otherwise.

        Several fit where a connection may have several dialects, which JSON does not name.
        """
        error: EncodingError | None = None
        best: tuple[Decoder, Changes] | None = None
        read = [(each, each.read(data)) for each in found]
        for each, (old, _) in sorted(read, key=lambda one: len(one[1][1])):
            try:
                values = ValueReader(each.tree, self.layers).values(fields, old)
            except EncodingError as wrong:
                error = error or wrong
                continue
            changes = changes_between(old, values)
            if not changes:
                return each, changes
            best = best or (each, changes)
        if best is None:
            raise error or StreamsharkError("no declaration fits")
        return best

    def _table(self, given: Mapping[str, Any], protocol: str | None) -> FrameTable:
        name = given.get("protocol", protocol)
        if name is None:
            raise StreamsharkError("protocol: missing; name it with --protocol")
        table = self.tables.get(name) if isinstance(name, str) else None
        if table is None:
            known = ", ".join(self.tables)
            raise StreamsharkError(f"protocol: unknown protocol {name!r} (known: {known})")
        return table


class RowsWithBytes:
    """The JSON of rows, with the bytes of frames that some of the encoders write otherwise.

    Those of a frame with masked secrets are masked too. `bare`: the frames come without a length.
    """

    def __init__(
        self, rows: JsonRows, encoders: Sequence[JsonEncoder], *, bare: bool = False
    ) -> None:
        self.rows = rows
        self.encoders = encoders
        self.bare = bare
        self.shows_annotations = rows.shows_annotations

    @property
    def malformed_bodies(self) -> int:
        """Number of rows so far with malformed payloads."""
        return self.rows.malformed_bodies

    def row(self, row: Row) -> str:
        """Return one row as JSON."""
        text = self.rows.row(row)
        if not isinstance(row, FrameRow):
            return text
        if isinstance(row, MaskedRow) and row.hidden:
            return f'{text[:-1]},"{BYTES}":"{MASK}"}}'
        if all(self._writes(each, text, row.data) for each in self.encoders):
            return text
        return f'{text[:-1]},"{BYTES}":"{row.data.hex()}"}}'

    def _writes(self, encoder: JsonEncoder, text: str, data: bytes) -> bool:
        """Return whether an encoder makes these bytes of the JSON of a frame."""
        try:
            return encoder.frame(json.loads(text), bare=self.bare) == data
        except StreamsharkError:
            return False


def _bytes(given: Mapping[str, Any]) -> bytes | None:
    """Return the bytes that a frame in JSON brings; None if it has none."""
    text = given.get(BYTES)
    if text is None:
        return None
    if text == MASK:
        raise StreamsharkError(f"{BYTES}: {MASKED}")
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        raise StreamsharkError(f"{BYTES}: not hex") from None


def _name(given: Mapping[str, Any]) -> FrameName:
    """Return the name of the declaration."""
    for name, wanted in _NAMES.items():
        value = given.get(name)
        if value is not None and (not isinstance(value, wanted) or isinstance(value, bool)):
            kind = "text" if wanted is str else "a number"
            raise StreamsharkError(f"{name}: {quoted(value)} is not {kind}")
    if given.get("command") is None:
        raise StreamsharkError("command: missing")
    return FrameName(given["command"], *map(given.get, ("kind", "key", "version")))


def _unknown(table: FrameTable, data: bytes, fields: dict[str, Any]) -> bytes:
    """Return a frame of an unknown command as it was."""
    if fields != json.loads(json.dumps(table.values_of_head(data))):
        raise StreamsharkError("command: missing; fields of an unknown command cannot be changed")
    return data
