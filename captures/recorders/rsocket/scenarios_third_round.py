"""Faults and near misses of the third round of the blind test: see docs/checking.md."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from captures.recorders import lab
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import PORT, Facts, Play
from captures.recorders.rsocket.threads import (
    RAW,
    Do,
    Mark,
    Shown,
    fault,
    frames,
    library,
    near_miss,
)
from captures.recorders.rsocket.wire import Hand, Passed, Peer

TOKEN = b"throwaway-b3"
DRIVER = "third"
"""Of each library; that of rsocket-java serves too."""
LAG = 15
"""Payloads that a client has received and not handled yet."""


def driven(peer: str, name: str, *options: str) -> Play:
    """A play of a library against rsocket-java."""
    return library(peer, name, DRIVER, *options, responder=DRIVER)


def by_hand(do: Do, *options: str) -> Play:
    """A play by hand against rsocket-java."""

    def play() -> Facts:
        with clients.serving("tcp", *options, driver=DRIVER) as served:
            do(Hand(wrong=True))
        return served

    return play


fault(
    "keepalive_without_position",
    driven("py", "keepalive_without_position"),
    "KEEPALIVE without the last received position",
    peer="py",
    kind="second layer",
    thread="rsocket/rsocket-py#28",
    shows="rsocket-py with the KEEPALIVE of the release before the correction; the server closes "
    "each of five connections.",
    says="Each KEEPALIVE ends after the frame header: the last received position, eight bytes that "
    "are always there, is missing.",
    marks=(Mark(None, "client", rb"^\x00\x00\x06\x00{4}\x0c"),),
)

fault(
    "keepalive_oftener_than_promised",
    driven("py", "keepalive_oftener_than_promised"),
    "SETUP promises a KEEPALIVE every 20 s, and one is sent every 40 ms",
    peer="py",
    kind="waste",
    thread="rsocket/rsocket-java#513",
    shows="A hundred KEEPALIVEs in four seconds, and ten requests.",
    says="SETUP says that KEEPALIVE comes every 20 s, and the client sends one every 40 ms, a "
    "hundred in four seconds, each of which costs an answer.",
    marks=(Mark(None, "client", frames(w.KEEPALIVE), skip=1),),
)

near_miss(
    "probes_after_idle",
    driven("py", "probes_after_idle"),
    "A probe by KEEPALIVE before a connection that was idle is used again",
    peer="py",
    thread="Protocol.md, KEEPALIVE; rsocket/rsocket-java#513",
    shows="Three times four requests after 1.4 s without one, each time after a KEEPALIVE of the "
    "program's own.",
)

fault(
    "takes_five_of_unbounded",
    driven("java", "takes_five_of_unbounded"),
    "Five rows are wanted, everything is requested and cancelled",
    peer="java",
    kind="waste",
    thread="rsocket/rsocket-kotlin#97, rsocket/rsocket-java#399, reactor/reactor-core#879",
    shows="Twelve streams of 200 rows, of which take(5) leaves five.",
    says="Each of twelve queries requests 2147483647 rows, takes five and cancels: the server has "
    "sent 200 rows by then, and 195 of them are thrown away.",
    marks=(
        Mark(None, "client", frames(w.REQUEST_STREAM)),
        Mark(None, "client", frames(w.CANCEL)),
    ),
)

near_miss(
    "takes_five_exactly",
    driven("java", "takes_five_exactly"),
    "Five rows are wanted and five are requested",
    peer="java",
    thread="rsocket/rsocket-kotlin#97",
    shows="Twelve streams, of which take(5, true) requests five rows each.",
)

fault(
    "jwt_without_auth_type",
    driven("js", "jwt_without_auth_type", "secured"),
    "A JWT as the whole authentication metadata",
    peer="js",
    kind="second layer",
    thread="rsocket/rsocket#328, rsocket/rsocket-js#88",
    shows="Eight requests with composite metadata; each is refused.",
    says="The entry message/x.rsocket.authentication.v0 holds the JWT itself, without the byte "
    "that names the type: its first letter is read as the length of a type's name, and every "
    "request is denied.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*orders\..*order 17$")),),
)

near_miss(
    "auth_type_by_name",
    driven("js", "auth_type_by_name", "secured"),
    "Authentication of a type of one's own",
    peer="js",
    thread="Security/Authentication.md (types that are not well known are given by name)",
    shows="Eight requests whose metadata names the type x-api-key.",
)


def slow_socket() -> socket.socket:
    """A connection with a receive buffer of 4 KiB."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.connect((lab.HOST, PORT))
    return made


def send(to: socket.socket, *every: bytes) -> None:
    """Sends frames in one segment."""
    to.sendall(b"".join(len(each).to_bytes(3, "big") + each for each in every))


def requests_more_without_reading(hand: Hand) -> None:
    """Requests ten items every 10 ms, and reads none."""
    del hand
    own = slow_socket()
    send(own, w.setup(), w.request(w.REQUEST_STREAM, 1, b"rows 1000000 900", n=10))
    for _ in range(300):
        send(own, w.request_n(1, 10))
        time.sleep(0.01)
    own.close()


fault(
    "requests_more_without_reading",
    by_hand(requests_more_without_reading),
    "More is requested while nothing is read",
    peer=RAW,
    kind="limits about to be met",
    thread="spring-projects/spring-framework#27427, rsocket/rsocket-java#1065",
    shows="A stream, REQUEST_N every 10 ms, and a receive window of 0.",
    says="The client reads nothing any more (its receive window is 0) and goes on to request ten "
    "items every 10 ms: the server has to keep all of them in memory.",
    marks=(Mark(None, "client", frames(w.REQUEST_N), skip=4),),
)


def reads_slowly(hand: Hand) -> None:
    """Requests the next ten when it has read ten."""
    del hand
    peer = Peer(slow_socket(), "client", 0, wrong=False, blames=[])
    peer.together(w.setup(), w.request(w.REQUEST_STREAM, 1, b"rows 150 900", n=10))
    got = 0
    while got < 150 and (one := peer.read(3)):
        if one.key == w.PAYLOAD:
            got += 1
            time.sleep(0.015)
            if got % 10 == 0 and got < 150:
                peer.send(w.request_n(1, 10))
    peer.drain(0.3)
    peer.close()


near_miss(
    "reads_slowly",
    by_hand(reads_slowly),
    "A slow reader requests the next ten when it has read ten",
    peer=RAW,
    thread="spring-projects/spring-framework#27427",
    shows="150 rows of 900 bytes, one every 15 ms.",
)


def download(own: socket.socket) -> None:
    """Takes rows in slowly until no answer to KEEPALIVE has come for a second."""
    send(own, w.setup(300, 1000), w.request(w.REQUEST_STREAM, 1, b"rows 4000 1000"))
    own.settimeout(0.05)
    buffer, heard = b"", time.monotonic()
    due = heard + 0.3
    while (now := time.monotonic()) - heard <= 1.0:
        if now >= due:
            send(own, w.keepalive())
            due += 0.3
        with suppress(TimeoutError):
            buffer += own.recv(600)
        while len(buffer) >= 9 and len(buffer) >= 3 + int.from_bytes(buffer[:3], "big"):
            if buffer[7] >> 2 == w.KEEPALIVE:
                heard = now
            buffer = buffer[3 + int.from_bytes(buffer[:3], "big") :]
        time.sleep(0.03)
    send(own, w.error(0, 0x101, b"No keep-alive acks for 1000 ms"))


def download_starts_over(hand: Hand) -> None:
    """Begins a download four times."""
    del hand
    for _ in range(4):
        own = slow_socket()
        download(own)
        time.sleep(0.05)
        own.close()
        time.sleep(0.3)


fault(
    "download_starts_over",
    by_hand(download_starts_over),
    "No answer to KEEPALIVE comes through during a download, which starts anew each time",
    peer=RAW,
    kind="storms and loops",
    thread="rsocket/rsocket-java#712",
    shows="Four connections with one request for 4 MB of rows, each given up after a second.",
    says="The answers to KEEPALIVE wait behind 4 MB of rows that the client takes in slowly; after "
    "1000 ms it gives the connection up (No keep-alive acks) and asks for the same rows from the "
    "first one, four times.",
    marks=(
        Mark(None, "client", frames(w.ERROR)),
        Mark(None, "client", frames(w.REQUEST_STREAM)),
    ),
)


def size(one: Passed) -> int:
    """What a frame counts in positions."""
    return 6 + len(one.body)


def hear(peer: Peer, seconds: float, position: Callable[[list[Passed]], int]) -> list[Passed]:
    """The frames of streams that come in some time; KEEPALIVE is answered."""
    limit, found = time.monotonic() + seconds, list[Passed]()
    while (left := limit - time.monotonic()) > 0 and not peer.ended:
        one = peer.read(left)
        if one and one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            peer.send(w.keepalive(0, position=position(found)))
        elif one and one.stream:
            found.append(one)
    return found


def resumable(hand: Hand, data: bytes) -> Peer:
    """A session that can be resumed, with one stream."""
    peer = hand.client(w.setup(400, 20000, w.RESUMES, token=TOKEN))
    peer.send(w.request(w.REQUEST_STREAM, 1, data))
    return peer


def position_never_moves(hand: Hand) -> None:
    """States position 0 in each KEEPALIVE."""
    peer = resumable(hand, b"ticks 200 20")
    for _ in range(9):
        peer.send(w.keepalive(position=0))
        hear(peer, 0.4, lambda _new: 0)
    peer.close()


fault(
    "position_never_moves",
    by_hand(position_never_moves, "resume"),
    "A resumable session whose client never acknowledges",
    peer=RAW,
    kind="sequences",
    thread="rsocket/rsocket-py#28, rsocket/rsocket-cpp#181 (KEEPALIVE trims what the peer keeps)",
    shows="A stream of 200 items during 4 s; each KEEPALIVE has position 0.",
    says="The session can be resumed and the client has received hundreds of frames, but each of "
    "its KEEPALIVE states position 0: the server can never drop anything that it keeps for a "
    "resumption.",
    marks=(Mark(None, "client", frames(w.KEEPALIVE), skip=1),),
)


def position_lags(hand: Hand) -> None:
    """States what has been handled, and resumes there."""
    peer, seen = resumable(hand, b"ticks 160 25"), list[int]()

    def done(new: list[Passed]) -> int:
        return sum((seen + [size(each) for each in new])[:-LAG])

    for _ in range(6):
        peer.send(w.keepalive(position=done([])))
        seen += [size(each) for each in hear(peer, 0.4, done)]
    peer.socket.close()
    time.sleep(0.3)
    seen = seen[:-LAG]
    again = hand.client(w.resume(TOKEN, sum(seen), 0))
    again.until(w.RESUME_OK)
    for _ in range(4):
        seen += [size(each) for each in hear(again, 0.4, done)]
        again.send(w.keepalive(position=done([])))
    hear(again, 0.4, done)
    again.send(w.keepalive(position=sum(seen)))
    hear(again, 0.3, lambda _new: sum(seen))
    again.close()


near_miss(
    "position_lags",
    by_hand(position_lags, "resume"),
    "The position in KEEPALIVE is of what has been handled, and the session resumes there",
    peer=RAW,
    thread="Protocol.md, KEEPALIVE (Last Received Position)",
    shows="A stream of 160 items; KEEPALIVE and RESUME state a position fifteen items below what "
    "was received.",
)


def position_in_frames(hand: Hand) -> None:
    """States how many frames it has received."""
    peer, got = resumable(hand, b"ticks 200 25"), 0
    for _ in range(4):
        peer.send(w.keepalive(position=got))
        before = got
        got += len(hear(peer, 0.4, lambda new, before=before: before + len(new)))
        if peer.ended:
            break
    peer.socket.close()
    time.sleep(0.3)
    for _ in range(3):
        again = hand.client(w.resume(TOKEN, got, 0))
        again.drain(0.5)
        again.socket.close()
        time.sleep(0.3)


fault(
    "position_in_frames",
    by_hand(position_in_frames, "resume"),
    "Positions are counted in frames",
    peer=RAW,
    kind="sequences",
    thread="rsocket/rsocket#238",
    shows="A session whose KEEPALIVE counts frames, and three RESUME with such a position.",
    says="The client counts frames where positions are bytes: KEEPALIVE states up to 45 and RESUME "
    "55, about a thirteenth of what it has received; the server cannot resume from there, and the "
    "session is lost.",
    marks=(
        Mark(0, "client", frames(w.KEEPALIVE), skip=1),
        Mark(None, "client", frames(w.RESUME)),
    ),
)


def channel_sends_after_cancel(hand: Hand) -> None:
    """Sends twenty items in each of three channels, whatever the server says."""
    peer = hand.client()
    for channel in range(3):
        stream = 1 + 4 * channel
        peer.send(w.request(w.REQUEST_CHANNEL, stream, b"measurement 0", n=20))
        peer.until(w.REQUEST_N, stream)
        for n in range(1, 20):
            peer.send(w.payload(stream, b"measurement %d" % n))
        peer.send(w.payload(stream, b"", w.COMPLETE))
        peer.drain(1.0)
        peer.send(w.request(w.REQUEST_RESPONSE, stream + 2, b"batch done"))
        peer.until(w.PAYLOAD, stream + 2)
    peer.close()


fault(
    "channel_sends_after_cancel",
    by_hand(channel_sends_after_cancel),
    "A channel's requester goes on after the responder's CANCEL",
    peer=RAW,
    kind="allowed now",
    thread="rsocket/rsocket-java#592",
    shows="Three channels of twenty items to a responder that takes three.",
    says="The server has taken three items and cancels its side of the channel; the client sends "
    "seventeen more, on each of three channels, all of which are dropped.",
    marks=(Mark(None, "client", frames(w.PAYLOAD, more=rb".*measurement ([6-9]|1\d)$")),),
)

near_miss(
    "channel_stops_at_cancel",
    driven("js", "channel_stops_at_cancel"),
    "A channel whose responder takes three of six items",
    peer="js",
    thread="rsocket/rsocket-java#592",
    shows="Three channels; the library stops when CANCEL comes.",
)


def gone_at_cancel() -> Facts:
    """The driver dies four times."""
    connected = 0
    with clients.serving("tcp", driver=DRIVER):
        for _ in range(4):
            connected += int(str(clients.drive("go", "channels", driver=DRIVER)["connected"]))
            time.sleep(0.5)
    return {"connections": connected}


fault(
    "gone_at_cancel",
    gone_at_cancel,
    "A client that dies when the responder of its channel cancels",
    peer="go",
    kind="storms and loops",
    thread="rsocket/rsocket-go#132",
    shows="rsocket-go 0.8.12 panics when CANCEL comes for its channel, four times.",
    says="The server cancels its side of the channel after three items, and the client ends the "
    "connection at once, in the middle of the answers (rsocket-go panics); it is started again, "
    "four times, and each time it dies there.",
    marks=(
        Shown(
            "the end of a connection",
            "tcp.dstport == 7000 && (tcp.flags.fin == 1 || tcp.flags.reset == 1)",
        ),
    ),
)


def quotes(taken: socket.socket) -> None:
    """Serves streams of sixty items each to their end, and forgets CANCEL."""
    peer, sent, last = Peer(taken, "server", 0, wrong=True, blames=[]), dict[int, int](), 0.0
    while not peer.ended:
        one = peer.read(0.01)
        if one and one.key == w.REQUEST_STREAM:
            sent[one.stream] = 0
        if one and one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            peer.send(w.keepalive(0))
        if time.monotonic() - last < 0.025:
            continue
        last = time.monotonic()
        for stream in [each for each, number in sent.items() if number < 60]:
            sent[stream] += 1
            flags = w.NEXT | (w.COMPLETE if sent[stream] == 60 else 0)
            peer.send(w.payload(stream, b"quote %d of 60" % sent[stream], flags))


def cancel_ignored_by_server() -> Facts:
    """A server by hand for one connection of rsocket-js."""
    with socket.create_server((lab.HOST, PORT)) as listening:

        def accept() -> None:
            taken, _ = listening.accept()
            taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            quotes(taken)

        threading.Thread(target=accept, daemon=True).start()
        return clients.drive("js", "cancel_ignored_by_server", driver=DRIVER)


fault(
    "cancel_ignored_by_server",
    cancel_ignored_by_server,
    "A server goes on with streams that were cancelled",
    peer="js",
    server=RAW,
    kind="allowed now",
    thread="rsocket/rsocket-rust#48",
    shows="Five streams, each cancelled after four items, of a server by hand that does what "
    "rsocket_rust did before its correction.",
    says="The client cancels each of five streams after four items; the server does not handle "
    "CANCEL and sends the other 56 items of each.",
    marks=(Mark(None, "server", frames(w.PAYLOAD, more=rb".*quote ([6-9]|\d\d) of 60$")),),
)
