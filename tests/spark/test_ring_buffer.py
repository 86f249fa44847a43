"""What a ring of captures must have had is named."""

from streamshark.spark.ring_buffer import missing


def of_dumpcap(*numbers: int) -> list[str]:
    """Names as dumpcap gives them."""
    return [f"/in/trace_{each:05}_2026112110{each:02}00.pcapng" for each in numbers]


def told(fresh: list[str], known: list[str] | None = None) -> list[tuple[str, str]]:
    """Names and reasons."""
    return [(each.file, each.reason) for each in missing(fresh, known or [])]


def test_holes() -> None:
    """A number that is not there is a file that was lost; what came before a ring is not."""
    assert told(of_dumpcap(3, 4, 5)) == []
    between = "trace_00003_20261121100300.pcapng and trace_00005_20261121100500.pcapng"
    reason = f"missing: a file is not there between {between}"
    assert told(of_dumpcap(3, 5)) == [("/in/trace_00004_*.pcapng", reason)]
    ((file, reason),) = told(of_dumpcap(9), of_dumpcap(4, 5))
    assert file == "/in/trace_00006_*.pcapng"
    assert reason.startswith("missing: 3 files are not there between trace_00005_")


def test_a_hole_is_named_once() -> None:
    """By the run that reads what comes after it."""
    assert told(of_dumpcap(6), of_dumpcap(3, 5)) == []
    assert told(of_dumpcap(4), of_dumpcap(3, 5)) == []


def test_names() -> None:
    """As `tcpdump -C` gives them, the first one without a number; other names have no numbers."""
    ((file, _),) = told(["a.pcap", "a.pcap1", "a.pcap2", "a.pcap4"])
    assert file == "a.pcap3"
    ((file, _),) = told(["a.pcap08.gz", "a.pcap10.gz"])
    assert file == "a.pcap09.gz"
    assert told(["one/a.pcap1", "two/a.pcap3", "b-1.pcap", "b-3.pcap", "2026-01.pcap"]) == []
