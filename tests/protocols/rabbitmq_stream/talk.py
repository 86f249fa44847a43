"""Connections of RabbitMQ Streams made of frames, and what is found in them."""

import zlib
from pathlib import Path

from tests.builders import NANOSECOND, Conversation, pcap

from streamshark.findings.finding import Finding
from streamshark.session import Session

SECOND = 1_000_000_000
CLIENT, SERVER = 0, 1


def text(value: str) -> bytes:
    """Text with its length."""
    return len(value).to_bytes(2, "big") + value.encode()


def number(value: int, size: int = 4) -> bytes:
    """A number of some bytes."""
    return value.to_bytes(size, "big")


class Talk:
    """One connection of TCP, a request and its answer at a time."""

    def __init__(  # noqa: PLR0913 - all that peers say before Open is answered
        self,
        port: int = 40_000,
        start: int = 0,
        *,
        broker: str = "4.1.0",
        said: int = 0,
        beats: bool = False,
        node: str = "",
        password: bytes = b"b",
        beat: int = 60,
        host: str = "10.0.0.1",
    ) -> None:
        """Log in; the client says so many bytes of itself, and may send a heartbeat before Tune.

        The broker advertises a node, if there is one.
        """
        self.made = Conversation((host, port), start_ns=1_700_000_000 * SECOND + start)
        self.made.handshake()
        self.ids = 0
        product = number(1) + text("version") + text(broker)
        own = number(1) + text("platform") + text("x" * said) if said else number(0)
        self.ask(0x11, own, number(1, 2) + product)
        self.ask(0x12, b"", number(1, 2) + number(1) + text("PLAIN"))
        if beats:
            self.say(CLIENT, 23, b"")
        self.ask(
            0x13, text("PLAIN") + number(3 + len(password)) + b"\0a\0" + password, number(1, 2)
        )
        self.say(SERVER, 0x14, number(1 << 20) + number(beat))
        self.say(CLIENT, 0x8014, number(1 << 20) + number(beat))
        shown = {"advertised_host": node, "advertised_port": "5552"} if node else {}
        pairs = b"".join(text(key) + text(value) for key, value in shown.items())
        self.ask(0x15, text("/"), number(1, 2) + number(len(shown)) + pairs)

    def say(self, side: int, key: int, body: bytes, version: int = 1) -> None:
        """A frame."""
        self.made.send(side, number(len(body) + 4) + number(key, 2) + number(version, 2) + body)

    def ask(self, key: int, body: bytes = b"", answer: bytes = b"\0\1") -> None:
        """A request and its answer, by default of code 1."""
        self.ids += 1
        self.say(CLIENT, key, number(self.ids) + body)
        self.say(SERVER, key | 0x8000, number(self.ids) + answer)

    def publish(self, first: int, count: int) -> None:
        """Messages of publisher 1, and their confirms."""
        ids = range(first, first + count)
        messages = b"".join(number(each, 8) + number(1) + b"m" for each in ids)
        self.say(CLIENT, 2, b"\1" + number(count) + messages)
        self.say(SERVER, 3, b"\1" + number(count) + b"".join(number(each, 8) for each in ids))

    def message(self, body: bytes) -> None:
        """One message of publisher 1, and its confirm."""
        self.say(CLIENT, 2, b"\1" + number(1) + number(0, 8) + number(len(body)) + body)
        self.say(SERVER, 3, b"\1" + number(1) + number(0, 8))

    def declare(self, stream: str, reference: str = "") -> None:
        """Publisher 1."""
        self.ask(1, b"\1" + text(reference) + text(stream))

    def subscribe(self, stream: str, credit: int) -> None:
        """Subscription 1, from the first message on."""
        self.ask(7, b"\1" + text(stream) + number(1, 2) + number(credit, 2))

    def deliver(
        self,
        chunk: int,
        messages: int = 1,
        bodies: tuple[bytes, ...] = (),
        time_ms: int = 0,
        subscription: int = 1,
        committed: int | None = None,
    ) -> None:
        """A chunk of messages of a byte, or of others; in version 2 if a chunk is committed."""
        data = (number(1) + b"m") * messages
        if bodies:
            messages, data = len(bodies), b"".join(number(len(each)) + each for each in bodies)
        head = b"\x50\0" + number(messages, 2) + number(messages)
        head += number(time_ms, 8) + number(1, 8)
        head += number(chunk, 8) + number(zlib.crc32(data)) + number(len(data)) + number(0) * 2
        known = b"" if committed is None else number(committed, 8)
        self.say(SERVER, 8, number(subscription, 1) + known + head + data, 2 if known else 1)

    def wait(self, seconds: float) -> "Talk":
        """Let time pass."""
        self.made.time_ns += int(seconds * SECOND)
        return self

    def leave(self) -> "Talk":
        """Close, and the end of the connection."""
        self.ask(0x16, number(1, 2) + text("OK"))
        self.made.finish(SERVER).finish(CLIENT)
        return self


def findings(folder: Path, *talks: Talk) -> list[Finding]:
    """What is found in a capture of these connections."""
    packets = [packet for talk in talks for packet in talk.made.packets]
    path = folder / "talk.pcap"
    path.write_bytes(pcap(sorted(packets, key=lambda packet: packet.time_ns), magic=NANOSECOND))
    session = Session([str(path)])
    analysis = session.analysis(rules=True)
    for _ in analysis.rows():
        pass
    return analysis.findings()


def accused(folder: Path, *talks: Talk) -> list[tuple[str, str]]:
    """Rules and severities, notes that every such connection has left out."""
    told = {"RMQ-P2", "RMQ-N8", "RMQ-F13", "RMQ-U22", "RMQ-B221"}
    return [(e.rule, e.severity) for e in findings(folder, *talks) if e.rule not in told]
