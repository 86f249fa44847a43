"""Which files are generated."""

import pytest
from tests.madeup.parrot_traffic import PROTOCOL

from streamshark.errors import StreamsharkError
from streamshark.lua import generate
from streamshark.lua.generate import main, outer_protocols, plugins, statuses
from streamshark.protocols.catalog import catalog, find, formats


def test_names_choose() -> None:
    """Ids, with dashes too, and short names; the plugins of other protocols are not made."""
    every = (*catalog(), PROTOCOL)
    assert plugins(every, formats(), ["parrot-talk"]).keys() == {"parrot_talk.lua"}
    assert plugins(every, formats(), [PROTOCOL.wire.short, "amqp1"]).keys() == {
        "parrot_talk.lua",
        "amqp1.lua",
    }
    with pytest.raises(StreamsharkError, match="unknown protocol or format 'nope'"):
        plugins(every, formats(), ["nope"])


def test_how_calls_end_is_told_by_what_carries_them() -> None:
    """By the numbers of gRPC's trailers; those who make no calls need none."""
    hosts = list(outer_protocols(find("pravega", catalog()), catalog()))
    assert [each.id for each in hosts] == ["grpc"]
    assert statuses(hosts)[5] == "not_found"
    assert 6 in statuses(hosts)
    assert statuses([]) == {}
    assert not list(outer_protocols(find("nats", catalog()), catalog()))


def test_the_repository_is_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a file for each protocol, and for each format with a dissector.

    None for formats without one, nor for what is carried in what Wireshark reads itself.
    """
    made = plugins(catalog(), formats())
    cut = {f"{each.wire.id}.lua" for each in catalog() if each.wire.id != "grpc"}
    assert cut | {"amqp1.lua"} == made.keys()
    assert "text.lua" not in made

    monkeypatch.setattr(generate, "plugins", lambda *_: made)
    assert main(["--check"]) == 0
