"""Conditions of rules that no expression can say."""

from tests.failures import every

from streamshark.protocols.grpc.predicates import has_bad_timeout, has_large_metadata


@every(
    ("value", "found"),
    [
        ("5S", ""),
        ("99999999H", ""),
        ("1m", ""),
        ("1000u", ""),
        ("999u", "less than 1 ms"),
        ("0S", "less than 1 ms"),
        ("500", "not a number with a unit"),
        ("5s", "not a number with a unit"),
        ("123456789m", "not a number with a unit"),
        ("-1S", "not a number with a unit"),
    ],
)
def test_deadlines_have_a_number_a_unit_and_some_time(value: str, found: str) -> None:
    """PROTOCOL-HTTP2.md: at most eight digits and one of six units."""
    told = has_bad_timeout({"metadata": [{"key": "grpc-timeout", "value": value}]})

    assert (found in told) if found else not told


def test_without_a_deadline_nothing_is_found() -> None:
    """Other metadata is left alone."""
    assert not has_bad_timeout({"metadata": [{"key": "x", "value": "5"}]})


def test_metadata_has_a_size() -> None:
    """Names, values and 32 bytes of each header."""
    row = {"authorization": "", "metadata": [{"key": "x", "value": "a" * 8000}]}
    assert has_large_metadata(row) == ""
    row["metadata"].append({"key": "y", "value": "b" * 100})  # type: ignore[attr-defined]
    assert has_large_metadata(row) == "8,211 bytes, of which x has 8,000"
