"""Clients of RabbitMQ that misbehave, and those that only look like it."""

from collections.abc import Callable
from pathlib import Path

from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    findings,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.all_rules import BEHAVIOURS


def query(talk: Talk, stream: str = "s", offset: int | None = None) -> None:
    """QueryOffset, with what is stored."""
    code = 19 if offset is None else 1
    talk.ask(0x0B, text("app") + text(stream), number(code, 2) + number(offset or 0, 8))


def store(talk: Talk, *offsets: int) -> Talk:
    """StoreOffset."""
    for offset in offsets:
        talk.say(CLIENT, 0x0A, text("app") + text("s") + number(offset, 8))
    return talk


def subscribe(talk: Talk, kind: int = 1, offset: int = 0, sid: int = 1, more: bytes = b"") -> None:
    """Subscribe with an offset specification."""
    place = number(offset, 8) if kind == 4 else b""
    talk.ask(7, number(sid, 1) + text("s") + number(kind, 2) + place + number(10, 2) + more)


def connections(count: int, *, apart: float = 1, messages: int = 1) -> list[Talk]:
    """Connections one after the other that publish."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, int(each * apart * SECOND))
        talk.declare("s")
        for message in range(messages):
            talk.publish(message, 1)
        made.append(talk.leave())
    return made


def single(count: int, *, at_once: bool) -> list[Talk]:
    """Messages one by one, all before the first confirm or each after the one before."""
    talk = Talk()
    talk.declare("s")
    for each in range(count):
        if at_once:
            talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + number(1) + b"m")
        else:
            talk.publish(each, 1)
    if at_once:
        ids = b"".join(number(each, 8) for each in range(count))
        talk.say(SERVER, 3, b"\1" + number(count) + ids)
    return [talk.leave()]


def stored(messages: int) -> list[Talk]:
    """Offsets stored after so many messages each."""
    talk = Talk()
    subscribe(talk)
    for each in range(25):
        talk.deliver(each * messages, messages)
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
        store(talk, each * messages + messages - 1)
    return [talk.leave()]


def streams(count: int, *, seconds: float = 0) -> list[Talk]:
    """Streams that are created and deleted."""
    talk = Talk()
    for each in range(count):
        talk.ask(0x0D, text(f"s{each}") + number(0))
        talk.wait(seconds)
        talk.ask(0x0E, text(f"s{each}"))
    return [talk.leave()]


def lookups(count: int, *, wait: float = 0, streams: int = 99) -> list[Talk]:
    """Metadata of one stream each."""
    talk = Talk()
    for each in range(count):
        name = text(f"s{each % streams}")
        brokers = number(1) + number(0, 2) + text("h") + number(5552)
        talk.ask(0x0F, number(1) + name, brokers + number(1) + name + number(1, 2) + number(0, 2)
                 + number(0))  # fmt: skip
        talk.wait(wait)
    return [talk.leave()]


def asked(kind: int, offset: int, known: int | None) -> Callable[[Talk], object]:
    """A subscription after the stored offset was asked for."""

    def then(talk: Talk) -> None:
        query(talk, offset=known)
        subscribe(talk, kind, offset)

    return then


SINGLE = number(2) + b"".join(
    text(name) + text(said) for name, said in (("single-active-consumer", "true"), ("name", "app"))
)
"""Properties of a single active consumer."""


def active(talk: Talk, kind: int, offset: int = 0) -> Talk:
    """A consumer of a group that becomes active, and where it begins."""
    subscribe(talk, more=SINGLE)
    place = number(offset, 8) if kind == 4 else b""
    talk.say(SERVER, 0x1A, number(99) + b"\1\1")
    talk.say(CLIENT, 0x801A, number(99) + number(1, 2) + number(kind, 2) + place)
    return talk


def group(kind: int, offset: int, *, stores: bool) -> list[Talk]:
    """The active consumer leaves, another one becomes active."""
    one, other = active(Talk(), 1), Talk(40_001, 10 * SECOND)
    for chunk in range(3):
        one.deliver(chunk * 10, 10)
    if stores:
        store(one, 29)
    return [one.leave(), active(other, kind, offset).leave()]


def groups(*names: str, more: bytes = b"") -> list[Talk]:
    """Single active consumers of names, all at once."""
    made = []
    for at, name in enumerate(names):
        talk = Talk(40_000 + at, at * SECOND)
        talk.ask(0x19, text("all"), number(1, 2) + number(1) + text("s"))
        said = text("single-active-consumer") + text("true") + text("name") + text(name)
        subscribe(talk, more=number(3 if more else 2) + said + more)
        made.append(talk.wait(5))
    return [each.leave() for each in made]


def named(*names: str) -> list[Talk]:
    """Connections that ask for the offset of a name each, of which nothing is stored."""
    made = []
    for at, name in enumerate(names):
        talk = Talk(40_000 + at, at * SECOND)
        talk.ask(0x0B, text(name) + text("s"), number(19, 2) + number(0, 8))
        made.append(talk.wait(1).leave())
    return made


def newest(talk: Talk, chunk: int) -> None:
    """Say which chunk is the last one of the stream."""
    talk.ask(0x1C, text("s"), number(1, 2) + number(1) + text("last_chunk_id") + number(chunk, 8))


def said(talk: Talk, publishing_id: int, body: str, *, confirmed: bool = True) -> None:
    """A message, and its confirm."""
    message = number(publishing_id, 8) + number(len(body)) + body.encode()
    talk.say(CLIENT, 2, b"\1" + number(1) + message)
    if confirmed:
        talk.say(SERVER, 3, b"\1" + number(1) + number(publishing_id, 8))


def behaviours(folder: Path, *talks: Talk) -> set[str]:
    """The rules about behaviours that have findings on the connections."""
    return {each.rule for each in findings(folder, *talks)} & {each.id for each in BEHAVIOURS}
