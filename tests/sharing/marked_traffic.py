"""Connections of every protocol and carrier with a marker in every slot, in one capture."""

import base64
import gzip
from collections.abc import Iterator
from functools import cache
from typing import Final

from tests.builders import Conversation, pcap
from tests.marker import MARKER, TOKEN
from tests.protocols.http2 import traffic as http2
from tests.protocols.websocket import traffic as websocket
from tests.sharing.redactions import FRAMES, PROTOCOLS

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.protocols.http2.codes import PREFACE
from streamshark.schema import nodes, random_frames, reference

KEPT: Final = {"keyword", "product", "identifies"}
BY_ID: Final = {each.wire.id: each for each in PROTOCOLS}
PLAIN: Final = {
    each.wire.id: 7100 + number
    for number, each in enumerate(PROTOCOLS)
    if each.wire.id not in ("grpc", "liftbridge")
}
"""Protocols that are directly on TCP to the ports of their servers."""
HTTP2: Final = 7200
OVER_WEBSOCKET: Final = {"nats": 7201, "rsocket": 7202}
"""Ports of servers whose protocol is carried by another one."""
DECODE_AS: Final = {
    HTTP2: "grpc",
    **{port: name for known in (PLAIN, OVER_WEBSOCKET) for name, port in known.items()},
}


def planted(node: nodes.Node, value: object) -> object:
    """Return a value with the marker in all texts and bytes that no role keeps."""
    if isinstance(value, list):
        item = node.item if isinstance(node, nodes.ListNode) else node
        return [planted(item, each) for each in value]
    if isinstance(node, nodes.ProtoNode) and node.message is not None:
        node = node.message
    if isinstance(value, dict) and isinstance(node, nodes.RecordNode | nodes.MessageNode):
        return {
            name: planted(known, each) if (known := member(node, name)) else each
            for name, each in value.items()
        }
    is_uuid = isinstance(node, nodes.BlobNode) and node.encoding == "uuid"
    if isinstance(value, str | bytes) and not is_uuid and not KEPT & roles(node):
        return MARKER if isinstance(value, str) else TOKEN
    return value


def roles(node: nodes.Node) -> set[str]:
    """Return the roles of a node."""
    return set((node.facts.role or "").split())


def member(node: nodes.RecordNode | nodes.MessageNode, name: str) -> nodes.Node | None:
    """Return the member of a record with a name."""
    if isinstance(node, nodes.MessageNode):
        return next((each for each in node.fields.values() if each.name == name), None)
    return next((each for each in nodes.scope(node.members) if each.name == name), None)


def marked(decoder: Decoder, head: object) -> bytes | None:
    """Return a frame or record with the marker in it; None if it cannot have it."""
    best: bytes | None = None
    for values in random_frames.samples(decoder.tree, 6, seed=3):
        try:
            made = planted(decoder.tree.root, values)
            data = reference.build(decoder.tree.schema, head, made)  # type: ignore[arg-type]
        except Exception:  # noqa: BLE001, S112 - the marker does not fit
            continue
        if data.count(TOKEN) > (best or b"").count(TOKEN):
            best = data
    return best


@cache
def records() -> dict[str, list[tuple[EmbeddedRecord, bytes]]]:
    """Return records with the marker in them, by the slots that may have them."""
    out: dict[str, list[tuple[EmbeddedRecord, bytes]]] = {}
    for each in FRAMES.layers.readers:
        if isinstance(each, EmbeddedRecord) and (data := marked(each.decoder, None)) is not None:
            for slot in each.slots:
                out.setdefault(slot, []).append((each, data))
    return out


@cache
def frames(protocol: str) -> list[tuple[int, bytes]]:
    """Return the frames of a protocol with the marker in them, and their sides."""
    table = BY_ID[protocol].wire.table()
    made = ((each, marked(each, table.head)) for each in table.all)
    return [
        (int(each.tree.schema.sender.value == "server"), data)  # type: ignore[union-attr]
        for each, data in made
        if data is not None
    ]


def plain(protocol: str) -> Conversation:
    """Return a connection with all frames of a protocol."""
    talk = Conversation(server=("10.0.0.2", PLAIN[protocol])).handshake()
    for side, data in frames(protocol):
        talk.send(side, data)
    if protocol == "nats":
        for _, data in frames("liftbridge"):
            talk.send(0, b"PUB a.b %d\r\n%b\r\n" % (len(data), data))
    return talk


def with_metadata() -> Iterator[Conversation]:
    """Yield connections of RSocket, for each type of metadata one with a request that has it."""
    for number, (reader, data) in enumerate(records()["rsocket.metadata"]):
        mime = min(reader.types).encode()
        talk = Conversation(("10.0.0.1", 41_000 + number), ("10.0.0.2", PLAIN["rsocket"]))
        setup = bytes.fromhex("00000000040000010000 00004e2000015f90") + bytes([len(mime)]) + mime
        setup += b"\x0atext/plain"
        asked = bytes.fromhex("000000011100") + len(data).to_bytes(3, "big") + data + TOKEN
        talk.handshake()
        for each in (setup, asked):
            talk.send(0, len(each).to_bytes(3, "big") + each)
        yield talk


SAID: Final = {
    ":authority": f"{MARKER}.example:9000", "authorization": f"Bearer {MARKER}",
    "content-type": "application/grpc", "te": "trailers", "x-custom": MARKER,
    f"x-{MARKER.lower()}": "1", "trace-bin": base64.b64encode(TOKEN).decode(),
    "cookie": f"session={MARKER}", "grpc-encoding": "gzip",
}  # fmt: skip
UNKNOWN_FRAME, PUSH_PROMISE = 0xEE, 5


def over_http2() -> Conversation:
    """Return a connection of HTTP/2 with a call of every known method, and all kinds of frames."""
    client, server = http2.Side(), http2.Side()
    talk = Conversation(server=("10.0.0.2", HTTP2)).handshake()
    talk.send(0, PREFACE + http2.frame(http2.SETTINGS, b"", 0))
    talk.send(1, http2.frame(http2.SETTINGS, b"", 0))
    number = 1
    for slot in ("grpc.message", "grpc.reply"):
        for reader, data in records().get(slot, ()):
            asked, replied = (data, b"") if slot == "grpc.message" else (b"", data)
            said = {":method": "POST", ":scheme": "http", ":path": min(reader.types), **SAID}
            block = client.encoder.encode(said.items(), huffman=bool(number & 2))
            talk.send(0, http2.frame(http2.HEADERS, block[:9], number, 0))
            talk.send(0, http2.frame(http2.CONTINUATION, block[9:], number, http2.END_HEADERS))
            whole = http2.message(asked) + http2.message(gzip.compress(asked), packed=True)
            whole += http2.message(TOKEN)
            talk.send(0, http2.frame(http2.DATA, whole[:7], number))
            talk.send(0, http2.frame(http2.DATA, b"\x0e" + whole[7:] + TOKEN, number, 9))
            talk.send(1, server.headers({**http2.RESPONSE, "grpc-encoding": "gzip"}, number))
            talk.send(1, http2.frame(http2.DATA, http2.message(replied), number))
            packed = http2.message(gzip.compress(replied), packed=True)
            talk.send(1, http2.frame(http2.DATA, packed, number))
            trailers = {"grpc-status": "3", "grpc-message": f"no {MARKER}%20", "x-custom": MARKER,
                        "grpc-status-details-bin": base64.b64encode(TOKEN).decode()}  # fmt: skip
            talk.send(1, server.headers(trailers, number, http2.END_HEADERS | http2.END_STREAM))
            number += 2
    promised = b"\0\0\0\2" + server.encoder.encode(SAID.items(), huffman=False)
    talk.send(1, http2.frame(PUSH_PROMISE, promised, number - 2, http2.END_HEADERS))
    talk.send(1, http2.frame(http2.PING, TOKEN[:8], 0))
    talk.send(0, http2.frame(UNKNOWN_FRAME, TOKEN, 0))
    return talk.send(1, http2.frame(http2.GOAWAY, bytes(8) + b"closed by " + TOKEN, 0))


def over_websocket(protocol: str) -> Conversation:
    """Return a connection of WebSocket with the frames of a protocol, deflated and not."""
    talk = websocket.talk(OVER_WEBSOCKET[protocol])
    headers = (f"Cookie: session={MARKER}", f"Origin: https://{MARKER}.example",
               f"Authorization: Bearer {MARKER}", f"X-Custom: {MARKER}", f"X-{MARKER}: 1",
               f"Sec-WebSocket-Extensions: {websocket.DEFLATE}")  # fmt: skip
    talk.send(0, websocket.request(*headers, target=f"/{MARKER}?token={MARKER}"))
    talk.send(1, websocket.answer(*headers))
    packers = websocket.Packer(), websocket.Packer()
    skipped = 3 if protocol == "rsocket" else 0  # there is no length before a message
    for number, (side, whole) in enumerate(frames(protocol)):
        mask = bytes((number, 7, 99, number)) if not side else b""
        data = whole[skipped:]
        if number % 3 == 1:
            made = websocket.frame(packers[side](data), mask=mask, rsv=4)
        elif number % 3:
            made = websocket.frame(data[:20], mask=mask, fin=False)
            made += websocket.frame(TOKEN, websocket.PING, mask=mask)
            made += websocket.frame(data[20:], 0, mask=mask)
        else:
            made = websocket.frame(data, mask=mask)
        talk.send(side, made)
    return talk.send(1, websocket.closing(1000, b"closed by " + TOKEN))


def talks() -> Iterator[Conversation]:
    """Yield all connections, from different ports."""
    yield from (plain(name) for name in PLAIN)
    yield from with_metadata()
    yield over_http2()
    yield from (over_websocket(name) for name in OVER_WEBSOCKET)


def capture() -> bytes:
    """Return all connections in one capture."""
    return pcap(packet for each in talks() for packet in each.packets)
