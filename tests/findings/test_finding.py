"""Severities."""

from streamshark.findings.finding import Severity


def test_severities_are_ranked() -> None:
    """The least first."""
    assert [each.rank for each in Severity] == [0, 1, 2, 3]
    assert Severity.WARNING.rank < Severity.ERROR.rank
