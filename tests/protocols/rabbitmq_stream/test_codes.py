"""Codes: the document's tables, read from it here a second time."""

from streamshark.protocols.rabbitmq_stream.codes import (
    NO_LEADER,
    Compression,
    Key,
    OffsetType,
    ResponseCode,
)

RESPONSES = """
OK|0x01
Stream does not exist|0x02
Subscription ID already exists|0x03
Subscription ID does not exist|0x04
Stream already exists|0x05
Stream not available|0x06
SASL mechanism not supported|0x07
Authentication failure|0x08
SASL error|0x09
SASL challenge|0x0a
SASL authentication failure loopback|0x0b
Virtual host access failure|0x0c
Unknown frame|0x0d
Frame too large|0x0e
Internal error|0x0f
Access refused|0x10
Precondition failed|0x11
Publisher does not exist|0x12
No offset|0x13
"""
"""PROTOCOL.adoc, "Response Codes"."""

COMMANDS = """
declarepublisher publish publishconfirm publisherror querypublishersequence deletepublisher
subscribe deliver credit storeoffset queryoffset unsubscribe create delete metadata metadataupdate
peerproperties saslhandshake saslauthenticate tune open close heartbeat route partitions
consumerupdate exchangecommandversions streamstats createsuperstream deletesuperstream
resolveoffsetspec
"""
"""PROTOCOL.adoc, "Commands", in the order of their keys."""


def test_response_codes_are_the_document_s() -> None:
    """Names and numbers of its table, and the two that it lacks."""
    rows = [row.split("|") for row in RESPONSES.split("\n") if row]
    table = {name.replace(" ", "_").upper(): int(number, 16) for name, number in rows}
    known = {each.name: int(each) for each in ResponseCode}

    assert known == table | {"SASL_CANNOT_CHANGE_MECHANISM": 20, "SASL_CANNOT_CHANGE_USERNAME": 21}


def test_keys_are_the_document_s() -> None:
    """Every command, in the order of the keys from 1 on."""
    assert COMMANDS.split() == [each.name.replace("_", "").lower() for each in Key]
    assert list(range(1, 32)) == [int(each) for each in Key]


def test_smaller_enumerations() -> None:
    """The values that the document and the clients give."""
    assert {each.name.lower(): int(each) for each in OffsetType} == {
        "none": 0, "first": 1, "last": 2, "next": 3, "offset": 4, "timestamp": 5,
    }  # fmt: skip
    assert [int(each) for each in Compression] == [0, 1, 2, 3, 4, 7]
    assert NO_LEADER == 0xFFFF
