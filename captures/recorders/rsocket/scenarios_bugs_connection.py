"""More misbehaving peers by hand, and the same ones mended: connections, positions, resuming."""

import struct

from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.scenarios_bugs import TOKEN, ask, channel, client, server
from captures.recorders.rsocket.setup import RAW, Facts, scenario
from captures.recorders.rsocket.wire import Hand, Peer

RESUMES = ("bare", "resume")


def version(data: bytes, major: int) -> bytes:
    """SETUP with another version."""
    return data[:6] + struct.pack(">H", major) + data[8:]


@client(
    "SETUP with a version that nobody has",
    "Version 2.0; the server says ERROR 0x1 and closes.",
    {"C14": "version 2.0"},
)
def version_unknown(hand: Hand) -> None:
    peer = hand.client(version(w.setup(), 2 if hand.wrong else 1))
    peer.blame("C14")
    if hand.wrong:
        peer.drain(0.5)
    else:
        ask(peer, 1)
    peer.close()


@client(
    "A MIME type that is not ASCII",
    "The metadata's type in SETUP has a letter of two bytes.",
    {"C13": "a byte above 127 in a MIME type"},
)
def mime_type_not_ascii(hand: Hand) -> None:
    peer = hand.client(w.setup(metadata="text/plän".encode() if hand.wrong else b"text/plain"))
    peer.blame("C13")
    ask(peer, 1)
    peer.close()


@client(
    "A resume token without bytes",
    "SETUP asks for resuming with an empty token.",
    {"C15": "the token is empty"},
    RESUMES,
)
def token_empty(hand: Hand) -> None:
    peer = hand.client(w.setup(flags=w.RESUMES, token=b"" if hand.wrong else TOKEN))
    peer.blame("C15")
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"ping"))
    peer.drain(0.7)
    peer.close()


@client(
    "KEEPALIVE on a stream",
    "KEEPALIVE on stream 1, which is open.",
    {"C5": "KEEPALIVE is for stream 0"},
)
def keepalive_on_stream(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_STREAM, 1, b"slow 6"))
    peer.until(w.PAYLOAD, 1)
    beat = w.keepalive()
    peer.send(b"\0\0\0\1" + beat[4:] if hand.wrong else beat)
    peer.blame("C5")
    peer.drain(0.8)
    peer.close()


@client(
    "A client that refuses",
    "ERROR 0x3 (REJECTED_SETUP) from the client, when all is set up.",
    {"C20": "only servers refuse a SETUP"},
)
def refusal_by_client(hand: Hand) -> None:
    peer = hand.client()
    ask(peer, 1)
    if hand.wrong:
        peer.send(w.error(0, 3))
        peer.blame("C20")
    peer.drain(0.3)
    peer.close()


@client(
    "A type of frame that nobody knows",
    "A frame of type 0x20; the server closes the connection.",
    {"C18": "type 0x20"},
)
def type_unknown(hand: Hand) -> None:
    peer = hand.client()
    ask(peer, 1)
    if hand.wrong:
        peer.send(w.frame(0x20, 3, 0, b"unknown"))
        peer.blame("C18")
    else:
        ask(peer, 3)
    peer.drain(0.5)
    peer.close()


@client(
    "A position where nothing can be resumed",
    "KEEPALIVE with the position 99 on a connection without a token.",
    {"K4": "a position without resuming"},
)
def position_without_resuming(hand: Hand) -> None:
    peer = hand.client()
    ask(peer, 1)
    peer.send(w.keepalive(position=99 if hand.wrong else 0))
    peer.blame("K4")
    peer.until(w.KEEPALIVE)
    peer.close()


@client(
    "A position that goes back",
    "KEEPALIVE with the position 12 of the session, then with 0.",
    {"K5": "position 0 behind position 12"},
    RESUMES,
)
def position_goes_back(hand: Hand) -> None:
    peer = hand.client(w.setup(flags=w.RESUMES, token=TOKEN))
    ask(peer, 1)
    for position in (12, 0 if hand.wrong else 12):
        peer.send(w.keepalive(position=position))
        peer.until(w.KEEPALIVE)
    peer.blame("K5")
    peer.close()


@client(
    "Data behind complete alone",
    "The PAYLOAD that completes a channel's half has data, and next is not set.",
    {"S13": "data, and only complete"},
)
def complete_with_data(hand: Hand) -> None:
    peer = hand.client()
    channel(peer)
    peer.send(w.payload(1, b"last", w.COMPLETE | (0 if hand.wrong else w.NEXT)))
    peer.blame("S13")
    peer.drain(0.5)
    peer.close()


@server(
    "A server that sets up",
    "The server sends a SETUP of its own.",
    {"C3": "SETUP is the client's"},
    "one_response",
)
def server_sets_up(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_RESPONSE).stream
    if peer.wrong:
        peer.send(w.setup())
        peer.blame("C3")
    peer.send(w.payload(stream, b"pong", w.NEXT | w.COMPLETE))


@server(
    "A refusal of what was accepted",
    "ERROR 0x1 (INVALID_SETUP) behind an answer.",
    {"C20": "the SETUP had been accepted"},
    "one_response",
)
def refusal_after_answer(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_RESPONSE).stream
    peer.send(w.payload(stream, b"pong", w.NEXT | w.COMPLETE))
    if peer.wrong:
        peer.send(w.error(0, 1))
        peer.blame("C20")


@server(
    "An answer in two parts",
    "REQUEST_RESPONSE gets two payloads with next, the second one complete.",
    {"S5": "a second answer"},
    "one_response",
)
def answer_in_two_parts(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_RESPONSE).stream
    if peer.wrong:
        peer.send(w.payload(stream, b"po"))
    peer.send(w.payload(stream, b"ng", w.NEXT | w.COMPLETE))
    peer.blame("S5")


@server(
    "A server that cancels a stream",
    "CANCEL of the responder on a REQUEST_STREAM, where only the requester cancels.",
    {"S14": "CANCEL of a responder"},
    "one_stream",
)
def cancel_by_responder(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_STREAM).stream
    peer.send(w.payload(stream, b"item"))
    if peer.wrong:
        peer.send(w.frame(w.CANCEL, stream))
        peer.blame("S14")
        peer.finish()
    else:
        peer.send(w.error(stream, 0x203))


@server(
    "A server that asks before the client's lease",
    "Leases are agreed; the server's request goes out before the client's LEASE.",
    {"C11": "a request before the client's LEASE"},
    "lease",
    "js_0_0",
)
def server_request_before_lease(peer: Peer) -> None:
    peer.until(w.SETUP)
    asking = w.request(w.REQUEST_RESPONSE, 2, b"server asks")
    lease = w.frame(w.LEASE, 0, 0, struct.pack(">II", 20000, 50))
    if peer.wrong:
        peer.together(asking, lease)
        peer.blame("C11", nth=1)
    else:
        peer.send(lease)
    while one := peer.read(1):
        if one.key == w.LEASE and not peer.wrong:
            peer.send(asking)
        if one.key == w.REQUEST_RESPONSE:
            peer.send(w.payload(one.stream, b"pong", w.NEXT | w.COMPLETE))


def resumable(peer: Peer, resumed: bytes) -> None:
    """A stream that is cut, and what the server says to RESUME."""
    if peer.connection == 0:
        stream = peer.until(w.REQUEST_STREAM).stream
        for at in range(5):
            peer.send(w.payload(stream, b"item %d" % at))
        return
    peer.until(w.RESUME)
    peer.send(resumed)
    if resumed == RESUMED:
        peer.send(w.payload(1, b"last", w.NEXT | w.COMPLETE))
        stream = peer.until(w.REQUEST_RESPONSE).stream
        peer.send(w.payload(stream, b"pong", w.NEXT | w.COMPLETE))


RESUMED = w.frame(w.RESUME_OK, 0, 0, struct.pack(">Q", 17))


@server(
    "RESUME is refused with a code for SETUP",
    "ERROR 0x1 where only REJECTED_RESUME and CONNECTION_ERROR may come.",
    {"R3": "code 0x1 for RESUME"},
    "resume",
    "js_0_0",
    2,
)
def resume_refused_with_other_code(peer: Peer) -> None:
    resumable(peer, w.error(0, 1) if peer.wrong else RESUMED)
    if peer.connection:
        peer.blame("R3", nth=1)


@server(
    "RESUME_OK with a position that the client never reached",
    "The client has sent 17 bytes, and the server says that it got 9999.",
    {"R8": "a position beyond what was sent"},
    "resume",
    "js_0_0",
    2,
)
def resume_position_beyond(peer: Peer) -> None:
    beyond = w.frame(w.RESUME_OK, 0, 0, struct.pack(">Q", 9999))
    resumable(peer, beyond if peer.wrong else RESUMED)
    if peer.connection:
        peer.blame("R8", nth=1)


@scenario(
    "Extensions",
    peer=RAW,
    server="java",
    healthy=False,
    shows="EXT, which no library sends, on stream 0 and on a stream, to be ignored when it is not "
    "understood; rsocket-java says ERROR 0x201 on the frame's stream and goes on.",
    faults={"RSK-C19": "the server's code 0x201 on stream 0"},
)
def extensions() -> Facts:
    hand = Hand(wrong=True)
    with clients.serving("tcp", "bare") as served:
        peer = hand.client()
        peer.send(w.frame(63, 0, 0x200, struct.pack(">I", 1) + b"data"))
        peer.until(w.ERROR, 0)
        peer.blame("C19", "server")
        metadata = struct.pack(">I", 1) + b"\0\0\4metadata"
        peer.send(w.frame(63, 1, 0x200 | w.METADATA, metadata))
        peer.until(w.ERROR, 1)
        ask(peer, 3)
        peer.close()
    return served | {"guilty": hand.blames}
