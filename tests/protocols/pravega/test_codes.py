"""Codes: the table of `WireCommandType`, read from it here a second time."""

from streamshark.protocols.pravega.codes import (
    AttributeUpdateType,
    ErrorCode,
    RecordType,
    ScaleType,
    TokenError,
    TypeCode,
)

PAIRS = """
28 SEAL_SEGMENT SEGMENT_SEALED
30 DELETE_SEGMENT SEGMENT_DELETED
32 UPDATE_SEGMENT_POLICY SEGMENT_POLICY_UPDATED
34 GET_SEGMENT_ATTRIBUTE SEGMENT_ATTRIBUTE
36 UPDATE_SEGMENT_ATTRIBUTE SEGMENT_ATTRIBUTE_UPDATED
38 TRUNCATE_SEGMENT SEGMENT_TRUNCATED
41 LOCATE_OFFSET OFFSET_LOCATED
58 MERGE_SEGMENTS SEGMENTS_MERGED
74 UPDATE_TABLE_ENTRIES TABLE_ENTRIES_UPDATED
76 REMOVE_TABLE_KEYS TABLE_KEYS_REMOVED
78 READ_TABLE TABLE_READ
83 READ_TABLE_KEYS TABLE_KEYS_READ
85 READ_TABLE_ENTRIES TABLE_ENTRIES_READ
87 TABLE_ENTRIES_DELTA_READ READ_TABLE_ENTRIES_DELTA
90 MERGE_SEGMENTS_BATCH SEGMENTS_BATCH_MERGED
"""
"""A code and the names of it and the next one."""


def test_pairs_stand_side_by_side() -> None:
    """Request and reply; of the delta the reply comes first."""
    for line in PAIRS.split("\n")[1:-1]:
        code, first, second = line.split()

        assert (TypeCode[first], TypeCode[second]) == (int(code), int(code) + 1)


def test_codes_without_a_command() -> None:
    """6 was never given out; the rest are gaps of the table."""
    codes = {int(each) for each in TypeCode}

    assert {*range(101)} - codes == {
        6, *range(15, 20), *range(43, 50), *range(62, 68), *range(92, 100),
    }  # fmt: skip
    assert {each for each in codes if each < 0} == {-127, -6, -5, -4, -3, -2, -1}


def test_records_are_type_codes() -> None:
    """What stands in blocks has the codes of the table."""
    assert {each.name: int(each) for each in RecordType} == {
        name: int(TypeCode[name]) for name in ("EVENT", "PADDING", "PARTIAL_EVENT")
    }


def test_small_enumerations() -> None:
    """Numbers of the classes."""
    assert [int(each) for each in ScaleType] == [0, 1, 2]
    assert [int(each) for each in AttributeUpdateType] == [0, 1, 2, 3, 4]
    assert (TokenError(1).name, TokenError(-1).name) == ("TOKEN_EXPIRED", "UNSPECIFIED")
    assert [int(each) for each in ErrorCode] == [-1, 0]
