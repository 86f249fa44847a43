"""Stored messages: as the log of the server wrote them, and as it did in 2019."""

import zlib

from tests.protocols.liftbridge.traffic import record
from tests.schema.reader_agreement import Layout, agree, broken, whole

from streamshark.protocols.liftbridge.records import data
from streamshark.schema import Record

NEW = Layout.of_record(Record(*data()), "liftbridge.records")
OLD = Layout.of_record(Record(*data(old=True)), "liftbridge.old_records")
START = (1).to_bytes(8, "big") + (2).to_bytes(8, "big")


def test_records_stand_one_after_the_other() -> None:
    """None or several records follow each other, each with its checksum."""
    assert whole(NEW, START)["records"] == []
    values = whole(NEW, START + record(4) + record(5))

    assert [each["offset"] for each in values["records"]] == [4, 5]
    assert values["records"][0]["key"] is None
    broken(NEW, START + record(4))


def test_the_sum_of_2019_is_another() -> None:
    """CRC-32 of the same bytes; each reader refuses the other's."""
    tail = bytes.fromhex("0100ffffffffffffffff0000")
    old = record(4, (zlib.crc32(tail).to_bytes(4, "big") + tail).hex())

    assert whole(OLD, START + old)["records"][0]["offset"] == 4
    assert agree(OLD, START + record(4)) is None
    assert agree(NEW, START + old) is None
