"""Rows and fields as texts to copy or to write: text, JSON, hex, filters, commands."""

import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from streamshark.dissection.masking import MaskedRow
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.tui.pieces import pieces, text_of
from streamshark.views.display_options import BODIES, DisplayOptions
from streamshark.views.hexdump import dump
from streamshark.views.json import JsonRows

if TYPE_CHECKING:
    from streamshark.tui.browser import Browser
    from streamshark.tui.details import Path
    from streamshark.views.tree_items import TreeItem

PLAIN_TEXT: Final = 256
"""Most characters of a value that becomes part of a filter."""


class RowTexts:
    """Texts of the rows of a browser; secrets are masked as it masks them."""

    def __init__(self, browser: "Browser") -> None:
        self.browser = browser
        showing = DisplayOptions(secrets=browser.show_secrets, bodies=BODIES[0])
        files = browser.files if len(browser.files) > 1 else ()
        self._json = JsonRows(showing, files, layers=browser.layers)

    def text(self, at: int) -> str:
        """Return the line of a row, as `read` writes it but for its columns."""
        row = self.browser.row(at)
        src, dst = row.addresses
        number = f"{row.number} " if isinstance(row, FrameRow) else ""
        time = self.browser.time(row, None).strip()
        info = text_of(pieces(self.browser.info(row)))
        return f"{number}p{row.packet} {time} {src} -> {dst} {self._protocol(row)} {info}"

    def json(self, at: int) -> str:
        """Return a row as `read -T json` writes it."""
        return self._json.row(self.browser.row(at))

    def hex(self, at: int) -> str:
        """Return the bytes of a frame, as `read -x` shows them."""
        row = self.browser.row(at)
        hidden = row.hidden if isinstance(row, MaskedRow) else []
        return dump(row.data, hidden) if isinstance(row, FrameRow) else ""

    def digits(self, at: int) -> str:
        """Return the bytes of a frame as hex digits, which `decode` takes.

        Raises:
            StreamsharkError: There are none, or some are secret.
        """
        row = self.browser.row(at)
        if not isinstance(row, FrameRow):
            raise StreamsharkError("an event has no bytes")
        if isinstance(row, MaskedRow) and row.hidden:
            raise StreamsharkError("the frame has secrets; --show-secrets shows them")
        return row.data.hex()

    def command(self, at: int | None, display_filter: str) -> str:
        """Return the command line that shows a row, or the rows that a filter selects."""
        files = names_of(self.browser.index.names)
        secrets = " --show-secrets" if self.browser.show_secrets else ""
        if at is None:
            chosen = f" -Y {shlex.quote(display_filter)}" if display_filter else ""
            return f"streamshark read{secrets}{chosen} {files}"
        row = self.browser.row(at)
        if isinstance(row, FrameRow):
            return f"streamshark read --frame {row.number} -V -x{secrets} {files}"
        flow = row.connection.flow.number
        return f"streamshark read{secrets} --flow {flow} {files}"

    @staticmethod
    def _protocol(row: Row) -> str:
        return str(getattr(row, "protocol", "")) or row.connection.wire.short


def field_of(row: Row, item: "TreeItem", path: "Path", browser: "Browser") -> str | None:
    """Return the name of a field for filters and columns; None if it has none."""
    if not isinstance(row, FrameRow) or row.decoder is None:
        return None
    tree = row.decoder.tree
    names = []
    if item.node is not None and item.node.path:
        if item.node in tree.nodes:
            names.append(tree.name(item.node))
    elif path[-1][:1] not in "[#":
        names.append(".".join((tree.prefix, *(each for each in path[1:] if each[:1] not in "[#"))))
    return next((each for each in names if browser.fields.find(each) is not None), None)


def filter_of(row: Row, item: "TreeItem", path: "Path", browser: "Browser") -> str:
    """Return the display filter that selects rows with the value of a field.

    Raises:
        StreamsharkError: Filters cannot name the field, or its value is masked.
    """
    name = field_of(row, item, path, browser)
    if name is None:
        if len(path) == 1 and isinstance(row, FrameRow) and row.decoder is not None:
            return f'{row.connection.wire.short}.command == "{row.name}"'
        raise StreamsharkError("filters cannot name this field")
    is_uuid = getattr(item.node, "encoding", None) == "uuid" and isinstance(item.value, bytes)
    literal = item.text if is_uuid else literal_of(item.value)
    text = name if literal is None else f"{name} == {literal}"
    return name if browser.judge(text).level == "invalid" else text


def literal_of(value: object) -> str | None:
    r"""Return a value as a filter writes it; None if it has no literal.

    >>> literal_of(5), literal_of("a\"b"), literal_of(b"\xca\xfe"), literal_of([])
    ('5', '"a\\"b"', 'ca:fe', None)
    """
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(int(value))
        case float():
            return repr(value)
        case str() if value.isprintable() and len(value) <= PLAIN_TEXT:
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case bytes() if 0 < len(value) <= PLAIN_TEXT // 2:
            return value.hex(":")
    return None


def lines_of(texts: RowTexts, rows: Iterable[int], form: str) -> Iterator[str]:
    """Yield the rows in a form of `FORMS` but captures and diagrams, with line ends."""
    match form:
        case "ndjson":
            yield from (f"{texts.json(each)}\n" for each in rows)
        case "json":
            yield "["
            for number, each in enumerate(rows):
                yield f"{',' if number else ''}\n{texts.json(each)}"
            yield "\n]\n"
        case "hex":
            for each in rows:
                yield f"{texts.text(each)}\n{texts.hex(each)}\n"
        case _:
            yield from (f"{texts.text(each)}\n" for each in rows)


FORMS: Final = {
    ".txt": "text", ".json": "json", ".ndjson": "ndjson", ".hex": "hex", ".pcapng": "pcapng",
    ".mmd": "mermaid", ".puml": "plantuml",
}  # fmt: skip
"""End of a file's name to what is written into it."""


def form_of(name: str) -> str:
    """Return the form of a file by the end of its name.

    Raises:
        StreamsharkError: There is no such form.
    """
    for end, form in FORMS.items():
        if name.endswith(end):
            return form
    raise StreamsharkError(f"{name}: the name must end with {', '.join(FORMS)}")


def names_of(files: Iterable[str]) -> str:
    """Return names of files as arguments of a shell."""
    return " ".join(map(shlex.quote, files))
