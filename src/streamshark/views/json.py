"""Rows as JSON: the members of the design's section 4, in their order.

What all frames of a schema share is encoded once; a row costs one conversion and one run of the
JSON encoder over its fields.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.fields.reassembled import REASSEMBLED
from streamshark.schema import Problem, nodes
from streamshark.schema.nodes import Tree
from streamshark.views.annotations import AnnotationMembers
from streamshark.views.display_options import MOST_ENDS, DisplayOptions, Shape, Value
from streamshark.views.escaping import json_safe, printable
from streamshark.views.json_array import JsonArray
from streamshark.views.payload_json import problems_inside
from streamshark.views.problems import field_of, message_of
from streamshark.views.times import Rfc3339
from streamshark.views.values import Shaper, is_wide

SCHEMA_VERSION = 1
"""Incremented when a member is removed or changes its meaning (docs/decisions/0003)."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def encoded(value: Value) -> str:
    """Return a value as JSON in one line, safe for a terminal."""
    return json_safe(_encode(value))


class JsonObjects:
    """A text of JSON objects, one per line; with `array` in one array."""

    def __init__(self, *, array: bool = False) -> None:
        self._array = JsonArray() if array else None

    def head(self) -> str:
        """Return the start of the array, if any."""
        return "" if self._array is None else JsonArray.START

    def object(self, members: dict[str, Any]) -> str:
        """Return one object, after its separator in an array."""
        text = encoded(members)
        return f"{text}\n" if self._array is None else self._array.item(text)

    def end(self) -> str:
        """Return the end of the array, if any."""
        return "" if self._array is None else f"{self._array.end}\n"


class JsonRows:
    """A view of rows as JSON objects, each one line of text without its end.

    `files` are the names of several captures, empty for one. `loose`: the bytes came without
    packets (`decode`), so that time, addresses and packets are unknown. `layers` decodes payloads;
    without it they are hex. `twice`: the captures are read twice, so that requests have their
    response.
    """

    shows_annotations = True

    def __init__(
        self,
        showing: DisplayOptions,
        files: Sequence[str] = (),
        *,
        loose: bool = False,
        layers: PayloadReaders | None = None,
        twice: bool = False,
    ) -> None:
        self.showing = showing
        self.files = [_encode(printable(name)) for name in files]
        self.loose = loose
        self.malformed_bodies = 0
        """Number of rows so far with malformed payloads."""
        self._shaper = Shaper(showing, layers)
        self._bodies = self._shaper.bodies
        self._shapes: dict[Decoder, tuple[Shape, frozenset[int], Shape | None]] = {}
        self._heads: dict[tuple[Any, ...], str] = {}
        self._ends: dict[tuple[int, int], str] = {}
        self._time = Rfc3339()
        self._annotation = AnnotationMembers(twice=twice)

    def row(self, row: Row) -> str:
        """Return one row as JSON."""
        return self.frame(row) if isinstance(row, FrameRow) else self.event(row)

    def frame(self, row: FrameRow) -> str:
        """Return a frame as JSON."""
        key = (row.decoder, row.selector, row.version, row.connection.wire)
        head = self._heads.get(key)
        if head is None:
            head = self._heads[key] = self._head(row)
        fields, problems, correlation = "{}", "[]", "null"
        if row.decoder is not None:
            fields = self.fields(row)
            identity = row.correlation_id
            if identity is not None:
                text = self._shape(row.decoder)[2]
                correlation = _encode(text(identity) if text else identity)
        elif row.values:
            fields, correlation = self.fields(row), _encode(row.correlation_id)
        if row.problems or self._bodies.malformed:
            problems = encoded(self.problems_of(row))
        sender = f'"{row.sender}"' if row.sender else "null"
        carrier = row.carrier.number if row.carrier else "null"
        return (
            f'{{"frame":{row.number}{self._place(row)}{head}"sender":{sender},"correlation_id":'
            f'{correlation},"length":{len(row.data)},"carrier":{carrier},"fields":{fields},'
            f'"problems":{problems}{self._annotation(row.annotation)}}}'
        )

    def fields(self, row: FrameRow) -> str:
        """Return the fields of a frame as one object, in text."""
        return json_safe(_encode(self.members(row)))

    def members(self, row: FrameRow) -> dict[str, Any]:
        """Return the fields of a frame as they are shown."""
        if row.decoder is None:
            return row.values
        self._bodies.see(row)
        shown: dict[str, Any] = self._shape(row.decoder)[0](row.values)
        if row.piece and (whole := self._bodies.whole(row)):
            shown = {**shown, REASSEMBLED: whole}
        return shown

    def problems_of(self, row: FrameRow) -> list[dict[str, Any]]:
        """Return the problems of the frame just shown, payloads included."""
        tree = row.decoder.tree if row.decoder else None
        secrets = self._shape(row.decoder)[1] if row.decoder else frozenset[int]()
        return self.problems([*row.problems, *self.inside(row)], tree, secrets)

    def inside(self, row: FrameRow) -> list[Problem]:
        """Return the problems in the payloads of the frame just shown."""
        bodies = self._bodies
        if not bodies.malformed or bodies.layers is None:
            return []
        bodies.malformed = False
        found = problems_inside(bodies.layers, row)
        self.malformed_bodies += bool(found)
        return found

    def event(self, row: Row) -> str:
        """Return an event of a connection as JSON."""
        if not isinstance(row, EventRow):
            raise TypeError(row)
        sender = f'"{row.sender}"' if row.sender else "null"
        problems = encoded(self.problems(row.problems, None, frozenset()))
        return (
            f'{{"frame":null{self._place(row)}"protocol":"{row.protocol}",'
            f'"command":"{row.name}","key":null,'
            f'"version":null,"kind":"event","sender":{sender},"correlation_id":null,"length":0,'
            f'"carrier":null,"fields":{encoded(row.fields)},"problems":{problems}'
            f"{self._annotation(row.annotation)}}}"
        )

    def problems(
        self, problems: Iterable[Problem], tree: Tree | None, secrets: frozenset[int]
    ) -> list[dict[str, Any]]:
        """Return problems as objects: code, field, offset, length, message."""
        return [
            {
                "code": each.code.word,
                "field": field_of(each, tree),
                "offset": each.offset,
                "length": each.length,
                "message": message_of(each, secrets),
            }
            for each in problems
        ]

    # What many rows share

    def _shape(self, decoder: Decoder) -> tuple[Shape, frozenset[int], Shape | None]:
        found = self._shapes.get(decoder)
        if found is None:
            tree = decoder.tree
            secrets = frozenset[int]() if self.showing.secrets else nodes.secrets(tree)
            text = None
            if decoder.correlates and self.showing.int_strings:
                text = str if is_wide(tree.find(decoder.correlates)) else None
            found = self._shapes[decoder] = (self._shaper.tree(tree), secrets, text)
        return found

    def _place(self, row: Row) -> str:
        """Return the members from `file` to `packets`."""
        number = row.connection.flow.number
        if self.loose:
            return (
                f',"time":null,"time_ns":null,"flow":{number},"src":null,"dst":null,"packets":[],'
            )
        ends = self._ends.get((number, row.side))
        if ends is None:
            src, dst = row.addresses
            ends = f',"flow":{number},"src":"{src}","dst":"{dst}","packets":['
            if len(self._ends) > MOST_ENDS:
                self._ends.clear()
            self._ends[number, row.side] = ends
        file = f',"file":{self.files[row.file]}' if self.files else ""
        time = self._time(row.time_ns)
        quoted = f'"{time}"' if time else "null"
        ns = f'"{row.time_ns}"' if self.showing.int_strings else row.time_ns
        packets = ",".join(map(str, row.packets))
        return f'{file},"time":{quoted},"time_ns":{ns}{ends}{packets}],'

    def _head(self, row: FrameRow) -> str:
        """Return the members from `protocol` to `kind`."""
        members = {
            "protocol": row.connection.wire.id,
            "command": row.command,
            "key": row.key,
            "version": row.version,
            "kind": row.kind,
        }
        return _encode(members)[1:-1] + ","
