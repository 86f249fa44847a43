"""Faults and near misses of the second round of the blind test: see docs/checking.md."""

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

TOKEN = b"throwaway-b2"
DRIVER, SERVER = "second_round", "second_round_serves"

fault(
    "first_item_twice",
    library("py", "first_item_twice", DRIVER, "bare"),
    "The first item of each channel is sent twice",
    peer="py",
    kind="sequences",
    thread="rsocket/rsocket-java#762",
    shows="Four channels of five items: REQUEST_CHANNEL has the first item, and so has the first "
    "PAYLOAD.",
    says="REQUEST_CHANNEL carries the first item of the channel, and the client sends the same "
    "item again as its first PAYLOAD, on all four channels: the responder handles it twice.",
    marks=(Mark(0, "client", rb"^.{3}.{4}[\x28-\x2b].*item 0$"),),
)

fault(
    "times_out_and_asks_again",
    library("js", "times_out_and_asks_again", DRIVER, server="js", responder=SERVER),
    "A time limit below what the answer takes, repeated without a pause",
    peer="js",
    server="js",
    kind="storms and loops",
    thread="rsocket/rsocket-java#1022 (requests with a timeout that are cancelled); the repetition "
    "is a variant of this repository",
    shows="REQUEST_RESPONSE, CANCEL after 150 ms, the same request again, 18 times; the server "
    "needs 400 ms.",
    says="The same request is cancelled after 150 ms and asked again at once, 18 times, although "
    "an answer takes 400 ms: not one is ever answered.",
    marks=(
        Mark(0, "client", frames(w.REQUEST_RESPONSE), skip=1),
        Mark(0, "client", frames(w.CANCEL)),
    ),
)

fault(
    "resubscribes_at_once",
    library("go", "resubscribes_at_once", DRIVER, server="js", responder=SERVER),
    "A stream that fails is requested again at once",
    peer="go",
    server="js",
    kind="storms and loops",
    thread="rsocket/rsocket-java#900, #1084 (retry of a stream that fails)",
    shows="A stream of six rows and an ERROR, requested 20 times without a pause.",
    says="The stream fails with an application error after the same six rows, and the client "
    "requests it again at once, 20 times: each time it gets the rows again and the same error.",
    marks=(Mark(0, "client", frames(w.REQUEST_STREAM), skip=1),),
)


def sent_again_after_resume(hand: Hand) -> None:
    """Resumes, and sends what RESUME_OK acknowledged."""
    first = hand.client(w.setup(flags=w.RESUMES, token=TOKEN))
    sent = [
        w.request(w.REQUEST_RESPONSE, 1, b"order 1"),
        w.request(w.REQUEST_FNF, 3, b"charge card 4711"),
        w.request(w.REQUEST_RESPONSE, 5, b"order 22"),
    ]
    first.send(*sent)
    got = sum(6 + len(each.body) for each in first.drain(0.6) if each.stream)
    first.socket.close()
    time.sleep(0.4)
    again = hand.client(w.resume(TOKEN, got, 0))
    again.until(w.RESUME_OK)
    again.send(*sent)
    again.drain(0.5)
    again.send(w.request(w.REQUEST_RESPONSE, 7, b"order 333"))
    again.drain(0.5)
    again.close()


fault(
    "sent_again_after_resume",
    by_hand(sent_again_after_resume, "bare", "resume"),
    "Frames that RESUME_OK acknowledged are sent again",
    peer=RAW,
    kind="sequences",
    thread="rsocket/rsocket#135 (which frames are sent again on resumption); own variant",
    shows="Three requests, the connection is lost, RESUME_OK with the position after all three, "
    "and the three requests once more.",
    says="RESUME_OK says that the server has received everything, and the client sends its three "
    "requests (two of stream ids already answered, one fire-and-forget) once more: they are "
    "executed twice.",
    marks=(Mark(1, "client", frames(w.REQUEST_FNF) + rb"|" + frames(w.REQUEST_RESPONSE), most=3),),
)

fault(
    "composite_under_routing",
    library("js", "composite_under_routing", DRIVER, "bare"),
    "SETUP announces plain routing metadata, the requests carry composite metadata",
    peer="js",
    kind="mismatch between sides",
    thread="rsocket/rsocket-kotlin#313, rsocket/rsocket-js#123",
    shows="Metadata MIME type message/x.rsocket.routing.v0; four requests whose metadata is "
    "composite.",
    says="SETUP says that metadata is message/x.rsocket.routing.v0, and each request carries "
    "composite metadata: the server reads its first byte, 0xfe, as the length of a route of 254 "
    "bytes and finds no destination.",
    marks=(Mark(0, "client", frames(w.REQUEST_RESPONSE)),),
)


def fragments(stream: int, data: bytes) -> list[bytes]:
    """A request in fragments of 200 bytes."""
    cut = [data[at : at + 200] for at in range(0, len(data), 200)]
    made = [w.request(w.REQUEST_RESPONSE, stream, cut[0], w.FOLLOWS)]
    made += [w.payload(stream, each, w.NEXT | w.FOLLOWS) for each in cut[1:-1]]
    return [*made, w.payload(stream, cut[-1], w.NEXT)]


def interleaved_fragments(hand: Hand) -> None:
    """Sends two requests whose fragments take turns."""
    peer = hand.client()
    one, two = fragments(1, b"a" * 900), fragments(3, b"b" * 700)
    for number in range(max(len(one), len(two))):
        for parts in (one, two):
            if number < len(parts):
                peer.send(parts[number])
    peer.until(w.PAYLOAD, 1)
    peer.send(w.request(w.REQUEST_RESPONSE, 5, b"ping"))
    peer.drain(0.4)
    peer.close()


near_miss(
    "interleaved_fragments",
    by_hand(interleaved_fragments, "bare"),
    "Fragments of two requests take turns",
    peer=RAW,
    thread="Protocol.md, Fragmentation and Reassembly",
    shows="Two requests of 900 and 700 bytes in fragments of 200 that alternate; both are "
    "answered.",
)

near_miss(
    "patience_grows",
    library("js", "patience_grows", DRIVER, server="js", responder=SERVER),
    "A cancelled request is asked again after a pause and with more time",
    peer="js",
    server="js",
    thread="rsocket/rsocket-java#1022",
    shows="An answer takes 400 ms; the client waits 200, 320 and 512 ms, with pauses as long "
    "between.",
)


def rest_sent_after_resume(hand: Hand) -> None:
    """Resumes, and sends what the server has not received."""
    first = hand.client(w.setup(flags=w.RESUMES, token=TOKEN))
    first.send(
        w.request(w.REQUEST_RESPONSE, 1, b"order 1"), w.request(w.REQUEST_STREAM, 3, b"slow 10")
    )
    got = sum(6 + len(each.body) for each in first.drain(0.25) if each.stream)
    first.socket.close()
    time.sleep(0.3)
    again = hand.client(w.resume(TOKEN, got, 0))
    again.until(w.RESUME_OK)
    again.send(
        w.request(w.REQUEST_FNF, 5, b"charge card 4711"),
        w.request(w.REQUEST_RESPONSE, 7, b"order 22"),
    )
    again.until(w.PAYLOAD, 7)
    again.drain(0.7)
    again.close()


near_miss(
    "rest_sent_after_resume",
    by_hand(rest_sent_after_resume, "bare", "resume"),
    "What the server has not received is sent after RESUME_OK",
    peer=RAW,
    thread="Protocol.md, Resuming Operation",
    shows="The connection is lost while a stream is open; after RESUME_OK come two requests that "
    "were never sent, and the rest of the stream.",
)
