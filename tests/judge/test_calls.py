"""Calls of Liftbridge's API that misbehave, made by hand: what plugins say of their messages."""

import gzip
import itertools
import random
from collections.abc import Callable
from pathlib import Path
from ssl import TLSVersion

import pytest
from tests.builders import Conversation, Packet, pcap
from tests.judge import traffic
from tests.judge.judging import compare_calls, tshark
from tests.judge.test_captures import PROTOCOLS, plugin
from tests.judge.traffic import Piece, Talk
from tests.protocols.http2.traffic import (
    DATA,
    END_HEADERS,
    END_STREAM,
    PADDED,
    RESPONSE,
    RST_STREAM,
    SETTINGS,
    TRAILERS,
    Side,
    frame,
    message,
)
from tests.protocols.liftbridge.traffic import member
from tests.tls import TlsTalk

from streamshark.protocols.http2.codes import PREFACE

LIFTBRIDGE = PROTOCOLS["liftbridge"]
PORT = 9292
NOTHING = message(b"")
CODEC = {"grpc-encoding": "gzip"}


class Calls:
    """A connection of a client of the API with a server."""

    def __init__(self) -> None:
        self.client, self.server = Side(), Side()
        self.talk: Talk = [
            Piece(0, PREFACE + frame(SETTINGS, b"", 0)),
            Piece(1, frame(SETTINGS, b"", 0)),
        ]

    def asks(self, method: str, request: bytes, stream: int = 1, **more: str) -> "Calls":
        """The client begins a call with one message, and the server answers with headers."""
        said = {
            ":method": "POST", ":scheme": "http", ":path": f"/proto.API/{method}",
            "content-type": "application/grpc", **more,
        }  # fmt: skip
        asked = self.client.headers(said, stream)
        self.talk.append(Piece(0, asked + frame(DATA, message(request), stream, END_STREAM)))
        self.talk.append(Piece(1, self.server.headers({**RESPONSE, **more}, stream)))
        return self

    def sends(self, *frames: bytes) -> "Calls":
        """The server sends frames at once."""
        self.talk.append(Piece(1, b"".join(frames)))
        return self

    def ends(self, stream: int = 1) -> "Calls":
        """The server ends a call."""
        return self.sends(self.server.headers(TRAILERS, stream, END_HEADERS | END_STREAM))


def subscribed(offset: int, value: bytes = b"v") -> bytes:
    """A message of a subscription, with its length."""
    return message(member(1, offset) + member(3, value) + member(4, "trades"))


def data(*messages: bytes, stream: int = 1) -> bytes:
    """A frame with messages."""
    return frame(DATA, b"".join(messages), stream)


SUBSCRIBE = member(1, "trades")


def not_empty() -> Calls:
    """The first message of a subscription is not empty; that of another one is."""
    calls = Calls().asks("Subscribe", SUBSCRIBE).asks("Subscribe", SUBSCRIBE, 3)
    return calls.sends(data(NOTHING, stream=3), data(subscribed(0)), data(subscribed(1), stream=3))


def going_back() -> Calls:
    """Offsets go back; messages and the empty one before them begin and end anywhere in frames."""
    every = NOTHING + subscribed(4) + subscribed(5, b"x" * 300) + subscribed(3) + subscribed(6)
    calls = Calls().asks("Subscribe", SUBSCRIBE)
    for a, b in itertools.pairwise((0, 2, 5, 6, 9, 40, 41, 200, len(every) - 3, len(every))):
        calls.sends(data(every[a:b]))
    return calls.ends()


def padded() -> Calls:
    """The same in frames with padding, and after the client's reset."""
    calls = Calls().asks("Subscribe", SUBSCRIBE)
    calls.talk.append(Piece(0, frame(RST_STREAM, bytes([0, 0, 0, 8]))))
    own = b"\7" + NOTHING + subscribed(4) + subscribed(5) + subscribed(3) + bytes(7)
    return calls.sends(frame(DATA, own, flags=PADDED), frame(DATA, b"\0", flags=PADDED))


def packed() -> Calls:
    """The same of messages that are packed, but for the empty one."""
    calls = Calls().asks("Subscribe", SUBSCRIBE, **CODEC)
    every = [subscribed(offset)[5:] for offset in (4, 5, 3)]
    return calls.sends(data(NOTHING, *(message(gzip.compress(e), packed=True) for e in every)))


def without_ack() -> Calls:
    """Calls that publish are answered with nothing."""
    calls = Calls()
    for stream, method in ((1, "PublishToSubject"), (3, "Publish"), (5, "Publish")):
        calls.asks(method, member(1, b"k") + member(2, b"value"), stream)
        calls.sends(data(NOTHING, stream=stream)).ends(stream)
    return calls


def old_epoch() -> Calls:
    """A consumer subscribes with the epoch before its assignments."""
    own = member(1, "group") + member(2, "consumer")
    calls = Calls().asks("JoinConsumerGroup", own).sends(data(NOTHING)).ends()
    calls.asks("FetchConsumerGroupAssignments", own, 3)
    calls.sends(data(message(member(1, 5)), stream=3)).ends(3)
    consumer = member(1, "group") + member(2, 4) + member(3, "consumer")
    return calls.asks("Subscribe", SUBSCRIBE + member(11, consumer), 5)


def undecoded() -> Calls:
    """A request that ends within its last member."""
    return Calls().asks("FetchCursor", member(1, "trades") + b"\x1a\x7fcut")


def two_at_once() -> Calls:
    """Other services of the same server answer in between, with messages as long as ours."""
    calls = Calls().asks("Subscribe", SUBSCRIBE)
    said = {
        ":method": "POST", ":scheme": "http", ":path": "/grpc.health.v1.Health/Watch",
        "content-type": "application/grpc",
    }  # fmt: skip
    calls.talk.append(Piece(0, calls.client.headers(said, 3)))
    other = [data(subscribed(9), stream=3), data(NOTHING, stream=3)]
    calls.sends(calls.server.headers(RESPONSE, 3), *other, data(NOTHING), *other)
    return calls.sends(*other, data(subscribed(1)), *other, data(subscribed(0)))


FAULTS: dict[Callable[[], Calls], list[str]] = {
    not_empty: ["LFB-L19"],
    going_back: ["LFB-L19b"],
    padded: ["LFB-L19b"],
    packed: ["LFB-L19b"],
    without_ack: ["LFB-L20b", "LFB-L20", "LFB-L20"],
    old_epoch: ["LFB-L21b"],
    undecoded: ["LFB-L4"],
    two_at_once: ["LFB-L19b"],
}


def written(talks: list[Talk], target: Path, lost: int | None = None, port: int = PORT) -> Path:
    """A capture of connections one after the other, perhaps without one of the packets."""
    packets: list[Packet] = []
    for index, talk in enumerate(talks, 1):
        packets += traffic.packets_of(talk, index, port)
    for at, each in enumerate(packets):
        packets[at] = each._replace(time_ns=traffic.START_NS + at * traffic.STEP_NS)
    target.write_bytes(pcap(each for at, each in enumerate(packets) if at != lost))
    return target


def broken(capture: Path, *arguments: str) -> list[str]:
    """The rules about messages that a plugin finds broken, in the order of the packets."""
    fields = ("-Y", "liftbridge.finding", "-T", "fields", "-e", "liftbridge.finding")
    told = tshark(capture, plugin("liftbridge"), *arguments, *fields)
    every = (rule for line in told.splitlines() for rule in line.split(","))
    return [rule for rule in every if not rule.startswith("LFB-B")]


def halved(talk: Talk, chance: random.Random) -> Talk:
    """Cut at random places; Wireshark 4.0 fails where headers are."""
    out: Talk = []
    for side, sent in talk:
        is_data = sent[3] == DATA
        at = chance.randrange(1, len(sent)) if is_data else len(sent)
        out += [Piece(side, each) for each in (sent[:at], sent[at:]) if each]
    return out


@pytest.mark.parametrize("cut", [traffic.unchanged, traffic.coalesced, halved])
def test_findings_of_messages_of_calls(cut: traffic.Cut, tmp_path: Path) -> None:
    """In one pass and in two, however TCP cuts the frames of HTTP/2."""
    chance = random.Random(1)  # noqa: S311 - not for secrets
    talks = [cut(each().talk, chance) for each in FAULTS]
    file = written(talks, tmp_path / "calls.pcap")
    count, told = compare_calls(file, LIFTBRIDGE, plugin("liftbridge"))
    assert told == []
    assert count > 20
    every = [rule for rules in FAULTS.values() for rule in rules]
    assert broken(file) == every
    assert broken(file, "-2") == every


def test_settings_of_the_server_may_come_first(tmp_path: Path) -> None:
    """On any port nothing counts as lost, so that subscriptions in a row are still judged."""
    calls = Calls()
    for stream in range(1, 13, 2):
        calls.asks("Subscribe", SUBSCRIBE, stream).ends(stream)
    first, second, *others = calls.talk
    for port in (PORT, PORT + 1):
        for talk in (calls.talk, [second, first, *others]):
            file = written([talk], tmp_path / "first.pcap", port=port)
            _, told = compare_calls(file, LIFTBRIDGE, plugin("liftbridge"))
            assert told == []
            found = ("-2", "-Y", 'liftbridge.finding == "LFB-B1"')
            assert tshark(file, plugin("liftbridge"), *found)


def test_calls_in_tls(tmp_path: Path) -> None:
    """On the port of calls, where both sides agree on HTTP/2."""
    clear = Conversation(("10.0.0.1", 40_000), ("10.0.0.2", PORT)).handshake()
    hidden = TlsTalk(tmp_path, TLSVersion.TLSv1_3, clear, alpn=("h2",)).handshake()
    for side, sent in going_back().talk:
        hidden.send(side, sent)
    file = tmp_path / "tls.pcap"
    file.write_bytes(pcap(clear.packets))
    assert broken(file, "-o", f"tls.keylog_file:{hidden.keylog}") == FAULTS[going_back]
