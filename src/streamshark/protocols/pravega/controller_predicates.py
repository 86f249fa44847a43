"""What rules ask of calls to the controller that no table can say: ranges of keys, stream cuts.

Each takes the columns that its rule names, and returns what it has found; empty if nothing.
Protobuf leaves out what is 0.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

Values = Mapping[str, Any]
Range = tuple[float, float]

CLOSE: Final = 1e-6
"""Keys that differ by less are the same: controllers divide ranges in floating point."""

FOR_PLUGINS: Final[Mapping[str, object]] = {"close": CLOSE}
"""What the predicates in Lua share with these."""


def has_bad_ranges(row: Values) -> str:
    """Return what is wrong with the ranges of keys that a scale is to make."""
    ranges = sorted(_ranges(row["new_key_ranges"], "start", "end"))
    for low, high in ranges:
        if not 0 <= low < high <= 1:
            return f"{low:g} to {high:g} is no part of 0 to 1"
    return _overlap(ranges)


def has_bad_segments(row: Values) -> str:
    """Return where the segments of a stream overlap, or leave keys without a segment."""
    ranges = sorted(_ranges(row["segment_ranges"], "min_key", "max_key"))
    overlap = _overlap(ranges)
    if overlap:
        return overlap
    reached = 0.0
    for low, high in ranges:
        if low > reached + CLOSE:
            return f"no segment has the keys from {reached:g} to {low:g}"
        reached = high
    return f"no segment has the keys from {reached:g} to 1" if reached + CLOSE < 1 else ""


def has_reversed_cut(row: Values) -> str:
    """Return the segment of a reader group's stream that is to end before it begins."""
    begins = {_name(each): each for each in row["starting_stream_cuts"] or ()}
    for each in row["ending_stream_cuts"] or ():
        begin = begins.get(_name(each))
        found = "" if begin is None else _behind(begin.get("cut"), each.get("cut"))
        if found:
            return found
    return ""


def _name(cut: Mapping[str, Any]) -> tuple[str, str]:
    stream = cut.get("stream_info") or {}
    return stream.get("scope", ""), stream.get("stream", "")


def _behind(begin: Iterable[Values] | None, end: Iterable[Values] | None) -> str:
    begins = {each.get("key", 0): each.get("value", 0) for each in begin or ()}
    for each in end or ():
        segment, offset = each.get("key", 0), each.get("value", 0)
        if 0 <= offset < begins.get(segment, 0):
            return f"segment {segment} begins at {begins[segment]} and ends at {offset}"
    return ""


def _ranges(items: Iterable[Values] | None, low: str, high: str) -> Iterable[Range]:
    return ((each.get(low, 0.0), each.get(high, 0.0)) for each in items or ())


def _overlap(ranges: list[Range]) -> str:
    """Return the first two of sorted ranges that overlap."""
    former: Range | None = None
    for each in ranges:
        if former is not None and each[0] + CLOSE < former[1]:
            return f"{former[0]:g} to {former[1]:g} and {each[0]:g} to {each[1]:g} overlap"
        former = each
    return ""
