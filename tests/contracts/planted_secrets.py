"""Traffic of every protocol with a marker wherever a secret may stand, and how outputs show it.

The marker stands in whole frames and in spoilt ones: cut, with lengths that lie, of types that are
not known, split over segments of which one is missing, sent again.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any, Final

from tests.builders import ACK, PSH, Conversation, Packet
from tests.marker import MARKER, TOKEN
from tests.protocols.http2.traffic import DATA, END_HEADERS, END_STREAM, SETTINGS, Side
from tests.protocols.http2.traffic import frame as http2_frame
from tests.protocols.http2.traffic import message as http2_message
from tests.protocols.websocket import traffic as websocket

from streamshark.framing.wire_format import FrameTable
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.protocols.http2.codes import PREFACE
from streamshark.schema import nodes, random_frames, reference

PROTOCOLS: Final = catalog()
LAYERS: Final = layers(PROTOCOLS, formats())

_DUMP: Final = re.compile(
    r"^ *[0-9a-f]{4,8} {1,3}((?:(?:[0-9a-f]{2}|\*\*) {1,2}){1,16}) +(.*)$", re.MULTILINE
)


def shown(text: str) -> str:
    """Return an output with its hex dumps joined: as hex, and as text."""
    lines = _DUMP.findall(text)
    if not lines:
        return text
    joined = " ".join(" ".join(each.split()) for each, _ in lines)
    return f"{text}\n{joined}\n{''.join(letters.strip() for _, letters in lines)}"


# Frames


def planted(node: nodes.Node, value: Any, *, inside: bool = False) -> Any:  # noqa: ANN401 - any value
    """Return a sampled value with the marker in all secret parts."""
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
            fixed = TOKEN + b"-1" if len(value) == len(TOKEN) + 2 else TOKEN
            return MARKER if isinstance(value, str) else fixed
    return value


def frames() -> Iterator[tuple[str, FrameTable, str | None, bytes]]:
    """Yield a frame of every schema that has secrets or names of some, in every dialect."""
    for protocol in PROTOCOLS:
        wire = protocol.wire
        for table in dict.fromkeys((wire.table(), *map(wire.table, wire.dialects))):
            for decoder in table.all:
                tree = decoder.tree
                if not (nodes.secrets(tree) or any(each.name == "value" for each in tree.nodes)):
                    continue
                for values in random_frames.samples(tree, 8, seed=5):
                    try:
                        made = planted(tree.root, values)
                        data = reference.build(tree.schema, table.head, made)
                    except Exception:  # noqa: BLE001, S112 - the marker does not fit these
                        continue
                    if TOKEN in data:
                        sender = tree.schema.sender.value
                        sender = sender if sender in {"client", "server"} else None
                        yield tree.prefix, table, sender, data
                        break


def spoilt(data: bytes, head: int) -> Iterator[bytes]:
    """Yield a frame with each byte after its head changed or removed, so that lengths are wrong."""
    at = data.index(TOKEN)
    for place in range(head, at):
        if chr(data[place]).isalpha():  # of a name, which may be none of a secret then
            continue
        for flip in (1, 16):
            yield data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :]
        yield data[:place] + data[place + 1 :]


def entry(kind: int | str, content: bytes, *, size: int | None = None) -> bytes:
    """Return one entry of composite metadata."""
    named = (
        bytes([kind | 0x80]) if isinstance(kind, int) else bytes([len(kind) - 1]) + kind.encode()
    )
    return named + (len(content) if size is None else size).to_bytes(3, "big") + content


def framed(body: bytes) -> bytes:
    """Return a frame of RSocket with its length."""
    return len(body).to_bytes(3, "big") + body


def request(metadata: bytes, *, size: int | None = None, data: bytes = b"ping") -> bytes:
    """Return a REQUEST_RESPONSE of RSocket."""
    length = (len(metadata) if size is None else size).to_bytes(3, "big")
    return framed(b"\0\0\0\1" + b"\x11\0" + length + metadata + data)


def setup(kind: str, data_kind: str = "text/plain", data: bytes = b"") -> bytes:
    """Return a SETUP with the types of metadata and data."""
    kinds = b"".join(bytes([len(each)]) + each.encode() for each in (kind, data_kind))
    return framed(b"\0\0\0\0\x04\0\0\1\0\0" + b"\0\0\x4e\x20\0\1\x5f\x90" + kinds + data)


COMPOSITE: Final = "message/x.rsocket.composite-metadata.v0"
BEARER: Final = "message/x.rsocket.authentication.bearer.v0"
PLACES: Final = {
    "simple": entry(0x7C, b"\x80\0\2me" + TOKEN),
    "bearer": entry(0x7C, b"\x81" + TOKEN),
    "a type that is not known": entry(0x7C, b"\x03mine" + TOKEN),
    "basic.v0": entry("message/x.rsocket.authentication.basic.v0", b"\0\0\0\2me" + TOKEN),
    "bearer.v0": entry(BEARER, TOKEN),
    "a name of its own": entry("application/x.acme.token", TOKEN),
    "too short": entry(0x7C, b"\x81" + TOKEN, size=5),
    "too long": entry(0x7C, b"\x81" + TOKEN, size=90),
    "a tag": entry(0x7E, bytes([len(TOKEN) + 7]) + b"Bearer " + TOKEN),
}
_LINES: Final = (
    (b'INFO {"connect_urls":["nats://me:%b@host:4222"],"version":"2"}\r\n', "server"),
    (b'INFO {"version":"2","x_api_key":"%b","n":{"password":"%b"}}\r\n', "server"),
    (b'INFO {"version":"2","connect_urls":["nats:\\/\\/me:%b@host"]}\r\n', "server"),
    (b'INFO {"version":"2","n":{"pass\\u0077ord":"%b"},"u":"a\\u003a//m:%b@h"}\r\n', "server"),
    (b'INFO {"version":"2","auth_token":"%b\r\n', "server"),
    (b'CONNECT {"user":"me","pass":"%b","jwt":"%b","sig":"%b","nkey":"%b"}\r\n', "client"),
    (b'CONNECT {"pas":"%b","seed":"%b","pass":["%b"],"auth_token":{"a":"%b"}}\r\n', "client"),
    (b'CONNECT {"name":"nats://%b@host"}\r\n', "client"),
    (b"-ERR 'no nats://me:%b@host'\r\n", "server"),
    (b"PUB a.nats://me:%b@host 2\r\nhi\r\n", "client"),
)
_BLOCK: Final = b"NATS/1.0\r\nAuthorization: Bearer %b\r\nX-Api-Key:%b\r\nU: /a?token=%b\r\n\r\n"


def lines() -> list[tuple[bytes, str]]:
    """Return lines of NATS with the marker, and who sends them."""
    out = [(line.replace(b"%b", TOKEN), sender) for line, sender in _LINES]
    block = _BLOCK.replace(b"%b", TOKEN)
    sizes = (len(block), len(block) - 2)
    heads = (b"HPUB a %d %d\r\n" % (size, len(block) + 2) for size in sizes)
    return out + [(head + block + b"hi\r\n", "client") for head in heads]


# Connections


class Net:
    """Connections, each with ports of its own."""

    def __init__(self) -> None:
        self.packets: list[Packet] = []
        self.talks: list[Conversation] = []
        self._ports = itertools.count(20_000)

    def talk(self, port: int) -> Conversation:
        """Return a connection to a port, opened."""
        talk = Conversation(("10.0.0.1", next(self._ports)), ("10.0.0.2", port)).handshake()
        self.talks.append(talk)
        return talk

    def all(self) -> list[Packet]:
        """Return all packets in order of time."""
        found = [each for talk in self.talks for each in talk.packets]
        return sorted(found, key=lambda each: each.time_ns)


Sent = list[tuple[int, bytes]]
"""Frames, each with the side that sends it."""


def disturb(net: Net, port: int, opening: Sent, sent: Sent) -> None:
    """Send frames with losses, splits and retransmissions."""

    def begun() -> Conversation:
        talk = net.talk(port)
        for side, data in opening:
            talk.send(side, data)
        return talk

    whole = begun()
    for side, data in sent:
        whole.send(side, data)
    again = begun()
    for side, data in sent:
        at = data.index(TOKEN) + 4
        again.send(side, data[:at]).send(side, data[at:])
        again.raw(side, again.next[side] - len(data) + at, data[at:], ACK | PSH)
    for side, data in sent:
        at = data.index(TOKEN) + 4
        cut = begun()
        cut.send(side, data[: at + 4])
        lossy = begun()
        for lost in (at, len(data) - at):  # the first half, the second one
            first = lost == at
            if not first:
                lossy.send(side, data[:at])
            lossy.next[side] += lost
            if first:
                lossy.send(side, data[at:])
            lossy.send(side, data)
            lossy.acknowledge(1 - side)


def carried(net: Net) -> None:
    """RSocket and NATS over WebSocket, with secrets in the upgrade; packed as well."""
    more = (f"Cookie: session={MARKER}", f"Authorization: Bearer {MARKER}",
            f"X-Api-Key: {MARKER}",
            f"Sec-WebSocket-Protocol: rsocket, bearer.authorization.{MARKER}")  # fmt: skip
    bare = [setup(COMPOSITE)[3:], *(request(each)[3:] for each in PLACES.values())]
    for target in (f"/rsocket?access_token={MARKER}&a=b", f"http://me:{MARKER}@broker/rsocket"):
        talk = net.talk(7000)
        talk.send(0, websocket.request(*more, target=target))
        talk.send(1, websocket.answer(f"Set-Cookie: sid={MARKER}"))
        for each in bare:
            talk.send(0, websocket.asked(each))
    talk = net.talk(8080)
    talk.send(0, websocket.request(f"{websocket.DEFLATE}: x", f"Cookie: a={MARKER}"))
    talk.send(1, websocket.refusal(f"401 Bearer {MARKER}"))
    packer = websocket.Packer()
    talk = net.talk(7000)
    talk.send(0, websocket.request(f"Sec-WebSocket-Extensions: {websocket.DEFLATE}"))
    talk.send(1, websocket.answer(f"Sec-WebSocket-Extensions: {websocket.DEFLATE}"))
    for each in bare:
        talk.send(0, websocket.asked(packer(each), rsv=4))


def called(net: Net) -> None:
    """Calls of gRPC with metadata, the same again by index, trailers, tokens of Pravega."""
    path = "/io.pravega.controller.stream.api.grpc.v1.ControllerService/getDelegationToken"
    names = ("authorization", "cookie", "set-cookie", "x-api-key", "proxy-authorization",
             "x-goog-iam-authorization-token-bin", "api-key-bin")  # fmt: skip
    secret = dict.fromkeys(names, MARKER)
    talk = net.talk(9090)
    client, server = Side(), Side()
    talk.send(0, PREFACE + http2_frame(SETTINGS, b"", 0)).send(1, http2_frame(SETTINGS, b"", 0))
    token = b"\x0a" + bytes([len(TOKEN)]) + TOKEN
    answers = (
        token,
        token + b"\x7a" + bytes([len(TOKEN)]) + TOKEN,
        token[:-3],
        b"\x0a\x7f" + TOKEN,
    )
    for index, answer in enumerate(answers):
        stream = 2 * index + 1
        asked = {":method": "POST", ":scheme": "http", ":path": f"{path}?token={MARKER}",
                 ":authority": f"me:{MARKER}@host", "content-type": "application/grpc",
                 "te": "trailers"}  # fmt: skip
        if index:
            asked[":path"] = path
        talk.send(0, client.headers(asked | secret, stream))
        talk.send(0, http2_frame(DATA, http2_message(b""), stream, END_STREAM))
        told = {":status": "200", "content-type": "application/grpc"}
        talk.send(1, server.headers(told | secret, stream))
        talk.send(1, http2_frame(DATA, http2_message(answer), stream))
        ended = {"grpc-status": "16", "grpc-message": f"no nats://me:{MARKER}@host"}
        talk.send(1, server.headers(ended | secret, stream, END_HEADERS | END_STREAM))


def rsocket(net: Net) -> None:
    """Authentication of every kind, in fragments too; data that is a credential."""
    sent = [(0, request(each)) for each in PLACES.values()]
    lying = [
        (0, request(each, size=size))
        for name, each in PLACES.items()
        if name != "a tag"
        for size in (len(each) - 6, len(each) + 30)
    ]
    disturb(net, 7000, [(0, setup(COMPOSITE))], sent)
    disturb(net, 7000, [], sent[:3])
    for each in lying:
        net.talk(7000).send(0, setup(COMPOSITE) + each[1])
    for kind in (BEARER, "application/x.token"):
        net.talk(7000).send(0, setup(kind) + request(TOKEN))
        talk = net.talk(7000)
        talk.send(0, setup("text/plain", kind, TOKEN) + request(b"", data=TOKEN))
    talk = net.talk(7000)
    talk.send(0, setup(COMPOSITE))
    for place in (PLACES["bearer"], PLACES["bearer.v0"]):
        half = len(place) - len(TOKEN) + 3
        first = half.to_bytes(3, "big") + place[:half]
        rest = (len(place) - half).to_bytes(3, "big") + place[half:]
        talk.send(0, framed(b"\0\0\0\3\x11\x80" + first) + framed(b"\0\0\0\3\x29\0" + rest + b"hi"))


def traffic() -> list[Packet]:
    """Return packets of connections of every protocol."""
    net = Net()
    by_protocol: dict[str, Sent] = {}
    for _, table, sender, data in frames():
        if table is table.wire.table() and table.wire.ports:
            sent = by_protocol.setdefault(table.wire.id, [])
            sent.append((int(sender == "server"), data))
    for protocol in PROTOCOLS:
        sent = by_protocol.get(protocol.wire.id, [])
        if sent and protocol.wire.id != "rsocket":
            few = sent if len(sent) < 16 else sent[::5]
            net.talk(protocol.wire.ports[0]).send(
                0, b"".join(each for side, each in sent if not side)
            )
            disturb(net, protocol.wire.ports[0], [], few)
            for side, data in few:
                for each in spoilt(data, max(data.index(TOKEN) - 1, 0)):
                    net.talk(protocol.wire.ports[0]).send(side, each)
    said = [(int(sender == "server"), line) for line, sender in lines()]
    disturb(net, 4222, [(1, b'INFO {"server_id":"A","version":"2.10.0"}\r\n')], said)
    rsocket(net)
    carried(net)
    called(net)
    unknown = b"\0\x77\0\1password=" + TOKEN
    sasl = b"\0\x13\0\7\0\0\0\1\0\5PLAIN\0\0\0\x12\0me\0" + TOKEN
    for body in (unknown, sasl):
        net.talk(5552).send(0, len(body).to_bytes(4, "big") + body)
    net.talk(5552).send(0, b"PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n" + len(sasl).to_bytes(4) + sasl)
    return net.all()
