"""Matches of rules by frame."""

from tests.filters.reading import LOGIN, PUBLISH

from streamshark.findings.matches import RuleMatches
from streamshark.session import Session


def matched(path: object) -> dict[int, list[str]]:
    """Return the rules that match at each frame, with what they say."""
    session = Session([str(path)])
    analysis = session.analysis(rules=True, matches=True)
    numbers = [row.number for row in analysis.rows() if hasattr(row, "number")]
    found = analysis.matches
    assert isinstance(found, RuleMatches)
    for each in analysis.findings():
        found.settle(each)
    shown = {each: [one.rule for one in found.at(each)] for each in numbers}
    return {number: rules for number, rules in shown.items() if rules}


def test_a_match_is_at_the_frame_that_shows_it() -> None:
    """The refusal, and not the request that is refused as well."""
    found = matched(LOGIN)

    assert found[6] == ["RMQ-N6"]
    assert "RMQ-N6" not in found.get(5, ())
    assert "RMQ-P2" in found[5]


def test_matches_are_taken_once_and_can_be_added_again() -> None:
    """What was taken and added to others is the same; a second time there is nothing to take."""
    session = Session([str(LOGIN)])
    analysis = session.analysis(rules=True, matches=True)
    for _ in analysis.rows():
        pass
    assert analysis.matches is not None
    taken, again = analysis.matches.taken(), RuleMatches()
    assert not analysis.matches.taken()
    for frame, match in taken:
        again.add(frame, match)
    for each in analysis.findings():
        again.settle(each)
    assert [each.rule for each in again.at(6)] == ["RMQ-N6"]


def test_what_is_no_finding_is_no_match() -> None:
    """A match without a reported finding is left out; matches are noted only on request."""
    session = Session([str(PUBLISH)])
    analysis = session.analysis(rules=True, matches=True)
    numbers = [row.number for row in analysis.rows() if hasattr(row, "number")]
    found = analysis.matches

    assert found is not None
    assert not any(map(found.at, numbers))


def test_matches_are_noted_on_request() -> None:
    """They cost memory."""
    with Session([]) as session:
        assert session.analysis(rules=True).matches is None
