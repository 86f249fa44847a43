"""Sites: each says what the command line says of its packets alone."""

import pickle
import struct
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.packets import Packet, packets, rotated, write
from tests.spark.clusters import alone, archive
from tests.spark.comparison import by_one_machine, by_tables

from streamshark.errors import StreamsharkError
from streamshark.flows.ip import key_between
from streamshark.spark.domains import Domain, DomainFilter, domains_of, narrowed
from streamshark.spark.pipeline import RunOptions, run, tables
from streamshark.splits.inputs import opened
from streamshark.splits.partition import NO_LINK

pytestmark = pytest.mark.xdist_group("spark")
HOW = "one=10.1.0.0/16;two=10.2.0.0/16,10.3.0.0/16"


@pytest.mark.spark
@pytest.mark.parametrize(("shares", "files"), [(1, 3), (8, 5)])
def test_clusters_at_one_tap(spark: SparkSession, tmp_path: Path, shares: int, files: int) -> None:
    """Each is judged by itself, two nights long."""
    found = archive()
    paths = rotated(tmp_path / "in", found, files)
    out = tmp_path / "out"
    for some in (paths[:2], paths):
        request = RunOptions(
            tuple(some), str(out), ("frames", "conversations", "findings", "flows"), site=HOW,
            shares=shares, time_slice=20_000, fields=True,
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
        rotated(tmp_path / "in", alone(found, lambda ends, of=networks: ends[1] in of), files)
        wanted = by_one_machine(paths)
        assert wanted.frames
        assert wanted.conversations
        assert said[name] == wanted
    flows = {row["site"]: row["count"] for row in known["flows"].groupBy("site").count().collect()}
    assert flows == {"one": 1, "two": 11, "others": 3}


def test_what_is_said_of_sites() -> None:
    """One, one for each folder, or networks and the others."""
    files = ["a/1.pcap", "b/2.pcap", "a/3.pcap"]
    assert domains_of(files, "") == [Domain(None, tuple(files))]
    assert domains_of(files, "folder") == [
        Domain("a", ("a/1.pcap", "a/3.pcap")), Domain("b", ("b/2.pcap",)),
    ]  # fmt: skip
    one, two, others = domains_of(files, HOW)
    assert [each.name for each in (one, two, others)] == ["one", "two", "others"]
    assert one.within == DomainFilter(("10.1.0.0/16",), ())
    assert two.within == DomainFilter(("10.2.0.0/16", "10.3.0.0/16"), ("10.1.0.0/16",))
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
        domains_of((), how)


def test_networks() -> None:
    """A connection is of the first site that has one of its ends, in both directions."""
    found = [each.within for each in domains_of((), f"{HOW};six=fe80::/10")]
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


def test_fragments(tmp_path: Path) -> None:
    """Those of TCP are of the site of their hosts; in others there may be any connection."""
    head = bytes(12) + b"\x08\0" + struct.pack(">BBHHHBBH", 0x45, 0, 28, 7, 0x2000, 64, 6, 0)
    mine, others = (head + bytes([10, each, 0, 1, 10, each, 0, 2]) + bytes(8) for each in (1, 2))
    tunnel = others[:23] + b"\x2f" + others[24:]
    found = [Packet(at, each, 1, len(each)) for at, each in enumerate((mine, others, tunnel))]
    path = write(tmp_path / "fragments.pcap", found)
    links = {}
    for each in domains_of((), HOW)[:2]:
        batches = narrowed(opened(path, 0), each.within).batches()
        links[each.name] = [link != NO_LINK for batch in batches for link in batch.links]
    assert links == {"one": [True, False, True], "two": [False, True, True]}


def test_a_capture_of_a_site(tmp_path: Path) -> None:
    """Its packets keep their numbers, and what is wrong with it is told of it."""
    path = write(tmp_path / "all.pcap", archive())
    with Path(path).open("ab") as file:
        file.write(b"\1" * 20)
    within = domains_of((), HOW)[0].within
    capture = narrowed(opened(path, 7), within)
    links = [link for batch in capture.batches(4096) for link in batch.links]
    assert [link != NO_LINK for link in links] == [each.data[27] == 1 for each in packets(path)]
    assert (capture.file, capture.packets, capture.damage is not None) == (7, len(links), True)
    assert narrowed(capture, None) is capture
