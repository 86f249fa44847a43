"""Messages as lines of text, by a format string, as JSON, and as files."""

import re
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any, Protocol

from streamshark.conversations.messages import DELIVERED, PUBLISHED
from streamshark.conversations.units import duration
from streamshark.errors import StreamsharkError
from streamshark.views.colour import Palette
from streamshark.views.display_options import MASK
from streamshark.views.escaping import printable
from streamshark.views.json import JsonObjects
from streamshark.views.messages import Message, text_of
from streamshark.views.terminal_lines import LEAST_ROOM, cut
from streamshark.views.times import Clock, Rfc3339

UNKNOWN = "?"
"""Shown for a stream that the capture does not show."""
ARROWS = {True: "->", False: "<-"}
"""Marks of a published and of a delivered message."""
LETTERS = {
    "t": "stream or subject",
    "p": "partition",
    "o": "offset or publishing id",
    "k": "key",
    "K": "length of the key",
    "s": "body",
    "S": "length of the body in bytes",
    "T": "time in milliseconds",
    "h": "headers",
    "%": "a percent sign",
}
"""Letters of a format string, with kcat's meanings."""

_TOKEN = re.compile(r"%(.)|\\(x[0-9a-fA-F]{2}|.)|([^%\\]+)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_UNSAFE = re.compile(r"[^\w.-]+")


class MessageWriter(Protocol):
    """The interface of every output of messages."""

    def head(self) -> str:
        """Return the text before the first message."""

    def message(self, message: Message) -> str:
        """Return one message as text, with its line end."""

    def tail(self) -> str:
        """Return the text after the last message."""


class MessageText:
    """Messages as lines; a line is cut at `width` columns, 0 for never."""

    def __init__(self, clock: Clock, palette: Palette, *, width: int = 0) -> None:
        self.clock = clock
        self.palette = palette
        self.width = width
        self._widths = [4, 5, 8]

    def head(self) -> str:
        """Return an empty text: lines have no heading."""
        return ""

    def message(self, message: Message) -> str:
        """Return one line."""
        row = message.row
        cells = [str(row.number), f"p{row.packet}"]
        self._widths[:2] = map(max, self._widths, map(len, cells))
        start = f"{cells[0]:>{self._widths[0]}} {cells[1]:<{self._widths[1]}} "
        place = f"{ARROWS[message.is_published]} {self._place(message)}"
        line = f"{start}{self.clock(row.time_ns)} {row.connection.wire.short:<9} {place}"
        end = ""
        if message.published_frame is not None:
            since = duration(message.latency_ns)
            end = f"  [published in frame {message.published_frame}, {since} earlier]"
        body = printable(message.text)
        if self.width:
            room = self.width - len(line) - len(end) - 1
            if room < LEAST_ROOM:  # the line is folded, and the body continues in the next one
                room = max(self.width - len(start) - len(end), LEAST_ROOM)
            body = cut(body, room)
        painted = self.palette.paint("command", place)
        line = line.removesuffix(place) + painted
        return f"{line} {body}{self.palette.paint('generated', end)}\n"

    def tail(self) -> str:
        """Return an empty text."""
        return ""

    def _place(self, message: Message) -> str:
        """Return stream, partition, number, key and headers."""
        parts = [printable(message.stream or UNKNOWN)]
        if message.partition is not None:
            parts.append(f"partition={message.partition}")
        if message.number is not None:
            parts.append(f"{message.number_name}={message.number}")
        if message.key is not None:
            parts.append(f"key={printable(text_of(message.key))}")
        if message.headers:
            parts.append(f"headers={len(message.headers)}")
        return " ".join(parts)


class MessageFormat:
    """Messages by a format string with kcat's letters; an error if one is unknown."""

    def __init__(self, form: str) -> None:
        self._parts: list[Callable[[Message], str]] = []
        for letter, escape, text in _TOKEN.findall(form):
            self._parts.append(_part(letter) if letter else _constant(escape, text))
        if form.endswith("%") and not form.endswith("%%"):
            raise StreamsharkError("-f: % at the end needs a letter")

    def head(self) -> str:
        """Return an empty text."""
        return ""

    def message(self, message: Message) -> str:
        """Return the message; line ends are up to the format."""
        return "".join(part(message) for part in self._parts)

    def tail(self) -> str:
        """Return an empty text."""
        return ""


class MessageJson(JsonObjects):
    """Messages as JSON objects; `files` are the names of several captures, empty for one."""

    def __init__(self, files: Sequence[str] = (), *, array: bool = False) -> None:
        super().__init__(array=array)
        self.files = files
        self._time = Rfc3339()

    def message(self, message: Message) -> str:
        """Return one object."""
        return self.object(self._members(message))

    def tail(self) -> str:
        """Return the end of the array, if any."""
        return self.end()

    def _members(self, message: Message) -> dict[str, Any]:
        row = message.row
        file = {"file": printable(self.files[row.file])} if self.files else {}
        return {
            "frame": row.number,
            **file,
            "time": self._time(row.time_ns) or None,
            "time_ns": row.time_ns,
            "flow": row.connection.flow.number,
            "packets": list(row.packets),
            "protocol": row.connection.wire.id,
            "command": row.command,
            "way": PUBLISHED if message.is_published else DELIVERED,
            "stream": message.stream,
            "partition": message.partition,
            "number": message.number,
            "number_name": message.number_name or None,
            "key": message.key,
            "headers": [{"key": key, "value": value} for key, value in message.headers],
            "body": message.body,
            "length": None if message.data is None else len(message.data),
            "conversation": row.annotation.conversation if row.annotation else None,
            "published_frame": message.published_frame,
            "latency_ns": message.latency_ns,
        }


def file_name(message: Message) -> str:
    """Return a name for a file with the message's body, unique in one reading."""
    row = message.row
    stream = _UNSAFE.sub("_", message.stream or "unknown").strip("._")[:80] or "unknown"
    number = "" if message.number is None else f"-{_UNSAFE.sub('_', str(message.number))}"
    ending = _ending(message)
    return str(PurePath(f"{row.number:06}-{message.index}-{stream}{number}{ending}"))


def _ending(message: Message) -> str:
    """Return the ending of a file with the message's body."""
    known = {"json": ".json", "text": ".txt", "cbor": ".cbor", "messagepack": ".msgpack"}
    form = message.body.get("format") if isinstance(message.body, dict) else None
    return known.get(str(form), ".bin")


def _part(letter: str) -> Callable[[Message], str]:
    if letter not in LETTERS:
        known = ", ".join(f"%{each} {meaning}" for each, meaning in LETTERS.items())
        raise StreamsharkError(f"-f: %{printable(letter)} is not known: {known}")
    return {
        "t": lambda one: printable(one.stream or ""),
        "p": lambda one: "" if one.partition is None else str(one.partition),
        "o": lambda one: "" if one.number is None else str(one.number),
        "k": lambda one: printable(text_of(one.key)),
        "K": lambda one: str(len(text_of(one.key).encode())),
        "s": lambda one: printable(one.text),
        "S": lambda one: MASK if one.data is None else str(len(one.data)),
        "T": lambda one: str(one.row.time_ns // 1_000_000),
        "h": _headers,
        "%": lambda _one: "%",
    }[letter]


def _headers(message: Message) -> str:
    """Return the headers as kcat shows them: `name=value`, separated by commas."""
    return ",".join(
        f"{printable(key)}={printable(text_of(value))}" for key, value in message.headers
    )


def _constant(escape: str, text: str) -> Callable[[Message], str]:
    if escape.startswith("x") and len(escape) > 1:
        text = chr(int(escape[1:], 16))
    elif escape:
        text = _ESCAPES.get(escape, escape)
    return lambda _one: text
