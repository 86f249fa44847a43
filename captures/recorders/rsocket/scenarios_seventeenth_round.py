"""Scenarios of the seventeenth round of the blind test: see docs/checking.md."""

import os
import signal
import threading

from captures.recorders.marks import Mark
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import Facts
from captures.recorders.rsocket.threads import fault, frames, library, near_miss

DRIVER, SERVES = "seventeenth", "seventeenth_serves"


def frozen() -> Facts:
    """A server that is stopped (SIGSTOP) while a stream is open."""
    with clients.serving("tcp", driver=DRIVER) as served:
        process = clients.SERVING[-1]
        timer = threading.Timer(3.2, os.kill, (process.pid, signal.SIGSTOP))
        timer.start()
        try:
            driven = clients.drive("js_0_0_16", "frozen", driver=DRIVER)
        finally:
            os.kill(process.pid, signal.SIGCONT)
    return driven | served


fault(
    "waits_for_a_frozen_server_js_0_0_16",
    frozen,
    "A client waits for a server that stands still, for ever",
    peer="js_0_0_16",
    kind="keepalive",
    thread="rsocket/rsocket-rpc-java#9",
    shows="Ticks, and prices that are asked for; the server stands still after some seconds.",
    says="The server stands still: it sends no item, answers no request and no KEEPALIVE. SETUP "
    "has a lifetime of 7 s, but the client does not end the connection: it sends KEEPALIVE and "
    "requests for 20 s. It has to end it when its lifetime is over, and to tell the program.",
    marks=(Mark(0, "client", frames(w.KEEPALIVE), skip=2),),
)
fault(
    "rows_out_of_order_java",
    library("py", "rows", DRIVER, responder=DRIVER),
    "A server sends the rows of a stream out of order and completes it before the last ones",
    peer="py",
    kind="ordering",
    thread="rsocket/rsocket-java#565",
    shows="Three tables of 60 rows, each a stream, whose rows two threads send.",
    says="The rows are out of order: 0, 2, 3, 1, 4 and so on, and the stream is completed before "
    "the last row has been sent, which is lost. One thread has to emit the items of a stream.",
    marks=(Mark(0, "server", frames(w.PAYLOAD)),),
)
fault(
    "more_items_than_requested_js",
    library("py", "batches", DRIVER, server="js", responder=SERVES),
    "A server sends more items than were requested",
    peer="py",
    server="js",
    kind="flow control",
    thread="rsocket/rsocket-cpp#138",
    shows="Readings in batches of three, of which the server sends five at a time.",
    says="The client requests three items, and the server sends all forty as they are there, "
    "whatever was requested. A responder has to send no more than the requester asked for.",
    marks=(Mark(0, "server", frames(w.PAYLOAD), skip=3),),
)
SHOWS = "Ticks, of which ten are requested, and prices that are asked for."
THREAD = "https://stackoverflow.com/questions/67717390 (rsocket-js)"
fault(
    "demand_used_up_js_0_0",
    library("js_0_0", "used_up", DRIVER, responder=DRIVER),
    "A client uses up its demand and requests no more",
    peer="js_0_0",
    kind="flow control",
    thread=THREAD,
    shows=SHOWS,
    says="Ten items were requested and came; the client never requests more, so no tick follows "
    "for 13 s until the end, though the stream has no end. It has to request again as it reads.",
    marks=(Mark(0, "server", frames(w.PAYLOAD, stream=1), skip=9),),
)
near_miss(
    "demand_renewed_js_0_0",
    library("js_0_0", "renewed", DRIVER, responder=DRIVER),
    "A client requests ten items again each time",
    peer="js_0_0",
    thread=THREAD,
    shows=SHOWS,
)
fault(
    "stream_never_completed_java",
    library("py", "pages", DRIVER, "fragments", responder=DRIVER),
    "A server with fragmentation does not complete some streams",
    peer="py",
    kind="completion",
    thread="rsocket/rsocket-java#641",
    shows="Five reports of six pages in fragments of 128 bytes; the client waits six seconds.",
    says="All six pages of the report came, in fragments, but the stream is not completed: no "
    "COMPLETE comes, and the client cancels after six seconds, twice. The last PAYLOAD, or one "
    "after it, has to have COMPLETE.",
    marks=(Mark(0, "client", frames(w.CANCEL)),),
)
near_miss(
    "hotel_py",
    library("py", "hotel", DRIVER, responder=DRIVER),
    "A hotel with a reception, a kitchen and a guest",
    peer="py",
    thread="a healthy program of many parts",
    shows="Questions, ticks in batches of eight, short streams, notes; all is closed in order.",
)
fault(
    "stream_never_completed_js",
    library("py", "pages", DRIVER, server="js", responder=SERVES),
    "A server of rsocket-js does not complete some streams",
    peer="py",
    server="js",
    kind="completion",
    thread="rsocket/rsocket-java#641",
    shows="Five reports of six pages; the client waits six seconds.",
    says="Page 6 of 6 came, but the stream is not completed: no COMPLETE comes, and the client "
    "cancels after six seconds, twice.",
    marks=(Mark(0, "client", frames(w.CANCEL)),),
)
near_miss(
    "quiet_streams_left_py",
    library("py", "quiet", DRIVER, responder=DRIVER),
    "Streams without an end are cancelled after a while",
    peer="py",
    thread="rsocket/rsocket-java#641",
    shows="News, one in two seconds, three times for six seconds.",
)
fault(
    "demand_used_up_py",
    library("py", "used_up", DRIVER, responder=DRIVER),
    "A client of rsocket-py uses up its demand and requests no more",
    peer="py",
    kind="flow control",
    thread=THREAD,
    shows="Ticks, of which eight are requested, and values that are asked for.",
    says="Eight items were requested and came; the client never requests more, so no tick follows "
    "for 13 s until the end, though the stream has no end.",
    marks=(Mark(0, "server", frames(w.PAYLOAD, stream=1), skip=7),),
)
near_miss(
    "enough_and_cancelled_js_0_0",
    library("js_0_0", "enough", DRIVER, responder=DRIVER),
    "A client requests ten items and cancels when it has them",
    peer="js_0_0",
    thread=THREAD,
    shows=SHOWS,
)
