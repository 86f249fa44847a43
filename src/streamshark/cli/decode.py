"""`streamshark decode`: frames from hex or bytes, without a capture."""

import sys
from collections.abc import Callable
from string import hexdigits
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.arguments import is_file, read, text_of
from streamshark.cli.display_filter import display_filter, info_column
from streamshark.cli.filter_macros import with_macros
from streamshark.cli.hex_text import bytes_of
from streamshark.cli.output import DAMAGED, NOTHING_READ, Output, complain
from streamshark.cli.raw_bytes import SIDES, as_message, hint, inside, rows_of, surest, with_prefix
from streamshark.cli.writers import check, printer_of, with_bytes
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.framing.carried import Route, routes
from streamshark.framing.carrier import Carrier
from streamshark.protocols.catalog import carriers, catalog, find, formats, layers, named
from streamshark.protocols.protocol import Protocol

MOST_NAME = 255
"""Most characters of what is taken for the name of a file."""


@click.command("decode", context_settings=options.HELP)
@click.argument("texts", nargs=-1, metavar="[HEX|FILE|-]...")
@click.option(
    "--protocol",
    "protocol",
    metavar="PROTOCOL",
    help="The protocol or carrier (websocket) of the bytes; by default it is detected.",
)
@click.option("--from", "sender", type=click.Choice(SIDES), help="The sender of the bytes.")
@click.option(
    "--no-prefix", "bare", is_flag=True, help="The input is one frame without its length prefix."
)
@click.option("--raw", is_flag=True, help="The input is binary, not hex.")
@display_filter
@options.form("text", "json", "ndjson", default=None)
@options.rendering
@options.protocols
@options.showing
def command(texts: tuple[str, ...], **given: Any) -> int:  # noqa: ANN401 - click's options
    """Decode frames from hex to one JSON object per line; -V or -T text print trees.

    The bytes are those of a TCP stream, with the length prefix of each frame, or frames of a
    carrier such as WebSocket; --no-prefix is for one frame without its length prefix. Hex may have
    any common notation: spaces, colons, commas, 0x, \\x41, bytes literals, and dumps of xxd,
    hexdump -C, tcpdump -X or Wireshark. An argument that names a file is read from the file, - from
    standard input.

    \b
    streamshark decode 0000000400170001
    xxd frame.bin | streamshark decode -V -
    streamshark decode --raw frame.bin
    """  # noqa: D301 - click's mark for lines that stay
    given["form"] = given["form"] or ("text" if given["tree"] or given["dump"] else "ndjson")
    given["tree"] = given["form"] == "text"
    check(given)
    if given["keylog"]:
        raise click.UsageError(
            f"-o {options.KEYLOG}: TLS is only decrypted in captures (see read --help)"
        )
    data = _input(texts, raw=given["raw"])
    if not data:
        raise click.UsageError("no input: give hex, a file, or - for standard input")
    known = catalog(given["paths"])
    ways = _ways(given, known)
    route = _chosen(data, ways, is_named=bool(given["protocol"]))
    given_bytes = data
    if given["bare"]:
        route, data = _bare(data, ways[0])
    readers = layers(known, formats(given["paths"]))
    rows = printer_of(given, layers=readers)
    rows.printer = with_bytes(rows.printer, (each.wire for each in known), readers, route.table)
    output = Output(folds=given["form"] == "text" and not given["wide"] and not given["dump"])
    output.write(rows.head())
    decoded = False
    selected = _selected(given, known)
    for row in rows_of(data, route.table, given["sender"], route.carrier):
        decoded |= isinstance(row, FrameRow) and row.decoder is not None
        if selected(row):
            output.write(rows.row(row))
    output.write(rows.tail())
    output.flush()
    if not decoded:
        complain(hint(given_bytes, route.table, bare=given["bare"]))
        return NOTHING_READ
    return DAMAGED if given["strict"] and rows.problems else 0


def _selected(given: dict[str, Any], known: tuple[Protocol, ...]) -> Callable[[Row], bool]:
    """Return whether the display filter selects a row."""
    if not given["display_filter"]:
        return lambda _row: True
    from streamshark.fields.registry import Fields  # noqa: PLC0415 - only who filters loads them
    from streamshark.filters import compile  # noqa: A004, PLC0415

    kinds = formats(given["paths"])
    readers = layers(known, kinds)
    fields = Fields(known, readers, formats=kinds, info=info_column(readers))
    return compile(with_macros(given["display_filter"]), fields)


def _ways(given: dict[str, Any], known: tuple[Protocol, ...]) -> list[Route]:
    """Return the routes by which to read bytes, of each protocol in the chosen dialect."""
    dialects = {find(name, known).wire.id: value for name, value in given["dialects"].items()}
    tables = [each.wire.table(dialects.get(each.wire.id, "")) for each in known]
    others = carriers(given["paths"])
    meant = named(given["protocol"], known, others) if given["protocol"] else None
    if isinstance(meant, Protocol):
        tables = [each for each in tables if each.wire.id == meant.wire.id]
    if given["bare"] and not isinstance(meant, Protocol):
        raise click.UsageError(
            "--no-prefix needs --protocol: a frame without its length prefix is not recognised"
        )
    leading = (each for each in routes(tables, others) if each.leads)
    ways = [*leading, *(each for table in tables for each in inside(table))]
    return [each for each in ways if not isinstance(meant, Carrier) or each.carrier is meant]


def _chosen(data: bytes, ways: list[Route], *, is_named: bool) -> Route:
    """Return the route by which the bytes are read; if in doubt, a named protocol over TCP."""
    try:
        return surest(data, ways)
    except StreamsharkError:
        if is_named:
            return ways[0]
        raise


def _bare(data: bytes, route: Route) -> tuple[Route, bytes]:
    """Return the route for one frame without its length prefix, and the bytes to read."""
    alone = as_message(route.table)
    return (alone, data) if alone else (route, with_prefix(data, route.table))


def _input(texts: tuple[str, ...], *, raw: bool) -> bytes:
    """Return the bytes that the arguments mean, concatenated; hex may span several arguments."""
    if not texts and not sys.stdin.isatty():
        texts = ("-",)
    out, spelt = b"", []
    for text in texts:
        if text != "-" and not is_file(text):
            spelt.append(text)
            continue
        if spelt:
            out += _spelt(spelt, raw=raw)
            spelt = []
        name, data = read(text)
        out += data if raw else bytes_of(text_of(data, name, "use --raw for binary input"), name)
    return out + _spelt(spelt, raw=raw)


def _spelt(texts: list[str], *, raw: bool) -> bytes:
    if raw and texts:
        raise StreamsharkError(f"{texts[0]}: no such file")
    try:
        return bytes_of(" ".join(texts), "") if texts else b""
    except StreamsharkError as error:
        if len(texts) == 1 and _may_be_file(texts[0]):
            raise StreamsharkError(f"{texts[0]}: neither a file nor hex: {error}") from None
        raise


def _may_be_file(text: str) -> bool:
    """Return whether an argument may be meant as the name of a file: a word, and not of digits."""
    is_hex = all(each in hexdigits for each in text)
    is_word = not any(each.isspace() or each == "\\" for each in text)
    return is_word and not is_hex and len(text) <= MOST_NAME
