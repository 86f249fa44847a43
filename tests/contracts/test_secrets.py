"""No output gives a secret away: a marker is planted wherever one may stand, and searched for."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from tests.builders import Conversation, pcap
from tests.marker import FORMS, MARKER, PIECE

from streamshark.cli.loose import rows_of
from streamshark.frames.frame import FrameRow, Row
from streamshark.frames.secrets import Veil
from streamshark.frames.wire import Table
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.protocols.http2 import call
from streamshark.schema import nodes, reference, samples
from streamshark.session import frame_of
from streamshark.views.bodytree import BodyTree
from streamshark.views.colour import Palette
from streamshark.views.columns import FieldRows, Layout
from streamshark.views.details import Dumped, TreeRows
from streamshark.views.json import JsonRows
from streamshark.views.showing import BODIES, Showing
from streamshark.views.text import TextRows
from streamshark.views.times import Clock

PROTOCOLS: Final = catalog()
LAYERS: Final = layers(PROTOCOLS, formats())
PLAIN: Final = Palette(enabled=False)
_TOKEN: Final = MARKER.encode()


def outputs(row: Row, table: Table, *, secrets: bool = False) -> Iterator[tuple[str, str]]:
    """What every view makes of a row, by a name."""
    hide = None if secrets else Veil(LAYERS).row
    shown = row if hide is None else hide(row)
    for bodies in BODIES:
        showing = Showing(secrets=secrets, bodies=bodies)
        yield f"json {bodies}", JsonRows(showing, layers=LAYERS, loose=True).row(shown)
        inner = BodyTree(LAYERS, PLAIN, bodies)
        yield (
            f"tree {bodies}",
            TreeRows(PLAIN, secrets=secrets, loose=True, bodies=inner).row(shown),
        )
    text = TextRows(Clock(), PLAIN, secrets=secrets, loose=True, layers=LAYERS, strict=True)
    yield "text", text.row(shown)
    dumped = Dumped(text).row(shown)
    yield "dump", dumped
    lines = [line for line in dumped.splitlines() if line[4:6] == "  "]
    yield "joined dump", " ".join(line[6:53].strip() for line in lines)
    yield "letters", "".join(line[56:] for line in lines)
    tree = row.decoder.tree if isinstance(row, FrameRow) and row.decoder else None
    names = ["frame"] if tree is None else list(dict.fromkeys(map(tree.name, tree.named())))
    columns = FieldRows(names, [table], Layout(), Showing(secrets=secrets), layers=LAYERS)
    yield "fields", columns.row(shown)
    made = frame_of(row, hide)
    yield "api", f"{made.fields} {made.data!r} {made.data.hex()} {made.problems} {made.reassembled}"


def leaks(data: bytes, table: Table, sender: str | None) -> list[str]:
    """Where the marker is seen in what is shown of some bytes."""
    return [
        f"{name}: {form[0]} in {text[:600]!r} of {data!r}"
        for row in rows_of(data, table, sender)
        for name, text in outputs(row, table)
        if (form := FORMS.search(text))
    ][:1]


def shows(data: bytes, table: Table, sender: str | None) -> bool:
    """Whether the marker is seen where secrets are asked for, in the tree."""
    return any(
        MARKER in text or MARKER.encode().hex() in text
        for row in rows_of(data, table, sender)
        for name, text in outputs(row, table, secrets=True)
        if name in {"tree decoded", "joined dump"} or name == "letters"
    )


def planted(node: nodes.Node, value: Any, *, inside: bool = False) -> Any:  # noqa: ANN401 - any value
    """A sampled value with the marker in all that is secret of it."""
    inside = inside or node.facts.secret
    match node, value:
        case nodes.RecordNode(), dict():
            by_name = {each.name: each for each in nodes.scope(node.members)}
            out = {
                name: planted(by_name[name], each, inside=inside) if name in by_name else each
                for name, each in value.items()
            }
            if set(out) == {"key", "value"} and isinstance(out["value"], str):
                return {"key": "X-Api-Key", "value": MARKER}
            return out
        case nodes.ListNode(), list():
            return [planted(node.item, each, inside=inside) for each in value]
        case nodes.ProtoNode(), list() if node.message:
            return value
        case _, str() | bytes() if inside:
            fixed = _TOKEN + b"-1" if len(value) == len(_TOKEN) + 2 else _TOKEN
            return MARKER if isinstance(value, str) else fixed
    return value


def frames() -> Iterator[tuple[str, Table, str | None, bytes]]:
    """A frame of every schema that has secrets or names of some, in every dialect."""
    for protocol in PROTOCOLS:
        wire = protocol.wire
        for table in dict.fromkeys((wire.table(), *map(wire.table, wire.dialects))):
            for decoder in table.all:
                tree = decoder.tree
                if not (nodes.secrets(tree) or any(each.name == "value" for each in tree.nodes)):
                    continue
                for values in samples.samples(tree, 8, seed=5):
                    try:
                        made = planted(tree.root, values)
                        data = reference.build(tree.schema, table.head, made)
                    except Exception:  # noqa: BLE001, S112 - the marker does not fit these
                        continue
                    if _TOKEN in data:
                        sender = tree.schema.sender.value
                        sender = sender if sender in {"client", "server"} else None
                        yield tree.prefix, table, sender, data
                        break


def test_fields_of_every_schema() -> None:
    """Whole, cut at several places, and with lengths that lie."""
    found, seen, unseen = list[str](), set[str](), set[str]()
    for name, table, sender, data in frames():
        if name not in seen and shows(data, table, sender):
            seen.add(name)
        unseen.add(name)
        at = data.index(_TOKEN)
        variants = [data, data[:-1], data[: at + PIECE]]
        if at:
            variants += [
                data[: at - 1] + bytes([data[at - 1] ^ flip]) + data[at:] for flip in (1, 4)
            ]
        for each in variants:
            found += leaks(each, table, sender)

    assert found[:5] == []
    assert unseen <= seen, "not even shown where it is asked for"
    assert len(seen) > 40


def entry(kind: int | str, content: bytes, *, size: int | None = None) -> bytes:
    """One entry of composite metadata."""
    named = (
        bytes([kind | 0x80]) if isinstance(kind, int) else bytes([len(kind) - 1]) + kind.encode()
    )
    return named + (len(content) if size is None else size).to_bytes(3, "big") + content


def request(metadata: bytes, *, size: int | None = None) -> bytes:
    """A REQUEST_RESPONSE of RSocket."""
    length = (len(metadata) if size is None else size).to_bytes(3, "big")
    body = b"\0\0\0\1" + b"\x11\0" + length + metadata + b"ping"
    return len(body).to_bytes(3, "big") + body


def setup(kind: str) -> bytes:
    """A SETUP that says the type of metadata."""
    kinds = bytes([len(kind)]) + kind.encode() + b"\x0atext/plain"
    body = b"\0\0\0\0\x04\0\0\1\0\0" + b"\0\0\x4e\x20\0\1\x5f\x90" + kinds
    return len(body).to_bytes(3, "big") + body


_COMPOSITE = "message/x.rsocket.composite-metadata.v0"
_PLACES = {
    "simple": entry(0x7C, b"\x80\0\2me" + _TOKEN),
    "bearer": entry(0x7C, b"\x81" + _TOKEN),
    "a type that is not known": entry(0x7C, b"\x03mine" + _TOKEN),
    "basic.v0": entry("message/x.rsocket.authentication.basic.v0", b"\0\0\0\2me" + _TOKEN),
    "bearer.v0": entry("message/x.rsocket.authentication.bearer.v0", _TOKEN),
    "a name of its own": entry("application/x.acme.token", _TOKEN),
    "too short": entry(0x7C, b"\x81" + _TOKEN, size=5),
    "too long": entry(0x7C, b"\x81" + _TOKEN, size=90),
    "a tag": entry(0x7E, bytes([len(_TOKEN) + 7]) + b"Bearer " + _TOKEN),
}


@pytest.mark.parametrize("known", [True, False])
def test_metadata_of_rsocket(*, known: bool) -> None:
    """Of any type, whether SETUP is there or not; where it is, with lengths that lie."""
    table = next(each for each in PROTOCOLS if each.wire.id == "rsocket").wire.table()
    start = setup(_COMPOSITE) if known else b""
    found = []
    for name, place in _PLACES.items():
        lying = (len(place) - 6, len(place) + 30) if known and name != "a tag" else ()
        for size in (None, *lying):
            data = start + request(place, size=size)
            assert shows(data, table, "client")
            found += leaks(data, table, "client") + leaks(data[:-7], table, "client")
    for kind in ("message/x.rsocket.authentication.bearer.v0", "application/x.token"):
        found += leaks(setup(kind) + request(_TOKEN), table, "client")

    assert found == []


_LINES = (
    (b'INFO {"connect_urls":["nats://me:%b@host:4222"],"version":"2"}\r\n', "server"),
    (b'INFO {"version":"2","x_api_key":"%b","n":{"password":"%b"}}\r\n', "server"),
    (b'INFO {"version":"2","auth_token":"%b\r\n', "server"),
    (b'CONNECT {"user":"me","pass":"%b","jwt":"%b","sig":"%b","nkey":"%b"}\r\n', "client"),
    (b'CONNECT {"pas":"%b","seed":"%b","pass":["%b"]}\r\n', "client"),
    (b'CONNECT {"name":"nats://%b@host"}\r\n', "client"),
    (b"-ERR 'no nats://me:%b@host'\r\n", "server"),
)
_BLOCK = b"NATS/1.0\r\nAuthorization: Bearer %b\r\nX-Api-Key:%b\r\nU: /a?token=%b\r\n\r\n"


def test_lines_of_nats() -> None:
    """URLs, members with such names, headers; whole and cut."""
    table = next(each for each in PROTOCOLS if each.wire.id == "nats").wire.table()
    lines = [(line.replace(b"%b", _TOKEN), sender) for line, sender in _LINES]
    block = _BLOCK.replace(b"%b", _TOKEN)
    sizes = (len(block), len(block) - 2)
    heads = (b"HPUB a %d %d\r\n" % (size, len(block) + 2) for size in sizes)
    lines += ((head + block + b"hi\r\n", "client") for head in heads)
    found = []
    for data, sender in lines:
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
    message = b"\x0a" + bytes([len(_TOKEN)]) + _TOKEN
    head = call.head(call.CallKind.SERVER_MESSAGE, call.CallFlag(0), 1, "application/grpc", path)
    found = []
    for data in (asked, answered, ended, head + message, head + message[:-3], asked[:-5]):
        assert _TOKEN[:PIECE] in data
        assert shows(data, table, None) or data.endswith(_TOKEN[:-3])
        found += leaks(data, table, None)

    assert found == []


def test_the_plugin(tmp_path: Path) -> None:
    """Its items show no metadata in which a secret may stand, unless they are to."""
    talk = Conversation(server=("10.0.0.2", 7000)).handshake()
    talk.send(0, setup(_COMPOSITE))
    for name, place in _PLACES.items():
        if name != "a tag":
            talk.send(0, request(place))
    path = tmp_path / "metadata.pcap"
    path.write_bytes(pcap(talk.packets))
    told = {}
    for wanted in ("FALSE", "TRUE"):
        options = ["-o", f"rsocket.secrets:{wanted}", "-d", "tcp.port==7000,rsocket"]
        script = ["-X", "lua_script:dissectors/rsocket.lua"]
        told[wanted] = subprocess.run(
            ["tshark", *script, *options, "-O", "rsocket", "-r", str(path)],
            capture_output=True, check=True, text=True, timeout=60,
        ).stdout  # fmt: skip

    assert FORMS.findall(told["FALSE"]) == []
    assert "Password: ***" in told["FALSE"]
    assert f"Password: {MARKER}" in told["TRUE"]


def test_rows_without_secrets_stay_as_they_are() -> None:
    """Nothing is copied, so that reading stays fast."""
    table = next(each for each in PROTOCOLS if each.wire.id == "nats").wire.table()
    rows = list(rows_of(b"PUB a 2\r\nhi\r\nSUB b 1\r\n", table, "client"))

    assert all(isinstance(row, FrameRow) and Veil(LAYERS).row(row) is row for row in rows)
