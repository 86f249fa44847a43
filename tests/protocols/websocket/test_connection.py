"""Messages of WebSocket as frames of RSocket: handshake, masks, fragments, deflate, loss."""

import dataclasses
import random
import time

import pytest
from tests.builders import Conversation, Packet
from tests.failures import every
from tests.framing.parcel_protocol import SPOKEN
from tests.protocols.websocket.traffic import (
    ANSWER,
    CLOSE,
    DEFLATE,
    KEEPALIVE,
    MASK,
    PING,
    PONG,
    REQUEST,
    SETUP,
    TEXT,
    Packer,
    answer,
    asked,
    closing,
    frame,
    frames,
    read,
    refusal,
    request,
    talk,
    told,
    upgraded,
)
from tests.timing import NOISE, spent

from streamshark.dissection.row import EventRow, Row
from streamshark.protocols.protocol import Protocol
from streamshark.protocols.websocket.framing import MOST_MESSAGE

LINES = Protocol(
    "Spoken", "A card.", dataclasses.replace(SPOKEN, carried_in=frozenset({"websocket.bytes"}))
)
PAYLOAD = 54
"""Where TCP's payload begins in a packet."""
OPENED = ["tcp.open", "websocket.upgrade", "websocket.upgraded"]
AGREED = f"Sec-WebSocket-Extensions: {DEFLATE}"
UNKNOWN = "permessage-deflate: not valid deflate; earlier messages are not known"
ALONE = f"{AGREED}; server_no_context_takeover; client_no_context_takeover"


def event(rows: list[Row], name: str) -> EventRow:
    """The first event of this name that is the carrier's."""
    return next(
        row
        for row in rows
        if isinstance(row, EventRow) and row.name == name and row.protocol == "websocket"
    )


def problems(rows: list[Row]) -> list[str]:
    """What is wrong, anywhere."""
    return [f"{each.code.word}: {each.message}" for row in rows for each in row.problems]


def skipped(rows: list[Row]) -> list[str]:
    """Why bytes were skipped."""
    return [
        str(row.fields["reason"])
        for row in rows
        if isinstance(row, EventRow) and row.name in ("resync", "partial")
    ]


def conversation() -> Conversation:
    """A healthy one, all of it."""
    made = upgraded().send(0, asked(SETUP)).send(0, asked(REQUEST)).send(1, frame(ANSWER))
    made.send(0, asked(KEEPALIVE)).send(0, asked(b"hi", PING)).send(1, frame(b"hi", PONG))
    made.send(0, closing(1000, b"bye", mask=MASK)).send(1, closing(1000, b"bye"))
    return made.finish(1).finish(0)


NAMES = [
    *OPENED, "setup", "request_response", "payload", "keepalive", "websocket.ping",
    "websocket.pong", "websocket.close", "websocket.close", "tcp.close", "tcp.close",
]  # fmt: skip


def test_each_message_is_a_frame() -> None:
    """On any port, with sender, packets, and the offset of its first byte."""
    rows, _ = read(conversation().packets)

    assert told(rows) == NAMES
    assert problems(rows) == []
    setup, asking, answered, _ = frames(rows)
    assert [row.sender for row in (setup, asking, answered)] == ["client", "client", "server"]
    assert (setup.packets, asking.packets, answered.packets) == ([6], [7], [8])
    assert setup.offset == len(request()) + 6
    assert setup.data == SETUP
    assert answered.offset == len(answer()) + 2
    assert asking.values == {
        "flags": 0x100, "stream_id": 1, "metadata": b"\x02hi", "data": b"ping",
    }  # fmt: skip
    assert asking.agreed["metadata_mime_type"] == "text/plain"


def test_the_handshake_is_an_event() -> None:
    """What was asked, and what was agreed; a query may hold a token, so it is not shown."""
    made = talk().send(0, request("Sec-WebSocket-Protocol: rsocket, x", target="/a?token=b"))
    rows, _ = read(
        made.send(1, answer("Sec-WebSocket-Protocol: rsocket")).send(0, asked(SETUP)).packets
    )
    asking, agreed = event(rows, "upgrade"), event(rows, "upgraded")

    assert asking.fields == {
        "sender": "client", "path": "/a?***", "host": "broker:7000", "protocols": "rsocket, x",
        "extensions": None,
    }  # fmt: skip
    assert agreed.fields["protocol"] == "rsocket"
    assert agreed.fields["status"] == 101
    assert problems(rows) == []


def test_what_is_wrong_with_a_handshake() -> None:
    """Each fault is told, and the connection read on."""
    asking = request("Sec-WebSocket-Extensions: x").replace(b"Version: 13", b"Version: 8")
    agreed = answer("Sec-WebSocket-Protocol: rsocket").replace(b"s3pP", b"xxxx")
    rows, _ = read(talk().send(0, asking).send(1, agreed).send(0, asked(SETUP)).packets)

    assert problems(rows) == [
        "carrier: Sec-WebSocket-Version is 8, not 13",
        "carrier: Sec-WebSocket-Accept does not answer the key",
        "carrier: protocol rsocket was not asked for",
    ]
    assert told(rows)[-1] == "setup"


def test_a_refused_upgrade_is_named() -> None:
    """On any port: it carries no protocol, and later bytes are skipped."""
    rows, session = read(talk().send(0, request()).send(1, refusal()).finish(1).finish(0).packets)

    assert told(rows)[:3] == ["tcp.open", "websocket.upgrade", "websocket.refused"]
    assert event(rows, "refused").fields["status"] == 404
    assert skipped(rows) == ["the upgrade to WebSocket was refused (404 Not Found)"]
    assert session.dissector.unrecognised == []


@pytest.mark.parametrize(
    ("port", "target", "more", "protocol"),
    [
        (8080, "/", [], None),
        (8080, "/rsockets?a=rsocket", [], None),
        (8080, "/", ["Sec-WebSocket-Protocol: x, rsocket"], "rsocket"),
        (7000, "/", [], "rsocket"),
        (4222, "/", [], "nats"),
        (4222, "/rsocket", [], "nats"),
    ],
)
def test_whose_a_refused_upgrade_is(
    port: int, target: str, more: list[str], protocol: str | None
) -> None:
    """It belongs to the protocol of the port, else to the named one, else to none."""
    made = talk(port).send(0, request(*more, target=target)).send(1, refusal())
    rows, _ = read(made.finish(1).finish(0).packets)

    assert {row.connection.wire.id for row in rows} == ({protocol} if protocol else set())


@pytest.mark.parametrize("size", [1, 1000])
def test_a_client_may_ask_again(size: int) -> None:
    """Refused (401), with other HTTP between, and then agreed: all on one connection."""
    body = b"4\r\nHTTP\r\n0\r\n\r\n"
    refused = b"HTTP/1.1 401 Unauthorized\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    made = talk().send(0, request(), size).send(1, refused, size)
    made.send(0, b"POST /login HTTP/1.1\r\nContent-Length: 2\r\n\r\nme", size)
    made.send(1, refusal("204 No Content"), size)
    made.send(0, b"GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n")
    made.send(1, refusal("200 OK"), size)
    made.send(0, request("Authorization: Basic YTpi", AGREED), size).send(1, answer(AGREED), size)
    made.send(0, asked(SETUP), size).send(0, asked(REQUEST), size).send(1, frame(ANSWER), size)
    rows, _ = read(made.finish(1).finish(0).packets)

    again = ["websocket.upgrade", "websocket.upgraded", "setup", "request_response", "payload"]
    assert [each for each in told(rows) if not each.startswith("tcp")] == [
        "websocket.upgrade", "websocket.refused", *again,
    ]  # fmt: skip
    assert set(skipped(rows)) == {"the upgrade to WebSocket was refused (401 Unauthorized)"}
    assert problems(rows) == []
    assert [row.sender for row in frames(rows)] == ["client", "client", "server"]


def test_a_client_may_be_refused_again() -> None:
    """Twice; rows come as soon as a side is done."""
    made = talk()
    for _ in range(2):
        made.send(0, request()).send(1, refusal("401 Unauthorized"))
    rows, session = read(made.finish(1).packets)

    assert told(rows).count("websocket.refused") == 2
    assert session.dissector.unrecognised == []


def test_a_refused_upgrade_that_names_nobody() -> None:
    """It belongs to no protocol, and is reported as a refused upgrade."""
    made = talk().send(0, request(target="/chat")).send(1, refusal()).finish(1).finish(0)
    rows, session = read(made.packets)

    assert rows == []
    (one,) = session.dissector.unrecognised
    assert one.carrier == "HTTP: the upgrade to WebSocket was refused (404 Not Found)"


def test_a_refused_client_that_goes_on() -> None:
    """It sends other HTTP, for longer than a reading waits for recognition."""
    made = talk().send(0, request()).send(1, refusal("401 Unauthorized"))
    made.send(0, b"POST / HTTP/1.1\r\n\r\n").send(1, bytes(300_000), 10_000)
    rows, session = read(made.packets)

    assert "websocket.refused" in told(rows)
    assert session.dissector.unrecognised == []


def test_a_gap_in_a_second_handshake() -> None:
    """The gap is reported, and the bytes after it are read."""
    made = talk().send(0, request()).send(1, refusal("401 Unauthorized")).send(0, request(), 40)
    made.send(1, answer()).send(0, asked(SETUP) + asked(REQUEST) * 3).send(1, frame(ANSWER))
    packets = made.finish(1).finish(0).packets
    for lost in range(5, 10):
        rows, _ = read(packets[:lost] + packets[lost + 1 :])
        names = [each for each in told(rows) if not each.startswith("tcp")]
        assert names[:3] == ["websocket.upgrade", "websocket.refused", "websocket.upgraded"]
        assert sorted(names[3:]) == ["payload", *["request_response"] * 3, "setup"]


def test_an_interim_answer_comes_before_the_answer() -> None:
    """100 Continue refuses nothing."""
    interim = b"HTTP/1.1 100 Continue\r\n\r\n"
    rows, _ = read(
        talk().send(0, request()).send(1, interim + answer()).send(0, asked(SETUP)).packets
    )

    assert told(rows)[-1] == "setup"
    assert skipped(rows) == ["HTTP 100 Continue"]


@pytest.mark.parametrize("size", [1, 7])
def test_segments_may_be_of_any_size(size: int) -> None:
    """Byte by byte, the same rows."""
    pack = Packer()
    made = talk().send(0, request(AGREED), size).send(1, answer(AGREED), size)
    made.send(0, asked(SETUP), size).send(0, asked(REQUEST[:3], fin=False), size)
    made.send(0, asked(b"", PING) + asked(REQUEST[3:], 0), size)
    made.send(1, frame(pack(ANSWER), rsv=4) + frame(pack(ANSWER), rsv=4), size)
    rows, _ = read(made.packets)

    assert told(rows) == [
        *OPENED, "setup", "websocket.ping", "request_response", "payload", "payload",
    ]  # fmt: skip
    assert problems(rows) == skipped(rows) == []


def test_a_proxy_may_come_first() -> None:
    """Its preamble is skipped, with what it tells."""
    first = b"PROXY TCP4 10.1.1.1 10.1.1.2 5 7000\r\n"
    made = talk().send(0, first + request()).send(1, answer()).send(0, asked(SETUP))
    rows, _ = read(made.packets)

    assert told(rows)[-1] == "setup"
    assert skipped(rows) == ["PROXY protocol v1 preamble: 10.1.1.1:5 -> 10.1.1.2:7000"]


def test_fragments_are_joined_around_control_frames() -> None:
    """The message stands where its first byte does, and is whole with its last."""
    made = upgraded().send(0, asked(SETUP)).send(0, asked(REQUEST[:5], fin=False))
    made.send(0, asked(b"x", PING)).send(0, asked(b"", 0, fin=False)).send(0, asked(REQUEST[5:], 0))
    rows, _ = read(made.packets)

    assert told(rows)[3:] == ["setup", "websocket.ping", "request_response"]
    assert frames(rows)[1].packets == [7, 9, 10]
    assert frames(rows)[1].data == REQUEST


def test_a_text_message_is_read_too() -> None:
    """As rsocket-java and rsocket-js read it; the frame has a problem, as it has to be binary."""
    rows, _ = read(upgraded().send(0, asked(SETUP, TEXT) + asked(REQUEST)).packets)

    assert told(rows)[-2:] == ["setup", "request_response"]
    assert [[each.code.word for each in row.problems] for row in frames(rows)] == [["carrier"], []]


@pytest.mark.parametrize("size", [125, 126, 65_535, 65_536, 1 << 20])
def test_lengths_of_every_width(size: int) -> None:
    """Seven bits, sixteen, sixty-four."""
    payload = ANSWER + bytes(size - len(ANSWER))
    rows, _ = read(upgraded().send(0, asked(SETUP)).send(1, frame(payload)).packets)

    assert frames(rows)[1].data == payload
    assert problems(rows) == []


# The length of TCP


def test_a_length_before_the_frame_is_named() -> None:
    """And the frame read, at its own offset; several in one message too."""
    both = b"".join(len(each).to_bytes(3, "big") + each for each in (SETUP, REQUEST))
    rows, _ = read(upgraded().send(0, asked(both)).send(1, frame(ANSWER)).packets)
    named = "carrier: a length of 3 bytes precedes the frame, as on TCP; messages have none"

    assert told(rows)[3:] == ["setup", "request_response", "payload"]
    assert problems(rows) == [named, named]
    setup, asking, _ = frames(rows)
    assert (setup.data, asking.data) == (SETUP, REQUEST)
    assert setup.offset == len(request()) + 6 + 3
    assert asking.offset == setup.offset + len(SETUP) + 3


def test_messages_that_are_no_frames() -> None:
    """Messages that are too short, or of an unknown type, are rows with a problem."""
    made = upgraded().send(0, asked(SETUP))
    made.send(1, frame(b"\0\0\0")).send(1, frame(b"\0\0\0\1\x80\0x")).send(1, frame(ANSWER))
    rows, _ = read(made.packets)

    assert told(rows)[3:] == ["setup", "None", "None", "payload"]
    assert problems(rows) == [
        "length: a message of 3 bytes contains no frame",
        "unknown_key: key 32",
    ]


# permessage-deflate


@pytest.mark.parametrize("header", [AGREED, f"{AGREED}; client_max_window_bits=15", ALONE])
def test_deflated_messages(header: str) -> None:
    """With one window for all messages, or one for each."""
    made = upgraded(header).send(0, asked(SETUP))
    packers = [Packer(), Packer()]
    for _ in range(4):
        if header == ALONE:
            packers = [Packer(), Packer()]
        made.send(0, asked(packers[0](REQUEST), rsv=4)).send(1, frame(packers[1](ANSWER), rsv=4))
    rows, _ = read(made.packets)

    assert told(rows)[3:] == ["setup", *(["request_response", "payload"] * 4)]
    assert problems(rows) == []
    assert [row.data for row in frames(rows)[1:3]] == [REQUEST, ANSWER]


def test_a_window_that_must_not_be_shared() -> None:
    """Where no context is taken over, a message that refers to an earlier one is not valid."""
    pack = Packer()
    made = upgraded(ALONE).send(0, asked(SETUP))
    made.send(0, asked(pack(REQUEST), rsv=4)).send(0, asked(pack(REQUEST), rsv=4))

    assert problems(read(made.packets)[0]) == ["codec: permessage-deflate: not valid deflate"]


@pytest.mark.slow
def test_a_bomb_is_a_problem() -> None:
    """It costs no more than the cap, and what comes after it is read if it can be."""
    bomb = Packer()(bytes(8 * MOST_MESSAGE))
    made = upgraded(AGREED).send(0, asked(SETUP)).send(1, frame(bomb, rsv=4)).send(1, frame(ANSWER))
    rows, _ = read(made.packets)

    assert problems(rows) == [
        f"codec: permessage-deflate: over {MOST_MESSAGE} bytes are packed here"
    ]
    assert told(rows)[-1] == "payload"


def test_deflate_that_was_not_agreed() -> None:
    """It is read all the same, and named."""
    rows, _ = read(upgraded().send(0, asked(Packer()(SETUP), rsv=4)).packets)

    assert told(rows)[-1] == "setup"
    assert problems(rows) == ["carrier: a message is deflated, which was not agreed"]


def test_an_extension_that_nobody_knows() -> None:
    """Its messages are skipped, and it is named."""
    header = "Sec-WebSocket-Extensions: x-webkit-deflate-frame"
    made = upgraded(header).send(0, asked(SETUP)).send(1, frame(b"??????", rsv=4))
    rows, _ = read(made.packets)

    assert skipped(rows) == ["an extension that is not known (x-webkit-deflate-frame)"]


# Faults of the carrier


@every(
    ("sent", "side", "fault"),
    [
        (frame(REQUEST), 0, "a client's frame has no mask"),
        (asked(ANSWER), 1, "a server's frame is masked"),
        (frame(ANSWER[:5], fin=False) + frame(ANSWER[5:], 0, rsv=4), 1,
         "a frame that begins no message is marked as deflated"),
        (b"\x82\x7e\x00\x0a" + ANSWER, 1, "the length is not written in the fewest bytes"),
        (b"\x82\x7f" + (10).to_bytes(8, "big") + ANSWER, 1,
         "the length is not written in the fewest bytes"),
        (frame(b"x" * 126, PING), 1, "a control frame of 126 bytes; 125 are possible"),
        (frame(b"x", PING, fin=False), 1, "a control frame is fragmented"),
        (frame(ANSWER, rsv=1), 1, "reserved bits are set"),
        (frame(b"\x03", CLOSE), 1, "a close code of one byte"),
        (closing(1005), 1, "close code 1005, which must not be sent"),
        (closing(2000), 1, "close code 2000, which must not be sent"),
        (closing(1000, b"\xff"), 1, "the reason is not UTF-8"),
    ],
)  # fmt: skip
def test_faults_are_named(sent: bytes, side: int, fault: str) -> None:
    """And what can be read is read."""
    rows, _ = read(upgraded().send(0, asked(SETUP)).send(side, sent).send(1, frame(ANSWER)).packets)

    assert problems(rows) == [f"carrier: {fault}"]
    assert told(rows)[-1] == "payload"


def test_an_opcode_that_nobody_knows() -> None:
    """The frame is malformed, and the next one is read without a search."""
    made = upgraded().send(0, asked(SETUP)).send(1, frame(b"abc", 3) + frame(ANSWER))
    rows, _ = read(made.packets)

    assert problems(rows) == ["unknown_key: websocket: key 3"]
    assert told(rows)[-2:] == ["None", "payload"]


def test_messages_that_are_not_ended_or_not_begun() -> None:
    """Skipped, with the reason."""
    made = upgraded().send(0, asked(SETUP)).send(1, frame(b"x", 0) + frame(ANSWER[:3], fin=False))
    made.send(1, frame(ANSWER)).send(1, frame(b"abc", fin=False))
    rows, _ = read(made.packets)

    assert skipped(rows) == [
        "no message continues here",
        "another message begins before the end of this one",
        "the connection or capture ended before the rest of this message",
    ]
    assert told(rows).count("payload") == 1


def test_a_message_without_end_is_bounded() -> None:
    """What is over the limit is skipped, and the next message read."""
    part = bytes(MOST_MESSAGE // 4 + 1)
    made = upgraded().send(0, asked(SETUP)).send(1, frame(part, fin=False), 60_000)
    for _ in range(4):
        made.send(1, frame(part, 0, fin=False), 60_000)
    made.send(1, frame(b"", 0) + frame(ANSWER))
    rows, _ = read(made.packets)

    assert skipped(rows) == [f"a message of over {MOST_MESSAGE} bytes"]
    assert told(rows)[-1] == "payload"


# Joined later, and lost


def later(packets: list[Packet], first: int) -> list[Packet]:
    """A capture that begins at the n-th packet."""
    return packets[first - 1 :]


def test_a_connection_that_is_joined_later() -> None:
    """Masked frames are the client's; three that line up are enough."""
    made = upgraded().send(0, asked(SETUP))
    for _ in range(3):
        made.send(0, asked(REQUEST)).send(1, frame(ANSWER))
    rows, _ = read(later(made.packets, 7))

    assert told(rows) == ["request_response", "payload"] * 3
    assert {row.sender for row in rows} == {"client", "server"}
    assert problems(rows) == []


def test_a_window_that_was_not_seen() -> None:
    """Messages that refer to it are skipped, and others read."""
    pack, unpack = Packer(), Packer()
    made = upgraded(AGREED).send(0, asked(SETUP)).send(1, frame(unpack(ANSWER), rsv=4))
    first = len(made.packets) + 1
    for _ in range(3):
        made.send(0, asked(REQUEST)).send(1, frame(ANSWER))
    made.send(1, frame(unpack(ANSWER), rsv=4)).send(0, asked(pack(REQUEST), rsv=4))
    made.send(0, asked(pack(REQUEST), rsv=4))
    rows, _ = read(later(made.packets, first))

    assert skipped(rows) == [UNKNOWN]
    assert [row.name for row in frames(rows)[-2:]] == ["request_response", "request_response"]


def test_a_lost_segment_costs_its_message_and_what_refers_to_it() -> None:
    """Step is kept where the length was known; the window is begun anew."""
    pack = Packer()
    made = upgraded(AGREED).send(0, asked(SETUP))
    big = REQUEST + random.Random(1).randbytes(4000)  # noqa: S311 - no secret
    made.send(0, asked(pack(big), rsv=4)).send(1, frame(ANSWER))
    for _ in range(40):
        made.send(0, asked(pack(REQUEST), rsv=4)).send(1, frame(ANSWER))
    made.acknowledge(1)
    packets = [each for number, each in enumerate(made.packets) if number != 7]
    rows, session = read(packets)

    assert session.dissector.totals().lost == 1448
    assert skipped(rows) == [
        "a gap interrupts this frame",
        "the rest of a frame interrupted by a gap",
        UNKNOWN,
    ]
    assert [row.name for row in frames(rows)].count("payload") == 41
    assert problems(rows) == []


def test_step_is_found_again() -> None:
    """After a gap inside a header, frames that the protocol is sure of end the search."""
    made = upgraded().send(0, asked(SETUP))
    for number in range(60):
        made.send(0, asked(REQUEST + bytes(number)), 9).send(1, frame(ANSWER))
    heads = [
        at for at, each in enumerate(made.packets) if asked(REQUEST)[:1] + b"\x90" in each.data
    ]
    made.acknowledge(1)
    rows, _ = read(each for at, each in enumerate(made.packets) if at != heads[0])

    assert told(rows).count("request_response") == 59
    assert told(rows).count("payload") == 60
    assert problems(rows) == []
    assert skipped(rows) == ["out of sync after a gap"]


# Chosen by the user


@pytest.mark.parametrize("name", ["rsocket", "websocket"])
def test_a_port_may_be_forced(name: str) -> None:
    """As the protocol, carried or not, or as what is carried."""
    rows, _ = read(conversation().packets, decode_as={8080: name})

    assert told(rows) == NAMES


def test_a_forced_port_is_read_as_it_can_be() -> None:
    """On TCP itself where there is no WebSocket."""
    plain = b"".join(len(each).to_bytes(3, "big") + each for each in (SETUP, REQUEST))
    rows, _ = read(talk().send(0, plain).finish(0).packets, decode_as={8080: "rsocket"})

    assert told(rows) == ["tcp.open", "setup", "request_response", "tcp.close"]


def test_other_websockets_are_left_alone() -> None:
    """An application's own messages are no protocol that is known."""
    made = talk().send(0, request("Sec-WebSocket-Protocol: chat", target="/talk?token=secret"))
    made.send(1, answer("Sec-WebSocket-Protocol: chat"))
    made.send(0, asked(b'{"hello": true}', TEXT)).send(1, frame(b"{}", TEXT))
    rows, session = read(made.finish(0).finish(1).packets)

    assert rows == []
    assert [each.carrier for each in session.dissector.unrecognised] == ["WebSocket /talk?*** chat"]


def test_http_without_an_upgrade_is_left_alone() -> None:
    """A page of the web."""
    made = talk().send(0, request().replace(b"Upgrade: websocket\r\n", b""))
    rows, session = read(made.send(1, refusal("200 OK")).finish(0).finish(1).packets)

    assert rows == []
    assert [each.carrier for each in session.dissector.unrecognised] == [None]


# Hostile


@pytest.mark.slow
def test_anything_gives_rows() -> None:
    """Changed, cut, dropped, repeated: no error, every byte once, as quickly as what is whole."""
    pack, rng = Packer(), random.Random(7)  # noqa: S311 - no secret
    made = upgraded(AGREED).send(0, asked(SETUP))
    for number in range(6):
        made.send(0, asked(pack(REQUEST), rsv=4) + asked(REQUEST), 20)
        made.send(1, frame(ANSWER + bytes(number), fin=False) + frame(b"", PING) + frame(b"x", 0))
    times = 120
    start = time.process_time()
    for _ in range(times):
        packets = spoilt(made.packets, rng)
        read(packets)
        read(packets, decode_as={8080: "websocket"})

    taken = time.process_time() - start
    assert taken < times * 2 * 4 * spent(lambda: read(made.packets)) + NOISE


def spoilt(packets: list[Packet], rng: random.Random) -> list[Packet]:
    """Change, cut, drop or repeat up to four packets after the handshake."""
    packets = list(packets)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(3, len(packets))
        data = packets[at].data
        match rng.randrange(4):
            case 0 if len(data) > PAYLOAD:
                place = rng.randrange(PAYLOAD, len(data))
                changed = data[:place] + rng.randbytes(1) + data[place + 1 :]
                packets[at] = packets[at]._replace(data=changed)
            case 1:
                packets[at] = packets[at].cut(rng.randint(PAYLOAD, len(data)))
            case 2:
                del packets[at]
            case _:
                packets.insert(at, packets[rng.randrange(3, len(packets))])
    return packets


# A protocol that takes bytes


TALK = b"SAY 5\r\nhello\r\n" * 20 + b"BYE\r\n"
"""Of a protocol of text lines, as NATS has them."""


@pytest.mark.parametrize("deflated", [False, True])
@pytest.mark.parametrize("size", [3, 40, 1000])
def test_a_protocol_of_lines_is_a_stream(size: int, *, deflated: bool) -> None:
    """Frames run over the borders of messages, deflated or not."""
    pack = Packer()
    made = upgraded(AGREED)
    for at in range(0, len(TALK), size):
        part = TALK[at : at + size]
        made.send(0, asked(pack(part), rsv=4) if deflated else asked(part))
    rows, _ = read(made.packets, protocols=(LINES,))

    assert told(rows) == [*OPENED, *["say"] * 20, "bye"]
    assert b"".join(row.data for row in frames(rows)) == TALK
    offsets = [row.offset for row in frames(rows)]
    assert offsets == sorted(offsets)
    assert deflated or len(set(offsets)) == len(offsets)
    begins = (len(TALK) - len(b"BYE\r\n")) // size
    assert frames(rows)[-1].packets == list(range(6 + begins, 6 + -(-len(TALK) // size)))


def test_a_stream_goes_on_after_what_was_lost() -> None:
    """A message that cannot be inflated is reported, and its frames are missing."""
    pack = Packer()
    made = upgraded(AGREED).send(0, asked(pack(TALK[:100]), rsv=4)).send(0, asked(b"\xff", rsv=4))
    made.send(0, asked(TALK))
    rows, _ = read(made.packets, protocols=(LINES,))

    assert problems(rows) == ["codec: permessage-deflate: not valid deflate"]
    assert told(rows)[-1] == "bye"
    assert told(rows).count("say") >= 7 + 20 - 1


@pytest.mark.parametrize("missing", [3, 4])
def test_a_handshake_of_which_one_head_is_lost(missing: int) -> None:
    """The other side is read from its head on, this one once frames line up."""
    made = upgraded().send(0, asked(SETUP))
    for _ in range(40):
        made.send(0, asked(REQUEST)).send(1, frame(ANSWER))
    made.acknowledge(0).acknowledge(1)
    rows, _ = read(each for at, each in enumerate(made.packets) if at != missing)

    assert told(rows).count("request_response") == 40
    assert told(rows).count("payload") == 40
    assert problems(rows) == []


def test_a_gap_inside_a_head() -> None:
    """The part of the header is skipped, and the frames after it are read."""
    made = talk().send(0, request("X-More: " + "x" * 3000)).send(1, answer())
    for _ in range(40):
        made.send(0, asked(REQUEST)).send(1, frame(ANSWER))
    made.acknowledge(0).acknowledge(1)
    rows, _ = read(each for at, each in enumerate(made.packets) if at != 4)

    assert skipped(rows)[0] == "a gap cut the handshake"
    assert told(rows).count("request_response") == 40
