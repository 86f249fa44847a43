"""A recorded capture is taken for no protocol but its own, even where its own is not known.

`make test` reads captures that show together all kinds of frames, and a tenth of the others;
`make test-sweep` reads the rest.
"""

import pytest
from tests.recorded.index import Line, lines
from tests.recorded.share import parameters, showing_all_frames

from streamshark.protocols.catalog import catalog
from streamshark.session import Session

PROTOCOLS = catalog()
CARRYING = "other "
"""Begins a feature of captures that have frames of other protocols too."""
OF_ONE_PROTOCOL = [
    line for line in lines().values() if not any(each.startswith(CARRYING) for each in line.shows)
]


@pytest.mark.slow
@pytest.mark.parametrize("line", parameters(OF_ONE_PROTOCOL, showing_all_frames()))
def test_no_other_protocol_is_recognised(line: Line) -> None:
    """Neither by all the others together nor by one alone."""
    others = [each for each in PROTOCOLS if each.wire.id != line.protocol]
    for known in (others, *([each] for each in others)):
        session = Session([str(line.path)], protocols=tuple(known))

        assert list(session.rows()) == [], [each.wire.id for each in known]
