"""`streamshark encode`: frames from their JSON to hex or bytes."""

import json
import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from streamshark.cli import options
from streamshark.cli.arguments import is_file, read, text_of
from streamshark.cli.output import NOTHING_READ, Output, complain
from streamshark.errors import StreamsharkError
from streamshark.protocols.catalog import catalog, find, formats, layers
from streamshark.views.json_encoder import JsonEncoder

BLANKS: Final = " \t\r\n"


@click.command("encode", context_settings=options.HELP)
@click.argument("texts", nargs=-1, metavar="[JSON|FILE|-]...")
@click.option(
    "--protocol",
    "protocol",
    metavar="PROTOCOL",
    help="The protocol of frames whose JSON does not name it.",
)
@click.option("--no-prefix", "bare", is_flag=True, help="Leave out the length before each frame.")
@click.option("--raw", is_flag=True, help="Write bytes, not hex.")
@options.protocols
def command(texts: tuple[str, ...], **given: Any) -> int:  # noqa: ANN401 - click's options
    """Encode frames from JSON, as decode and read print it; one line of hex for each frame.

    A frame is named by its protocol, command, kind, key and version, and has its values in fields.
    Lengths, counts and checksums that are left out are computed. If it has the member bytes, as
    decode prints it where fields do not say all, only values that differ are changed in these
    bytes. A value that does not fit is refused, and nothing is written. Events are skipped.

    \b
    streamshark decode 0000000400170001 | streamshark encode
    streamshark encode '{"protocol": "nats", "command": "ping"}'
    streamshark encode --raw frames.json > frames.bin
    """  # noqa: D301 - click's mark for lines that stay
    known = catalog(given["paths"])
    dialects = {find(name, known).wire.id: value for name, value in given["dialects"].items()}
    tables = [each.wire.table(dialects.get(each.wire.id, "")) for each in known]
    protocol = find(given["protocol"], known).wire.id if given["protocol"] else None
    encoder = JsonEncoder(tables, layers(known, formats(given["paths"])))
    frames: list[bytes] = []
    skipped = 0
    for number, each in enumerate(_values(texts), 1):
        if isinstance(each, dict) and each.get("kind") == "event":
            skipped += _skipped(each)
            continue
        try:
            frames.append(encoder.frame(each, protocol=protocol, bare=given["bare"]))
        except StreamsharkError as error:
            raise StreamsharkError(f"frame {number}: {error}") from None
    if skipped:
        complain(f"bytes that are in no frame are not in this JSON: {skipped} bytes are missing")
    if not frames:
        complain("no frame in this JSON")
        return NOTHING_READ
    if given["raw"]:
        sys.stdout.buffer.write(b"".join(frames))
        sys.stdout.buffer.flush()
        return 0
    output = Output()
    for data in frames:
        output.write(data.hex() + "\n")
    output.flush()
    return 0


def _skipped(event: dict[str, Any]) -> int:
    """Return how many bytes an event says were skipped."""
    fields = event.get("fields")
    count = fields.get("skipped") if isinstance(fields, dict) else 0
    return count if isinstance(count, int) else 0


def _values(texts: tuple[str, ...]) -> Iterator[object]:
    """Yield the JSON values of all arguments, those of arrays one by one."""
    if not texts and not sys.stdin.isatty():
        texts = ("-",)
    for given in texts:
        name, text = "JSON", given
        if given == "-" or is_file(given):
            name, data = read(given)
            text = text_of(data, name, "encode reads JSON")
        for value in _parsed(text, name):
            if isinstance(value, list):
                yield from value
            else:
                yield value


def _parsed(text: str, name: str) -> Iterator[object]:
    """Yield the JSON values of a text, one after the other."""
    at, end = 0, len(text)
    decode = json.JSONDecoder().raw_decode
    while True:
        while at < end and text[at] in BLANKS:
            at += 1
        if at == end:
            return
        try:
            value, at = decode(text, at)
        except (ValueError, RecursionError):
            line = text.count("\n", 0, at) + 1
            raise StreamsharkError(f"{name}: line {line}: not valid JSON") from None
        yield value
