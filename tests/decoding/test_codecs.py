"""Codecs and carriers' states: against vectors, and never more bytes than a cap."""

import tracemalloc
import zlib

import cramjam
import hpack
import pytest
from tests.failures import every
from tests.schema.reader_agreement import Layout, Vector, vectors
from tests.schema.shapes import http2, rabbitmq_stream
from tests.schema.shapes.catalog import layouts
from tests.timing import is_within

from streamshark.decoding.codecs import CODECS, HeaderTable, Inflater, unmask, unpack

CAP = 1024 * 1024
PACK = {
    "gzip": cramjam.gzip.compress, "snappy": cramjam.snappy.compress, "lz4": cramjam.lz4.compress,
    "zstd": cramjam.zstd.compress, "zlib": cramjam.zlib.compress,
    "deflate": cramjam.deflate.compress, "none": bytes,
}  # fmt: skip


@every("vector", vectors("rabbitmq_stream"), ids=lambda each: each.name)
def test_sub_batches_that_clients_packed(vector: Vector) -> None:
    """Every codec, by the announced size and without it."""
    if vector.file != "sub_batch_data":
        return
    codec = rabbitmq_stream.CODECS[vector.expect["compression"]]
    size = vector.expect["uncompressed_data_size"]
    inner = layouts("rabbitmq_stream")["", "sub_batch", None, False]
    for announced in (size, None):
        made = unpack(codec, vector.data, size=announced, cap=CAP)
        assert made.problem is None
        assert made.data is not None
        bodies = [each["body"].hex() for each in inner.decoder.fast(made.data)["records"]]
        assert bodies == [each["body"] for each in vector.expect["records"]]


@pytest.mark.parametrize("codec", sorted(CODECS))
def test_every_codec(codec: str) -> None:
    """By the right size, by a wrong one, cut, and as rubbish."""
    data = b"streamshark " * 1000
    packed = bytes(PACK[codec](data))

    assert unpack(codec, packed, size=len(data), cap=CAP) == (data, None)
    assert unpack(codec, packed, size=None, cap=CAP) == (data, None)
    for size in (0, 1, len(data) - 1, len(data) + 1):
        made = unpack(codec, packed, size=size, cap=CAP)
        assert made.problem is not None
        assert made.data is None or codec == "none" or len(made.data) <= size
    if codec != "none":
        for wrong in (packed[:-1], packed[: len(packed) // 2], b"rubbish", b""):
            made = unpack(codec, wrong, size=len(data), cap=CAP)
            assert made.problem is not None


@pytest.mark.parametrize("codec", sorted(CODECS - {"none"}))
def test_a_bomb_is_a_problem(codec: str) -> None:
    """Whatever it announces: never more than the cap is made, and no longer than it would take."""
    bomb, good = (bytes(PACK[codec](bytes(size))) for size in (64 * CAP, CAP))
    sizes = (None, 64 * CAP, CAP, 1)

    def refused() -> None:
        for size in sizes:
            made = unpack(codec, bomb, size=size, cap=CAP)
            assert made.problem is not None
            assert made.data is None

    assert is_within(len(sizes) * 4, refused, lambda: unpack(codec, good, size=CAP, cap=CAP))


def test_an_announced_size_that_no_codec_reaches_is_not_believed() -> None:
    """No buffer is made for it."""
    made = unpack("zstd", b"(\xb5/\xfd", size=CAP * 64, cap=CAP * 64)

    assert made == (None, f"{CAP * 64} unpacked bytes announced for 4 compressed bytes, too many")


def test_an_unknown_codec_keeps_its_bytes() -> None:
    """`user` of RabbitMQ, or a number without a name."""
    assert unpack("user", b"x", size=1, cap=CAP) == (None, "no codec user is known")


def test_a_mask_is_taken_off_by_putting_it_on() -> None:
    """Masking the masked "Hello" of RFC 6455, 5.7, gives the text."""
    key, data = bytes.fromhex("37fa213d"), bytes.fromhex("7f9f4d5158")

    assert unmask(data, key) == b"Hello"
    assert unmask(unmask(data, key), key) == data
    assert unmask(b"", key) == b""


@pytest.mark.parametrize("side", ["client", "server"])
@pytest.mark.parametrize("file", ["frame", "frame_deflate"])
def test_websocket_messages_of_one_side(side: str, file: str) -> None:
    """Unmasked, joined over fragments, inflated with one window."""
    inflater = Inflater()
    parts: list[bytes] = []
    deflated = False
    found = [each for each in vectors("websocket") if each.file == file]
    for vector in found:
        if vector.facts.get("open") or not vector.facts["name"].startswith(side):
            continue
        values = _websocket(vector).decoder.fast(vector.data)
        payload = values["payload"]
        if values["masked"]:
            payload = unmask(payload, values["masking_key"])
        wanted = vector.expect.get("payload")
        if vector.expect["opcode"] < 8:
            deflated = deflated or bool(values["rsv1"])
            parts.append(payload)
            if not values["fin"]:
                continue
            whole = b"".join(parts)
            if deflated:
                made = inflater.message(whole, CAP)
                assert made.problem is None
                payload, wanted = made.data or b"", vector.expect.get("message", wanted)
            parts, deflated = [], False
        assert payload.hex() == wanted


def _websocket(vector: Vector) -> Layout:
    known = layouts("websocket").values()
    return next(each for each in known if each.tree.schema.key == vector.expect["opcode"])


def test_a_window_that_is_lost_is_not_guessed() -> None:
    """After invalid data a message with a back-reference is a problem, and others are read."""
    pack = zlib.compressobj(wbits=-15)
    told = b"streamshark is told again and again"
    bomb, first, again, alone = (
        (pack.compress(each) + pack.flush(zlib.Z_SYNC_FLUSH))[:-4]
        for each in (bytes(CAP * 8), told, told, b"hi")
    )
    inflater = Inflater()

    assert inflater.message(bomb, CAP).problem == f"over {CAP} bytes are packed here"
    assert not inflater.whole
    assert inflater.message(again, CAP).problem == "not valid deflate"
    assert inflater.message(alone, CAP).data == b"hi"
    assert inflater.message(first, CAP).data == told
    inflater.lose()
    assert inflater.message(again, CAP).data is None
    assert Inflater().message(b"\xff\xff", CAP).problem == "not valid deflate"


def test_what_follows_the_bytes_of_a_cap_is_not_inflated() -> None:
    """A second bomb after the limit is not inflated; a block may end in the last byte of it."""

    def block(size: int) -> bytes:
        pack = zlib.compressobj(wbits=-15)
        return pack.compress(bytes(size)) + pack.flush()

    bomb = block(64 * CAP)
    tracemalloc.start()
    try:
        for size in (CAP + 1, CAP + 2):
            made = Inflater().message(block(size) + bomb, CAP)
            assert made == (None, f"over {CAP} bytes are packed here")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 8 * CAP
    assert Inflater().message(block(CAP) + b"\0", CAP) == (bytes(CAP), None)


def test_messages_with_windows_of_their_own() -> None:
    """Nothing is ever lost, and nothing may be referred to."""
    pack = zlib.compressobj(wbits=-15)
    data = pack.compress(b"over and over and over") + pack.flush(zlib.Z_SYNC_FLUSH)
    again = pack.compress(b"over and over and over") + pack.flush(zlib.Z_SYNC_FLUSH)
    anew = Inflater(takeover=False)

    assert anew.message(b"\xff\xff", CAP).data is None
    assert anew.whole
    assert anew.message(data[:-4], CAP).data == b"over and over and over"
    assert anew.message(again[:-4], CAP).data is None


RFC_7692 = {
    "7.2.3.1, one block": (["f248cdc9c90700"], True),
    "7.2.3.2, sharing the window": (["f248cdc9c90700", "f200110000"], True),
    "7.2.3.2, without": (["f248cdc9c90700", "f248cdc9c90700"], False),
    "7.2.3.3, no compression": (["000500faff48656c6c6f00"], True),
    "7.2.3.4, a last block": (["f348cdc9c9070000", "f200110000"], True),
    "7.2.3.5, two blocks": (["f248050000 00ffff cac9c90700"], True),
}


@pytest.mark.parametrize("section", RFC_7692)
def test_the_examples_of_rfc_7692(section: str) -> None:
    """Each message is Hello."""
    messages, takeover = RFC_7692[section]
    inflater = Inflater(takeover=takeover)

    assert [inflater.message(bytes.fromhex(each), CAP) for each in messages] == [
        (b"Hello", None) for _ in messages
    ]


def test_many_last_blocks_cost_nothing() -> None:
    """A message of two-byte blocks, each the last one: of eight times as many, eight times."""

    def refused(blocks: int) -> None:
        assert Inflater().message(b"\x03\x00" * blocks, CAP).problem == "not valid deflate"

    assert is_within(8 * 4, lambda: refused(1 << 20), lambda: refused(1 << 17))


def test_header_blocks_of_one_direction() -> None:
    """Blocks of a sequence share a table; RFC 7541's examples stand alone."""
    tables: dict[str, HeaderTable] = {}
    for vector in vectors("http2"):
        if vector.file != "header_block":
            continue
        sequence = vector.facts.get("sequence", vector.facts["name"])
        block = tables.setdefault(sequence, HeaderTable()).block(vector.data)
        told = [{"key": name, "value": value} for name, value in block.headers]
        assert block.problem is None
        assert told == vector.expect["headers"]


def test_header_blocks_after_a_loss() -> None:
    """Headers that refer to lost entries are left out; entries sent later are used."""
    encoder = hpack.Encoder()
    encoder.encode([("old", "1")])
    table = HeaderTable()
    table.lose()

    first = table.block(encoder.encode([("new", "2"), ("old", "1")]))
    second = table.block(encoder.encode([("new", "2"), (":method", "GET")]))
    assert (first.headers, first.whole, first.problem) == ([("new", "2")], False, None)
    assert (second.headers, second.whole) == ([("new", "2"), (":method", "GET")], True)


def test_entries_from_before_a_loss_are_no_longer_known() -> None:
    """Their positions in the table are unknown after the loss."""
    encoder = hpack.Encoder()
    table = HeaderTable()
    assert table.block(encoder.encode([("one", "1")])).headers == [("one", "1")]
    encoder.encode([("two", "2")])
    table.lose()

    assert table.block(encoder.encode([("two", "2"), ("one", "1")])).headers == []
    assert table.block(encoder.encode([("three", "3")])).headers == [("three", "3")]
    assert table.block(encoder.encode([("three", "3")])).headers == [("three", "3")]


def test_a_header_block_from_the_middle_is_a_problem() -> None:
    """Its entries are in a table that was not captured; the next block is read again."""
    table = HeaderTable()

    assert table.block(b"\xbe").problem is not None
    assert table.block(b"\xff\xff\xff\xff\xff\xff").problem is not None
    assert table.block(b"\x82").headers == [(":method", "GET")]
    assert table.block(b"\x00\x01\xff\x01\xfe").headers == [("ÿ", "þ")]


@every("vector", vectors("grpc"), ids=lambda each: each.name)
def test_grpc_calls_of_one_side(vector: Vector) -> None:
    """A whole direction of a real connection: frames, header blocks, messages."""
    known = {frame.key: Layout.of_frame(frame, http2.HEAD, "http2") for frame in http2.FRAMES}
    data = vector.data
    preface = layouts("http2")["", "preface", None, False]
    if vector.facts["sender"] == "client":
        assert preface.decoder.fast(data[:24]) == {}
        data = data[24:]
    table, body, headers = HeaderTable(), b"", {":path": ""}
    while data:
        size = int.from_bytes(data[:3], "big") + 9
        values = known[data[3]].decoder.fast(data[:size])
        if "header_block" in values:
            block = table.block(values["header_block"])
            assert block.problem is None
            headers |= block.headers
        body += values.get("data", b"")
        data = data[size:]
    told = layouts("http2")["", "grpc_messages", None, False].decoder.fast(body)["messages"]
    bodies = [
        unpack(headers["grpc-encoding"] if each["compressed"] else "none", each["message"],
               size=None, cap=CAP).data or b""
        for each in told
    ]  # fmt: skip

    if "path" in vector.expect:
        assert headers[":path"] == vector.expect["path"]
    if "grpc_status" in vector.expect:
        assert int(headers["grpc-status"]) == vector.expect["grpc_status"]
    assert [each.hex() for each in bodies] == vector.expect["messages"]
