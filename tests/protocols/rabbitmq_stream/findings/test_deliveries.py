"""Rules for chunks."""

from pathlib import Path

from tests.protocols.rabbitmq_stream.talk import Talk, accused


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
