"""Notes that are warnings where the capture proves harm: faults, and near misses."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.findings.test_delays import beats, look, reading
from tests.protocols.rabbitmq_stream.findings.test_restoring import updated
from tests.protocols.rabbitmq_stream.findings.test_resumption import stored_and_new
from tests.protocols.rabbitmq_stream.findings.test_waste import kept, left
from tests.protocols.rabbitmq_stream.play import play
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, accused, number, text

from streamshark.protocols.rabbitmq_stream.findings.harm import HARM


def starves(*, beating: bool) -> list[Talk]:
    """A consumer with credit that receives nothing more of its stream, until it leaves."""
    talk = reading().wait(10)
    if beating:
        beats(talk)
    talk.wait(20)
    talk.made.finish(CLIENT).finish(SERVER)
    return [talk]


def deaf(*, fed: bool, life: str = "sub") -> list[Talk]:
    """A client that does not begin again after MetadataUpdate, while others publish."""
    one, two = updated(10, life=life, other="declare" if fed else "subscribe")
    two.wait(8)
    if fed:
        two.publish(2, 1)
    else:
        two.deliver(0)
    return [one, two]


def ends(*streams: str) -> list[Talk]:
    """A client with publishers that ends at the MetadataUpdate of the first one's stream."""
    talk = Talk()
    for at, stream in enumerate(streams):
        talk.ask(1, number(at, 1) + text("") + text(stream))
    talk.say(SERVER, 0x10, number(6, 2) + text(streams[0]))
    talk.made.reset(CLIENT)
    return [talk]


def floods(seconds: float) -> list[Talk]:
    """Messages without a confirm, and after some seconds one more."""
    talk = Talk()
    talk.declare("s")
    messages = [number(each, 8) + number(1) + b"m" for each in range(45_001)]
    talk.say(CLIENT, 2, b"\1" + number(45_000) + b"".join(messages[:-1]))
    talk.wait(seconds).say(CLIENT, 2, b"\1" + number(1) + messages[-1])
    return [talk.leave()]


STUCK = "s1:s*4 s2:t*4 M1 c1 M1 c1 M1 c1 u2 +500 M1 M1 +1000 h +1000 h"
ASKS = "s1:s M1 g:s! +900 g:s! R"

CASES: list[tuple[str, list[Talk], tuple[list[Talk], ...]]] = [
    ("B242b", starves(beating=True), (starves(beating=False),)),
    ("B243b", list(map(look, range(3))), (list(map(look, range(0, 9, 3))),)),
    ("X8f", play(f"z {ASKS}"), (play(ASKS), play(f"z {ASKS.removeprefix('s1:s M1 ')}"))),
    ("B30c", deaf(fed=True), (deaf(fed=False), deaf(fed=True, life="pub"))),
    ("C3e", play(f"{STUCK} @1 d1:s p1 C1 @0 +9000 h"), (play(f"{STUCK} +9000 h"),)),
    ("B19b", left(9, 1), (left(7, 1),)),
    ("B5c", kept(8), (kept(7),)),
    ("B92d", ends("s", "t"), (ends("s"),)),
    ("I9d", floods(12), (floods(5),)),
    ("B35c", stored_and_new(2), (stored_and_new(2, stores=False), stored_and_new(2, begins=10))),
]
"""Warning, a fault that it names, and near misses."""


@every(("rule", "fault", "near"), CASES, ids=lambda case: case[0])
def test_harm_and_near_misses(
    rule: str, fault: list[Talk], near: tuple[list[Talk], ...], tmp_path: Path
) -> None:
    """A warning names proved harm; the same behaviour without it stays a note."""
    assert (f"RMQ-{rule}", "warning") in accused(tmp_path, *fault)
    for talks in near:
        assert f"RMQ-{rule}" not in {each for each, _ in accused(tmp_path, *talks)}


def test_every_warning_has_a_fault() -> None:
    """No proof is untested."""
    assert {f"RMQ-{rule}" for rule, *_ in CASES} == {
        warning for harm in HARM for warning in harm.rules.values()
    }
