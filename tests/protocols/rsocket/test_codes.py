"""Codes: the document's tables, read from it here a second time."""

from tests.protocols.rsocket.traffic import WIRE

from streamshark.protocols.rsocket.codes import (
    LEASE,
    MIME_TYPES,
    RESPOND,
    RESUME_ENABLE,
    AuthType,
    ErrorCode,
    Flag,
    FrameType,
    OldFlag,
    OldType,
)
from streamshark.protocols.rsocket.types import OLD

ERRORS = """
INVALID_SETUP 0x00000001
UNSUPPORTED_SETUP 0x00000002
REJECTED_SETUP 0x00000003
REJECTED_RESUME 0x00000004
CONNECTION_ERROR 0x00000101
CONNECTION_CLOSE 0x00000102
APPLICATION_ERROR 0x00000201
REJECTED 0x00000202
CANCELED 0x00000203
INVALID 0x00000204
"""
"""Protocol.md, "Error Codes"."""
TYPES = """
SETUP LEASE KEEPALIVE REQUEST_RESPONSE REQUEST_FNF REQUEST_STREAM REQUEST_CHANNEL REQUEST_N CANCEL
PAYLOAD ERROR METADATA_PUSH RESUME RESUME_OK
"""
"""Protocol.md, "Frame Types", from 0x01 on."""


def test_error_codes_are_the_document_s() -> None:
    """Names and numbers of its table, and the code that is kept for extensions."""
    table = {name: int(number, 16) for name, number in map(str.split, ERRORS.split("\n")[1:-1])}

    assert {each.name: int(each) for each in ErrorCode} == table | {
        "RESERVED_FOR_EXTENSION": 0xFFFFFFFF
    }


def test_frame_types_are_the_document_s() -> None:
    """In the order of the numbers, EXT being all ones; 0.1 has two others in their midst."""
    old = TYPES.replace("REQUEST_CHANNEL", "REQUEST_SUB REQUEST_CHANNEL")

    assert {name: at for at, name in enumerate(TYPES.split(), 1)} | {"EXT": 0x3F} == {
        each.name: int(each) for each in FrameType
    }
    assert {name: at for at, name in enumerate(old.replace("PAYLOAD", "RESPONSE").split(), 1)} | {
        "EXT": 0xFFFF
    } == {each.name: int(each) for each in OldType}


def test_every_error_code_has_a_name() -> None:
    """Its own, or that of its range; in version 0.1 one gap between connections and streams."""
    new, old = (WIRE.table(dialect).named("error").tree.find("error_code").facts
                for dialect in ("", OLD))  # fmt: skip
    codes = (0, 1, 4, 5, 0x100, 0x102, 0x200, 0x204, 0x300, 0x301, 0xFFFFFFFE, 0xFFFFFFFF)

    assert [new.name_of(each) for each in codes] == [
        "reserved", "invalid_setup", "rejected_resume", "reserved", "reserved", "connection_close",
        "reserved", "invalid", "reserved", "application_defined", "application_defined",
        "reserved_for_extension",
    ]  # fmt: skip
    assert [old.name_of(each) for each in codes] == [
        "reserved", "invalid_setup", "setup_reserved", "setup_reserved", None,
        "connection_reserved", None, "invalid", "application_defined", "application_defined",
        "application_defined", "reserved_for_extension",
    ]  # fmt: skip


def test_flags_are_bits() -> None:
    """From the top of ten and of sixteen bits down; some frames give one another meaning."""
    assert [int(each) for each in Flag] == [1 << bit for bit in (9, 8, 7, 6, 5)]
    assert [int(each) for each in OldFlag] == [1 << bit for bit in (15, 14, 13, 12, 11)]
    assert (RESUME_ENABLE, RESPOND, LEASE) == (Flag.FOLLOWS, Flag.FOLLOWS, Flag.COMPLETE)


def test_well_known_types_have_seven_bits() -> None:
    """Without gaps at both ends, each named once; types of authentication likewise."""
    assert sorted(MIME_TYPES) == [*range(0x2B), *range(0x7A, 0x80)]
    assert len(set(MIME_TYPES.values())) == len(MIME_TYPES)
    assert MIME_TYPES[0x7C] == "message/x.rsocket.authentication.v0"
    assert [int(each) for each in AuthType] == [0, 1]
