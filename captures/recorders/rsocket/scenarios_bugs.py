"""Small misbehaving peers by hand, and the same ones mended: what a finding is to name.

Each play is two scenarios, `bug_<name>` and `mended_<name>`, which differ where `wrong` is asked.
The other side is a real library: a server of rsocket-java for a client by hand, a client of
rsocket-py or rsocket-go for a server by hand.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import RAW, Facts, Scenario, add
from captures.recorders.rsocket.wire import Hand, Peer

Play = Callable[[Hand], Facts]
Do = Callable[[Hand], None]
Serve = Callable[[Peer], None]


@dataclass(frozen=True)
class Told:
    """What is known of a play: its title, what it shows, and the rules, without their prefix."""

    title: str
    shows: str
    faults: Mapping[str, str]


def both(name: str, told: Told, play: Play, peer: str, server: str) -> None:
    """Adds the two scenarios of a play."""

    def bug() -> Facts:
        hand = Hand(wrong=True)
        return {**play(hand), "guilty": hand.blames}

    def mended() -> Facts:
        return play(Hand(wrong=False))

    faults = {f"RSK-{rule}": said for rule, said in told.faults.items()}
    add(
        Scenario(
            name=f"bug_{name}",
            play=bug,
            title=told.title,
            peer=peer,
            server=server,
            healthy=False,
            shows=told.shows,
            faults=faults,
        )
    )
    add(
        Scenario(
            name=f"mended_{name}",
            play=mended,
            title=f"{told.title}: the same, mended",
            peer=peer,
            server=server,
            healthy=True,
            shows=f"The twin of bug_{name}, in which nothing is wrong.",
        )
    )


def client(
    title: str, shows: str, faults: Mapping[str, str], options: tuple[str, ...] = ("bare",)
) -> Callable[[Do], Do]:
    """A client by hand, with a server of rsocket-java."""

    def keep(do: Do) -> Do:
        def play(hand: Hand) -> Facts:
            with clients.serving("tcp", *options) as served:
                do(hand)
                time.sleep(0.1)
            return served

        both(do.__name__, Told(title, shows, faults), play, RAW, "java")
        return do

    return keep


def server(
    title: str,
    shows: str,
    faults: Mapping[str, str],
    play: str,
    peer: str = "py",
    connections: int = 1,
) -> Callable[[Serve], Serve]:
    """A server by hand, with a client of a library that plays `play` on so many connections."""

    def keep(serve: Serve) -> Serve:
        def run(hand: Hand) -> Facts:
            with hand.server(serve, connections):
                return clients.drive(peer, play, "tcp")

        both(serve.__name__, Told(title, shows, faults), run, peer, RAW)
        return serve

    return keep


def ask(peer: Peer, stream: int, data: bytes = b"ping") -> None:
    """A request with one answer."""
    peer.send(w.request(w.REQUEST_RESPONSE, stream, data))
    peer.until(w.PAYLOAD, stream)


# Streams of a client


@client(
    "A stream is granted two items and never more",
    "REQUEST_STREAM for 10 items with n = 2, and no REQUEST_N: the stream stands still for two "
    "seconds, then the client leaves.",
    {"S19": "all that was requested has come, the stream goes on, and nothing more is requested"},
)
def request_n_never_granted(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_STREAM, 1, b"10", n=2))
    peer.blame("S19")
    peer.drain(2 if hand.wrong else 0.3)
    peer.blame("S19", "server")
    if not hand.wrong:
        peer.send(w.request_n(1, 8))
        peer.until(w.PAYLOAD, 1, w.COMPLETE)
    peer.close()


@client(
    "REQUEST_STREAM with n = 0",
    "A request for no items: nothing comes until a REQUEST_N half a second later.",
    {"S7": "initial request n is 0"},
)
def initial_request_n_zero(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_STREAM, 1, b"3", n=0 if hand.wrong else 1))
    peer.blame("S7")
    peer.drain(0.5)
    peer.send(w.request_n(1, 5))
    peer.drain(1)
    peer.close()


@client(
    "REQUEST_N of 0",
    "A stream of 6 with n = 2, then REQUEST_N 0, then REQUEST_N 4.",
    {"S7": "REQUEST_N of 0"},
)
def request_n_zero(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_STREAM, 1, b"6", n=2))
    peer.drain(0.3)
    peer.send(w.request_n(1, 0 if hand.wrong else 1))
    peer.blame("S7")
    peer.drain(0.3)
    peer.send(w.request_n(1, 4))
    peer.drain(1)
    peer.close()


@client(
    "A stream id is used again while it is open",
    "A slow stream 1, and a request for an answer on stream 1 in the midst of it; the server "
    "ignores the second request.",
    {"S3": "a request on a stream that is open"},
)
def stream_id_in_use(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_STREAM, 1, b"slow 8"))
    peer.until(w.PAYLOAD, 1)
    peer.send(w.request(w.REQUEST_RESPONSE, 1 if hand.wrong else 3, b"ping"))
    peer.blame("S3")
    peer.until(w.PAYLOAD, 1, w.COMPLETE)
    peer.close()


@client(
    "A stream id is used again when its stream has ended",
    "Three requests, all on stream 1, each when the one before is answered.",
    {"S2": "an id that was used before"},
)
def stream_id_used_again(hand: Hand) -> None:
    peer = hand.client()
    ask(peer, 1)
    for at in (1, 2):
        peer.send(w.request(w.REQUEST_RESPONSE, 1 if hand.wrong else 1 + 2 * at, b"ping"))
        peer.drain(0.4)
    peer.blame("S2", nth=3, last=4)
    peer.close()


@client(
    "A client with even stream ids",
    "A request on stream 2; the server says ERROR 0x101 and closes.",
    {"S1": "the ids of clients are odd"},
)
def stream_id_even(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_RESPONSE, 2 if hand.wrong else 1, b"ping"))
    peer.blame("S1")
    peer.drain(0.5)
    peer.close()


@client(
    "Stream ids that go down",
    "Requests on the streams 1, 7, 5 and 3.",
    {"S2": "ids with a gap, then lower ones"},
)
def stream_id_decreasing(hand: Hand) -> None:
    peer = hand.client()
    for stream in (1, 7, 5, 3) if hand.wrong else (1, 3, 5, 7):
        peer.send(w.request(w.REQUEST_RESPONSE, stream, b"ping"))
        peer.drain(0.3)
    peer.blame("S2", nth=3, last=5)
    peer.close()


@client(
    "A request on stream 0",
    "REQUEST_RESPONSE on the connection's own stream; the server answers there.",
    {"C6": "a request, and its answer, on stream 0"},
)
def request_on_stream_zero(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_RESPONSE, 0 if hand.wrong else 1, b"ping"))
    peer.blame("C6")
    peer.drain(0.5)
    peer.blame("C6", "server")
    peer.close()


def channel(peer: Peer) -> None:
    """Opens channel 1 and waits until it may send."""
    peer.send(w.request(w.REQUEST_CHANNEL, 1, b"first"))
    peer.until(w.REQUEST_N, 1)


@client(
    "A payload behind the end of a channel's direction",
    "The client completes its half of a channel, then sends one payload more.",
    {"S11": "PAYLOAD behind complete"},
)
def payload_after_complete(hand: Hand) -> None:
    peer = hand.client()
    channel(peer)
    peer.send(w.payload(1, b"second"))
    peer.send(w.payload(1, b"", w.COMPLETE))
    if hand.wrong:
        peer.send(w.payload(1, b"third"))
        peer.blame("S11")
    peer.drain(0.5)
    peer.close()


@client(
    "A channel is completed twice",
    "Two PAYLOAD frames with complete from the same side.",
    {"S11": "complete behind complete"},
)
def channel_completed_twice(hand: Hand) -> None:
    peer = hand.client()
    channel(peer)
    peer.send(w.payload(1, b"second"))
    peer.send(w.payload(1, b"", w.COMPLETE))
    if hand.wrong:
        peer.send(w.payload(1, b"", w.COMPLETE))
        peer.blame("S11")
    peer.drain(0.5)
    peer.close()


@client(
    "A payload that is neither next nor complete",
    "PAYLOAD without flags on a channel; the server closes the connection.",
    {"S12": "neither next nor complete, and no fragment"},
)
def payload_without_flags(hand: Hand) -> None:
    peer = hand.client()
    channel(peer)
    peer.send(w.payload(1, b"second", 0 if hand.wrong else w.NEXT))
    peer.blame("S12")
    if not hand.wrong:
        peer.send(w.payload(1, b"", w.COMPLETE))
    peer.drain(0.5)
    peer.close()


@client(
    "Payloads of a channel that nobody requested",
    "Eight payloads at once behind REQUEST_CHANNEL, before the server requested any.",
    {"S9": "payloads before REQUEST_N"},
)
def channel_without_credit(hand: Hand) -> None:
    peer = hand.client()
    first = w.request(w.REQUEST_CHANNEL, 1, b"first")
    if hand.wrong:
        peer.together(first, *(w.payload(1, b"item %d" % at) for at in range(8)))
        peer.blame("S9", nth=3, last=10)
    else:
        peer.send(first)
        granted = 0
        for at in range(8):
            while granted == 0:
                granted += int.from_bytes(peer.until(w.REQUEST_N, 1).body, "big")
            peer.send(w.payload(1, b"item %d" % at))
            granted -= 1
    peer.send(w.payload(1, b"", w.COMPLETE))
    peer.drain(0.7)
    peer.close()


@client(
    "A REQUEST_N behind a CANCEL",
    "A slow stream is cancelled, then more of it is requested.",
    {"S11": "a frame behind CANCEL"},
)
def request_n_after_cancel(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_STREAM, 1, b"slow 50", n=5))
    for _ in range(3):
        peer.until(w.PAYLOAD, 1)
    peer.send(w.frame(w.CANCEL, 1))
    if hand.wrong:
        peer.send(w.request_n(1, 5))
        peer.blame("S11")
    peer.drain(0.5)
    peer.close()


@client(
    "METADATA_PUSH on a stream",
    "METADATA_PUSH on stream 5, which the server accepts.",
    {"S17": "METADATA_PUSH is for stream 0"},
)
def metadata_push_on_stream(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.frame(w.METADATA_PUSH, 5 if hand.wrong else 0, w.METADATA, b"pushed"))
    peer.blame("S17")
    ask(peer, 1)
    peer.close()


# Fragments


@client(
    "A fragment that is never continued",
    "REQUEST_RESPONSE with follows on stream 1, and nothing more there; stream 3 goes on.",
    {"F1": "follows, and no fragment follows"},
)
def fragment_not_continued(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"a" * 80, w.FOLLOWS))
    peer.blame("F1")
    ask(peer, 3)
    if not hand.wrong:
        peer.send(w.payload(1, b"b" * 80))
        peer.until(w.PAYLOAD, 1)
    peer.drain(0.5)
    peer.close()


@client(
    "Metadata behind data in fragments",
    "The first fragment has data, the second one metadata: the order is metadata first.",
    {"F2": "metadata behind data"},
)
def metadata_after_data(hand: Hand) -> None:
    peer = hand.client()
    one = w.request(w.REQUEST_RESPONSE, 1, b"d" * 70, w.FOLLOWS)
    two = w.payload(1, b"", w.FOLLOWS | w.NEXT, metadata=b"m" * 70)
    if hand.wrong:
        peer.send(one, two)
        peer.blame("F2")
        peer.send(w.payload(1, b"end"))
    else:
        peer.send(w.request(w.REQUEST_RESPONSE, 1, b"", w.FOLLOWS, metadata=b"m" * 70))
        peer.send(w.payload(1, b"d" * 70, w.FOLLOWS | w.NEXT), w.payload(1, b"end"))
    peer.until(w.PAYLOAD, 1)
    peer.close()


@client(
    "Fragments with neither next nor complete",
    "The continuation of a request has no flag at all; the server closes the connection.",
    {"F3": "a continuation with neither next nor complete"},
)
def fragment_without_flags(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"a" * 80, w.FOLLOWS))
    peer.send(w.payload(1, b"b" * 80, 0 if hand.wrong else w.NEXT))
    peer.blame("F3")
    peer.drain(0.5)
    peer.close()


@client(
    "A fragment that is too small",
    "A continuation of ten bytes that is not the last one: the server says ERROR 0x203.",
    {"F4": "less than 64 bytes, and not the last one"},
)
def fragment_too_small(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"a" * 80, w.FOLLOWS))
    peer.send(w.payload(1, b"b" * (10 if hand.wrong else 80), w.FOLLOWS | w.NEXT))
    peer.blame("F4")
    peer.send(w.payload(1, b"c" * 80))
    peer.drain(0.5)
    peer.close()


@client(
    "A request between the fragments of another one, on the same stream",
    "Stream 1 gets a second request while the fragments of the first go on.",
    {"S3": "a request on a stream that is open"},
)
def request_between_fragments(hand: Hand) -> None:
    peer = hand.client()
    other = 1 if hand.wrong else 3
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"a" * 80, w.FOLLOWS))
    peer.send(w.request(w.REQUEST_RESPONSE, other, b"d" * 80, w.FOLLOWS))
    peer.blame("S3")
    peer.send(w.payload(1, b"b" * 80, w.FOLLOWS | w.NEXT))
    peer.send(w.payload(other, b"e" * 80, (w.FOLLOWS if hand.wrong else 0) | w.NEXT))
    peer.send(w.payload(1, b"c" * 80))
    peer.drain(0.5)
    peer.close()


# Metadata


@client(
    "A metadata length past the end of the frame",
    "Metadata of 4 bytes that says 64; the server closes the connection without a word.",
    {"M1": "the metadata length is larger than the frame"},
)
def metadata_length_too_long(hand: Hand) -> None:
    peer = hand.client()
    body = (64 if hand.wrong else 4).to_bytes(3, "big") + b"metaping"
    peer.send(w.frame(w.REQUEST_RESPONSE, 1, w.METADATA, body))
    peer.blame("M1")
    peer.drain(0.5)
    peer.close()


@client(
    "Composite metadata that is broken",
    "The second entry says more bytes than there are.",
    {"M2": "an entry past the end of the metadata"},
)
def composite_metadata_broken(hand: Hand) -> None:
    peer = hand.client(w.setup(metadata=w.COMPOSITE))
    one, two = w.entry(0x7E, b"\x04find"), w.entry(b"x/custom", b"content")
    if hand.wrong:
        two = two.replace(b"\x00\x00\x07", b"\x00\x00\x70")
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"ping", metadata=one + two))
    peer.blame("M2")
    peer.drain(0.5)
    peer.close()


@client(
    "A MIME id that nobody has assigned",
    "An entry of composite metadata with the id 0x50.",
    {"M3": "MIME id 0x50 is not assigned"},
)
def mime_id_unknown(hand: Hand) -> None:
    peer = hand.client(w.setup(metadata=w.COMPOSITE))
    metadata = w.entry(0x7E, b"\x04find") + w.entry(0x50 if hand.wrong else 0x05, b"{}")
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"ping", metadata=metadata))
    peer.blame("M3")
    peer.drain(0.5)
    peer.close()


@client(
    "A route without its length",
    "The entry of routing has the bare string, so its first letter is taken for a length.",
    {"M4": "a routing tag past the end of its entry"},
)
def route_without_length(hand: Hand) -> None:
    peer = hand.client(w.setup(metadata=w.COMPOSITE))
    metadata = w.entry(0x7E, b"users.find" if hand.wrong else b"\x0ausers.find")
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"ping", metadata=metadata))
    peer.blame("M4")
    peer.drain(0.5)
    peer.close()


# Keepalive


def beats(peer: Peer, seconds: float = 2.2) -> None:
    """A KEEPALIVE every 400 ms; what the other side sends is answered when nothing is wrong."""
    end, due = time.monotonic() + seconds, time.monotonic() + 0.4
    while (now := time.monotonic()) < end and not peer.ended:
        if now >= due:
            peer.send(w.keepalive())
            due += 0.4
        one = peer.read(max(0.01, due - time.monotonic()))
        if one and one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            if not peer.wrong:
                peer.send(w.frame(w.KEEPALIVE, 0, 0, one.body))
            elif not peer.blames:
                peer.blame("K2", peer.other)


@client(
    "A client that does not answer KEEPALIVE",
    "The client sends its own every 400 ms, and answers none of the server's.",
    {"K2": "KEEPALIVE with respond is not answered"},
)
def keepalive_unanswered(hand: Hand) -> None:
    peer = hand.client(w.setup(400, 8000))
    beats(peer)
    peer.close()


@client(
    "A client that sends no KEEPALIVE",
    "SETUP says every 400 ms; the client sends none, and answers none. The server closes when the "
    "lifetime of 1500 ms is over, without a word.",
    {
        "K1": "no KEEPALIVE for much longer than SETUP says",
        "K2": "KEEPALIVE with respond is not answered",
    },
)
def keepalive_missing(hand: Hand) -> None:
    peer = hand.client(w.setup(400, 1500))
    peer.blame("K1")
    if hand.wrong:
        peer.until(w.KEEPALIVE)
        peer.blame("K2", "server")
        peer.drain(4)
    else:
        beats(peer, 3)
    peer.close()


@client(
    "KEEPALIVE that answers nothing",
    "KEEPALIVE without respond, unasked.",
    {"K3": "no KEEPALIVE asked for it"},
)
def keepalive_without_respond(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.keepalive(0 if hand.wrong else w.RESPOND))
    peer.blame("K3")
    peer.drain(0.3)
    ask(peer, 1)
    peer.close()


@client(
    "SETUP with a keepalive of 0",
    "An interval of 0 ms and a lifetime of 0 ms, which the server accepts.",
    {"C7": "interval and lifetime are 0"},
)
def keepalive_zero(hand: Hand) -> None:
    peer = hand.client(w.setup(0, 0) if hand.wrong else w.setup())
    peer.blame("C7")
    ask(peer, 1)
    peer.close()


# Leases


@client(
    "A request before the lease",
    "SETUP asks for leases, and a request goes out before there is one.",
    {"C10": "a request before the first LEASE"},
    ("bare", "lease"),
)
def request_before_lease(hand: Hand) -> None:
    setup, request = w.setup(flags=w.LEASES), w.request(w.REQUEST_RESPONSE, 1, b"ping")
    if hand.wrong:
        peer = hand.client(setup, request)
    else:
        peer = hand.client(setup)
        peer.until(w.LEASE)
        peer.send(request)
    peer.blame("C10")
    peer.drain(1.2)
    peer.close()


@client(
    "More requests than the lease allows",
    "A lease of two requests, and four of them at once.",
    {"L1": "the third request of a lease of two"},
    ("bare", "lease"),
)
def lease_overused(hand: Hand) -> None:
    peer = hand.client(w.setup(flags=w.LEASES))
    peer.until(w.LEASE)
    for at in range(4 if hand.wrong else 2):
        peer.send(w.request(w.REQUEST_RESPONSE, 1 + 2 * at, b"ping"))
    if hand.wrong:
        peer.blame("L1", nth=4, last=5)
    peer.drain(0.3)
    peer.close()


@client(
    "A request when the lease is over",
    "The last lease lives 2 s; the request goes out 2.5 s after it.",
    {"L2": "a request behind the end of the lease"},
    ("bare", "lease"),
)
def lease_expired(hand: Hand) -> None:
    peer = hand.client(w.setup(flags=w.LEASES))
    for _ in range(3):
        peer.until(w.LEASE)
    peer.drain(2.5 if hand.wrong else 0.5)
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"ping"))
    peer.blame("L2")
    peer.drain(0.5)
    peer.close()


@client(
    "A lease that nobody asked for",
    "LEASE of a client whose SETUP did not say so; the server says ERROR 0x101.",
    {"C12": "LEASE without the flag in SETUP"},
)
def lease_uninvited(hand: Hand) -> None:
    peer = hand.client()
    if hand.wrong:
        peer.send(w.frame(w.LEASE, 0, 0, bytes.fromhex("0000271000000005")))
        peer.blame("C12")
    else:
        ask(peer, 1)
    peer.drain(0.5)
    peer.close()


# The connection


@client(
    "SETUP twice",
    "A second SETUP; the server says ERROR 0x201 on stream 0, a code of streams, and goes on.",
    {"C4": "the second SETUP", "C19": "the server's code 0x201 on stream 0"},
)
def setup_twice(hand: Hand) -> None:
    peer = hand.client()
    ask(peer, 1)
    if hand.wrong:
        peer.send(w.setup())
        peer.blame("C4")
        peer.until(w.ERROR, 0)
        peer.blame("C19", "server")
    ask(peer, 3)
    peer.close()


@client(
    "A request without SETUP",
    "The first frame is a request; the server says ERROR 0x1 and closes.",
    {"C1": "the first frame is neither SETUP nor RESUME"},
)
def setup_missing(hand: Hand) -> None:
    if hand.wrong:
        peer = hand.client(w.request(w.REQUEST_RESPONSE, 1, b"ping"))
        peer.blame("C1")
    else:
        peer = hand.client()
        peer.send(w.request(w.REQUEST_RESPONSE, 1, b"ping"))
    peer.drain(0.5)
    peer.close()


@client(
    "An error of the connection with a code of streams",
    "The client says ERROR 0x201 on stream 0 before it leaves.",
    {"C19": "code 0x201 on stream 0"},
)
def error_code_of_streams(hand: Hand) -> None:
    peer = hand.client()
    ask(peer, 1)
    peer.send(w.error(0, 0x201 if hand.wrong else 0x101))
    peer.blame("C19")
    peer.drain(0.3)
    peer.close()


@client(
    "An error of a stream with a code of the connection",
    "The client ends its channel with ERROR 0x101 on stream 1.",
    {"C19": "code 0x101 on stream 1"},
)
def error_code_of_connection(hand: Hand) -> None:
    peer = hand.client()
    channel(peer)
    peer.send(w.error(1, 0x101 if hand.wrong else 0x201))
    peer.blame("C19")
    peer.drain(0.3)
    peer.close()


@client(
    "Flags that have no meaning",
    "A request with the five lowest flags set.",
    {"C17": "unassigned flags"},
)
def flags_unassigned(hand: Hand) -> None:
    peer = hand.client()
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"ping", 0x1F if hand.wrong else 0))
    peer.blame("C17")
    peer.drain(0.5)
    peer.close()


TOKEN = b"throwaway-token"


def session(hand: Hand) -> Peer:
    """A session that can be resumed, cut off after one answer: 10 bytes sent, 12 received."""
    peer = hand.client(w.setup(flags=w.RESUMES, token=TOKEN))
    ask(peer, 1)
    peer.socket.close()
    time.sleep(0.3)
    return peer


@client(
    "RESUME with a token that the server does not know",
    "A session is cut; the client comes back with another token, and when that is refused "
    "(ERROR 0x4), once more with the same.",
    {
        "R1": "a token that no SETUP had",
        "R4": "another attempt with a token that was refused",
    },
    ("bare", "resume"),
)
def resume_unknown_token(hand: Hand) -> None:
    first = session(hand)
    received = len(first.passed["server"][-1].body) + 6
    if hand.wrong:
        for rule in ("R1", "R4"):
            peer = hand.client(w.resume(b"another-token", received))
            peer.blame(rule)
            peer.until(w.ERROR, 0)
            peer.close()
    else:
        peer = hand.client(w.resume(TOKEN, received))
        peer.until(w.RESUME_OK)
        ask(peer, 3)
        peer.close()


@client(
    "A request behind RESUME that does not wait for RESUME_OK",
    "RESUME and a request at once.",
    {"R2": "a frame before RESUME_OK"},
    ("bare", "resume"),
)
def request_before_resume_ok(hand: Hand) -> None:
    first = session(hand)
    received = len(first.passed["server"][-1].body) + 6
    resume, request = w.resume(TOKEN, received), w.request(w.REQUEST_RESPONSE, 3, b"ping")
    if hand.wrong:
        peer = hand.client(resume, request)
        peer.blame("R2")
        peer.drain(1)
    else:
        peer = hand.client(resume)
        peer.until(w.RESUME_OK)
        peer.send(request)
        peer.until(w.PAYLOAD, 3)
    peer.close()


@client(
    "RESUME on a connection that has its SETUP",
    "SETUP, an answer, and then RESUME on the same connection.",
    {"R6": "RESUME behind SETUP", "C19": "the server's code 0x201 on stream 0"},
    ("bare", "resume"),
)
def resume_after_setup(hand: Hand) -> None:
    peer = hand.client(w.setup(flags=w.RESUMES, token=TOKEN))
    ask(peer, 1)
    if hand.wrong:
        peer.send(w.resume(TOKEN, 12))
        peer.blame("R6")
        peer.until(w.ERROR, 0)
        peer.blame("C19", "server")
    else:
        ask(peer, 3)
    peer.drain(0.5)
    peer.close()


# Servers


@server(
    "A server that sends more than was requested",
    "REQUEST_STREAM with n = 3 gets ten items at once.",
    {"S8": "the fourth item of three"},
    "one_stream",
)
def stream_overrun(peer: Peer) -> None:
    left = int.from_bytes(peer.until(w.REQUEST_STREAM).body[:4], "big")
    items = [w.payload(1, b"item %d" % at) for at in range(10)]
    if peer.wrong:
        peer.together(*items)
        peer.blame("S8", nth=4, last=10)
    else:
        for each in items:
            if left == 0:
                left = int.from_bytes(peer.until(w.REQUEST_N).body, "big")
            peer.send(each)
            left -= 1
    peer.send(w.payload(1, b"", w.COMPLETE))


@server(
    "A server that answers fire-and-forget",
    "PAYLOAD on the stream of a REQUEST_FNF.",
    {"S6": "an answer to REQUEST_FNF"},
    "one_fire",
)
def answer_to_fire_and_forget(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_FNF).stream
    if peer.wrong:
        peer.send(w.payload(stream, b"thanks", w.NEXT | w.COMPLETE))
        peer.blame("S6")


@server(
    "A server with two answers to one request",
    "Two payloads with next and complete for one REQUEST_RESPONSE.",
    {"S11": "PAYLOAD behind complete"},
    "one_response",
)
def answer_twice(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_RESPONSE).stream
    peer.send(w.payload(stream, b"pong", w.NEXT | w.COMPLETE))
    if peer.wrong:
        peer.send(w.payload(stream, b"pong again", w.NEXT | w.COMPLETE))
        peer.blame("S11")


@server(
    "An answer without complete",
    "The only PAYLOAD for a REQUEST_RESPONSE has next alone.",
    {"S5": "the answer is not complete"},
    "one_response",
)
def answer_without_complete(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_RESPONSE).stream
    peer.send(w.payload(stream, b"pong", w.NEXT | (0 if peer.wrong else w.COMPLETE)))
    peer.blame("S5")


@server(
    "A payload behind an error",
    "The server fails a stream, and sends an item of it all the same.",
    {"S11": "PAYLOAD behind ERROR"},
    "one_stream",
)
def payload_after_error(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_STREAM).stream
    peer.send(w.payload(stream, b"item"), w.error(stream, 0x201))
    if peer.wrong:
        peer.send(w.payload(stream, b"item"))
        peer.blame("S11")


@server(
    "A channel whose server requests nothing",
    "No REQUEST_N for the client's items: the channel stands still.",
    {"S10": "REQUEST_CHANNEL gets no REQUEST_N"},
    "one_channel",
)
def channel_not_granted(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_CHANNEL).stream
    peer.blame("S10", "client")
    if not peer.wrong:
        peer.send(w.request_n(stream, 8))
        peer.until(w.PAYLOAD, stream, w.COMPLETE)
    else:
        peer.drain(1.2)
    peer.send(w.payload(stream, b"item", w.NEXT | w.COMPLETE))


@server(
    "A server with odd stream ids",
    "The server asks the client on stream 3.",
    {"S1": "the ids of servers are even"},
    "one_response",
)
def server_stream_id_odd(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_RESPONSE).stream
    peer.send(w.payload(stream, b"pong", w.NEXT | w.COMPLETE))
    asked = 3 if peer.wrong else 2
    peer.send(w.request(w.REQUEST_RESPONSE, asked, b"server asks"))
    peer.blame("S1")
    peer.until(w.PAYLOAD, asked)


@server(
    "A server that does not answer KEEPALIVE",
    "The client asks every 400 ms and gets nothing.",
    {"K2": "KEEPALIVE with respond is not answered"},
    "keepalive",
    "go",
)
def keepalive_unanswered_by_server(peer: Peer) -> None:
    while one := peer.read(2):
        if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            if not peer.wrong:
                peer.send(w.frame(w.KEEPALIVE, 0, 0, one.body))
            elif not peer.blames:
                peer.blame("K2", "client")
        if one.key == w.REQUEST_RESPONSE:
            peer.send(w.payload(one.stream, b"pong", w.NEXT | w.COMPLETE))


def silent(peer: Peer) -> None:
    """Answers no KEEPALIVE, or every one; a client that gets none gives up."""
    while one := peer.read(2):
        if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            if not peer.wrong:
                peer.send(w.frame(w.KEEPALIVE, 0, 0, one.body))
            elif not peer.blames:
                peer.blame("K2", "client")


TIMEOUT = "SETUP says every 300 ms, and 1200 ms as lifetime; the server answers nothing."
GIVES_UP = {"K2": "KEEPALIVE with respond is not answered"}


@server("rsocket-java gives up a silent server", TIMEOUT, GIVES_UP, "keepalive_timeout", "java")
def keepalive_timeout_java(peer: Peer) -> None:
    silent(peer)


@server("rsocket-js gives up a silent server", TIMEOUT, GIVES_UP, "keepalive_timeout", "js_0_0")
def keepalive_timeout_js_0_0(peer: Peer) -> None:
    silent(peer)


@server(
    "A server that answers KEEPALIVE with other data",
    "The client's KEEPALIVE is empty, the answer is not.",
    {
        "K2": "the answer's data is another",
        "K3": "a KEEPALIVE that answers none",
    },
    "keepalive",
    "go",
)
def keepalive_other_data(peer: Peer) -> None:
    while one := peer.read(2):
        if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            peer.send(w.keepalive(0, b"other" if peer.wrong else b""))
            if peer.wrong and not peer.blames:
                peer.blame("K2", "client")
                peer.blame("K3")
        if one.key == w.REQUEST_RESPONSE:
            peer.send(w.payload(one.stream, b"pong", w.NEXT | w.COMPLETE))


@server(
    "A client that asks on when the connection is to close",
    "The server says ERROR 0x102 (CONNECTION_CLOSE); the client sends a new request all the same.",
    {"C21": "a new request behind CONNECTION_CLOSE"},
    "two_responses",
)
def request_after_connection_close(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_RESPONSE).stream
    peer.send(w.payload(stream, b"pong", w.NEXT | w.COMPLETE))
    if peer.wrong:
        peer.send(w.error(0, 0x102))
    stream = peer.until(w.REQUEST_RESPONSE).stream
    peer.blame("C21", "client")
    peer.send(w.payload(stream, b"pong", w.NEXT | w.COMPLETE))


@server(
    "Frames behind a refused SETUP",
    "The server refuses SETUP with ERROR 0x3, and answers the request behind it all the same.",
    {"C9": "a frame behind the refusal", "C22": "the server refuses SETUP"},
    "one_response",
)
def answer_after_refusal(peer: Peer) -> None:
    stream = peer.until(w.REQUEST_RESPONSE).stream
    if peer.wrong:
        peer.send(w.error(0, 3, b"no room"))
    peer.send(w.payload(stream, b"pong", w.NEXT | w.COMPLETE))
    peer.blame("C9")
