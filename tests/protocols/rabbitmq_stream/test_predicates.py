"""What rules ask that tables cannot say."""

import gzip

import pytest
from tests.failures import every

from streamshark.protocols.rabbitmq_stream.predicates import (
    has_bad_sub_batch,
    has_null_property,
    has_sections_out_of_order,
    is_another_host,
    is_port_dialled,
    refers_to_no_broker,
)

BATCH = b"\0\0\0\x02hi" * 3
"""Three messages."""


@pytest.mark.parametrize(
    ("brokers", "leaders", "replicas", "wrong"),
    [
        ([0, 1], [0], [1], ""),
        ([0, 1], [2], [1], "2"),
        ([0, 1], [9], [1, 7], "7, 9"),
        ([], [0xFFFF], [], ""),
        (None, None, None, ""),
    ],
)
def test_leaders_are_brokers(
    brokers: list[int], leaders: list[int], replicas: list[int], wrong: str
) -> None:
    """65535 is no leader at all."""
    row = {
        "brokers.reference": brokers,
        "streams.leader": leaders,
        "streams.replicas": replicas,
    }

    assert refers_to_no_broker(row) == wrong


@pytest.mark.parametrize(
    ("host", "server", "another"),
    [
        ("localhost", "127.0.0.1:5552", False),
        ("127.0.0.1", "127.0.0.1:5552", False),
        ("10.0.0.7", "127.0.0.1:5552", True),
        ("broker.example", "127.0.0.1:5552", True),
        ("broker.example", "192.0.2.1:5552", False),
        ("container", "192.0.2.1:5552", True),
        ("::1", "[::1]:5552", False),
        (None, "127.0.0.1:5552", False),
        ("broker", None, False),
    ],
)
def test_hosts_that_are_not_the_one_dialled(
    host: str | None, server: str | None, another: object
) -> None:
    """A name with dots may be any address but a loopback one."""
    assert is_another_host({"conn.advertised_host": host, "server": server}) is another


@pytest.mark.parametrize(
    ("port", "server", "dialled"),
    [(5552, "127.0.0.1:5552", True), (5553, "127.0.0.1:5552", False), (None, None, False)],
)
def test_a_port_that_is_dialled_as_advertised(
    port: int | None, server: str | None, dialled: object
) -> None:
    """Not one behind a proxy."""
    assert is_port_dialled({"conn.advertised_port": port, "server": server}) is dialled


def entry(
    records: bytes = BATCH, *, codec: int = 0, count: int = 3, size: int = len(BATCH)
) -> dict[str, object]:
    """A sub-batch as decoded."""
    return {
        "entry_type": 1, "compression": codec, "record_count": count,
        "uncompressed_size": size, "records": records,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("made", "bad"),
    [
        (entry(), ""),
        (entry(gzip.compress(BATCH), codec=1), ""),
        (entry(BATCH, codec=1), "not valid gzip"),
        (entry(gzip.compress(BATCH), codec=1, size=17), "over 17 bytes are packed here"),
        (entry(count=2), "2 messages announced, 3 present"),
        (entry(count=0), "0 messages announced"),
        (entry(size=11), "3 messages announced in 11 bytes, too few"),
        (entry(size=19), "19 unpacked bytes announced, 18 present"),
        (entry(codec=6), "no codec 6 is known"),
        (entry(BATCH[:-1], size=17), "2 bytes needed, 1 left"),
        (entry(gzip.compress(bytes(1 << 20)), codec=1), "over 18 bytes are packed here"),
    ],
)
def test_sub_batches_hold_what_they_say(made: dict[str, object], bad: str) -> None:
    """Of Publish and of Deliver; simple messages beside them do not matter."""
    simple = {"entry_type": 0, "message": b"x"}

    told = f"{bad} (entry 2 of 2)" if bad else ""
    assert has_bad_sub_batch({"published_messages": [simple, made]}) == told
    assert has_bad_sub_batch({"chunk.entries": [simple, made]}) == told
    assert has_bad_sub_batch({"published_messages": [simple]}) == ""


PROPERTIES, BODY, FOOTER = "005373c00100", "005375a0026869", "005378c10100"
"""A list, binary, a map, each as a section."""


@every(
    ("message", "wrong"),
    [
        (PROPERTIES + BODY, ""),
        (BODY + PROPERTIES, "properties after data"),
        (PROPERTIES + PROPERTIES + BODY, "properties after properties"),
        (BODY + BODY + FOOTER, ""),
        (FOOTER + BODY, "data after footer"),
        ("005370b0000000026869" + BODY, ""),
        ("005377" + "71" + "00000007", ""),
        ("6869", ""),
        ("0053", ""),
        ("", ""),
        (PROPERTIES + "0053", ""),
        (BODY + "005373", "properties after data"),
        ("0053750f", ""),
    ],
)
def test_sections_in_their_order(message: str, wrong: str) -> None:
    """Of the first message; what is no section, or is cut, is not looked at further."""
    row = {"published_messages": [{"message": bytes.fromhex(message)}, {"message": b""}]}

    assert has_sections_out_of_order(row) == wrong
    assert has_sections_out_of_order({"published_messages": None}) == ""
    assert has_sections_out_of_order({"published_messages": [{"records": b""}]}) == ""


@every(
    ("values", "found"),
    [
        (("40", "5401"), "'n'"),
        (("40", "40"), ""),
        (("43", "5401"), ""),
        (("5401", "a10161"), ""),
        (("40",), ""),
        (("40", "a105"), "'n'"),
    ],
)
def test_properties_that_are_null_in_some_messages(values: tuple[str, ...], found: str) -> None:
    """In one frame; what is cut short is read as far as it goes."""

    def message(value: str) -> bytes:
        body = bytes.fromhex("a1016d" + "4201"[:2] + "a1016e" + value)
        section = bytes([len(body) + 1, 4]) + body
        return bytes.fromhex("005374c1") + section + bytes.fromhex("005375a0026869")

    row = {"published_messages": [{"message": message(each)} for each in values]}

    assert has_null_property(row) == found
    for end in range(len(message("40"))):
        cut = [{"message": message("5401")}, {"message": message("40")[:end]}]
        assert has_null_property({"published_messages": cut}) in ("", "'n'")
    assert has_null_property({"published_messages": [{"records": b""}]}) == ""
