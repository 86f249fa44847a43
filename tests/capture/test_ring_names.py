"""Names of ring files give their number in the ring."""

from tests.failures import every

from streamshark.capture.ring_names import RingName, ring_name


@every(
    "name, wanted",
    [
        ("a_00007_20261121101500.pcap", RingName("a_", "_*.pcap", 7, "_20261121101500")),
        ("a_b_123456_20261121101500", RingName("a_b_", "_*", 123_456, "_20261121101500")),
        ("a.pcap12", RingName("a.pcap", "", 12, "")),
        ("a.cap3.gz", RingName("a.cap", ".gz", 3, "")),
        ("a.pcap", None),
        ("a_7_20261121101500.pcap", None),
        ("a2.pcap", None),
    ],
    lambda case: case[0],
)
def test_ring_name(name: str, wanted: RingName | None) -> None:
    """Names of dumpcap and `tcpdump -C` give the number; other names do not."""
    assert ring_name(name) == wanted
