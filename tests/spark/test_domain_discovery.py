"""Sites that are found: clusters, each judged as if it were all there is."""

from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.packets import recorded, rotated, write
from tests.spark.clusters import Connection, alone, cluster, mixed
from tests.spark.comparison import by_one_machine, by_tables

from streamshark.errors import StreamsharkError
from streamshark.flows.ip import key_between
from streamshark.spark import domain_discovery
from streamshark.spark.domain_discovery import SeenHosts, clusters, seen
from streamshark.spark.domains import DomainHosts, DomainPackets, domains_of
from streamshark.spark.pipeline import RunOptions, run, tables
from streamshark.spark.read_task import ReadOptions

pytestmark = pytest.mark.xdist_group("spark")


@pytest.mark.spark
@pytest.mark.parametrize(("shares", "time_slice"), [(1, 0), (8, 20_000)])
def test_clusters_that_are_found(
    spark: SparkSession, tmp_path: Path, shares: int, time_slice: int
) -> None:
    """Two nights: a giant flow, two brokers that name each other, a late cluster, a late join.

    In the second night a client of cluster 2 talks to the broker of cluster 4, and cluster 5 comes.
    """
    first = mixed(
        cluster(1, 1, 150),
        cluster(2, 4, 3),
        cluster(3, 2, 4, names="10.3.9.1"),
        cluster(3, 3, 4, broker=9, clients=8),
        cluster(4, 3, 5),
    )  # fmt: skip
    joining = cluster(2, 1, 3, clients=1, broker=77)
    joining = [[_to(each, b"\x0a\x04\0\1", b"\x0a\x02\x4d\1") for each in sent] for sent in joining]
    second = mixed(
        cluster(1, 1, 20, clients=5), cluster(5, 3, 5), cluster(4, 2, 3, clients=3), joining,
        start=len(first) + 5,
    )  # fmt: skip
    paths = rotated(tmp_path / "in", first, 3) + rotated(tmp_path / "in" / "more", second, 2)
    paths.sort()
    assert paths[3].endswith("more/000.pcap")
    out = tmp_path / "out"
    for some in (paths[:2], paths[:3], paths):
        request = RunOptions(
            tuple(some), str(out), ("frames", "conversations", "findings", "flows"), site="auto",
            shares=shares, time_slice=time_slice, fields=True,
        )  # fmt: skip
        run(spark, request)
    known = tables(spark, str(out))
    names = {"10.1.0.1": [1], "10.2.0.1": [2], "10.3.0.1": [3], "10.4.0.1": [4], "10.5.0.1": [5]}
    assert {row["site"] for row in known["flows"].select("site").distinct().collect()} == {*names}
    said = {
        name: by_tables(
            {n: each.where(f"site = '{name}'").drop("site") for n, each in known.items()}
        )
        for name in names
    }
    for name, networks in names.items():

        def meant(ends: bytes, of: list[int] = networks) -> bool:
            return min(ends[1], ends[5]) in of

        rotated(tmp_path / "in", alone(first, meant), 3)
        rotated(tmp_path / "in" / "more", alone(second, meant), 2)
        wanted = by_one_machine(paths)
        assert wanted.frames
        assert wanted.conversations
        assert said[name] == wanted


def _to(packet: bytes, broker: bytes, instead_of: bytes) -> bytes:
    """A packet with another address."""
    return packet[:26] + packet[26:34].replace(instead_of, broker) + packet[34:]


def test_what_a_capture_shows(tmp_path: Path) -> None:
    """Who talks to whom, from the first packets of each connection, and who is named."""
    found = mixed(cluster(1, 2, 200, names="Node-2:5552"), cluster(2, 1, 1, names="[::]:0"))
    told = seen(write(tmp_path / "in.pcap", found), ReadOptions())
    ends = Counter(tuple(sorted((each.data[26:30], each.data[30:34]))) for each in found)
    between = {
        (client, server): ends[tuple(sorted(map(_packed, (client, server))))]
        for client, server in told.talks
    }
    assert told.talks == between
    assert set(told.talks) == {
        ("10.1.1.1", "10.1.0.1"), ("10.1.1.2", "10.1.0.1"), ("10.2.1.1", "10.2.0.1"),
    }  # fmt: skip
    assert told.named == {("10.1.0.1", "node-2")}
    assert seen(str(tmp_path / "none.pcap"), ReadOptions()) == SeenHosts(Counter(), set())


def _packed(host: str) -> bytes:
    return bytes(map(int, host.split(".")))


def test_connections_under_way(tmp_path: Path) -> None:
    """They count by their frames, whatever their port; what is not ours does not."""
    found = mixed(cluster(1, 1, 20), start=5)[60:]
    foreign = Connection(0)
    foreign.ends = (b"\x0a\2\0\1", 40_000), (b"\x0a\2\0\2", 5552)
    sent = [foreign.send(0, b"GET /metrics HTTP/1.1\r\n\r\n") for _ in range(9)]
    other = [
        each._replace(data=each.data.replace((5552).to_bytes(2), (5559).to_bytes(2)))
        for each in mixed(cluster(3, 1, 20))[60:]
    ]
    told = seen(write(tmp_path / "in.pcap", found + mixed(sent) + other), ReadOptions())
    assert told.talks.keys() == {("10.1.1.1", "10.1.0.1"), ("10.3.1.1", "10.3.0.1")}


def test_who_is_named() -> None:
    """Recorded: the nodes of a cluster, by the name that they advertise."""
    told = seen(recorded("rabbitmq_stream/cluster_wrong_node")[0], ReadOptions())
    assert told.named == {("127.0.0.1", "broker")}


def test_who_is_named_in_lines(tmp_path: Path) -> None:
    """Addresses with ports in a list, as NATS gives them; no address of any host is a name."""
    connection = Connection(0)
    connection.ends = (b"\x0a\1\0\1", 40_000), (b"\x0a\1\0\2", 4222)
    info = (
        b'INFO {"server_id":"A","host":"0.0.0.0","connect_urls":["10.2.0.2:4222","[fe80::2]:4222"]}'
    )
    sent = connection.open() + connection.send(1, info + b"\r\n")
    sent += connection.send(0, b"CONNECT {}\r\nPING\r\n") + connection.send(1, b"PONG\r\n")
    told = seen(write(tmp_path / "in.pcap", mixed([sent])), ReadOptions())
    assert told.named == {("10.1.0.2", "10.2.0.2"), ("10.1.0.2", "fe80::2")}
    assert told.talks.keys() == {("10.1.0.1", "10.1.0.2")}


def _talks(*pairs: str) -> SeenHosts:
    return SeenHosts(Counter({(*each.split(),): 10 for each in pairs}), set())


def test_what_is_a_cluster() -> None:
    """Hosts that have to do with each other, directly or not; names are of the smallest server."""
    one = _talks("10.0.0.9 10.0.0.20", "10.0.0.9 10.0.0.3", "fe80::1 fe80::2")
    two = SeenHosts(Counter({("10.0.1.1", "10.0.1.2"): 5}), {("10.0.1.2", "b"), ("10.0.0.3", "b")})
    assert clusters([one], None) == DomainHosts(
        ("10.0.0.3", "fe80::2", "others"),
        {"10.0.0.9": 0, "10.0.0.20": 0, "10.0.0.3": 0, "fe80::1": 1, "fe80::2": 1},
    )
    found = clusters([one, two], None)
    assert found.names == ("10.0.0.3", "fe80::2", "others")
    assert found.places["10.0.1.1"] == found.places["b"] == 0
    assert clusters([two, one], None) == found


def test_clusters_of_later_runs() -> None:
    """What is known stays; who talks to a known host is of its site, of the first of several."""
    first = clusters([_talks("1.0.0.1 1.0.0.2", "2.0.0.1 2.0.0.2")], None)
    more = clusters([_talks("2.0.0.1 1.0.0.2", "2.0.0.1 3.0.0.3", "0.0.0.5 0.0.0.6")], first)
    assert more.names == ("1.0.0.2", "2.0.0.2", "others", "0.0.0.6")
    assert more.places == {
        **first.places, "3.0.0.3": 1, "0.0.0.5": 3, "0.0.0.6": 3,
    }  # fmt: skip
    ends = {
        ("2.0.0.1:1", "1.0.0.2:2"): 0, ("2.0.0.1:1", "2.0.0.2:2"): 1, ("2.0.0.1:1", "9.9.9.9:2"): 1,
        ("9.9.9.9:1", "9.9.9.8:2"): 2, ("9.9.9.9:1", "0.0.0.6:2"): 3, ("[::1]:1", "[::2]:2"): 2,
    }  # fmt: skip
    for at, name in enumerate(more.names):
        among = DomainPackets(name, more)
        for (one, other), place in ends.items():
            for key in (key_between(one, other), key_between(other, one)):
                assert among.takes(key) == (place == at)


def test_small_clusters_are_among_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest ones are sites; the others stay where they are when there is room."""
    monkeypatch.setattr(domain_discovery, "MOST_CLUSTERS", 2)
    talks = Counter(
        {("1.0.0.1", "1.0.0.2"): 5, ("2.0.0.1", "2.0.0.2"): 9, ("3.0.0.1", "3.0.0.2"): 7}
    )
    found = clusters([SeenHosts(talks, set())], None)
    assert found.names == ("2.0.0.2", "3.0.0.2", "others")
    assert found.places["1.0.0.1"] == found.places["1.0.0.2"] == 2
    monkeypatch.setattr(domain_discovery, "MOST_CLUSTERS", 9)
    assert clusters([SeenHosts(talks, set())], found) == found


def test_what_is_remembered(tmp_path: Path) -> None:
    """Hosts as a run leaves them are those that the next one finds; without any there are none."""
    found = clusters([_talks("1.0.0.1 1.0.0.2")], None)
    found.write(tmp_path / "state" / "sites.json")
    assert DomainHosts.read(tmp_path / "state" / "sites.json") == found
    assert DomainHosts.read(tmp_path / "sites.json") is None
    with pytest.raises(StreamsharkError, match="only supported by"):
        domains_of(["a"], "auto")
    assert [each.name for each in domains_of(["a"], "auto", found)] == ["1.0.0.2", "others"]
