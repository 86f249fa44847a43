"""Codes: the document's tables, written here a second time."""

from tally.codes import Key, ResponseCode


def test_codes_are_those_of_the_document() -> None:
    """Names and numbers."""
    assert {each.name: int(each) for each in Key} == {"ADD": 1, "ADD_RESPONSE": 2}
    assert {each.name: int(each) for each in ResponseCode} == {"OK": 0, "UNKNOWN_COUNTER": 1}
