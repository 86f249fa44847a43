"""Small misbehaving peers by hand, and the same ones mended: what a finding is to name.

Each play is two scenarios, `bug_<name>` and `mended_<name>`, which differ where `wrong` is asked.
"""

import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import PLAIN
from captures.recorders.nats.setup import NEW, RAW, Blame, Facts, Scenario, add
from captures.recorders.nats.wire import Hand, hpub, pub, served

Do = Callable[[Hand], None]
MQTT = 1883
SMALL = f"{PLAIN}max_payload: 1024\nmax_pending: 1MB\n"
RESTLESS = f'{PLAIN}ping_interval: "1s"\nping_max: 2\n'
STRICT = f"{PLAIN}authorization {{ user: app, password: throwaway, timeout: 2 }}\n"
INFO = (
    b'INFO {"server_id":"BYHAND","server_name":"hand","version":"2.12.2","proto":1,"headers":true,'
    b'"max_payload":1048576,"client_id":1,"client_ip":"127.0.0.1"} \r\n'
)


@dataclass(frozen=True)
class Told:
    """What is known of a play: its title, what it shows, and the rules, without their prefix."""

    title: str
    shows: str
    faults: Mapping[str, str]
    server: str = NEW


def both(name: str, told: Told, play: Callable[[bool], Facts]) -> None:
    """The two scenarios of a play."""

    def bug() -> Facts:
        return play(True)  # noqa: FBT003

    def mended() -> Facts:
        return {key: each for key, each in play(False).items() if key != "guilty"}  # noqa: FBT003

    add(
        Scenario(
            name=f"bug_{name}",
            play=bug,
            title=told.title,
            peer=RAW,
            healthy=False,
            shows=told.shows,
            server=told.server,
            faults={f"NATS-{rule}": said for rule, said in told.faults.items()},
        )
    )
    add(
        Scenario(
            name=f"mended_{name}",
            play=mended,
            title=f"{told.title}: the same, mended",
            peer=RAW,
            healthy=True,
            shows=f"The twin of bug_{name}, in which nothing is wrong.",
            server=told.server,
        )
    )


def client(
    title: str, shows: str, faults: Mapping[str, str], configuration: str = PLAIN
) -> Callable[[Do], Do]:
    """A client by hand, with a real server."""

    def keep(do: Do) -> Do:
        def play(wrong: bool) -> Facts:  # noqa: FBT001
            with peers.servers(configuration):
                hand = Hand(wrong=wrong)
                do(hand)
                hand.close()
            return {"lines_sent": hand.sent, "guilty": hand.blames}

        both(do.__name__, Told(title, shows, faults), play)
        return do

    return keep


@client(
    "Characters are counted in place of bytes",
    "nats.node issue 6: the size of a payload beyond ASCII is too small, and all that follows "
    "is shifted.",
    {"N2": "5 characters are 7 bytes", "N9": "Unknown Protocol Operation"},
)
def characters_counted(hand: Hand) -> None:
    """A size that is too small."""
    hand.connect()
    hand.send(pub("a", b"plain"))
    text = "hällö".encode()
    hand.send(pub("a", text, 5 if hand.wrong else None))
    hand.blame("N2")
    hand.send(pub("a", b"behind"), b"PING\r\n")
    hand.until(b"-ERR" if hand.wrong else b"PONG")


@client(
    "A size that is too large",
    "The size counts the CRLF too.",
    {"N2": "the line ends a payload that is two bytes shorter", "N9": "the server refuses"},
)
def crlf_counted(hand: Hand) -> None:
    """A size that is too large."""
    hand.connect()
    hand.send(pub("a", b"hello", 7 if hand.wrong else None))
    hand.blame("N2")
    hand.send(pub("a", b"hello again"), b"PING\r\n")
    hand.until(b"-ERR" if hand.wrong else b"PONG")


@client(
    "PUB with a header block",
    "nats.java issue 1053: PUB is written where HPUB is meant, with both sizes; the first is "
    "taken for the reply subject.",
    {"N2": "the payload is the block, and the rest no line", "N9": "Unknown Protocol Operation"},
)
def pub_with_headers(hand: Hand) -> None:
    """PUB, its size that of the payload alone."""
    hand.connect()
    block = b"NATS/1.0\r\nA: b\r\n\r\n"
    if hand.wrong:
        hand.send(b"PUB a 2\r\n" + block + b"hi\r\n")
    else:
        hand.send(hpub("a", block))
    hand.blame("N2")
    hand.send(b"PING\r\n")
    hand.until(b"-ERR" if hand.wrong else b"PONG")


@client(
    "A payload over the limit",
    "nats.net issue 376: the server answers -ERR 'Maximum Payload Violation' and closes, later "
    "publishes go nowhere.",
    {"N5": "2048 bytes where INFO says 1024", "N9": "Maximum Payload Violation"},
    SMALL,
)
def payload_over_max(hand: Hand) -> None:
    """Twice the limit."""
    hand.connect()
    hand.send(pub("a", b"x" * (2048 if hand.wrong else 1024)))
    hand.blame("N5")
    hand.send(b"PING\r\n")
    hand.until(b"-ERR" if hand.wrong else b"PONG")


@client(
    "Headers that were not agreed",
    "CONNECT without headers, then HPUB: the server closes without a word.",
    {"N4": "CONNECT does not say headers"},
)
def headers_not_agreed(hand: Hand) -> None:
    """HPUB without headers."""
    hand.connect(headers=None if hand.wrong else True, no_responders=None)
    hand.send(hpub("a", b"NATS/1.0\r\nA: b\r\n\r\n"))
    hand.blame("N4")
    hand.send(b"PING\r\n")
    hand.until(b"PONG")


@client(
    "A header block without its first line",
    "The block begins with a header.",
    {"N3": "NATS/1.0 is missing"},
)
def header_block_without_version(hand: Hand) -> None:
    """A block that is none."""
    hand.connect()
    hand.send(b"SUB a 1\r\n")
    hand.send(hpub("a", b"A: b\r\n\r\n" if hand.wrong else b"NATS/1.0\r\nA: b\r\n\r\n"))
    hand.blame("N3")
    hand.flush()


@client(
    "PING is not answered",
    "The server pings every second, closes after the third.",
    {"N7": "no PONG", "N9": "Stale Connection"},
    RESTLESS,
)
def ping_unanswered(hand: Hand) -> None:
    """A client that does not answer."""
    hand.connect()
    hand.send(b"SUB a 1\r\n")
    for _ in range(6):
        if not hand.until(b"PING"):
            break
        if not hand.wrong:
            hand.send(b"PONG\r\n")


@client(
    "A sid that is in use",
    "The second SUB with the id is ignored; its messages never come.",
    {"N12": "sid 1 twice"},
)
def sid_twice(hand: Hand) -> None:
    """Two subscriptions with one id."""
    hand.connect()
    hand.send(b"SUB first 1\r\n")
    hand.send(b"SUB second 1\r\n" if hand.wrong else b"SUB second 2\r\n")
    hand.blame("N12")
    hand.send(pub("first"), pub("second"))
    hand.flush()


@client(
    "A wildcard is published to",
    "Nobody who subscribes to orders.new gets it.",
    {"N11": "orders.*"},
)
def wildcard_published(hand: Hand) -> None:
    """A subject with a wildcard."""
    hand.connect()
    hand.send(b"SUB orders.new 1\r\n")
    hand.send(pub("orders.*" if hand.wrong else "orders.new"))
    hand.blame("N11")
    hand.flush()


@client(
    "A line over the limit",
    "A subject of five thousand characters.",
    {"N10": "5,009 bytes where 4,096 are taken", "N9": "maximum control line exceeded"},
)
def line_over_max(hand: Hand) -> None:
    """A long subject."""
    hand.connect()
    hand.send(b"SUB " + b"a" * (5000 if hand.wrong else 4000) + b" 1\r\n")
    hand.blame("N10")
    hand.send(b"PING\r\n")
    hand.until(b"-ERR" if hand.wrong else b"PONG")


@client(
    "Lines before CONNECT",
    "A server that asks for a password refuses them.",
    {"N1": "SUB before CONNECT", "N9": "Authorization Violation"},
    STRICT,
)
def before_connect(hand: Hand) -> None:
    """SUB first."""
    hand.until(b"INFO ")
    if hand.wrong:
        hand.send(b"SUB a 1\r\n")
        hand.blame("N1")
        hand.until(b"-ERR")
        return
    hand.send(b'CONNECT {"user":"app","pass":"throwaway","verbose":false,"pedantic":false}\r\n')
    hand.send(b"SUB a 1\r\n")
    hand.flush()


@client(
    "Options that are no JSON",
    "A truth value as text: the server closes.",
    {"N15": "verbose is a text"},
)
def options_mistyped(hand: Hand) -> None:
    """CONNECT with a mistake."""
    hand.until(b"INFO ")
    value = b'"false"' if hand.wrong else b"false"
    hand.send(b'CONNECT {"verbose":' + value + b',"pedantic":false,"lang":"hand"}\r\n')
    hand.blame("N15")
    hand.send(b"PING\r\n")
    hand.until(b"PONG")


@client(
    "Nobody answers",
    "A request to a subject without subscribers: status 503.",
    {"N14": "nobody listens to the service"},
)
def nobody_answers(hand: Hand) -> None:
    """A request to nobody."""
    hand.connect()
    hand.send(b"SUB inbox.1 1\r\n")
    if not hand.wrong:
        hand.send(b"SUB service 2\r\n")
    hand.send(b"PUB service inbox.1 1\r\n?\r\n")
    hand.blame("N14")
    if hand.wrong:
        hand.until(b"HMSG")
    else:
        hand.until(b"MSG")
        hand.send(pub("inbox.1", b"here"))
    hand.flush()


@client(
    "Verbose and strict",
    "Every line is answered by +OK; a published wildcard gets -ERR and +OK.",
    {"N11": "a wildcard is published", "N9": "Invalid Publish Subject"},
)
def pedantic_wildcard(hand: Hand) -> None:
    """Verbose and pedantic mode."""
    hand.connect(verbose=True, pedantic=True)
    hand.send(b"SUB a.* 1\r\n")
    hand.send(pub("a.*" if hand.wrong else "a.b"))
    hand.blame("N11")
    hand.send(b"UNSUB 1\r\n")
    hand.flush()


@client(
    "MQTT does not know the limit",
    "nats-server issue 7439: what an MQTT client publishes is not held to max_payload, and is "
    "delivered to who was told it.",
    {"N5": "2,048 bytes are delivered where INFO says 1,024"},
    f'{SMALL}jetstream {{ store_dir: "js" }}\nmqtt {{ listen: "127.0.0.1:{MQTT}" }}\n',
)
def mqtt_over_max(hand: Hand) -> None:
    """Published by MQTT, on a port that is not recorded."""
    hand.connect()
    hand.send(b"SUB mq.> 1\r\n")
    hand.flush()
    text = bytes(2048 if hand.wrong else 1024)
    hello = b"\x00\x04MQTT\x04\x02\x00\x3c\x00\x03abc"
    with socket.create_connection(("127.0.0.1", MQTT), 3) as other:
        other.sendall(b"\x10" + bytes([len(hello)]) + hello)
        other.recv(4)
        body = b"\x00\x04mq/x" + text
        other.sendall(b"\x30" + bytes([len(body) & 127 | 128, len(body) >> 7]) + body)
        hand.until(b"MSG")
    if hand.wrong:  # after two INFOs and two PONGs
        hand.blames.append(Blame("NATS-N5", 0, "server", 5))


@client(
    "A client that does not read",
    "Messages pile up until the server gives the client up.",
    {"N21": "the server closes, the client has not read"},
    f'{PLAIN}max_payload: 65536\nmax_pending: 131072\nwrite_deadline: "1s"\n',
)
def slow_consumer(hand: Hand) -> None:
    """Subscribes, and reads nothing more."""
    hand.connect()
    hand.send(b"SUB flood 1\r\n")
    hand.flush()
    other = Hand(wrong=False)
    other.connect(name="floods")
    for _ in range(3 if not hand.wrong else 40):
        other.send(pub("flood", b"x" * 60_000))
        if not hand.wrong:
            hand.until(b"MSG")
    other.flush()
    time.sleep(1.5)
    other.close()


def server(title: str, shows: str, faults: Mapping[str, str]) -> Callable[[Do], Do]:
    """A server by hand, with a client by hand that does nothing wrong."""

    def keep(serve: Do) -> Do:
        def play(wrong: bool) -> Facts:  # noqa: FBT001
            with served(serve, wrong=wrong) as blames:
                hand = Hand(wrong=False)
                hand.connect()
                hand.send(b"SUB a.b 1\r\n", b"SUB c 2\r\n", b"UNSUB 2\r\n")
                hand.flush()
                hand.send(pub("a.b"))
                hand.flush()
                hand.close()
            return {"lines_sent": hand.sent, "guilty": blames}

        both(serve.__name__, Told(title, shows, faults, RAW), play)
        return serve

    return keep


def _greet(hand: Hand) -> None:
    hand.send(INFO)
    hand.until(b"PING")
    hand.send(b"PONG\r\n")
    hand.until(b"PING")
    hand.send(b"PONG\r\n")


@server(
    "A message for a sid that is not there",
    "sid 7 was never subscribed.",
    {"N6": "a message for sid 7"},
)
def sid_unknown(hand: Hand) -> None:
    """A wrong sid."""
    _greet(hand)
    hand.send(b"MSG a.b 7 2\r\nhi\r\n" if hand.wrong else b"MSG a.b 1 2\r\nhi\r\n")
    hand.blame("N6")
    hand.until(b"PING")
    hand.send(b"PONG\r\n")


@server(
    "A message behind UNSUB",
    "The server goes on with a subscription that it has seen end.",
    {"N6": "a message for sid 2"},
)
def after_unsub(hand: Hand) -> None:
    """A subscription that has ended."""
    _greet(hand)
    hand.send(b"MSG c 2 2\r\nhi\r\n" if hand.wrong else b"MSG a.b 1 2\r\nhi\r\n")
    hand.blame("N6")
    hand.until(b"PING")
    hand.send(b"PONG\r\n")


@server(
    "+OK that nobody asked for",
    "The server is verbose although the client is not.",
    {"N8": "+OK behind CONNECT"},
)
def ok_unasked(hand: Hand) -> None:
    """Verbose by itself."""
    hand.send(INFO)
    hand.until(b"PING")
    if hand.wrong:
        hand.send(b"+OK\r\n")
        hand.blame("N8")
    hand.send(b"PONG\r\n")
    hand.until(b"PING")
    hand.send(b"PONG\r\n")
    hand.until(b"PING")
    hand.send(b"PONG\r\n")


@server("No INFO first", "The server begins with PING.", {"N1": "PING before INFO"})
def no_info(hand: Hand) -> None:
    """Something else than INFO."""
    if hand.wrong:
        hand.send(b"PING\r\n")
        hand.blame("N1")
    _greet(hand)
    hand.until(b"PING")
    hand.send(b"PONG\r\n")
