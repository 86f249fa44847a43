"""Messages of applications, found in the frames by each protocol's table of message sources."""

import hashlib
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from streamshark.conversations.messages import PUBLISHED, MessageSource
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders
from streamshark.dissection.row import FrameRow
from streamshark.fields.reassembled import REASSEMBLED
from streamshark.protocols.protocol import Protocol
from streamshark.views.display_options import MASK, DisplayOptions, Value
from streamshark.views.json import JsonRows

MOST_PUBLISHED = 1 << 18
"""Most published messages that are remembered until they are delivered; the oldest are dropped."""
MOST_STREAMS = 1 << 16
"""Most conversations whose stream is remembered."""

_SELECTED = re.compile(r"(\w+)\[(\w+)=([^\]]+)\]")
_PARTS = re.compile(r"\w+(?:\[[^\]]*\])?")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A published or delivered message."""

    row: FrameRow
    """The frame that has it."""
    index: int
    """Position among the messages of the frame, from 0."""
    is_published: bool
    is_joined: bool
    """Whether a delivered message has the bytes of the published one."""
    stream: str | None
    """Stream, subject, segment or route (the first tag); None if the capture does not show it."""
    partition: int | None = None
    number: int | str | None = None
    """Offset, publishing id, event number or stream id."""
    number_name: str = ""
    """Name of the member that holds the number."""
    key: Value = None
    headers: tuple[tuple[str, Value], ...] = ()
    body: Value = None
    """The body as JSON shows it."""
    data: bytes | None = None
    """The bytes of the body; None if they are masked."""
    published_frame: int | None = None
    """For a delivered message, the number of the frame that published it, if exactly one did."""
    latency_ns: int | None = None
    """Time since that frame."""

    @property
    def text(self) -> str:
        """The body as text: decoded, or hex if it is binary."""
        if isinstance(self.body, str) and self.data is not None:
            return plain_text(self.data) or self.body
        return text_of(self.body)


class MessageReader:
    """Finds the messages in rows, and joins those that were published and delivered.

    `protocols` declare where messages are, `layers` decodes their bodies; `hide` masks secrets.
    """

    def __init__(
        self,
        protocols: Iterable[Protocol],
        showing: DisplayOptions,
        layers: PayloadReaders,
        hide: Callable[[Any], Any] | None = None,
    ) -> None:
        self._sources: dict[tuple[str, str], list[MessageSource]] = {}
        for protocol in protocols:
            for each in protocol.messages:
                place = each.protocol or protocol.wire.id, each.command
                self._sources.setdefault(place, []).append(each)
        self._hide = hide
        raw = DisplayOptions(showing.secrets, showing.int_strings)
        self._shown = JsonRows(showing, layers=layers)
        self._raw = JsonRows(raw, layers=without_formats(layers))
        self._streams: OrderedDict[Any, str] = OrderedDict()
        self._published: OrderedDict[bytes, tuple[int, int] | None] = OrderedDict()

    def messages(self, row: FrameRow) -> list[Message]:
        """Return the messages of a frame, in their order on the wire."""
        sources = self._sources.get((row.connection.wire.id, row.command or ""))
        if not sources or row.decoder is None:
            return []
        masked = row if self._hide is None else self._hide(row)
        shown = _whole(self._shown.members(masked))
        found = [each for each in sources if _matches(shown, each.only)]
        if not found:
            return []
        raw = _whole(self._raw.members(masked))
        return [message for each in found for message in self._read(row, each, shown, raw)]

    def _read(
        self, row: FrameRow, source: MessageSource, shown: dict[str, Any], raw: dict[str, Any]
    ) -> Iterator[Message]:
        stream = self._stream(row, source, shown)
        is_published = source.way == PUBLISHED if source.way else row.sender != "server"
        pairs = zip(_items(shown, source.items), _items(raw, source.items), strict=False)
        for index, (item, plain) in enumerate(pairs):
            if not _matches(item, source.only_items) or _first(item, source.body) is None:
                continue
            partition, number = member(item, source.partition), member(item, source.number)
            yield self._joined(
                Message(
                    row=row,
                    index=index,
                    is_published=is_published,
                    is_joined=source.is_joined,
                    stream=stream,
                    partition=partition if isinstance(partition, int) else None,
                    number=source.absent_number if number is None else number,
                    number_name=source.number.rpartition(".")[2],
                    key=member(item, source.key),
                    headers=_headers(item, source),
                    body=_first(item, source.body),
                    data=bytes_of(_first(plain, source.body)),
                )
            )

    def _stream(self, row: FrameRow, source: MessageSource, shown: dict[str, Any]) -> str | None:
        """Return what the messages of a frame were sent to; None if it is not known."""
        context = row.annotation.context if row.annotation else {}
        conversation = row.annotation.conversation if row.annotation else None
        for path in source.stream:
            found = member(shown, path)
            if found in (None, "", []):
                found = context.get(path.rpartition(".")[2])
            if found not in (None, "", []):
                stream = text_of(found[0] if isinstance(found, list) else found)
                if conversation is not None:
                    _remember(self._streams, conversation, stream, MOST_STREAMS)
                return stream
        return self._streams.get(conversation)

    def _joined(self, message: Message) -> Message:
        """Remember a published message, or add to a delivered one what published it."""
        if not message.is_joined or message.data is None or message.stream is None:
            return message
        row = message.row
        parts = (row.connection.wire.id, message.stream, message.partition, text_of(message.key))
        digest = hashlib.blake2b(repr(parts).encode() + message.data, digest_size=16).digest()
        if message.is_published:
            first = None if digest in self._published else (row.number, row.time_ns)
            _remember(self._published, digest, first, MOST_PUBLISHED)
            return message
        published = self._published.get(digest)
        if published is None:
            return message
        frame, time_ns = published
        return replace(message, published_frame=frame, latency_ns=row.time_ns - time_ns)


def without_formats(layers: PayloadReaders) -> PayloadReaders:
    """Return the readers of embedded records alone, with which bodies stay bytes."""
    return PayloadReaders([each for each in layers.readers if isinstance(each, EmbeddedRecord)])


def member(value: Value, path: str) -> Value:
    """Return the member at a path; None if there is none. A coded value is its name."""
    if not path:
        return None
    for part in _PARTS.findall(path):
        selected = _SELECTED.fullmatch(part)
        name = selected[1] if selected else part
        value = value.get(name) if isinstance(value, dict) else None
        if selected:
            items = value if isinstance(value, list) else []
            value = next((one for one in items if member(one, selected[2]) == selected[3]), None)
    if isinstance(value, dict) and value.keys() == {"value", "name"}:
        return value["name"]
    return value


def _first(value: Value, paths: Iterable[str]) -> Value:
    """Return the first member that exists at one of the paths; None if none does."""
    found = (member(value, path) for path in paths)
    return next((each for each in found if each is not None), None)


def text_of(value: Value) -> str:
    """Return a shown value as text: a body without its format, data sections without AMQP."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "format" in value:
        return text_of(value["value"]) if value["format"] != "amqp1" else _amqp(value["value"])
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain_text(data: bytes) -> str | None:
    """Return bytes as text; None if they are not UTF-8 or have control characters."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if _CONTROLS.search(text) else text


def bytes_of(value: Value) -> bytes | None:
    """Return the bytes of a value shown as hex; None if they are masked."""
    if value == MASK:
        return None
    text = text_of(value)
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode()


def _amqp(sections: Value) -> str:
    """Return the data or value of an AMQP 1.0 message as text; all of it if it has neither."""
    bodies = ("data", "amqp_value", "amqp_sequence")
    if isinstance(sections, list):
        found = [text_of(each.get("value")) for each in sections if each.get("section") in bodies]
        if found:
            return "".join(found)
    return text_of(sections)


def _headers(item: Mapping[str, Any], source: MessageSource) -> tuple[tuple[str, Value], ...]:
    """Return the headers of a message: its own, or the application properties of AMQP 1.0."""
    found = member(item, source.headers) if source.headers else None
    if found is None:
        body = _first(item, source.body)
        if isinstance(body, dict) and body.get("format") == "amqp1":
            sections = body["value"] if isinstance(body["value"], list) else []
            name = "application_properties"
            found = next((each["value"] for each in sections if each.get("section") == name), None)
    entries = found if isinstance(found, list) else []
    return tuple(
        (text_of(each.get("key")), each.get("value")) for each in entries if isinstance(each, dict)
    )


def _whole(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with those that fragments were reassembled to."""
    whole = fields.get(REASSEMBLED)
    return {**fields, **whole} if isinstance(whole, dict) else fields


def _items(fields: dict[str, Any], paths: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the items of nested lists; without paths the frame itself."""
    if not paths:
        yield fields
        return
    found = member(fields, paths[0])
    for each in found if isinstance(found, list) else ():
        if isinstance(each, dict):
            inner = bool(paths[1:]) and isinstance(member(each, paths[1]), list)
            yield from _items(each, paths[1:] if inner else ())


def _matches(value: Value, wanted: Iterable[tuple[str, Any]]) -> bool:
    return all(member(value, path) == each for path, each in wanted)


def _remember(kept: OrderedDict[Any, Any], key: object, value: object, most: int) -> None:
    """Keep a value; drop the oldest if there are too many."""
    kept[key] = value
    if len(kept) > most:
        kept.popitem(last=False)
