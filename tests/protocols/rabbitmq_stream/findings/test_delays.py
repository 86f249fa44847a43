"""Chunks that brokers hold back, offsets that they lose, and hosts that no client reaches."""

from pathlib import Path

from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    accused,
    number,
    text,
)

WRITTEN = 1_699_990_000_000
"""Time in ms of messages of hours ago."""
NOW = 1_700_000_000_000


def credit(talk: Talk, chunks: int = 1) -> None:
    """Credit for subscription 1."""
    talk.say(CLIENT, 9, b"\1" + number(chunks, 2))


def reading(first_ms: int = WRITTEN, committed: int = 5000, chunks: int = 5) -> Talk:
    """A subscription that has received chunks of ten messages, and has credit for ten."""
    talk = Talk()
    versions = number(1) + number(8, 2) + number(1, 2) + number(2, 2)
    talk.ask(27, versions, number(1, 2) + versions)
    talk.subscribe("s", 10)
    for each in range(chunks):
        talk.deliver(each * 10, 10, time_ms=first_ms + each, committed=committed)
        credit(talk)
        talk.wait(0.05)
    return talk


def beats(talk: Talk) -> Talk:
    """A heartbeat of each side."""
    talk.say(CLIENT, 23, b"")
    talk.say(SERVER, 23, b"")
    return talk


def held(folder: Path, talk: Talk, written_ms: int, *, of_others: bool = False) -> list[str]:
    """What is found when the next chunk comes after eight seconds."""
    talk.wait(4)
    if of_others:
        beats(talk)
    talk.wait(4)
    talk.deliver(50, 10, time_ms=written_ms, committed=5000)
    credit(talk)
    return [rule for rule, _ in accused(folder, talk.wait(1).leave()) if rule != "RMQ-C9"]


def test_chunk_held_back(tmp_path: Path) -> None:
    """A chunk that was there before it could be sent; the line is proved by other frames."""
    assert held(tmp_path, reading(), WRITTEN + 9, of_others=True) == ["RMQ-B240"]
    assert held(tmp_path, reading(), WRITTEN + 9) == ["RMQ-B240b"]
    busy = reading().wait(4)
    busy.deliver(0, 10, time_ms=NOW, subscription=2)
    assert "RMQ-B240b" in held(tmp_path, busy, WRITTEN + 9)
    live = reading(NOW, 60)
    assert held(tmp_path, live, NOW + 300, of_others=True) == ["RMQ-B240"]


def test_chunk_in_time(tmp_path: Path) -> None:
    """A chunk that was written late, or that had no credit, or whose client has no room for it."""
    assert held(tmp_path, reading(NOW, 60), NOW + 8_200, of_others=True) == []
    spent = reading()
    for each in range(5, 15):
        spent.deliver(each * 10, 10, time_ms=WRITTEN + each, committed=5000)
    beats(spent.wait(8))
    credit(spent)
    spent.deliver(150, 10, time_ms=WRITTEN + 16, committed=5000)
    assert not {"RMQ-B240", "RMQ-B240b"} & {rule for rule, _ in accused(tmp_path, spent.leave())}


def test_dropped_after_silence(tmp_path: Path) -> None:
    """A broker that delivers nothing for long and ends the connection, or the client leaves."""

    def ends(talk: Talk, first: int, seconds: float = 30) -> list[tuple[str, str]]:
        talk.wait(seconds)
        talk.made.finish(first).finish(1 - first)
        return [each for each in accused(tmp_path, talk) if each[0] in ("RMQ-B241", "RMQ-B242")]

    assert ends(reading(), SERVER) == [("RMQ-B241", "warning")]
    assert ends(reading(), CLIENT) == [("RMQ-B242", "note")]
    assert ends(reading(committed=45), SERVER) == []
    assert ends(reading(), SERVER, 2) == []
    left = reading(committed=45).wait(1)
    left.made.finish(SERVER)
    left.wait(30).made.finish(CLIENT)
    other = Talk(40_001)
    other.subscribe("s", 10)
    other.wait(20).deliver(0, 200, time_ms=NOW)
    assert "RMQ-B241" not in {rule for rule, _ in accused(tmp_path, left, other.wait(1).leave())}


def test_backlog_of_single_messages(tmp_path: Path) -> None:
    """Old messages, each a chunk of its own, and as many in larger chunks."""

    def read(size: int) -> set[str]:
        talk = Talk()
        talk.subscribe("s", 10)
        for each in range(80):
            talk.deliver(each * size, size, time_ms=WRITTEN + each)
            credit(talk)
        return {rule for rule, _ in accused(tmp_path, talk.wait(1).leave())}

    assert "RMQ-B248" in read(1)
    assert "RMQ-B248" not in read(2)


def run(at: int, answer: bytes, first: int, port: int = 40_000) -> Talk:
    """A run of a program that asks for its offset, reads, and stores it."""
    talk = Talk(port, start=at * SECOND)
    talk.ask(11, text("app") + text("s"), answer)
    talk.subscribe("s", 10)
    talk.deliver(first, 10, time_ms=NOW)
    credit(talk)
    talk.say(CLIENT, 10, text("app") + text("s") + number(first + 9, 8))
    return talk.wait(1).leave()


def test_offset_not_kept(tmp_path: Path) -> None:
    """The broker has no offset, or an older one, while the messages are still there."""
    none = number(19, 2) + number(0, 8)
    before = run(0, none, 100)
    rules = accused(tmp_path, before, run(10, none, 0, 40_001))
    assert ("RMQ-B245", "warning") in rules
    older = number(1, 2) + number(7, 8)
    assert ("RMQ-B245", "warning") in accused(tmp_path, before, run(10, older, 8, 40_001))
    kept = number(1, 2) + number(109, 8)
    near = accused(tmp_path, before, run(10, kept, 110, 40_001))
    deleted_by_retention = accused(tmp_path, before, run(10, none, 500, 40_001))
    at_once = accused(tmp_path, before, run(1, none, 0, 40_001))
    for found in (near, deleted_by_retention, at_once):
        assert "RMQ-B245" not in {rule for rule, _ in found}


def look(number_of: int, *, works: bool = False) -> Talk:
    """A connection that asks where a stream is and leaves, or goes on to publish."""
    talk = Talk(40_000 + number_of, start=number_of * 6 * SECOND)
    place = number(1) + number(0, 2) + text("node-0.internal") + number(5552)
    found = number(1) + text("s") + number(1, 2) + number(0, 2) + number(0)
    talk.ask(15, number(1) + text("s"), place + found)
    if works:
        talk.declare("s")
    return talk.wait(1).leave()


def test_host_never_reached(tmp_path: Path) -> None:
    """Connections that only look up, without one of the client that works, or with it."""
    looks = [look(each) for each in range(3)]
    assert ("RMQ-B243", "note") in accused(tmp_path, *map(look, range(0, 9, 3)))
    assert "RMQ-B243" not in {rule for rule, _ in accused(tmp_path, *looks[:2])}
    busy = [look(0, works=True), *(look(each) for each in range(1, 5))]
    assert "RMQ-B243" not in {rule for rule, _ in accused(tmp_path, *busy)}


def dies(port: int, at: int, code: int = 4) -> Talk:
    """A client that ends its connection at CreditResponse, as its subscription is gone."""
    talk = Talk(port, start=at * SECOND)
    talk.subscribe("s", 10)
    talk.ask(12, b"\1")
    talk.wait(0.2)
    credit(talk)
    talk.say(SERVER, 0x8009, number(code, 2) + b"\1")
    talk.made.finish(CLIENT).finish(SERVER)
    return talk


def test_dies_of_credit_response(tmp_path: Path) -> None:
    """Three connections that end at CreditResponse are a fault; one of them is a note."""
    again = [dies(40_000 + each, each * 5) for each in range(3)]
    assert ("RMQ-B92c", "warning") in accused(tmp_path, *again)
    assert ("RMQ-B92b", "note") in accused(tmp_path, *again[:1])


def answered(seconds: float) -> Talk:
    """A client that ends without Close when it is answered after some seconds."""
    talk = Talk()
    talk.ids += 1
    talk.say(CLIENT, 1, number(talk.ids) + b"\1" + text("") + text("s"))
    talk.wait(seconds).say(SERVER, 0x8001, number(talk.ids) + b"\0\1")
    talk.made.finish(CLIENT).finish(SERVER)
    return talk


def test_late_answer_that_ends_the_client(tmp_path: Path) -> None:
    """A client that ends when the answer comes after it has given up."""
    late = {rule for rule, _ in accused(tmp_path, answered(12))}
    assert {"RMQ-X4", "RMQ-X4b"} <= late
    assert not {"RMQ-X4b", "RMQ-B92b"} & {rule for rule, _ in accused(tmp_path, answered(2))}


def test_unconfirmed_bytes(tmp_path: Path) -> None:
    """Many megabytes without a confirm, in fewer messages than the broker's limit."""

    def publishes(size: int) -> set[str]:
        talk = Talk()
        talk.declare("s")
        for each in range(3):
            ids = range(each * 550, each * 550 + 550)
            body = number(size) + b"m" * size
            messages = b"".join(number(one, 8) + body for one in ids)
            talk.say(CLIENT, 2, b"\1" + number(550) + messages)
        return {rule for rule, _ in accused(tmp_path, talk.wait(1).leave())}

    assert "RMQ-I9d" in publishes(31_000)
    assert not {"RMQ-I9c", "RMQ-I9d"} & publishes(300)


def test_stream_that_stays_unavailable(tmp_path: Path) -> None:
    """Refused for longer than an election takes, also on one connection after another."""

    def tries(codes: str, apart: float) -> set[str]:
        talks = []
        for at, code in enumerate(codes):
            talk = Talk(40_000 + at, start=int(at * apart * SECOND))
            talk.ask(1, b"\1" + text("") + text("s"), number(int(code), 2))
            talks.append(talk.wait(1).leave())
        return {rule for rule, _ in accused(tmp_path, *talks)}

    assert "RMQ-B246" in tries("666", 20)
    assert "RMQ-B246" not in tries("666", 5)
    assert "RMQ-B246" not in tries("66166", 20)
    assert "RMQ-B246" not in tries("222", 20)
