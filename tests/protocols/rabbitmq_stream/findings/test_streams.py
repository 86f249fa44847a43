"""Rules for metadata."""

from pathlib import Path

import pytest
from tests.protocols.rabbitmq_stream.talk import Talk, accused, number, text


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
