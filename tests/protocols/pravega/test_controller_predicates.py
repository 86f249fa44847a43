"""Conditions of rules about calls to the controller that no table can say."""

from typing import Any

from tests.failures import every

from streamshark.protocols.pravega import controller_predicates as predicates

WHOLE = [{"max_key": 0.5}, {"min_key": 0.5, "max_key": 1.0}]


@every(
    "ranges, found",
    [
        (None, ""),
        ([], ""),
        ([{"end": 0.5}, {"start": 0.5, "end": 1.0}], ""),
        ([{"start": 0.5, "end": 1.0}, {"end": 0.6}], "0 to 0.6 and 0.5 to 1 overlap"),
        ([{"start": 0.5, "end": 0.5}], "0.5 to 0.5 is no part"),
        ([{"start": 0.5}], "0.5 to 0 is no part"),
        ([{"end": 1.5}], "0 to 1.5 is no part"),
        ([{"end": float("nan")}], "0 to nan is no part"),
    ],
)
def test_ranges_of_a_scale(ranges: list[dict[str, float]] | None, found: str) -> None:
    """Parts of 0 to 1, apart from each other; what is 0 is not on the wire."""
    said = predicates.has_bad_ranges({"new_key_ranges": ranges})
    assert said.startswith(found)
    assert bool(said) is bool(found)


@every(
    "ranges, found",
    [
        (WHOLE, ""),
        (WHOLE[::-1], ""),
        ([{"max_key": 1.0}], ""),
        (WHOLE[:1], "no segment has the keys from 0.5 to 1"),
        (WHOLE[1:], "no segment has the keys from 0 to 0.5"),
        ([*WHOLE, {"min_key": 0.2, "max_key": 0.4}], "0 to 0.5 and 0.2 to 0.4 overlap"),
    ],
)
def test_segments_of_a_stream(ranges: list[dict[str, float]], found: str) -> None:
    """All keys, each once."""
    assert predicates.has_bad_segments({"segment_ranges": ranges}) == found


def stream_cut(name: str, *offsets: tuple[int, int]) -> dict[str, Any]:
    """A stream cut of segments and offsets."""
    return {
        "stream_info": {"scope": "scope", "stream": name},
        "cut": [{"key": key, "value": value} for key, value in offsets],
    }


@every(
    "begin, end, found",
    [
        (stream_cut("a", (1, 90)), stream_cut("a", (1, 40)),
         "segment 1 begins at 90 and ends at 40"),
        (stream_cut("a", (1, 40)), stream_cut("a", (1, 90)), ""),
        (stream_cut("a", (1, 90)), stream_cut("b", (1, 40)), ""),
        (stream_cut("a", (1, 90)), stream_cut("a", (1, -1)), ""),
        (stream_cut("a", (1, 90)), {"stream_info": {"scope": "scope", "stream": "a"}}, ""),
        ({}, {}, ""),
    ],
)  # fmt: skip
def test_cuts_of_a_reader_group(begin: dict[str, Any], end: dict[str, Any], found: str) -> None:
    """Of one stream and segment; without an end the group reads on."""
    row = {"starting_stream_cuts": [begin], "ending_stream_cuts": [end]}
    assert predicates.has_reversed_cut(row) == found
    assert not predicates.has_reversed_cut(row | {"starting_stream_cuts": None})
