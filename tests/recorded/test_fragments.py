"""Fragments of recorded captures are reassembled to the frames that every peer has cut."""

import pytest
from tests.contracts.repository import ROOT

from streamshark.dissection.row import FrameRow
from streamshark.session import Session

CAPTURES = ROOT / "captures/rsocket"
CUT = sorted(path.parent.name for path in CAPTURES.glob("fragments_*/traffic.*"))


def rows(name: str) -> list[FrameRow]:
    """The frames of a capture."""
    (path,) = CAPTURES.glob(f"{name}/traffic.*")
    return [each for each in Session([str(path)]).rows() if isinstance(each, FrameRow)]


@pytest.mark.parametrize("name", CUT)
def test_what_peers_cut(name: str) -> None:
    """Each has its beginning and its end, and its parts are those of its fragments, in order."""
    found = rows(name)
    lasts = [each for each in found if each.piece and each.complete]
    wholes = {id(each.whole): each.whole for each in found if each.whole is not None}

    assert len(lasts) == len(wholes) > 0
    for last in lasts:
        whole = last.whole
        assert whole is not None
        assert whole.reason is None
        fragments = [found[number - 1] for number in whole.frames]
        assert [each.piece for each in fragments] == list(range(1, whole.count + 1))
        for part, value in (last.reassembled or {}).items():
            assert value == b"".join(each.values.get(part, b"") for each in fragments)
            assert len(value) == whole.sizes[part]


def test_a_request_between_the_fragments_of_another() -> None:
    """Neither is reassembled."""
    found = rows("bug_request_between_fragments")
    reasons = {each.whole.reason for each in found if each.whole is not None}

    assert reasons == {"another frame began on its stream", "it began inside another frame"}
