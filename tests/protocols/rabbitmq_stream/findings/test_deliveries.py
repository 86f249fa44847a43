"""Rules for chunks."""

from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, accused, number, text


def test_chunks_delivered_twice(tmp_path: Path) -> None:
    """D6: the chunk that was just delivered, or an earlier one; not the next one."""
    found = []
    for chunk in (1, 0, 2):
        talk = Talk()
        talk.subscribe("s", 10)
        for each in (0, 1, chunk):
            talk.deliver(each)
        found.append([each for each in accused(tmp_path, talk.leave()) if each[1] != "note"])

    assert found == [[("RMQ-D6", "warning")], [("RMQ-D6", "warning")], []]


@every(("active", "found"), [(1, False), (0, True)])
def test_chunks_again_after_a_consumer_becomes_active(
    tmp_path: Path, *, active: int, found: bool
) -> None:
    """D6: not where the answer to ConsumerUpdate says where to begin."""
    talk = Talk()
    talk.subscribe("s", 10)
    for each in (0, 1):
        talk.deliver(each)
    talk.say(SERVER, 0x1A, number(9) + b"\1" + number(active, 1))
    talk.say(CLIENT, 0x801A, number(9) + number(1, 2) + number(4, 2) + number(1, 8))
    talk.deliver(1)

    assert (("RMQ-D6", "warning") in accused(tmp_path, talk.leave())) is found


@every(
    ("chunk", "properties", "is_gap"),
    [
        (121, number(0), True),
        (5000, number(0), True),
        (20, number(0), False),
        (120, number(0), False),
        (5000, number(1) + text("filter.0") + text("a"), False),
    ],
)
def test_gaps_between_chunks(
    chunk: int, properties: bytes, tmp_path: Path, *, is_gap: bool
) -> None:
    """D17: more offsets than stored ones take, and no filter."""
    talk = Talk()
    talk.ask(7, b"\1" + text("s") + number(1, 2) + number(10, 2) + properties)
    talk.deliver(0, 20)
    talk.deliver(chunk, 20)

    assert (("RMQ-D17", "warning") in accused(tmp_path, talk.leave())) is is_gap
