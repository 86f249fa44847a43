"""Values as short text: a few words for the line of a frame, a little more for trees.

What the line of a frame shows is `FrameSchema.shows`, a template (`schema.info_template`).
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from streamshark.conversations.units import counted
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, opened, veiled
from streamshark.dissection.info_words import NOTHING, Body, InfoWords, RecordView
from streamshark.dissection.row import FrameRow
from streamshark.schema import nodes
from streamshark.schema.info_template import template_of
from streamshark.schema.secrets import is_hidden
from streamshark.views.display_options import MASK, Value
from streamshark.views.escaping import printable, quoted, readable
from streamshark.views.payload_json import as_bytes
from streamshark.views.values import flags_set, uuid_text

LONGEST_TEXT = 60
"""Most characters of a payload, or of another text without a field, in one line."""
LONGEST_NAME = 256
"""Most characters of a field that is text, such as the name of a stream, in one line."""
LONGEST_BYTES = 8
"""Most bytes that are written in one line; of more, only the number is shown."""

Words = Callable[[Value], str]
"""Maps the raw value of a node to text."""


def words(node: nodes.Node, *, secrets: bool, longest: int = LONGEST_NAME) -> Words:
    """Return the function that formats a node's values, each as one argument."""
    if node.facts.secret and not secrets:
        return lambda value: "null" if value is None else MASK
    if isinstance(node, nodes.BlobNode) and node.encoding == "uuid":
        return lambda value: "null" if value is None else uuid_text(value)
    if isinstance(node, nodes.BlobNode) and node.slot and node.slot.veiled and not secrets:
        return lambda value: f"[{counted(len(value), 'byte')}]" if value else plain(value)
    if isinstance(node, nodes.BlobNode) and node.encoding is None:
        return lambda value: MASK if value and is_hidden(value) else plain(value, longest)
    facts = node.facts
    if not facts.is_coded and facts.flags is None and facts.base != "hex":
        return str if isinstance(node, nodes.IntNode) else lambda value: plain(value, longest)
    return lambda value: number(node, value) if isinstance(value, int) else plain(value, longest)


def number(node: nodes.Node, value: int) -> str:
    """Format a number: as its name if it has one, as its flags, else as digits."""
    if node.facts.flags is not None:
        return "|".join(n for n, on in flags_set(value, node.facts.flags).items() if on) or "0"
    facts, text = node.facts, digits(node, value)
    if facts.names is not None and value in facts.names:
        return facts.names[value]
    name = facts.name_of(value)
    return f"{name}({text})" if name else text


def digits(node: nodes.Node, value: int) -> str:
    """Format a number in the base of its field."""
    return f"{value:#x}" if node.facts.base == "hex" else str(value)


def plain(value: Value, longest: int = LONGEST_TEXT) -> str:
    """Format any value as one argument."""
    match value:
        case None:
            return "null"
        case str():
            return quoted(value, longest)
        case bytes():
            return (
                value.hex() or "empty" if len(value) <= LONGEST_BYTES else f"[{len(value)} bytes]"
            )
        case list() | range():
            return str(len(value))
        case dict():
            return f"[{len(value)} members]"
        case _:
            return str(value)


class InfoColumn:
    """A formatter of the words that one line shows, for the frames of one schema.

    With `layers`, payloads are inspected: text is shown as text, in quotes, followed by the members
    that embedded records show. Nothing else is decoded for a line.
    """

    def __init__(
        self,
        tree: nodes.Tree,
        *,
        secrets: bool,
        layers: PayloadReaders | None = None,
        paint: Callable[[str, str], str] | None = None,
    ) -> None:
        self._secrets, self._layers = secrets, layers
        self._embedded: dict[str, InfoWords] = {}
        body_of = None if layers is None else self._body_of
        self.words = InfoWords(
            tree, template_of(tree), self._text_of, plain, body_of=body_of, paint=paint
        )
        """Writes the words, and knows which frames are refusals."""

    def __call__(self, row: FrameRow, context: Mapping[str, Any] = NOTHING) -> str:
        """Return the words of a frame, each after a blank; `context` is what is known of it."""
        return self.words(row, context)

    def _text_of(self, node: nodes.Node) -> Words:
        return words(node, secrets=self._secrets)

    def _body_of(self, node: nodes.Node) -> Body | None:
        if not _is_body(node):
            return None
        name, text = node.path[-1], self._text_of(node)
        return lambda row: self._body(node, name, row, text)

    def _body(
        self, node: nodes.BlobNode, name: str, row: FrameRow | RecordView, text: Words
    ) -> tuple[str, str]:
        """Return the text of a payload, and the words that its embedded records show."""
        value, layers = row.shallow[name], self._layers
        if not value or node.slot is None or layers is None or not isinstance(row, FrameRow):
            return text(value), ""
        cell = opened(node, row.shallow, row.agreed)
        out = text(value)
        if self._secrets or not veiled(node.slot, cell.declared):
            out = readable(value, LONGEST_TEXT) or plain(value)
            out = MASK if is_hidden(value) and not self._secrets else out
        inner = ""
        if not row.piece:
            for embedded, found in layers.embedded_records(cell, row.agreed):
                if embedded.shows:
                    inner += self._words_of(embedded)(RecordView(embedded.record_of(found)))
        return out, inner

    def _words_of(self, embedded: EmbeddedRecord) -> InfoWords:
        """Return the writer of what an embedded record shows."""
        known = self._embedded.get(embedded.id)
        if known is None:
            known = InfoWords(embedded.decoder.tree, embedded.shows, self._text_of, plain)
            self._embedded[embedded.id] = known
        return known


def _is_body(node: nodes.Node) -> TypeGuard[nodes.BlobNode]:
    """Return whether a node is a payload that is inspected for a line."""
    return (
        isinstance(node, nodes.BlobNode)
        and node.slot is not None
        and node.encoding is None
        and node.codec is None
        and not node.facts.secret
    )


def long_text(node: nodes.Node, value: Value, *, most: int) -> str:
    """Format a value for a tree: number and name, unit, the whole text, the start of bytes."""
    match value:
        case None:
            return "null"
        case bool() | int():
            return _long_number(node, int(value))
        case str():
            return quoted(value, most) if not value or not value.isprintable() else printable(value)
        case bytes() if isinstance(node, nodes.BlobNode) and node.encoding == "uuid":
            return uuid_text(value)
        case bytes():
            return MASK if is_hidden(value) and value else _long_bytes(value, most)
        case _:
            return str(value)


def _long_number(node: nodes.Node, value: int) -> str:
    facts = node.facts
    text = digits(node, value)
    if facts.flags is not None:
        return f"{value:#x} ({number(node, value)})"
    if facts.is_coded:
        return f"{facts.name_of(value) or 'unknown'} ({text})"
    return f"{text} {facts.unit}" if facts.unit else text


def _long_bytes(value: bytes, most: int) -> str:
    shown = as_bytes(value)[: most // 4].hex()
    size = "1 byte" if len(value) == 1 else f"{len(value)} bytes"
    if not value:
        return "[empty]"
    return f"{shown} [{size}]" if len(value) <= most // 4 else f"{shown}... [{size}]"
