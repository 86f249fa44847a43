"""Values with their names: equal to what they were, and printed for people."""

import copy
import re
from pathlib import Path

import streamshark
from streamshark.decoding.named_values import FlagSet, NamedNumber, UuidBytes

ROOT = Path(__file__).parents[2]
UUID = bytes(range(16))


def test_values_print_their_names() -> None:
    """And stay numbers and bytes, also after a copy."""
    code, unknown = NamedNumber(8, "refused"), NamedNumber(9, None)
    flags = FlagSet(5, {1: "first", 2: "second", 4: "third"})

    assert [str(each) for each in (code, unknown, flags, FlagSet(0, {}), UuidBytes(UUID))] == [
        "8 (refused)", "9", "0x5 (first|third)", "0x0", "00010203-0405-0607-0809-0a0b0c0d0e0f",
    ]  # fmt: skip
    assert (code, unknown, flags, UuidBytes(UUID)) == (8, 9, 5, UUID)
    assert ("third" in flags, "second" in flags) == (True, False)
    for each in (code, unknown, flags):
        assert repr(copy.deepcopy(each)) == repr(copy.copy(each)) == repr(each)


def test_fields_of_frames_have_names() -> None:
    """Codes, also in lists of records, flags, UUIDs and truth values."""
    cases = {
        "rabbitmq_stream/cluster_leader_stops": r"'response_code': 1 \(ok\)",
        "rabbitmq_stream/publish_error_unknown_publisher": r"\[{[^}]*'code': 18 \(publisher_does_",
        "rsocket/interactions_go": r"'flags': 0x160 \(metadata\|complete\|next\)",
        "pravega/events_java": r"'writer_id': [0-9a-f]{8}-[0-9a-f]{4}-",
        "pravega/events_py": r"'sorted': False",
    }
    for name, expected in cases.items():
        (path,) = (ROOT / "captures" / name).glob("traffic.*")
        texts = [str(frame.fields) for frame in streamshark.open(str(path))]
        assert any(re.search(expected, text) for text in texts), (name, texts[:40])
