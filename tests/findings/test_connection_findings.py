"""What a judge keeps of one connection."""

from streamshark.findings.connection_findings import NoticedMatches
from streamshark.findings.finding import MOST_FRAMES


def test_matches_are_taken_back_by_their_time() -> None:
    """Each of the last ones; of those before, all of a value if the last of them is as late."""
    noticed = NoticedMatches()
    early, late = ("parcel", 1, "early"), ("parcel", 1, "late")
    for frame in range(1, 4):
        noticed.add(early, frame, [frame])
    for frame in range(4, 8 + MOST_FRAMES):
        noticed.add(late, frame, [frame])

    since = 6
    taken = list(noticed.take_since(since))
    assert {key for key, _, _ in taken} == {late}
    assert sum(count for _, count, _ in taken) == MOST_FRAMES + 4
    assert list(noticed.take_since(since)) == []
    assert list(noticed.take_since(0)) == [(early, 3, [1, 2, 3])]
