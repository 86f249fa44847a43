"""Endpoints that servers tell of, in what real servers said."""

import tomllib

from tests.contracts.repository import ROOT

from streamshark.dissection.advertised_endpoints import endpoint, paths
from streamshark.protocols.catalog import catalog
from streamshark.session import Session

TOLD = (
    ("rabbitmq_stream/cluster_leader_stops", "127.0.0.1:5554", "rabbitmq_stream"),
    ("rabbitmq_stream/bug_default_port", "127.0.0.1:5553", "rabbitmq_stream"),
    ("nats/lame_duck_py", "127.0.0.1:4223", "nats"),
    ("liftbridge/failover_go", "127.0.0.1:9294", "liftbridge"),
    ("liftbridge/publishes_go", "127.0.0.1:9292", "liftbridge"),
    ("pravega/events_java", "127.0.0.1:6000", "pravega"),
)
"""Capture, an endpoint that a server told of by address, by name or as any host, its protocol."""
UNTOLD = ("127.0.0.1:5560", "127.0.0.2:5554", "127.0.0.1")
"""Other ports and hosts; none of them is looked up."""


def test_servers_tell_of_endpoints() -> None:
    """Metadata, INFO and what a controller answers; of nothing else."""
    wrong = {}
    for name, at, protocol in TOLD:
        provenance = tomllib.loads((ROOT / "captures" / name / "provenance.toml").read_text())
        session = Session([str(ROOT / "captures" / name / provenance["file"])])
        for _ in session.batches():
            pass
        found = session.dissector.advertised.table(at)
        others = [each for each in UNTOLD if session.dissector.advertised.table(each) is not None]
        if found is None or found.wire.id != protocol or others:
            wrong[name] = found, others

    assert wrong == {}


def test_protocols_declare_where_their_records_name_servers() -> None:
    """So that no other protocol is imported for it."""
    for protocol in catalog():
        named = (each.slots for each in protocol.embedded_records if paths(each.decoder.tree))

        assert protocol.advertises == frozenset().union(*named), protocol.wire.id


def test_what_is_an_endpoint() -> None:
    """A host and a port that can be; hosts are compared as addresses, or in lower case."""
    given = {
        "10.0.0.1:4222": ("10.0.0.1", 4222),
        "[2001:DB8::1]:80": ("2001:db8::1", 80),
        "Node-1:9292": ("node-1", 9292),
    }

    assert {text: endpoint(text) for text in given} == given
    for text in ("", "host", ":80", "host:", "host:0", "host:65536", "host:x", "::1", "a:b:80"):
        assert endpoint(text) is None, text
