"""Faults and near misses of the blind test: see docs/checking.md."""

import time

from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.threads import (
    RAW,
    Mark,
    by_hand,
    fault,
    frames,
    library,
    near_miss,
)
from captures.recorders.rsocket.wire import Hand

AUTHENTICATION, ROUTING = 0x7C, 0x7E
"""Numbers of MIME types in composite metadata."""
TOKEN = b"throwaway-session"


def demand_above_all(hand: Hand) -> None:
    """Asks for everything, and then for more after each item."""
    peer = hand.client()
    peer.send(w.request(w.REQUEST_STREAM, 1, b"slow 20"))
    for _ in range(20):
        peer.until(w.PAYLOAD, 1)
        peer.send(w.request_n(1, 255))
    peer.drain(0.3)
    peer.close()


fault(
    "demand_above_all",
    by_hand(demand_above_all, "bare"),
    "More is requested of a stream that was granted everything",
    peer=RAW,
    kind="waste",
    thread="rsocket/rsocket-java#1110, rsocket/rsocket-java#825",
    shows="REQUEST_STREAM with n = 2147483647, and REQUEST_N 255 after each of 20 items: the sum "
    "is "
    "above what the responder can count, and each frame is for nothing.",
    says="Stream 1 was granted 2147483647 items, so the 20 REQUEST_N after it are pointless: the "
    "demand is already unbounded.",
    marks=(Mark(0, "client", frames(w.REQUEST_N, 1)),),
)


def stream_again_after_resume(hand: Hand) -> None:
    """Resumes, and asks for the stream that goes on once more."""
    first = hand.client(w.setup(flags=w.RESUMES, token=TOKEN))
    asked = w.request(w.REQUEST_STREAM, 1, b"slow 40")
    first.send(asked)
    got = sum(6 + len(each.body) for each in first.drain(0.6) if each.stream)
    first.socket.close()
    time.sleep(0.4)
    again = hand.client(w.resume(TOKEN, got, len(asked)))
    again.until(w.RESUME_OK)
    again.send(w.request(w.REQUEST_STREAM, 3, b"slow 40"))
    again.until(w.PAYLOAD, 3, w.COMPLETE, 6)
    again.close()


fault(
    "stream_again_after_resume",
    by_hand(stream_again_after_resume, "bare", "resume"),
    "A stream is requested again although the session was resumed",
    peer=RAW,
    kind="identity",
    thread="rsocket/rsocket-js#116, rsocket/rsocket-java#737",
    shows="The connection is lost and the session resumed: stream 1 goes on where it was. The "
    "program's reconnect handler asks for the same stream once more, on stream 3: each item comes "
    "twice.",
    says="After RESUME_OK stream 1 goes on, and the client requests the same stream again as "
    "stream "
    "3: every item arrives twice.",
    marks=(Mark(1, "client", frames(w.REQUEST_STREAM, 3)),),
)

fault(
    "details_one_by_one",
    library("go", "details_one_by_one", "blind", "bare"),
    "A list, and then a request for each of its entries",
    peer="go",
    kind="waste",
    thread="rsocket/rsocket Motivations.md (interaction models)",
    shows="One REQUEST_RESPONSE for a list of ids, then 60 more, one after the other, each for one "
    "entry and each waiting for the answer before.",
    says="60 requests of one form follow one another, each waiting for the last one's answer: a "
    "stream, a channel or one request for all saves 59 round trips.",
    marks=(Mark(0, "client", frames(w.REQUEST_RESPONSE), skip=1),),
)

fault(
    "streams_left_running",
    library("py", "streams_left_running", "blind", "bare"),
    "Each view opens a stream, and none is cancelled",
    peer="py",
    kind="leaks",
    thread="rsocket/rsocket-dart#7, rsocket/rsocket-dart#18",
    shows="Six times the program requests the same endless stream and drops the one before without "
    "CANCEL: six copies of each item arrive at the end.",
    says="The same stream is requested six times on one connection and never cancelled: all six "
    "still deliver.",
    marks=(Mark(0, "client", frames(w.REQUEST_STREAM), skip=1),),
)


def user_name_length(hand: Hand) -> None:
    """Simple authentication with a length of one byte."""
    bad = bytes([0x80, 4]) + b"user" + b"throwaway"
    peer = hand.client(w.setup(metadata=w.COMPOSITE))
    for stream in (1, 3):
        metadata = w.entry(ROUTING, b"\x06orders") + w.entry(AUTHENTICATION, bad)
        peer.send(w.request(w.REQUEST_RESPONSE, stream, b"ping", metadata=metadata))
        peer.until(w.PAYLOAD, stream)
    peer.close()


fault(
    "user_name_length",
    by_hand(user_name_length, "bare"),
    "The length of the user name in one byte",
    peer=RAW,
    kind="second layer",
    thread="Extensions/Security/Authentication.md: Simple, 16 bits of username length",
    shows="The authentication entry of type simple writes the length of the user name in one byte, "
    "as other protocols do: read as 16 bits it is 1,141, longer than the entry.",
    says="The authentication metadata (simple) says that the user name has 1141 bytes, more than "
    "the entry: its length is 16 bits, not 8.",
    marks=(Mark(0, "client", frames(w.REQUEST_RESPONSE)),),
)

near_miss(
    "metadata_of_many_kinds",
    library("py", "metadata_of_many_kinds", "blind", "bare"),
    "Composite metadata of every kind",
    peer="py",
    thread="Extensions/CompositeMetadata.md",
    shows="MIME types by number and by name, a route of two tags, bearer authentication, an entry "
    "without content, a data type for the stream, entries in another order, and no metadata at "
    "all.",
)


def complete_without_next(hand: Hand) -> None:
    """Answers the server's requests, the first by COMPLETE alone."""
    peer = hand.client()
    peer.until(w.REQUEST_RESPONSE, 2)
    peer.send(w.payload(2, b"", w.COMPLETE))
    peer.until(w.REQUEST_STREAM, 4)
    peer.send(w.payload(4, b"", w.COMPLETE))
    peer.drain(0.5)
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"empty"))
    peer.until(w.PAYLOAD, 1)
    peer.close()


near_miss(
    "complete_without_next",
    by_hand(complete_without_next, "bare", "asks"),
    "Answers without a value",
    peer=RAW,
    thread="rsocket/rsocket#126",
    shows="The client completes the server's request and its stream without any item, and the "
    "server does the same for the client's request: PAYLOAD with COMPLETE alone.",
)


def half_closed_channel(hand: Hand) -> None:
    """Completes its half and goes on taking the other one."""
    peer = hand.client()
    peer.send(w.request(w.REQUEST_CHANNEL, 1, b"one", n=1))
    peer.until(w.REQUEST_N, 1)
    peer.send(w.payload(1, b"two"), w.payload(1, b"three"), w.frame(w.PAYLOAD, 1, w.COMPLETE))
    peer.drain(0.3)
    for _ in range(2):
        peer.send(w.request_n(1, 1))
        peer.drain(0.2)
    peer.close()


near_miss(
    "half_closed_channel",
    by_hand(half_closed_channel, "bare"),
    "A channel whose requester has finished and still takes answers",
    peer=RAW,
    thread="Protocol.md Request Channel: half closed",
    shows="The client completes its half of the channel, then grants what the server still has, "
    "item by item, until the server completes too.",
)
