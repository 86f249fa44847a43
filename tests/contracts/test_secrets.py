"""No output shows a secret: a marker is planted wherever one may be, and searched for."""

import gzip
import io
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest
from tests import draw, marker
from tests.builders import pcap
from tests.contracts import planted_secrets
from tests.contracts.planted_secrets import COMPOSITE, LAYERS, PLACES, PROTOCOLS
from tests.fields.known import fields_of
from tests.marker import FORMS, MARKER, PIECE, TOKEN
from tests.recorded.share import showing_all_frames

import streamshark
from streamshark.cli.main import run
from streamshark.cli.raw_bytes import rows_of
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row, frame_of
from streamshark.fields.registry import Fields
from streamshark.framing.wire_format import FrameTable, WireFormat
from streamshark.lua import plugin
from streamshark.lua.text import value
from streamshark.protocols.http2 import call
from streamshark.schema import Head, secrets
from streamshark.session import Session
from streamshark.spark import table_fillers, tables
from streamshark.views.colour import Palette
from streamshark.views.display_options import BODIES, DisplayOptions
from streamshark.views.fields_output import FieldRows, Layout
from streamshark.views.json import JsonRows
from streamshark.views.packet_details import DetailRows, WithHexDump
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.text import TextRows
from streamshark.views.times import Clock

VEIL: Final = SecretMask(LAYERS)
PIECES: Final = tuple(MARKER[at : at + PIECE] for at in range(len(MARKER) - PIECE + 1))
PLAIN: Final = Palette(enabled=False)
COMMANDS: Final = (
    ("read", "-x"), ("read", "-V", "-x"), ("read", "-V", "--bodies", "raw"), ("read", "-2"),
    ("read", "-T", "json", "-2"), ("read", "-T", "ndjson", "--bodies", "raw"), ("check",),
    ("check", "-T", "json"), ("check", "-T", "ndjson"), ("check", "-T", "sarif"),
    ("check", "-T", "junit"), ("explain",), ("conversations",), ("conversations", "-T", "ndjson"),
    ("stats",), ("stats", "-T", "json"), ("info",), ("info", "-T", "json"),
    ("diagram", "-T", "plantuml"),
)  # fmt: skip
FEW_COMMANDS: Final = 10
"""Commands that are run over the planted capture, drawn."""
SECRETIVE: Final = ("grpc.", "nats.connect", "nats.info", "rmqstream.sasl", "rsocket.")
"""What names of fields begin with that are asked for by name."""
FEW_SPOILT: Final = 7
"""One in so many spoilt frames is shown by `make test`: most bytes, each changed in one of the
three ways."""
SHORTS: Final = frozenset(each.wire.short for each in PROTOCOLS) - {"grpc"}
"""Protocols of our plugins; gRPC is Wireshark's own."""


@cache
def registry(wire: WireFormat) -> Fields:
    """The fields of a protocol, made once."""
    return fields_of(wire, layers=LAYERS)


def outputs(row: Row, table: FrameTable, *, secrets: bool = False) -> Iterator[tuple[str, str]]:
    """What every view makes of a row, by a name."""
    hide = None if secrets else SecretMask(LAYERS).row
    shown = row if hide is None else hide(row)
    for bodies in BODIES:
        showing = DisplayOptions(secrets=secrets, bodies=bodies)
        yield f"json {bodies}", JsonRows(showing, layers=LAYERS, loose=True).row(shown)
        inner = PayloadTree(LAYERS, bodies)
        yield (
            f"tree {bodies}",
            DetailRows(PLAIN, secrets=secrets, loose=True, bodies=inner).row(shown),
        )
    text = TextRows(Clock(), PLAIN, secrets=secrets, loose=True, layers=LAYERS, strict=True)
    yield "text", text.row(shown)
    dumped = WithHexDump(text).row(shown)
    yield "dump", dumped
    lines = [line for line in dumped.splitlines() if line[4:6] == "  "]
    yield "joined dump", " ".join(line[6:53].strip() for line in lines)
    yield "letters", "".join(line[56:] for line in lines)
    tree = row.decoder.tree if isinstance(row, FrameRow) and row.decoder else None
    names = ["frame"] if tree is None else list(dict.fromkeys(map(tree.name, tree.named())))
    columns = FieldRows(names, registry(table.wire), Layout(), DisplayOptions(secrets=secrets))
    yield "fields", columns.row(shown)
    made = frame_of(row, hide)
    yield "api", f"{made.fields} {made.data!r} {made.data.hex()} {made.problems} {made.reassembled}"


def leaks(data: bytes, table: FrameTable, sender: str | None) -> list[str]:
    """Yield where the marker appears in the output of some bytes."""
    return [
        f"{name}: {form} in {text[:600]!r} of {data!r}"
        for row in rows_of(data, table, sender)
        for name, text in outputs(row, table)
        if (form := marker.found(text))
    ][:1]


def shows(data: bytes, table: FrameTable, sender: str | None) -> bool:
    """Whether the marker is seen where secrets are asked for, in the tree."""
    return any(
        MARKER in text or MARKER.encode().hex() in text
        for row in rows_of(data, table, sender)
        for name, text in outputs(row, table, secrets=True)
        if name in {"tree decoded", "joined dump"} or name == "letters"
    )


@pytest.mark.parametrize("one_of", [FEW_SPOILT, pytest.param(1, marks=pytest.mark.sweep)])
def test_fields_of_every_schema(one_of: int) -> None:
    """Whole, cut at several places, and with lengths that lie: one in so many of these."""
    found, seen, unseen = list[str](), set[str](), set[str]()
    for name, table, sender, data in planted_secrets.frames():
        if name not in seen and shows(data, table, sender):
            seen.add(name)
        unseen.add(name)
        at = data.index(TOKEN)
        is_measured = isinstance(table.head, Head) and table.head.total is not None
        head = max(table.head.least, 8) if is_measured else at
        for each in (data, data[:-1], data[: at + PIECE]):
            found += leaks(each, table, sender)
        found += [
            f"{name}: {each.hex()}"
            for each in islice(planted_secrets.spoilt(data, head), None, None, one_of)
            for row in map(VEIL.row, rows_of(each, table, sender=sender))
            if isinstance(row, FrameRow) and marker.found(repr((row.data, row.values)), PIECES)
        ]

    assert found[:5] == []
    assert unseen <= seen, "not even shown where it is asked for"
    assert len(seen) > 40


@pytest.mark.parametrize("known", [True, False])
def test_metadata_of_rsocket(*, known: bool) -> None:
    """Of any type, whether SETUP is there or not; where it is, with lengths that lie."""
    table = next(each for each in PROTOCOLS if each.wire.id == "rsocket").wire.table()
    start = planted_secrets.setup(COMPOSITE) if known else b""
    found = []
    for name, place in PLACES.items():
        lying = (len(place) - 6, len(place) + 30) if known and name != "a tag" else ()
        for size in (None, *lying):
            data = start + planted_secrets.request(place, size=size)
            assert shows(data, table, "client")
            found += leaks(data, table, "client") + leaks(data[:-7], table, "client")
    for kind in ("message/x.rsocket.authentication.bearer.v0", "application/x.token"):
        found += leaks(
            planted_secrets.setup(kind) + planted_secrets.request(TOKEN), table, "client"
        )

    assert found == []


def test_lines_of_nats() -> None:
    """URLs, members with such names, headers; whole and cut."""
    table = next(each for each in PROTOCOLS if each.wire.id == "nats").wire.table()
    found = []
    for data, sender in planted_secrets.lines():
        assert shows(data, table, sender), data
        found += leaks(data, table, sender) + leaks(data[:-3], table, sender)

    assert found == []


def test_calls_of_grpc() -> None:
    """Headers with such names in any case and form, paths; the delegation token of Pravega."""
    table = next(each for each in PROTOCOLS if each.wire.id == "grpc").wire.table()
    names = ("authorization", "cookie", "Set-Cookie", "x-api-key", "proxy-authorization",
             "x-goog-iam-authorization-token-bin", "api-key-bin")  # fmt: skip
    path = "/io.pravega.controller.stream.api.grpc.v1.ControllerService/getDelegationToken"
    pairs = [(":path", path + "?token=" + MARKER), (":authority", f"me:{MARKER}@host")]
    headers = [(each, MARKER) for each in names]
    asked = call.request(call.CallFlag(0), 1, [*pairs[:1], *headers])
    answered = call.response(call.CallFlag(0), 1, [(":status", "200"), *headers], "", path)
    ended = call.trailers(call.CallFlag(1), 1, [("grpc-status", "0"), *headers], "", path)
    message = b"\x0a" + bytes([len(TOKEN)]) + TOKEN
    head = call.head(call.CallKind.SERVER_MESSAGE, call.CallFlag(0), 1, "application/grpc", path)
    found = []
    for data in (asked, answered, ended, head + message, head + message[:-3], asked[:-5]):
        assert TOKEN[:PIECE] in data
        assert shows(data, table, None) or data.endswith(TOKEN[:-3])
        found += leaks(data, table, None)

    assert found == []


def test_tokens_of_protobuf_are_hidden_whole() -> None:
    """Their first byte too, and fields that nobody knows; the lengths before them stay."""
    table = next(each for each in PROTOCOLS if each.wire.id == "grpc").wire.table()
    path = "/io.pravega.controller.stream.api.grpc.v1.ControllerService/getDelegationToken"
    head = call.head(call.CallKind.SERVER_MESSAGE, call.CallFlag(0), 1, "application/grpc", path)
    row = next(iter(rows_of(head + b"\x0a\3abc\x7a\2xy", table, None)))
    made = SecretMask(LAYERS).row(row)

    assert isinstance(made, FrameRow)
    assert made.data == head + b"\x0a\3***\x7a\2**"


def test_rows_without_secrets_stay_as_they_are() -> None:
    """Nothing is copied, so that reading stays fast."""
    table = next(each for each in PROTOCOLS if each.wire.id == "nats").wire.table()
    rows = list(rows_of(b"PUB a 2\r\nhi\r\nSUB b 1\r\n", table, "client"))

    assert all(isinstance(row, FrameRow) and SecretMask(LAYERS).row(row) is row for row in rows)


# Whole commands


def printed(*arguments: str) -> str:
    """Return what a command prints, on both of its outputs, and its dumps put together."""
    found, said = io.BytesIO(), io.StringIO()
    out = io.TextIOWrapper(found, "utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(said):
        code = run(arguments)
        out.flush()
        out.detach()
    assert code in {0, 1}, said.getvalue()
    return planted_secrets.shown(found.getvalue().decode()) + said.getvalue()


def seen(name: str, text: str, wanted: Iterable[str] = FORMS) -> Iterator[str]:
    """Yield the first place where a text gives something away."""
    if form := marker.found(text, wanted):
        at = text.index(form)
        yield f"{name}: {text[max(0, at - 200) : at + 60]!r}"


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a capture with the marker in every slot."""
    path = tmp_path_factory.mktemp("secrets") / "planted.pcap"
    path.write_bytes(pcap(planted_secrets.traffic()))
    return path


def test_every_command(capture: Path) -> None:
    """Over connections of every protocol: whole, spoilt, cut, with lost segments.

    No other test searches what whole commands print for secrets in frames that do not decode.
    """
    decoders = (each for protocol in PROTOCOLS for each in protocol.wire.table().all)
    fields = {name for each in decoders for name in map(each.tree.name, each.tree.named())}
    names = [part for each in fields if each.startswith(SECRETIVE) for part in ("-e", each)]
    found = []
    drawn = draw.some_of({" ".join(each): each for each in COMMANDS}, FEW_COMMANDS)
    for arguments in (*drawn, ("read", "-T", "fields", *names)):
        found += seen(" ".join(arguments[:6]), printed(*arguments, str(capture)))
    framed = [
        each
        for each in planted_secrets.frames()
        if each[1] is each[1].wire.table() and each[1].cuts
    ]
    for _, table, sender, data in framed[::40]:
        for shape in (("-V", "-x"), ("-T", "ndjson", "--bodies", "raw")):
            given = ("--protocol", table.wire.id, *(("--from", sender) if sender else ()))
            found += seen("decode", printed("decode", *shape, *given, data.hex()))
    asked = printed("read", "-V", "-x", "--show-secrets", str(capture))

    assert found == []
    assert asked.count(MARKER) > 500


def test_python_and_tables(capture: Path) -> None:
    """Frames of the API, and rows of Spark's tables, whose bodies are kept in full."""
    found = []
    for each in streamshark.open(str(capture)):
        data = f"{each.data!r} {each.data.hex()} {each.reassembled} {each.problems}"
        found += seen("api", f"{each} {each.fields} {data}")
    session = Session((str(capture),))
    kept = table_fillers.KeptValues("full")
    known, schemas = tables.commands(session.dissector), tables.command_schemas(session.dissector)
    fillers: dict[str, Any] = {
        "frames": table_fillers.RowFiller(tables.frames(numbered=True), session.dissector, kept),
        "messages": table_fillers.MessageFiller(
            tables.SCHEMAS["messages"], session.dissector, kept
        ),
    }
    fillers |= {
        name: table_fillers.CommandFiller(schemas[name], session.dissector, known[name], kept)
        for name in schemas
    }
    for row in session.rows():
        for name, filler in fillers.items():
            if name in {"frames", "messages"}:
                filler.add(row)
        if isinstance(row, FrameRow) and row.decoder is not None:
            fillers[row.decoder.tree.prefix].add(row)
    for name, filler in fillers.items():
        for each in filler.batch().to_pylist():
            raw = " ".join(one.hex() for one in each.values() if isinstance(one, bytes))
            found += seen(f"table {name}", f"{each} {raw}")

    assert found == []


# The plugins


def ours(pairs: Any, *, inside: bool = False) -> Iterator[str]:  # noqa: ANN401 - of JSON
    """Yield names and values of the layers of our protocols."""
    for each in pairs if isinstance(pairs, list) else ():
        if isinstance(each, tuple):
            name, value = each
            if inside and isinstance(value, str):
                yield f"{name}={value}"
            yield from ours(value, inside=inside or name in SHORTS)
        else:
            yield from ours([each] if isinstance(each, str) else each, inside=inside)


def blocks(text: str, begins: str, starts: Iterable[str]) -> str:
    """Return the lines of blocks that begin in one of some ways; each begins with `begins`."""
    first, keeps, kept = tuple(starts), False, []
    for line in text.splitlines():
        if re.match(begins, line):
            keeps = line.startswith(first)
        kept += [line] if keeps else []
    return "\n".join(kept)


def test_the_plugins(capture: Path) -> None:
    """Trees, JSON, PDML, fields and lines: no item of ours has a secret, nor bytes of one."""
    scripts = [f"-Xlua_script:{each}" for each in sorted(Path("dissectors").glob("*.lua"))]
    start = ["tshark", "-n", *scripts, "-d", "tcp.port==9090,http2", "-r", str(capture)]

    def tshark(*arguments: str) -> str:
        done = subprocess.run(
            [*start, *arguments], capture_output=True, check=True, timeout=120
        ).stdout.decode(errors="replace")
        assert "Lua Error" not in done
        return done

    def trees(*arguments: str) -> str:
        titles = (each.title for each in PROTOCOLS)
        return blocks(tshark("-V", *arguments), r"\S", titles)

    layers = " ".join(SHORTS)
    told = json.loads(tshark("-T", "json", "-J", layers), object_pairs_hook=list)
    values = list(ours(told))
    names = {each.partition("=")[0].strip() for each in values}
    asked = [
        part for each in sorted(names) if each.split(".")[0] in SHORTS for part in ("-e", each)
    ]
    hidden = {
        "tree": trees(),
        "json": "\n".join(values),
        "pdml": blocks(
            tshark("-T", "pdml", "-J", layers),
            "  <proto ",
            (f'  <proto name="{each}"' for each in SHORTS),
        ),
        "fields": tshark("-T", "fields", *asked),
        "lines": "\n".join(
            line for line in tshark().splitlines() if not re.search(r" (HTTP2?|GRPC) ", line)
        ),
    }
    shown = trees(*(part for each in SHORTS for part in ("-o", f"{each}.secrets:TRUE")))

    assert [each for name, text in hidden.items() for each in seen(name, text)] == []
    assert "Password: ***" in hidden["tree"]
    assert shown.count(MARKER) > 200


def test_the_plugins_find_what_streamshark_finds() -> None:
    """Credentials in text, secret names and types: by the same table, in Lua."""
    texts = [
        "nats://me:pw@host/?token=abc", "a@b", "://a@b@c/d@e", "?a=1&key=2;code=3#pass=4",
        "Bearer x", "bearer:abc", "a.bearer.v0", "bearer.v0.token", "bearer.authorization.abc",
        "Basic dXNlcjpw", "basic plain", "Basic abc1==", "xeyJhbGc.a", "eyJhbGci.e30.c2ln x",
        "eyJhbGci.e30", "eyJa.b", ":\\/\\/me:pw@h", "?u=nats://a:b@c", "?tok%65n=x", "", "=",
        "?" + "a" * 70 + "=token://u@h", "://u?token=a@b", "://", "?=", "plain text",
        "http://h/?q=Bearer+abc",
    ]  # fmt: skip
    names = ["X-Api-Key", "authorization-bin", "grpc-timeout", "key", "api key", "pass", "compass",
             "Set-Cookie", "nkey", "monkey", "signing-key", "public_key", "", "name"]  # fmt: skip
    code = [
        f"local SECRETS = {plugin.secret_names()}",
        plugin.part("secrets"),
        "for _, text in ipairs(TEXTS) do",
        "local out = { tostring(secrets.may_hold(text)) }",
        "for _, each in ipairs(secrets.credentials(text)) do",
        "out[#out + 1] = each[1] - 1 .. '-' .. each[2] - 1 end",
        "print(table.concat(out, ' ')) end",
        "for _, name in ipairs(NAMES) do",
        "print(secrets.is_name(name), secrets.is_type(name), secrets.is_likely(name)) end",
    ]
    given = f"TEXTS, NAMES = {value(texts)}, {value(names)}"
    wanted = []
    for text in texts:
        data = text.encode()
        found = [f"{each.start}-{each.end}" for each in secrets.credentials(data)]
        wanted.append(" ".join([str(secrets.may_hold(data)).lower(), *found]))
    for name in names:
        known = (secrets.is_secret(name), secrets.is_secret_type(name),
                 secrets.is_likely(name.encode()))  # fmt: skip
        wanted.append("\t".join(str(each).lower() for each in known))
    for version in ("5.2", "5.4"):
        done = subprocess.run(
            [f"lua{version}", "-"], input="\n".join([given, *code]), text=True,
            capture_output=True, check=True,
        )  # fmt: skip
        assert done.stdout.splitlines() == wanted


# Recorded captures


KNOWN: Final = (b"throwaway", b"another-token", b"\0guest\0guest", b"\0guest\0wrong")
"""Passwords and tokens of the recorders."""
BARE: Final = b"-throwaway"
"""The end of a session that METADATA_PUSH carries as bare text: nothing marks it as a secret."""
_JWT: Final = re.compile(rb"eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]{8,}")
FEW_TOKENS: Final = 2
"""Tokens of a capture that are searched for in all forms."""
FEW: Final = 4
"""Captures of a protocol that are read beside those that show all kinds of frames: nearly all have
the same credentials."""


def test_recorded_captures() -> None:
    """No password and no token of theirs is shown, in whatever form.

    Of secrets at places where nobody has thought of planting a marker.
    """
    chosen, known = list[str](), set(KNOWN)
    counts: dict[str, int] = {}
    for path in sorted(Path("captures").glob("*/*/*.pcap*")):
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        tokens = set(_JWT.findall(data)) if "pravega" in path.parts else set()
        if BARE not in data and (tokens or any(each in data for each in KNOWN)):
            protocol = path.parts[1]
            counts[protocol] = counts.get(protocol, 0) + 1
            in_new_frames = f"{protocol}/{path.parent.name}" in showing_all_frames()
            if counts[protocol] <= FEW or (in_new_frames and protocol != "rabbitmq_stream"):
                chosen.append(str(path))
                some = draw.some(sorted(map(bytes.decode, tokens)), FEW_TOKENS)
                known |= {part.encode() for each in some for part in each.split(".")[1:]}
    wanted = {form for each in known for form in marker.forms(each, len(each))}
    found = []
    for arguments in (("read", "-V", "-x"), ("read", "-T", "ndjson", "--bodies", "raw"),
                      ("check", "-T", "json"), ("explain",)):  # fmt: skip
        found += seen(" ".join(arguments), printed(*arguments, *chosen), wanted)

    assert found == []
    assert {"nats", "pravega", "rabbitmq_stream", "rsocket"} <= counts.keys()
