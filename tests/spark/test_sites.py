"""Sites: each says what the command line says of its packets alone."""

import itertools
import pickle
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.spark.said import Packet, by_one_machine, by_tables, rotated, write
from tests.spark.said import packets as packets_of

from streamshark.errors import StreamsharkError
from streamshark.flows.internet import key_between
from streamshark.spark.inputs import opened
from streamshark.spark.pipeline import Request, run, tables
from streamshark.spark.share import NO_LINK
from streamshark.spark.sites import Site, Within, narrowed, sites

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from generator import ACK, FIN, Connection, bodies, confirm, credit, deliver, handshake, publish

pytestmark = pytest.mark.xdist_group("spark")
HOW = "one=10.1.0.0/16;two=10.2.0.0/16,10.3.0.0/16"
NOISE = b"\x88\xb5"
"""An EtherType that nobody reads."""


def cluster(number: int, connections: int, bursts: int) -> list[list[bytes]]:
    """What the clients of one broker say, in bursts; all write and read the same stream."""
    made = random.Random(number)  # noqa: S311 - the same each time
    pool, out = bodies(50, made), []
    for each in range(connections):
        client = bytes([10, number, 1, each % 250 + 1]), 40_000 + each
        connection = Connection(each)
        connection.ends = client, (bytes([10, number, 0, 1]), 5552)
        sent = connection.open()
        for side, data in handshake(f"client-{each}"):
            sent += connection.send(side, data)
        out.append(sent)
        for at in range(bursts):
            chosen = made.sample(pool, made.randint(1, 30))
            sent = connection.send(0, publish(chosen, at * 30), 700)
            sent += connection.send(1, confirm(at * 30, 3) + deliver(chosen, at * 30))
            out.append([*sent, *connection.send(0, credit())])
        if each % 2:
            out.append([connection.packet(*end) for end in ((0, FIN | ACK), (1, FIN | ACK))])
    return out


def archive() -> list[Packet]:
    """Four clusters at one tap: one giant flow, and many small ones with the same names."""
    parts = [cluster(1, 1, 150), cluster(2, 6, 3), cluster(3, 5, 4), cluster(4, 3, 5)]
    turns = [(at / len(part), sent) for part in parts for at, sent in enumerate(part)]
    sent = itertools.chain.from_iterable(
        each for _, each in sorted(turns, key=lambda turn: turn[0])
    )
    return [Packet(at * 1_000_000, each, 1, len(each)) for at, each in enumerate(sent)]


def alone(found: Sequence[Packet], networks: Sequence[int]) -> list[Packet]:
    """Packets, but noise where other clusters talk."""
    return [
        each if each.data[27] in networks else each._replace(
            data=each.data[:12] + NOISE + each.data[14:]
        )
        for each in found
    ]  # fmt: skip


@pytest.mark.parametrize(("shares", "files"), [(1, 3), (8, 5)])
def test_clusters_at_one_tap(spark: SparkSession, tmp_path: Path, shares: int, files: int) -> None:
    """Each is judged by itself, two nights long."""
    found = archive()
    paths = rotated(tmp_path / "in", found, files)
    out = tmp_path / "out"
    for some in (paths[:2], paths):
        request = Request(
            tuple(some), str(out), ("frames", "conversations", "findings", "flows"), site=HOW,
            shares=shares, stretch=20_000, fields=True,
        )  # fmt: skip
        run(spark, request)
    known = tables(spark, str(out))
    names = {"one": [1], "two": [2, 3], "others": [4]}
    said = {
        name: by_tables(
            {n: each.where(f"site = '{name}'").drop("site") for n, each in known.items()}
        )
        for name in names
    }
    for name, networks in names.items():
        rotated(tmp_path / "in", alone(found, networks), files)
        wanted = by_one_machine(paths)
        assert wanted.frames
        assert wanted.conversations
        assert said[name] == wanted
    flows = {row["site"]: row["count"] for row in known["flows"].groupBy("site").count().collect()}
    assert flows == {"one": 1, "two": 11, "others": 3}


def test_what_is_said_of_sites() -> None:
    """One, one for each folder, or networks and the others."""
    files = ["a/1.pcap", "b/2.pcap", "a/3.pcap"]
    assert sites(files, "") == [Site(None, tuple(files))]
    assert sites(files, "folder") == [
        Site("a", ("a/1.pcap", "a/3.pcap")), Site("b", ("b/2.pcap",)),
    ]  # fmt: skip
    one, two, others = sites(files, HOW)
    assert [each.name for each in (one, two, others)] == ["one", "two", "others"]
    assert one.within == Within(("10.1.0.0/16",), ())
    assert two.within == Within(("10.2.0.0/16", "10.3.0.0/16"), ("10.1.0.0/16",))
    assert others.within is not None
    assert others.within.mine == ()


@pytest.mark.parametrize(
    "how",
    ["folders", "a=", "=10.0.0.0/8", "a=10.0.0.1/8", "a=10.0.0.0/8;a=fe80::/10", "others=::/0",
     "a/b=::/0", "folder;a=::/0"],
)  # fmt: skip
def test_what_says_no_sites(how: str) -> None:
    """It is refused with a sentence."""
    with pytest.raises(StreamsharkError, match="site"):
        sites((), how)


def test_networks() -> None:
    """A connection is of the first site that has one of its ends, in both directions."""
    found = [each.within for each in sites((), f"{HOW};six=fe80::/10")]
    ends = {
        ("10.1.2.3:1", "10.2.0.1:2"): 0,
        ("10.2.0.1:2", "192.168.0.1:3"): 1,
        ("[fe80::1]:4", "[::1]:5"): 2,
        ("192.168.0.1:1", "192.168.0.2:1"): 3,
    }
    again = [pickle.loads(pickle.dumps(each)) for each in found]  # noqa: S301 - our own
    for each in (*found, *again):
        for (one, other), site in ends.items():
            for key in (key_between(one, other), key_between(other, one)):
                assert each is not None
                assert each.takes(key) == (each == found[site])


def test_a_capture_of_a_site(tmp_path: Path) -> None:
    """Its packets keep their numbers, and what is wrong with it is told of it."""
    path = write(tmp_path / "all.pcap", archive())
    with Path(path).open("ab") as file:
        file.write(b"\1" * 20)
    within = sites((), HOW)[0].within
    capture = narrowed(opened(path, 7), within)
    links = [link for batch in capture.batches(4096) for link in batch.links]
    assert [link != NO_LINK for link in links] == [each.data[27] == 1 for each in packets_of(path)]
    assert (capture.file, capture.packets, capture.damage is not None) == (7, len(links), True)
    assert narrowed(capture, None) is capture
