"""Codes: gRPC's table of statuses; what the carrier hands over has the same numbers here."""

from streamshark.protocols.grpc.codes import ErrorCode, Kind, Status
from streamshark.protocols.grpc.types import FLAGS
from streamshark.protocols.http2 import codes as http2
from streamshark.protocols.http2.call import UNSAID, CallFlag, CallKind

STATUSES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
    "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED "
    "INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
)


def test_statuses_are_the_document_s() -> None:
    """In the order of the numbers, and one for none."""
    assert [each.name for each in Status if each >= 0] == STATUSES.split()
    assert Status.UNSAID == UNSAID


def test_kinds_and_flags_are_the_carrier_s() -> None:
    """The protocol does not import them."""
    assert [int(each) for each in Kind] == [int(each) for each in CallKind]
    assert sorted(FLAGS) == [int(each) for each in CallFlag]
    assert {each.name: int(each) for each in ErrorCode} == {
        each.name: int(each) for each in http2.ErrorCode
    }
