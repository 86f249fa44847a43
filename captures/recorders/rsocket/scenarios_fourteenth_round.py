"""Scenarios of the fourteenth round of the blind test: see docs/checking.md."""

import socket
import threading
import time

from captures.recorders.marks import Mark, Shown
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import Facts, Play, Scenario, add
from captures.recorders.rsocket.threads import RAW, Do, fault, frames, library, near_miss
from captures.recorders.rsocket.wire import Hand

DRIVER = "fourteenth"


def ours(peer: str, name: str, mode: str, carrier: str = "tcp") -> Play:
    """A play of this round's driver against this round's server."""
    return library(peer, name, DRIVER, mode, carrier=carrier, responder=DRIVER)


def demands(do: Do) -> Play:
    """A play by hand against this round's server."""

    def play() -> Facts:
        with clients.serving("tcp", "plain", driver=DRIVER) as served:
            do(Hand(wrong=True))
        return served

    return play


def archive(hand: Hand, *, reads: bool) -> None:
    """Asks for a stream of rows, and for four more every 80 ms, whether it reads or not."""
    peer = hand.client(w.setup(4000, 20000))
    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.send(w.request(w.REQUEST_STREAM, 1, b"rows 900 archive 30", n=4))
    got = 0
    for number in range(90):
        if reads:
            came = peer.drain(0.08)
            got += sum(one.key == w.PAYLOAD for one in came)
            for one in came:
                if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
                    peer.send(w.keepalive(0, one.body[8:]))
        else:
            time.sleep(0.08)
        if number % 40 == 20:
            peer.send(w.keepalive())
        if not reads or 4 * number - got < 8:
            peer.send(w.request_n(1, 4))
    if reads:
        peer.send(w.frame(w.CANCEL, 1))
    peer.close()


SHOWS = "A client by hand asks for rows of an archive, four more at a time."
fault(
    "demand_without_reading",
    demands(lambda hand: archive(hand, reads=False)),
    "A client asks for more and more and reads nothing",
    peer=RAW,
    kind="backpressure",
    thread="spring-projects/spring-framework#27427",
    shows=SHOWS,
    says="The client sends REQUEST_N each 80 ms and does not read its socket: its window is zero "
    "for seconds, while it has asked for hundreds of rows more. The server has to keep all of them "
    "in memory. A client may ask for as much as it reads.",
    marks=(Mark(0, "client", frames(w.REQUEST_N), skip=2),),
)
near_miss(
    "demand_as_it_reads",
    demands(lambda hand: archive(hand, reads=True)),
    "A client asks for more as it reads",
    peer=RAW,
    thread="spring-projects/spring-framework#27427",
    shows=SHOWS,
)

SHOWS = "Sixty questions about accounts, three at once."
fault(
    "answer_to_another_request_rust",
    ours("rust", "accounts", "shared"),
    "A server answers with what belongs to another request",
    peer="rust",
    kind="mismatch between sides",
    thread="rsocket/rsocket-java#510",
    shows=SHOWS,
    says='A question for {"id": 0} is answered with {"id": 2}, which was asked on another stream '
    "at the same time; most answers of three at once have the id of the last. The handler keeps "
    "the request where all requests share it.",
    marks=(Mark(0, "server", frames(w.PAYLOAD, more=rb'.*"id": ')),),
)
near_miss(
    "answer_to_each_request_rust",
    ours("rust", "accounts", "plain"),
    "A server answers each request with what belongs to it",
    peer="rust",
    thread="rsocket/rsocket-java#510",
    shows=SHOWS,
)

SHOWS = "Four sessions of a board of departures."
fault(
    "events_doubled_after_reconnect_kotlin",
    ours("kotlin", "board", "leaks", "websocket"),
    "A server sends each event once more after each reconnect",
    peer="kotlin",
    kind="leaks",
    thread="rsocket/rsocket-java#1094",
    shows=SHOWS,
    says="In the second session each departure comes twice, in the third three times, in the "
    "fourth four times: the listener of a session is not removed when it ends, and goes on to "
    "write to the board of that name.",
    marks=(
        Shown(
            "a departure that has come already",
            'websocket and frame contains "departure"',
            sender="server",
            skip=14,
        ),
    ),
)
near_miss(
    "events_once_after_reconnect_kotlin",
    ours("kotlin", "board", "plain", "websocket"),
    "A server sends each event once in each session",
    peer="kotlin",
    thread="rsocket/rsocket-java#1094",
    shows=SHOWS,
)


def restarted(peer: str, name: str) -> Play:
    """A play whose server is started three times."""

    def play() -> Facts:
        facts: dict[str, object] = {}

        def drive() -> None:
            facts.update(clients.drive(peer, name, "tcp", driver=DRIVER))

        thread = threading.Thread(target=drive)
        for life in range(3):
            with clients.serving("tcp", "plain", driver=DRIVER):
                if not life:
                    thread.start()
                if life < 2:
                    time.sleep(3.5)
                else:
                    thread.join()
            time.sleep(0.6)
        return facts

    return play


SHOWS = "A page with prices, alerts and news, whose server is started three times."
fault(
    "stream_not_asked_for_again_js",
    restarted("js", "forgets"),
    "A client asks for two of three streams again after a reconnect",
    peer="js",
    kind="recovery",
    thread="rsocket/rsocket-java#540",
    shows=SHOWS,
    says="After each reconnect the page asks for prices and alerts again, each from where it was, "
    "and not for news, which was open too when the connection was lost: no news comes any more.",
    marks=(Mark(None, "client", frames(w.REQUEST_STREAM, more=rb".*alerts"), across=True, skip=1),),
)
near_miss(
    "streams_asked_for_again_js",
    restarted("js", "remembers"),
    "A client asks for all streams again after a reconnect",
    peer="js",
    thread="rsocket/rsocket-java#540",
    shows=SHOWS,
)

SHOWS = "A till whose token expires after two and a half seconds."
fault(
    "expired_token_is_kept_go",
    ours("go", "keeps_token", "tokens"),
    "A client goes on with a token that has expired",
    peer="go",
    kind="authentication",
    thread="rsocket/rsocket-dart#33",
    shows=SHOWS,
    says="From 2.5 s on each request is refused because the token of SETUP has expired, and the "
    "client asks on and on over the same connection: twenty refusals. It has to connect again with "
    "a new token.",
    marks=(Mark(0, "client", frames(w.REQUEST_RESPONSE), skip=13),),
)
near_miss(
    "expired_token_is_renewed_go",
    ours("go", "renews_token", "tokens"),
    "A client connects again with a new token when it has expired",
    peer="go",
    thread="rsocket/rsocket-dart#33",
    shows=SHOWS,
)


def tills() -> Facts:
    """Two clients of Spring Boot at one server."""
    facts: dict[str, object] = {}
    with clients.serving("tcp", peer="spring", driver="eighth"):
        all_of = [
            threading.Thread(
                target=lambda n=n: facts.update(
                    {f"till_{n}": clients.drive("spring", "client", driver="eighth")["answers"]}
                )
            )
            for n in range(2)
        ]
        for each in all_of:
            each.start()
            time.sleep(1)
        for each in all_of:
            each.join()
    return facts


def together() -> Facts:
    """Clients of three libraries at one server."""
    facts: dict[str, object] = {}
    with clients.serving("tcp", "plain", driver=DRIVER) as served:
        all_of = [
            threading.Thread(
                target=lambda peer=peer: facts.update(
                    {peer: clients.drive(peer, "among", "tcp", driver=DRIVER)}
                )
            )
            for peer in ("go", "js", "py")
        ]
        for each in all_of:
            each.start()
            time.sleep(0.7)
        for each in all_of:
            each.join()
    return facts | served


def healthy(name: str, play: Play, title: str, peer: str, shows: str, server: str = "java") -> None:
    """A program that is right."""
    add(Scenario(name, play, title, peer, healthy=True, shows=shows, server=server))


healthy(
    "busy_desk_kotlin",
    ours("kotlin", "busy", "plain", "websocket"),
    "A busy client with streams in small batches and a rest, by rsocket-kotlin",
    "kotlin",
    "Questions, one of them refused, streams that are left, channels, and five seconds of rest.",
)
healthy(
    "two_tills_spring",
    tills,
    "Two clients of Spring Boot at one server",
    "spring",
    "Both ask, place orders, watch prices, and get alerts of the server.",
    "spring",
)
healthy(
    "large_rows_slowly_py",
    ours("py", "slowly", "fragments"),
    "Large rows that are handled slowly, by rsocket-py",
    "py",
    "Rows in fragments of 512 bytes, two at a time, questions in between, and rests.",
)
healthy(
    "three_libraries_together",
    together,
    "Clients of rsocket-go, rsocket-js and rsocket-py at one server",
    "three",
    "Questions, rows, a stream that is left, slow rows, each with rests.",
)
healthy(
    "three_shifts_rust",
    ours("rust", "shifts", "plain"),
    "Three connections one after the other, many requests at once, and a rest, by rsocket_rust",
    "rust",
    "Eight questions at once, rows, one refusal in each connection, and six seconds of rest.",
)
healthy(
    "report_at_workshop_go",
    library("go", "report", DRIVER, server="py", responder="eleventh_serves"),
    "Questions and rows by rsocket-go at a server of rsocket-py",
    "go",
    "Questions, rows and reports, with pauses of up to a second.",
    "py",
)

fault(
    "answer_to_another_request_py",
    library("js", "orders", DRIVER, server="py", responder="fourteenth_serves"),
    "A server of rsocket-py answers with what belongs to another request",
    peer="js",
    server="py",
    kind="mismatch between sides",
    thread="rsocket/rsocket-java#510",
    shows="48 questions about orders, four at once.",
    says="Questions about four orders at once are all answered with the state of the last one: the "
    "handler keeps the order where all requests share it.",
    marks=(Mark(0, "server", frames(w.PAYLOAD, more=rb'.*"order": ')),),
)
fault(
    "events_doubled_after_reconnect_py",
    library("js", "board", DRIVER, server="py", responder="fourteenth_serves"),
    "A server of rsocket-py sends each event once more in each session",
    peer="js",
    server="py",
    kind="leaks",
    thread="rsocket/rsocket-java#1094",
    shows="Three sessions of a board of departures.",
    says="In the second session each departure comes twice, in the third three times: listeners of "
    "earlier sessions stay, and write to the board that was subscribed last.",
    marks=(
        Mark(1, "server", frames(w.PAYLOAD, more=rb'.*"departure"')),
        Mark(2, "server", frames(w.PAYLOAD, more=rb'.*"departure"')),
    ),
)
fault(
    "stream_not_asked_for_again_py",
    restarted("py", "screens"),
    "A client by rsocket-py asks for two of three streams again after a reconnect",
    peer="py",
    kind="recovery",
    thread="rsocket/rsocket-java#540",
    shows="Three screens, whose server is started three times.",
    says="After each reconnect the hall asks for rain and tide again, and not for wind.",
    marks=(Mark(None, "client", frames(w.REQUEST_STREAM, more=rb".*tide"), across=True, skip=1),),
)
fault(
    "expired_token_is_kept_py",
    ours("py", "token", "tokens"),
    "A client by rsocket-py goes on with a token that has expired",
    peer="py",
    kind="authentication",
    thread="rsocket/rsocket-dart#33",
    shows="A desk whose token expires after two and a half seconds.",
    says="From 2.5 s on each request is refused because the token of SETUP has expired, and the "
    "client asks on over the same connection. It has to connect again with a new token.",
    marks=(Mark(0, "client", frames(w.REQUEST_RESPONSE), skip=10),),
)
