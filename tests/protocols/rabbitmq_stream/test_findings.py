"""RabbitMQ's rules: their words, and what no recorded capture shows.

What they find there is held by `tests/recorded/findings.py`.
"""

import re
import zlib
from pathlib import Path

import pytest
from tests.builders import NANOSECOND, Conversation, pcap
from tests.failures import every

from streamshark.findings.finding import Finding
from streamshark.findings.rule import Rule, family
from streamshark.protocols.rabbitmq_stream.findings import RULES
from streamshark.session import Session


@every("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our families, words for all parts, a source that is no sheet of ours."""
    assert re.fullmatch(r"RMQ-[ACDFHIKMNPQSTUVX]\d+[b-h]?", rule.id)
    assert rule.title
    assert rule.message
    assert re.search(r"[Pp]rotocol|PROTOCOL|rabbit|RFC|AMQP", rule.source)


def test_rows_of_one_id_say_different_things() -> None:
    """No row of an id stands twice."""
    rows: dict[str, set[str]] = {}
    for rule in RULES:
        rows.setdefault(rule.id, set()).add(rule.on + rule.when)

    assert sum(len(each) for each in rows.values()) == len(RULES)


# From bytes

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

    def __init__(
        self, port: int = 40_000, start: int = 0, *, broker: str = "4.1.0", said: int = 0
    ) -> None:
        """Log in; the client says so many bytes of itself."""
        self.made = Conversation(("10.0.0.1", port), start_ns=1_700_000_000 * SECOND + start)
        self.made.handshake()
        self.ids = 0
        product = number(1) + text("version") + text(broker)
        own = number(1) + text("platform") + text("x" * said) if said else number(0)
        self.ask(0x11, own, number(1, 2) + product)
        self.ask(0x12, b"", number(1, 2) + number(1) + text("PLAIN"))
        self.ask(0x13, text("PLAIN") + number(4) + b"\0a\0b", number(1, 2))
        self.say(SERVER, 0x14, number(1 << 20) + number(60))
        self.say(CLIENT, 0x8014, number(1 << 20) + number(60))
        self.ask(0x15, text("/"), number(1, 2) + number(0))

    def say(self, side: int, key: int, body: bytes) -> None:
        """A frame."""
        self.made.send(side, number(len(body) + 4) + number(key, 2) + number(1, 2) + body)

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

    def deliver(self, chunk: int, messages: int = 1) -> None:
        """A chunk of messages of a byte."""
        data = (number(1) + b"m") * messages
        head = b"\x50\0" + number(messages, 2) + number(messages) + number(0, 8) + number(1, 8)
        head += number(chunk, 8) + number(zlib.crc32(data)) + number(len(data)) + number(0) * 2
        self.say(SERVER, 8, b"\1" + head + data)

    def wait(self, seconds: float) -> "Talk":
        """Let time pass."""
        self.made.time_ns += int(seconds * SECOND)
        return self

    def leave(self) -> "Talk":
        """Close, and the end of the connection."""
        self.ask(0x16, number(1, 2) + text("OK"))
        self.made.finish(SERVER).finish(CLIENT)
        return self


def granted(folder: Path, first: float, then: float) -> list[str]:
    """Rules that speak of a subscription whose credit is raised by little, then by more.

    Args:
        folder: Where the capture is written.
        first: Seconds from the first raise, which is too small, to the second one.
        then: Seconds from that to the next delivery.
    """
    talk = Talk()
    talk.subscribe("orders", 10)
    for chunk in range(6):
        talk.deliver(chunk)
    talk.say(CLIENT, 9, b"\1" + number(1, 2))
    talk.wait(first).say(CLIENT, 9, b"\1" + number(5, 2))
    talk.wait(then).deliver(6)
    return [each.rule for each in findings(folder, talk.leave()) if family(each.rule) == "RMQ-C3"]


def test_the_broker_holds_back_only_while_credit_is_low(tmp_path: Path) -> None:
    """A chunk that comes long after the credit was full did not wait for it."""
    assert granted(tmp_path, 3, 0.001) == ["RMQ-C3c"]
    assert granted(tmp_path, 0.1, 5) == []
    assert granted(tmp_path, 3, 5) == []


def test_a_frame_before_open_is_not_large(tmp_path: Path) -> None:
    """T4: from the first byte that is too many, the length before the frame not counted."""
    around = 4 + 4 + 4 + 2 + len("platform") + 2
    for size, is_wrong in ((8192, False), (8193, True), (8196, True)):
        talk = Talk(said=size - around)
        rules = {each for each, _ in accused(tmp_path, talk.leave())}
        assert ("RMQ-T4" in rules) is is_wrong, size


def test_a_challenge_is_no_refusal(tmp_path: Path) -> None:
    """K2: of a renewed login; a broker that ends the connection later has other reasons."""
    causes = {}
    for code in (1, 10, 13):
        talk = Talk()
        for each in dict.fromkeys((code, 1)):
            challenge = number(4) + b"more" if each == 10 else b""
            talk.ask(0x13, text("PLAIN") + number(4) + b"\0a\0b", number(each, 2) + challenge)
        talk.wait(5).made.finish(SERVER).finish(CLIENT)
        found = [each for one in findings(tmp_path, talk) for each in (one, *one.echoes)]
        causes[code] = [each.cause for each in found if family(each.rule) == "RMQ-K2"]

    assert causes[1] == causes[10] != causes[13]
    assert causes[13] == ["The broker had refused the authentication."]


def test_text_of_another_encoding_is_not_taken_for_counted_characters(tmp_path: Path) -> None:
    """Its length fits; one that counts characters shifts what follows."""
    told = {}
    for name, data in (
        ("latin", "h\xf4tel".encode("latin-1")),
        ("counted", "gr\xf6\xdfe".encode()),
    ):
        talk = Talk()
        talk.ask(0xD, number(5, 2) + data + number(0))
        found = findings(tmp_path, talk.leave())
        told[name] = [(e.severity, e.cause) for e in found if family(e.rule) == "RMQ-S1"][:1]

    assert [(severity, "Latin-1" in cause) for severity, cause in told["latin"]] == [
        ("warning", True)
    ]
    assert [(severity, "characters" in cause) for severity, cause in told["counted"]] == [
        ("error", True)
    ]


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
    told = {"RMQ-P2", "RMQ-N8", "RMQ-F13"}
    return [(e.rule, e.severity) for e in findings(folder, *talks) if e.rule not in told]


@pytest.mark.parametrize(
    ("again", "expected"), [(True, ("RMQ-C2b", "note")), (False, ("RMQ-C2", "warning"))]
)
def test_a_stream_made_again_holds_nothing_of_the_first(
    tmp_path: Path, *, again: bool, expected: tuple[str, str]
) -> None:
    """C2: credit is gone while data waits, which it does not where the stream was deleted."""
    talk = Talk()
    talk.ask(0x0D, text("s") + number(0))
    talk.declare("s")
    talk.publish(1, 50)
    if again:
        talk.ask(6, b"\1")
        talk.ask(0x0E, text("s"))
        talk.ask(0x0D, text("s") + number(0))
        talk.declare("s")
        talk.publish(1, 2)
    talk.subscribe("s", 1)
    talk.deliver(0, 2)
    talk.wait(5).leave()

    assert accused(tmp_path, talk) == [expected]


@pytest.mark.parametrize(
    ("name", "is_wrong"), [("s" * 255, False), ("s" * 256, True), ("", True), ("amq.s", True)]
)
def test_names_of_streams_have_1_to_255_bytes(tmp_path: Path, name: str, *, is_wrong: bool) -> None:
    """S3: from the first byte that is too many; not where just all are used."""
    talk = Talk()
    talk.ask(0x0D, text(name) + number(0))
    talk.leave()

    assert ("RMQ-S3b" in {rule for rule, _ in accused(tmp_path, talk)}) is is_wrong


@pytest.mark.parametrize("again", [True, False])
def test_publishing_ids_begin_anew_with_a_stream(tmp_path: Path, *, again: bool) -> None:
    """I6: once, and not where the stream was made again."""
    talk = Talk()
    talk.ask(0x0D, text("s") + number(0))
    talk.declare("s", "shop")
    talk.publish(1, 40)
    talk.ask(6, b"\1")
    if again:
        talk.ask(0x0E, text("s"))
        talk.ask(0x0D, text("s") + number(0))
    talk.declare("s", "shop")
    talk.publish(1, 20)
    talk.ask(6, b"\1")
    talk.leave()

    found = [each for each in accused(tmp_path, talk) if each[1] != "note"]
    assert found == ([] if again else [("RMQ-I6b", "warning")])


@pytest.mark.parametrize(
    ("waiting", "credit", "expected"),
    [
        (9, False, [("RMQ-C3", "warning")]),
        (2, False, [("RMQ-C3b", "note")]),
        (9, True, []),
    ],
)
def test_a_broker_holds_back_before_credit_is_gone(
    tmp_path: Path, *, waiting: int, credit: bool, expected: list[tuple[str, str]]
) -> None:
    """C3: from half of the first credit down; not where it is renewed."""
    talk = Talk()
    talk.ask(0x0D, text("s") + number(0))
    talk.declare("s")
    talk.publish(1, waiting)
    talk.subscribe("s", 3)
    talk.deliver(0)
    talk.deliver(1)
    if credit:
        talk.say(CLIENT, 9, b"\1" + number(2, 2))
    talk.wait(5).leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(("raises", "expected"), [(1, []), (6, [("RMQ-C5", "warning")])])
def test_a_window_raised_once_is_no_growth(
    tmp_path: Path, raises: int, expected: list[tuple[str, str]]
) -> None:
    """C5: credit that grows with each chunk; not a larger window that is kept from then on."""
    talk = Talk()
    talk.subscribe("s", 2)
    for chunk in range(12):
        talk.deliver(chunk)
        talk.say(CLIENT, 9, b"\1" + number(20 if chunk < raises * 2 else 1, 2))
    talk.leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(("streams", "expected"), [(1, [("RMQ-M2b", "warning")]), (12, [])])
def test_metadata_of_different_streams_is_no_loop(
    tmp_path: Path, streams: int, expected: list[tuple[str, str]]
) -> None:
    """M2: the same missing stream again and again; not one after the other."""
    talk = Talk()
    for each in range(12):
        name = text(f"s{each % streams}")
        missing = number(0) + number(1) + name + number(2, 2) + number(65535, 2) + number(0)
        talk.ask(0x0F, number(1) + name, missing)
    talk.leave()

    assert [each for each in accused(tmp_path, talk) if each[1] == "warning"] == expected


@pytest.mark.parametrize(
    ("milliseconds", "expected"),
    [
        (1_700_000_000_000, []),
        (1_700_000_300_000, [("RMQ-D14b", "note")]),
        (1_700_000_000, [("RMQ-D14", "warning")]),
        (1_700_000_000_000_000, [("RMQ-D14", "warning")]),
    ],
)
def test_times_in_other_units(
    tmp_path: Path, milliseconds: int, expected: list[tuple[str, str]]
) -> None:
    """D14: seconds and microseconds; a time a little ahead may be a clock's fault."""
    talk = Talk()
    talk.ask(7, b"\1" + text("s") + number(5, 2) + number(milliseconds, 8) + number(1, 2))
    talk.leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("True", [("RMQ-A2b", "warning")]), ("true", []), ("false", [])]
)
def test_a_truth_value_as_its_language_prints_it(
    tmp_path: Path, value: str, expected: list[tuple[str, str]]
) -> None:
    """A2: what is not true is none; rstream issue 228."""
    talk = Talk()
    pairs = (("single-active-consumer", value), ("name", "group"))
    properties = number(2) + b"".join(text(name) + text(said) for name, said in pairs)
    talk.ask(7, b"\1" + text("s") + number(1, 2) + number(1, 2) + properties)
    talk.leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize(
    ("offset", "expected"), [(1_746_500_000_000, [("RMQ-D13b", "warning")]), (5_000_000, [])]
)
def test_a_time_is_stored(tmp_path: Path, offset: int, expected: list[tuple[str, str]]) -> None:
    """D13: in milliseconds since 1970; not an offset."""
    talk = Talk()
    talk.say(CLIENT, 0x0A, text("reader") + text("s") + number(offset, 8))
    talk.leave()

    assert accused(tmp_path, talk) == expected


@pytest.mark.parametrize("lost", [False, True])
def test_a_correlation_id_whose_answer_is_lost_is_not_in_use(tmp_path: Path, *, lost: bool) -> None:
    """X3: among five requests in flight; not where the first one's answer is missing."""
    talk = Talk()
    if lost:
        talk.ask(0x0F, number(1) + text("s"), number(0) * 2)
        del talk.made.packets[-1]
        talk.ids -= 1
        talk.ask(0x0F, number(1) + text("s"), number(0) * 2)
    else:
        for each in (7, 8, 9, 8, 10):
            talk.say(CLIENT, 0x0F, number(each) + number(1) + text("s"))
        for each in (7, 8, 9, 8, 10):
            talk.say(SERVER, 0x800F, number(each) + number(0) * 2)
    talk.leave()

    assert accused(tmp_path, talk) == ([] if lost else [("RMQ-X3", "warning")])


def test_what_lay_behind_a_hole_has_a_past_that_nobody_saw(tmp_path: Path) -> None:
    """A lost Tune answer holds back what the client sends until all of it comes at once."""
    talk = Talk()
    lost = next(p for p in talk.made.packets if b"\x80\x14" in p.data[54:])
    for turn in range(4):
        talk.declare("s")
        talk.publish(1 + 10 * turn, 10)
        talk.ask(6, b"\1")
        talk.subscribe("s", 10)
        talk.deliver(0)
        talk.ask(0x0C, b"\1")
    talk.leave()
    assert accused(tmp_path, talk) == []

    talk.made.packets.remove(lost)
    assert accused(tmp_path, talk) == []


def test_foreign_bytes_on_an_open_connection_are_the_only_fault(tmp_path: Path) -> None:
    """F1: bytes of no protocol; P1: those of another one, behind which nothing is read (no X1)."""
    told = []
    for side, data in ((SERVER, b"\x9c\x4e" * 1500), (CLIENT, b"GET / HTTP/1.1\r\n\r\n")):
        talk = Talk()
        talk.declare("s")
        talk.made.send(side, data)
        talk.publish(1, 10)
        talk.ask(6, b"\1")
        talk.leave()
        told.append([each for each in accused(tmp_path, talk) if each[1] != "note"])

    assert told == [[("RMQ-F1b", "error")], [("RMQ-P1", "error")]]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("005375a0026869 005373c00100", [("RMQ-U6", "note")]),
        ("005373c00100 005375a0026869", []),
        ("005375a003", [("RMQ-Q3", "warning")]),
        ("6869", []),
    ],
)
def test_sections_out_of_order(tmp_path: Path, body: str, expected: list[tuple[str, str]]) -> None:
    """U6: properties after the body; not before it, not what is raw. What is cut short is Q3."""
    talk = Talk()
    talk.declare("s")
    talk.message(bytes.fromhex(body))

    assert accused(tmp_path, talk.leave()) == expected


def test_a_tune_of_another_layout_teaches_nothing(tmp_path: Path) -> None:
    """T7 alone: the code and id in front are no frame size and heartbeat."""
    talk = Talk()
    talk.say(CLIENT, 0x8014, number(4) + number(1, 2) + number(1 << 20) + number(60))
    talk.ask(0x0D, text("s") + number(0))
    talk.leave()

    assert [each for each in accused(tmp_path, talk) if each[0] != "RMQ-T1b"] == [
        ("RMQ-T7", "error")
    ]
