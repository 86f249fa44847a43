"""Which files are generated."""

import pytest

from streamshark.errors import StreamsharkError
from streamshark.lua.generate import main, outer_protocols, plugins, statuses
from streamshark.protocols.catalog import catalog, find, formats


def test_a_file_for_each_protocol_and_for_each_format_with_a_dissector() -> None:
    """None for formats without one, nor for what is carried in what Wireshark reads itself."""
    made = plugins(catalog(), formats())
    cut = {f"{each.wire.id}.lua" for each in catalog() if each.wire.id != "grpc"}
    assert cut | {"amqp1.lua"} == made.keys()
    assert "text.lua" not in made


def test_names_choose() -> None:
    """Names choose."""
    assert plugins(catalog(), formats(), ["rabbitmq-stream"]).keys() == {"rabbitmq_stream.lua"}
    assert plugins(catalog(), formats(), ["rmqstream", "amqp1"]).keys() == {
        "rabbitmq_stream.lua",
        "amqp1.lua",
    }
    with pytest.raises(StreamsharkError, match="unknown protocol or format 'nope'"):
        plugins(catalog(), formats(), ["nope"])


def test_how_calls_end_is_told_by_what_carries_them() -> None:
    """By the numbers of gRPC's trailers; those who make no calls need none."""
    hosts = list(outer_protocols(find("pravega", catalog()), catalog()))
    assert [each.id for each in hosts] == ["grpc"]
    assert statuses(hosts)[5] == "not_found"
    assert 6 in statuses(hosts)
    assert statuses([]) == {}
    assert not list(outer_protocols(find("nats", catalog()), catalog()))


def test_the_repository_is_fresh() -> None:
    """The repository is fresh."""
    assert main(["--check"]) == 0
