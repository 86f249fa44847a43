"""Codes: the lists of the .proto files, read from them here a second time."""

from streamshark.protocols.liftbridge.codes import (
    AckError,
    AckPolicy,
    ActivityOp,
    AsyncError,
    MessageType,
    Op,
    RaftCall,
    StartPosition,
    Status,
    StopPosition,
)

OPS = (
    "CREATE_STREAM SHRINK_ISR REPORT_LEADER CHANGE_LEADER EXPAND_ISR DELETE_STREAM PAUSE_STREAM "
    "RESUME_STREAM PUBLISH_ACTIVITY SET_STREAM_READONLY CREATE_CONSUMER_GROUP JOIN_CONSUMER_GROUP "
    "LEAVE_CONSUMER_GROUP REPORT_CONSUMER_GROUP_COORDINATOR CHANGE_CONSUMER_GROUP_COORDINATOR"
)


def test_numbers_follow_each_other() -> None:
    """All lists begin with 0 and have no holes."""
    assert [each.name for each in Op] == OPS.split()
    for codes in (MessageType, Op, AckPolicy, AckError, StartPosition, StopPosition, AsyncError,
                  ActivityOp, RaftCall, Status):  # fmt: skip
        assert [int(each) for each in codes] == list(range(len(codes)))


def test_requests_come_before_their_responses() -> None:
    """As the constants of envelope.go do."""
    for each in MessageType:
        if each.name.endswith("_RESPONSE"):
            assert MessageType(each - 1).name == each.name.replace("_RESPONSE", "_REQUEST")
