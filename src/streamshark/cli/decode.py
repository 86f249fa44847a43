"""`streamshark decode`: frames from hex or bytes, without a capture."""

import sys
from pathlib import Path
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.hextext import bytes_of
from streamshark.cli.loose import SIDES, hint, rows_of, surest, with_prefix
from streamshark.cli.output import DAMAGED, Output, complain
from streamshark.cli.rows import check, printer_of
from streamshark.errors import StreamsharkError
from streamshark.frames.frame import FrameRow
from streamshark.frames.wire import Table
from streamshark.protocols.catalog import catalog, find, formats, layers
from streamshark.protocols.protocol import Protocol


@click.command("decode", context_settings=options.HELP)
@click.argument("texts", nargs=-1, metavar="[HEX|FILE|-]...")
@click.option(
    "--protocol", "protocol", metavar="PROTOCOL", help="Which protocol it is; else the surest."
)
@click.option("--from", "sender", type=click.Choice(SIDES), help="Which side sends it.")
@click.option("--no-prefix", "bare", is_flag=True, help="One frame, without the length before it.")
@click.option("--raw", is_flag=True, help="The input is bytes, not hex.")
@options.form("text", "json", "ndjson", default=None)
@options.rendering
@options.protocols
@options.showing
def command(texts: tuple[str, ...], **given: Any) -> int:  # noqa: ANN401 - click's options
    """Decode frames from hex, one JSON object a line; -V or -T text give trees.

    The bytes are as they stand in a TCP connection, with the length before each frame. Hex may be
    spelt in any way: blanks, colons, commas, 0x, \\x41, bytes literals, and dumps of xxd, hexdump
    -C, tcpdump -X or Wireshark. An argument that names a file is read from it, - from standard
    input.

    \b
    streamshark decode 0000000400170001
    xxd frame.bin | streamshark decode -V -
    streamshark decode --raw frame.bin
    """  # noqa: D301 - click's mark for lines that stay
    given["form"] = given["form"] or ("text" if given["tree"] or given["dump"] else "ndjson")
    given["tree"] = given["form"] == "text"
    check(given)
    if given["keylog"]:
        raise click.UsageError(f"-o {options.KEYLOG}: TLS is read from captures (see read --help)")
    data = _input(texts, raw=given["raw"])
    if not data:
        raise click.UsageError("nothing to decode: give hex, a file, or - for standard input")
    known = catalog(given["paths"])
    tables = _tables(given, known)
    table = tables[0] if len(tables) == 1 else surest(data, tables)
    frames = with_prefix(data, table) if given["bare"] else data
    rows = printer_of(given, tables, layers=layers(known, formats(given["paths"])))
    output = Output()
    output.write(rows.head())
    decoded = False
    for row in rows_of(frames, table, given["sender"]):
        decoded |= isinstance(row, FrameRow) and row.decoder is not None
        output.write(rows.row(row))
    output.write(rows.tail())
    output.flush()
    if not decoded:
        complain(hint(data, table, bare=given["bare"]))
    return DAMAGED if given["strict"] and rows.problems else 0


def _tables(given: dict[str, Any], known: tuple[Protocol, ...]) -> list[Table]:
    """The protocols that the bytes may be, each in the dialect asked for."""
    dialects = {find(name, known).wire.id: value for name, value in given["dialects"].items()}
    chosen = [find(given["protocol"], known)] if given["protocol"] else known
    tables = [each.wire.table(dialects.get(each.wire.id, "")) for each in chosen]
    if given["bare"] and len(tables) != 1:
        raise click.UsageError(
            "--no-prefix needs --protocol: without its length a frame is anything"
        )
    return tables


def _input(texts: tuple[str, ...], *, raw: bool) -> bytes:
    """The bytes that the arguments mean, one after the other; hex may be spread over several."""
    if not texts and not sys.stdin.isatty():
        texts = ("-",)
    out, spelt = b"", []
    for text in texts:
        if text != "-" and not _is_file(text):
            spelt.append(text)
            continue
        if spelt:
            out += _spelt(spelt, raw=raw)
            spelt = []
        data = sys.stdin.buffer.read() if text == "-" else _read(text)
        name = "standard input" if text == "-" else text
        out += data if raw else bytes_of(_text(data, name), name)
    return out + _spelt(spelt, raw=raw)


def _spelt(texts: list[str], *, raw: bool) -> bytes:
    if raw and texts:
        raise StreamsharkError(f"{texts[0]}: no such file")
    return bytes_of(" ".join(texts), "") if texts else b""


def _is_file(text: str) -> bool:
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):
        return False


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise StreamsharkError(f"{name}: cannot be read: {error.strerror or error}") from None


def _text(data: bytes, name: str) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise StreamsharkError(f"{name}: this is not text; --raw decodes bytes")
    return text
