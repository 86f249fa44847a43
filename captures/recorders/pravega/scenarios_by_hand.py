"""Requests that no client at hand sends, by a raw socket, each answered by a real server."""

import struct

from captures.recorders.pravega.setup import RAW, Facts, scenario
from captures.recorders.pravega.wire import NONE, connected, entry, key, record, sized, text

SEGMENT = "hand/stream/0.#epoch.0"
TABLE = "hand/table_kvtable/0.#epoch.0"
ATTRIBUTE = bytes(range(17, 33))


@scenario(
    "Requests about segments, by hand",
    peer=RAW,
    healthy=True,
    shows="Every request about segments that release 0.13 answers: created twice, asked for, "
    "appended to on condition, read at the head and before it, attributes, policy, truncated, "
    "merged from transient segments, one and several, sealed, deleted.",
)
def segments_by_hand() -> Facts:  # noqa: PLR0915 - one request after the other
    tok = text("")
    with connected() as peer:
        peer.create(SEGMENT)
        peer.ask(20, text(SEGMENT) + struct.pack(">ib", 0, 0) + tok + bytes(8), 52)
        peer.ask(11, text(SEGMENT) + tok, 12)
        peer.ask(11, text("hand/stream/9.#epoch.0") + tok, 53)
        peer.set_up(SEGMENT)
        peer.append(0, record(0, b"first"))
        peer.hear(7)
        two = record(0, b"second") + record(0, b"third")
        peer.block(two + record(-1, bytes(20)))
        peer.end(2, len(two), b"", count=2)
        peer.hear(7)
        event = record(0, b"a fourth one")
        peer.block(two + record(-2, event[:10]))
        peer.end(5, len(two), event[10:], count=3)
        peer.hear(7)
        rid = struct.pack(">q", peer.ids)
        length = struct.unpack(">q", peer.ask(11, text(SEGMENT) + tok, 12)[-16:-8])[0]
        for number, offset, answer in ((6, length, 7), (7, 0, 8)):
            body = peer_condition(number, offset) + bytes(4) + sized(b"on condition") + rid
            peer.say(5, body)
            peer.hear(answer)
        length += 20
        for number, offset, answer in ((7, length, 7), (8, 0, 8)):
            peer.say(89, peer_condition(number, offset) + sized(record(0, b"a block")) + rid)
            peer.hear(answer)
        for offset in (0, 13):
            peer.read(SEGMENT, offset)
            peer.hear(10)
        peer.ask(36, text(SEGMENT) + ATTRIBUTE + struct.pack(">qq", 5, NONE) + tok, 37)
        peer.ask(36, text(SEGMENT) + ATTRIBUTE + struct.pack(">qq", 6, 1) + tok, 37)
        peer.ask(34, text(SEGMENT) + ATTRIBUTE + tok, 35)
        peer.ask(32, text(SEGMENT) + struct.pack(">ib", 100, 2) + tok, 33)
        peer.ask(38, text(SEGMENT) + struct.pack(">q", 13) + tok, 39)
        peer.ask(38, text(SEGMENT) + struct.pack(">q", 5) + tok, 56)
        peer.read(SEGMENT, 0)
        peer.hear(56)
        names = []
        for number in range(3):
            writer = bytes([number]) * 16
            made = peer.ask(40, writer + text(SEGMENT) + tok, 21)
            names.append(made[10:].decode())
            peer.set_up(names[-1], writer)
            peer.append(0, record(0, b"merged"), writer)
            peer.hear(7)
        update = ATTRIBUTE + struct.pack(">Bqq", 4, 7, 5)
        merge = text(SEGMENT) + text(names[0]) + tok
        peer.ask(58, merge + struct.pack(">i", 1) + update, 59)
        merge = text(SEGMENT) + text(names[1]) + tok
        peer.ask(58, merge + struct.pack(">i", 1) + update, 37)
        sources = text(names[1]) + text(names[2])
        peer.ask(90, text(SEGMENT) + struct.pack(">i", 2) + sources + tok, 91)
        peer.say(KEEP_ALIVE)
        peer.hear(KEEP_ALIVE)
        peer.seal(SEGMENT)
        peer.ask(1, bytes(16) + text(SEGMENT) + tok, 51, 2)
        peer.ask(30, text(SEGMENT) + tok, 31)
        peer.ask(30, text(SEGMENT) + tok, 53)
        return {"sent": len(peer.sent), "received": len(peer.got)}


KEEP_ALIVE = 100


def peer_condition(number: int, offset: int) -> bytes:
    """What conditional appends begin with."""
    return bytes(range(1, 17)) + struct.pack(">qq", number, offset)


@scenario(
    "Requests about tables, by hand",
    peer=RAW,
    healthy=True,
    shows="Every request about tables that release 0.13 answers: created, put, "
    "read, listed by keys and entries and by change, refused by version, removed, deleted.",
)
def tables_by_hand() -> Facts:
    tok, table = text(""), text(TABLE)
    one = struct.pack(">i", 1)
    with connected() as peer:
        peer.ask(70, table + tok + b"\0" + struct.pack(">iq", 0, 0), 21)
        peer.ask(68, table + tok, 69)
        # an entry with an empty key is taken, but no read of the table is answered after that
        put = entry(b"k1", b"one") + entry(b"k2", b"")
        peer.ask(74, table + tok + struct.pack(">i", 2) + put + struct.pack(">q", -1), 75)
        keys = key(b"k1") + key(b"nk")
        peer.ask(78, table + tok + struct.pack(">i", 2) + keys, 79)
        listing = table + tok + struct.pack(">i", 10) + sized(b"") * 4
        peer.ask(83, listing, 84)
        peer.ask(85, listing, 86)
        peer.ask(88, table + tok + struct.pack(">qi", 0, 10), 87)
        peer.ask(88, table + tok + struct.pack(">qi", 1 << 40, 10), 61)
        bad = entry(b"k1", b"no", 12345)
        peer.ask(74, table + tok + one + bad + struct.pack(">q", -1), 82)
        missing = entry(b"nk", b"no", 12345)
        peer.ask(74, table + tok + one + missing + struct.pack(">q", -1), 81)
        peer.ask(71, table + b"\1" + tok, 80)
        peer.ask(76, table + tok + one + key(b"k1", 99) + struct.pack(">q", -1), 82)
        keys = key(b"k1") + key(b"k2")
        peer.ask(76, table + tok + struct.pack(">i", 2) + keys + struct.pack(">q", -1), 77)
        peer.ask(71, table + b"\0" + tok, 31)
        return {"sent": len(peer.sent), "received": len(peer.got)}


@scenario(
    "A token that is wrong, by hand",
    peer=RAW,
    healthy=False,
    auth=True,
    faults={
        "PRV-P21": "one request has a token, another has none",
        "PRV-P51": "the store refuses the token",
    },
    shows="AUTH_TOKEN_CHECK_FAILED to a request with a token that nobody signed, and to one with "
    "none; of READ_SEGMENT its request id is 0.",
)
def wrong_token_by_hand() -> Facts:
    with connected() as peer:
        for token in ("eyJhbGciOiJIUzUxMiJ9.e30.bm9ib2R5", ""):
            peer.ask(11, text(SEGMENT) + text(token), 60)
        peer.ask(1, bytes(16) + text(SEGMENT) + text(""), 60)
        peer.read(SEGMENT, 0, 10)
        peer.hear(60)
        return {"sent": len(peer.sent), "received": len(peer.got)}
