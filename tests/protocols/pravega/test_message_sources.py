"""Messages of Pravega."""

from tests.protocols.found_messages import messages_in

SEGMENT = "scope/stream/0.#epoch.0"


def test_events_written_and_read() -> None:
    """Each event of a reassembled block, and each event of a segment that was read, has a row."""
    found = [each for each in messages_in("pravega/events_java") if each.stream == SEGMENT]
    written = [each.text for each in found if each.is_published]
    read = [each.text for each in found if not each.is_published]

    assert written[:2] == ["one by one 0", "one by one 1"]
    assert len(written) > 20
    assert set(read) <= set(written)
    assert read
