"""What is known of servers: the latest protocol, the one that is certain, and no more than fit."""

import pytest
from tests.framing.parcel_protocol import SPOKEN, WIRE

from streamshark.dissection import known_servers
from streamshark.dissection.known_servers import KnownServers
from streamshark.framing.carried import Route


def test_what_is_certain_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later guess does not replace it; a server that is known needs no room."""
    monkeypatch.setattr(known_servers, "MOST_SERVERS", 2)
    parcels, spoken = Route(WIRE.table()), Route(SPOKEN.table())
    known = KnownServers()
    known.learn("a:1", spoken)
    known.learn("a:1", parcels)
    known.learn("b:1", spoken, certain=True)
    known.learn("b:1", parcels, certain=True)
    known.learn("c:1", spoken, certain=True)

    assert [known.spoken(each) for each in ("a:1", "b:1", "c:1")] == [
        parcels.table,
        spoken.table,
        None,
    ]
    assert [known.lent(each) for each in ("a:1", "b:1", "c:1")] == [None, spoken, None]
    known.learn("a:1", parcels, certain=True)
    assert known.lent("a:1") == parcels
    assert ("a:1" in known, "c:1" in known, len(known)) == (True, False, 2)
