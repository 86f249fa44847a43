"""Rules for super streams: their names, partitions and routing keys."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.clients import behaviours
from tests.protocols.rabbitmq_stream.talk import CLIENT, SECOND, SERVER, Talk, number, text

from streamshark.protocols.rabbitmq_stream.findings.super_streams import ROUTING, SUPER_STREAMS


def super_stream(name: str) -> list[Talk]:
    """An offset stored where the partitions of a super stream are known."""
    talk = Talk()
    talk.ask(0x19, text("s"), number(1, 2) + number(1) + text("s-0"))
    talk.say(CLIENT, 0x0A, text("app") + text(name) + number(1, 8))
    return [talk.leave()]


def spread(count: int, *reads: str, asked_for: bool = True) -> list[Talk]:
    """Messages in the partitions p and q, and consumers of some."""
    talk = Talk()
    if asked_for:
        talk.ask(0x19, text("all"), number(1, 2) + number(2) + text("p") + text("q"))
    for stream in ("p", "q"):
        talk.declare(stream)
        talk.publish(1, count)
        talk.ask(6, b"\1")
    for sid, stream in enumerate(reads):
        place = number(1, 2) + number(10, 2)
        talk.ask(7, number(sid, 1) + text(stream) + place)
    return [talk.wait(5).leave()]


def amqp(key: str) -> bytes:
    """A message with an id."""
    name = key.encode()
    return (
        b"\0\x53\x73\xc0" + bytes((len(name) + 3, 1, 0xA1, len(name))) + name + b"\0\x53\x75\xa0\1m"
    )


def routed(keys: str, asked: str, *, batch: bool = False, partitions: int = 1) -> list[Talk]:
    """Partitions asked for, then messages of keys."""
    talk = Talk()
    for key in asked:
        at = ord(key) % partitions
        talk.ask(
            0x18, text(f"key-{key}") + text("all"), number(1, 2) + number(1) + text(f"all-{at}")
        )
    for at in range(partitions):
        talk.ask(1, number(at, 1) + text("") + text(f"all-{at}"))
    made = [(ord(key) % partitions, amqp(f"key-{key}")) for key in keys]
    groups = [made] if batch else [[each] for each in made]
    for first, group in enumerate(groups):
        body = b"".join(
            number(first + each, 8) + number(len(message)) + message
            for each, (_, message) in enumerate(group)
        )
        talk.say(CLIENT, 2, number(group[0][0], 1) + number(len(group)) + body)
        ids = b"".join(number(first + each, 8) for each in range(len(group)))
        talk.say(SERVER, 3, number(group[0][0], 1) + number(len(group)) + ids)
    return [talk.leave()]


def keyed(*clients: tuple[str, int], where: str = "id", single: bool = False) -> list[Talk]:
    """Clients that send keys to the partitions of a super stream, each with a hash of its own."""
    made = []
    for number_of_client, (keys, seed) in enumerate(clients):
        talk = Talk(40_000 + number_of_client, number_of_client * SECOND // 2)
        names = [f"all-{each}" for each in range(3)]
        listed = number(1, 2) + number(3) + b"".join(map(text, names))
        talk.ask(0x19, text("all"), listed)
        for each, name in enumerate(names):
            talk.ask(1, number(each, 1) + text("") + text(name))
        for at, key in enumerate(keys):
            message = amqp(f"k{key}") if where == "id" else tagged(f"k{key}", at)
            publisher = number(0 if single else (ord(key) + seed) % 3, 1)
            talk.say(
                CLIENT, 2,
                publisher + number(1) + number(at, 8) + number(len(message)) + message,
            )  # fmt: skip
            talk.say(SERVER, 3, publisher + number(1) + number(at, 8))
        made.append(talk.leave())
    return made


def tagged(key: str, at: int) -> bytes:
    """A message with an application property, and an id that counts."""
    pairs = b"".join(b"\xa1" + bytes((len(e),)) + e.encode() for e in ("customer", key))
    ident = b"\0\x53\x73\xc0\x0a\1\x80" + number(at, 8)
    return ident + b"\0\x53\x74\xc1" + bytes((len(pairs) + 1, 2)) + pairs + b"\0\x53\x75\xa0\1m"


def skewed(count: int, *streams: str) -> list[Talk]:
    """Messages for a super stream with two partitions."""
    talk = Talk()
    talk.ask(0x19, text("all"), number(1, 2) + number(2) + text("p") + text("q"))
    for stream in streams:
        talk.declare(stream)
        talk.publish(1, count)
        talk.ask(6, b"\1")
    return [talk.leave()]


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B34", skewed(12, "p")),
    ("", skewed(12, "p", "q")),
    ("", skewed(9, "q")),
    ("RMQ-B32", keyed(("abcabc", 0), ("abcabc", 1))),
    ("RMQ-B32", keyed(("abcabc", 0), ("aabbcc", 2), where="property")),
    ("RMQ-B32b", keyed(("abcd", 0), ("abcd", 1))),
    ("", keyed(("abcabc", 0), ("abcabc", 0))),
    ("", keyed(("abcabc", 0), ("cbacba", 0), where="property")),
    ("RMQ-B34", keyed(("abcabc", 0), ("abcabc", 0), single=True)),
    ("", keyed(("abcabc", 0), ("defdef", 1))),
    ("RMQ-B31", routed("aabcab", "a")),
    ("RMQ-B31", routed("aabcab", "a", batch=True)),
    ("RMQ-B31b", routed("aaaaaa", "a")),
    ("", routed("aaaa", "a")),
    ("", routed("aabcab", "abc")),
    ("", routed("aabcab", "abc", partitions=3)),
    ("RMQ-B27", spread(3, "p")),
    ("", spread(2, "p")),
    ("", spread(3, "p", "q")),
    ("", spread(3)),
    ("", spread(3, "p", asked_for=False)),
    ("RMQ-B16", super_stream("s")),
    ("", super_stream("s-0")),
]  # fmt: skip
"""The rules that find a fault, or none, and the connections."""


@every(
    ("number_of_case", "rule", "talks"),
    [(at, *each) for at, each in enumerate(CASES)],
    ids=lambda case: case[:2],
)
def test_behaviours_and_near_misses(
    number_of_case: int, rule: str, talks: list[Talk], tmp_path: Path
) -> None:
    """Each rule names its fault, alone among the rules of behaviours."""
    del number_of_case
    assert behaviours(tmp_path, *talks) == set(rule.split())


def test_every_behaviour_has_a_fault() -> None:
    """No rule is untested."""
    assert {each.id for each in (*SUPER_STREAMS, *ROUTING)} <= {
        each for rules, _ in CASES for each in rules.split()
    }
