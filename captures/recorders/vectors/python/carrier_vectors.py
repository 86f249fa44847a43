"""Vectors of the carriers: WebSocket with permessage-deflate, HTTP/2 with HPACK, and gRPC over it.

WebSocket by wsproto, HTTP/2 frames by hyperframe, header blocks by hpack; gRPC is what grpcio's
client and server said to each other through a tap. A masking key is random, so a run again differs
in it.
"""

import importlib.metadata
import random
import struct
import time
from concurrent import futures

import grpc
import hpack
from hyperframe import frame as h2
from wsproto import ConnectionType, WSConnection, connection, events
from wsproto.extensions import PerMessageDeflate

from vectors import Tap, emit

WSPROTO = f"wsproto {importlib.metadata.version('wsproto')}, "
HYPERFRAME = f"hyperframe {importlib.metadata.version('hyperframe')}, frame."
HPACK = f"hpack {importlib.metadata.version('hpack')}, Encoder.encode"
GRPC = f"grpcio {importlib.metadata.version('grpcio')}, "


def websocket() -> None:
    """Frames of both sides, plain and compressed, and the upgrade in front of them."""
    for compressed in (False, True):
        extension = [PerMessageDeflate()] if compressed else []
        client = WSConnection(ConnectionType.CLIENT)
        server = WSConnection(ConnectionType.SERVER)
        suffix = "_deflate" if compressed else ""
        upgrade = client.send(
            events.Request(host="localhost", target="/rsocket", extensions=extension)
        )
        emit(
            "websocket/upgrade",
            "request" + suffix,
            WSPROTO + "WSConnection.send(Request)",
            upgrade,
            {
                "method": "GET",
                "target": "/rsocket",
                "headers_include": [
                    {"key": "Host", "value": "localhost"},
                    {"key": "Upgrade", "value": "WebSocket"},
                ],
            },
        )
        server.receive_data(upgrade)
        list(server.events())
        accept = server.send(
            events.AcceptConnection(extensions=[PerMessageDeflate()] if compressed else [])
        )
        emit(
            "websocket/upgrade",
            "response" + suffix,
            WSPROTO + "WSConnection.send(AcceptConnection)",
            accept,
            {"status": 101, "headers_include": [{"key": "Upgrade", "value": "WebSocket"}]},
        )
        client.receive_data(accept)
        list(client.events())
        for side, peer in (("client", client), ("server", server)):
            frames(
                peer, side, suffix, WSPROTO + f"WSConnection.send, {side}", compressed=compressed
            )
    heads()


def frames(peer: WSConnection, side: str, suffix: str, source: str, *, compressed: bool) -> None:
    """All kinds of frames of one side; compressed ones share the window of their connection."""
    rng = random.Random(1)  # noqa: S311
    part = 0

    def one(name: str, event: events.Event, **expect: object) -> None:
        nonlocal part
        part += 1
        base = {"fin": True, "rsv1": False, "opcode": 0, "masked": side == "client"}
        facts = (
            {"sequence": side + "_deflate", "part": part, "dialect": "permessage-deflate"}
            if compressed
            else {}
        )
        emit(
            f"websocket/frame{suffix}",
            f"{side}_{name}",
            source,
            peer.send(event),
            {**base, **expect},
            **facts,
        )

    data = compressed
    one(
        "text",
        events.TextMessage(data="hello größe"),
        opcode=1,
        rsv1=data,
        payload="hello größe".encode().hex(),
    )
    one(
        "text_again",
        events.TextMessage(data="hello größe"),
        opcode=1,
        rsv1=data,
        payload="hello größe".encode().hex(),
    )
    for size in (0, 1, 125, 126, 256):
        payload = rng.randbytes(size)
        one(
            f"binary_{size}",
            events.BytesMessage(data=payload),
            opcode=2,
            rsv1=data,
            payload=payload.hex(),
        )
    one(
        "fragment_1",
        events.BytesMessage(data=b"abc" * 20, message_finished=False),
        fin=False,
        opcode=2,
        rsv1=data,
        **({} if data else {"payload": (b"abc" * 20).hex()}),
    )
    one("ping_between", events.Ping(payload=b"tick"), opcode=9, payload=b"tick".hex())
    one(
        "fragment_2",
        events.BytesMessage(data=b"abc" * 20, message_finished=False),
        fin=False,
        **({} if data else {"payload": (b"abc" * 20).hex()}),
    )
    one(
        "fragment_3",
        events.BytesMessage(data=b"!", message_finished=True),
        **({"message": (b"abc" * 40 + b"!").hex()} if data else {"payload": b"!".hex()}),
    )
    one("pong_empty", events.Pong(payload=b""), opcode=10, payload="")
    one(
        "close",
        events.CloseConnection(code=1000, reason="bye"),
        opcode=8,
        code=1000,
        reason="bye",
        payload=(struct.pack(">H", 1000) + b"bye").hex(),
    )


def heads() -> None:
    """Only the beginning of a frame with the eight-byte length: its bytes have not come yet."""
    peer = connection.Connection(ConnectionType.SERVER)
    data = peer.send(events.BytesMessage(data=bytes(65536)))
    emit(
        "websocket/frame",
        "server_binary_65536_cut",
        WSPROTO + "Connection.send, server; cut by hand after 14 bytes",
        data[:14],
        {"fin": True, "rsv1": False, "opcode": 2, "masked": False, "payload_length": 65536},
        open=True,
    )


def http2() -> None:
    """Every frame type with and without options; header blocks that build on each other."""

    def one(name: str, each: h2.Frame, kind: int, flags: list[str], **expect: object) -> None:
        for flag in flags:
            each.flags.add(flag)
        shown = {
            "type": kind,
            "stream_id": each.stream_id,
            "flags": [flag.lower() for flag in flags],
            **expect,
        }
        emit(
            "http2/frame",
            name,
            HYPERFRAME + type(each).__name__ + ".serialize",
            each.serialize(),
            shown,
        )

    emit(
        "http2/frame",
        "preface",
        "RFC 9113, 3.4",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        {"preface": True},
    )
    one("data", h2.DataFrame(1, b"hello"), 0, [], data=b"hello".hex())
    one("data_end", h2.DataFrame(1, b""), 0, ["END_STREAM"], data="")
    one(
        "data_padded",
        h2.DataFrame(1, b"hi", pad_length=3),
        0,
        ["PADDED"],
        data=b"hi".hex(),
        pad_length=3,
    )
    one("headers", h2.HeadersFrame(1, b"\x82\x86"), 1, ["END_HEADERS"], header_block="8286")
    one(
        "headers_priority_padded",
        h2.HeadersFrame(3, b"\x82", depends_on=1, stream_weight=15, exclusive=True, pad_length=2),
        1,
        ["END_HEADERS", "END_STREAM", "PRIORITY", "PADDED"],
        header_block="82",
        exclusive=True,
        stream_dependency=1,
        weight=15,
        pad_length=2,
    )
    one(
        "priority",
        h2.PriorityFrame(3, depends_on=1, stream_weight=255, exclusive=False),
        2,
        [],
        exclusive=False,
        stream_dependency=1,
        weight=255,
    )
    one("rst_stream", h2.RstStreamFrame(5, error_code=8), 3, [], error_code=8)
    one(
        "settings",
        h2.SettingsFrame(0, settings={1: 4096, 3: 100, 4: 65535, 8: 1}),
        4,
        [],
        settings=[
            {"identifier": key, "value": value}
            for key, value in {1: 4096, 3: 100, 4: 65535, 8: 1}.items()
        ],
    )
    one("settings_ack", h2.SettingsFrame(0), 4, ["ACK"], settings=[])
    one(
        "push_promise",
        h2.PushPromiseFrame(1, promised_stream_id=2, data=b"\x82"),
        5,
        ["END_HEADERS"],
        promised_stream_id=2,
        header_block="82",
    )
    one("ping", h2.PingFrame(0, b"12345678"), 6, [], opaque_data=b"12345678".hex())
    one("ping_ack", h2.PingFrame(0, b"12345678"), 6, ["ACK"], opaque_data=b"12345678".hex())
    one(
        "goaway",
        h2.GoAwayFrame(
            0, last_stream_id=2**31 - 1, error_code=11, additional_data=b"too_many_pings"
        ),
        7,
        [],
        last_stream_id=2**31 - 1,
        error_code=11,
        additional_debug_data=b"too_many_pings".hex(),
    )
    one(
        "window_update",
        h2.WindowUpdateFrame(0, window_increment=2**31 - 1),
        8,
        [],
        window_size_increment=2**31 - 1,
    )
    one("continuation", h2.ContinuationFrame(1, b"\x84"), 9, ["END_HEADERS"], header_block="84")
    one(
        "unknown_type",
        h2.ExtensionFrame(type=0xEE, stream_id=7, flag_byte=0x80, body=b"x"),
        0xEE,
        [],
        payload=b"x".hex(),
    )

    for huffman in (False, True):
        encoder = hpack.Encoder()
        blocks = [
            [
                (":method", "GET"),
                (":scheme", "http"),
                (":path", "/"),
                (":authority", "www.example.com"),
            ],
            [
                (":method", "GET"),
                (":scheme", "http"),
                (":path", "/"),
                (":authority", "www.example.com"),
                ("cache-control", "no-cache"),
            ],
            [
                (":method", "POST"),
                (":path", "/v.S/M"),
                ("custom-key", "custom-value"),
                ("empty", ""),
                ("x", "größe"),
            ],
            [
                ("custom-key", "custom-value"),
                hpack.NeverIndexedHeaderTuple("authorization", "Bearer throwaway"),
            ],
        ]
        for part, headers in enumerate(blocks, 1):
            if part == len(blocks):
                encoder.header_table_size = 256
            emit(
                "http2/header_block",
                f"{'huffman' if huffman else 'plain'}_{part}",
                HPACK,
                encoder.encode(headers, huffman=huffman),
                {"headers": [{"key": name, "value": value} for name, value in headers]},
                bare=True,
                sequence="huffman" if huffman else "plain",
                part=part,
                note="begins with a table size update" if part == len(blocks) else "",
            )
    examples = {
        "literal_indexed": (
            "400a637573746f6d2d6b65790d637573746f6d2d686561646572",
            [("custom-key", "custom-header")],
        ),
        "literal_not_indexed": ("040c2f73616d706c652f70617468", [(":path", "/sample/path")]),
        "literal_never_indexed": ("100870617373776f726406736563726574", [("password", "secret")]),
        "indexed": ("82", [(":method", "GET")]),
    }
    for name, (data, headers) in examples.items():
        emit(
            "http2/header_block",
            "rfc_" + name,
            "RFC 7541, C.2",
            bytes.fromhex(data),
            {"headers": [{"key": key, "value": value} for key, value in headers]},
            bare=True,
        )


class Calls(grpc.GenericRpcHandler):
    """Answers the methods of one made-up service with raw bytes."""

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        """The handler of a method by its name."""
        name = details.method.rpartition("/")[2]
        return {
            "Unary": grpc.unary_unary_rpc_method_handler(lambda request, _: b"re:" + request),
            "Metadata": grpc.unary_unary_rpc_method_handler(self.metadata),
            "Error": grpc.unary_unary_rpc_method_handler(self.error),
            "ServerStream": grpc.unary_stream_rpc_method_handler(
                lambda request, _: iter([request, b"", request * 2])
            ),
            "ClientStream": grpc.stream_unary_rpc_method_handler(
                lambda requests, _: b"|".join(requests)
            ),
            "Bidirectional": grpc.stream_stream_rpc_method_handler(
                lambda requests, _: iter([b"<" + each + b">" for each in requests])
            ),
        }.get(name)

    @staticmethod
    def metadata(request: bytes, context: grpc.ServicerContext) -> bytes:
        """Initial and trailing metadata, one of it binary."""
        context.send_initial_metadata((("initial", "one"),))
        context.set_trailing_metadata((("trailing-bin", b"\x00\xff"),))
        return request

    @staticmethod
    def error(request: bytes, context: grpc.ServicerContext) -> bytes:
        """A status with a message that must be percent-encoded."""
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "größe: 100%")
        return request


def grpc_calls() -> None:
    """One connection per call, both directions whole: the streams of HTTP/2 carry state."""
    server = grpc.server(futures.ThreadPoolExecutor(2), handlers=[Calls()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    cases = {
        "unary": ("Unary", [b"hello"], [b"re:hello"], {}, 0, ""),
        "unary_empty": ("Unary", [b""], [b"re:"], {}, 0, ""),
        "unary_gzip": (
            "Unary",
            [b"a" * 500],
            [b"re:" + b"a" * 500],
            {"compression": grpc.Compression.Gzip},
            0,
            "",
        ),
        "metadata": (
            "Metadata",
            [b"x"],
            [b"x"],
            {"metadata": (("key", "value"), ("key", "again"), ("data-bin", b"\x00\x01"))},
            0,
            "",
        ),
        "deadline": ("Unary", [b"x"], [b"re:x"], {"timeout": 5}, 0, ""),
        "error": ("Error", [b"x"], [], {}, 3, "größe: 100%"),
        "unknown_method": ("Missing", [b"x"], [], {}, 12, "Method not found!"),
        "server_stream": ("ServerStream", [b"ab"], [b"ab", b"", b"abab"], {}, 0, ""),
        "client_stream": ("ClientStream", [b"a", b"", b"ccc"], [b"a||ccc"], {}, 0, ""),
        "bidirectional": ("Bidirectional", [b"a", b"b"], [b"<a>", b"<b>"], {}, 0, ""),
    }
    for name, (method, requests, responses, options, status, message) in cases.items():
        tap = Tap(port)
        channel = grpc.insecure_channel(f"127.0.0.1:{tap.port}")
        path = "/vectors.Service/" + method
        try:
            if method == "ServerStream":
                list(channel.unary_stream(path)(requests[0], **options))
            elif method == "ClientStream":
                channel.stream_unary(path)(iter(requests), **options)
            elif method == "Bidirectional":
                list(channel.stream_stream(path)(iter(requests), **options))
            else:
                channel.unary_unary(path)(requests[0], **options)
        except grpc.RpcError as error:
            if error.code().value[0] != status:
                raise
        time.sleep(0.1)
        up, down = bytes(tap.up), bytes(tap.down)
        channel.close()
        metadata = [
            {"key": key, "value": value.hex() if isinstance(value, bytes) else value}
            for key, value in options.get("metadata", ())
        ]
        request = {
            "path": path,
            "messages": [each.hex() for each in requests],
            **({"metadata": metadata} if metadata else {}),
        }
        if "compression" in options:
            request |= {"grpc_encoding": "gzip", "compressed": [True]}
        emit(
            "grpc/call",
            name + "_client",
            GRPC + "client; one connection from its first byte",
            up,
            request,
            sequence=name,
            part=1,
            sender="client",
        )
        response = {
            "messages": [each.hex() for each in responses],
            "grpc_status": status,
            **({"grpc_message": message} if message else {}),
        }
        if name == "metadata":
            response |= {
                "initial_metadata": [{"key": "initial", "value": "one"}],
                "trailing_metadata": [{"key": "trailing-bin", "value": "00ff"}],
            }
        emit(
            "grpc/call",
            name + "_server",
            GRPC + "server; one connection from its first byte",
            down,
            response,
            sequence=name,
            part=2,
            sender="server",
        )
    server.stop(0)


if __name__ == "__main__":
    websocket()
    http2()
    grpc_calls()
