"""Numbers with names: types of envelopes, operations, policies, positions and errors.

Source: `server/protocol/envelope.go` and `internal.proto` of liftbridge v1.9.0, `api.proto` of
liftbridge-api v1.9.0. Values of an enumeration in protobuf are absent on the wire where they are 0.
"""

from enum import IntEnum


class MessageType(IntEnum):
    """What an envelope holds."""

    PUBLISH = 0
    ACK = 1
    REPLICATION_REQUEST = 2
    REPLICATION_RESPONSE = 3
    RAFT_JOIN_REQUEST = 4
    RAFT_JOIN_RESPONSE = 5
    LEADER_EPOCH_OFFSET_REQUEST = 6
    LEADER_EPOCH_OFFSET_RESPONSE = 7
    PROPAGATED_REQUEST = 8
    PROPAGATED_RESPONSE = 9
    SERVER_INFO_REQUEST = 10
    SERVER_INFO_RESPONSE = 11
    PARTITION_STATUS_REQUEST = 12
    PARTITION_STATUS_RESPONSE = 13
    PARTITION_NOTIFICATION = 14


class Op(IntEnum):
    """What is asked of the metadata leader."""

    CREATE_STREAM = 0
    SHRINK_ISR = 1
    REPORT_LEADER = 2
    CHANGE_LEADER = 3
    EXPAND_ISR = 4
    DELETE_STREAM = 5
    PAUSE_STREAM = 6
    RESUME_STREAM = 7
    PUBLISH_ACTIVITY = 8
    SET_STREAM_READONLY = 9
    CREATE_CONSUMER_GROUP = 10
    JOIN_CONSUMER_GROUP = 11
    LEAVE_CONSUMER_GROUP = 12
    REPORT_CONSUMER_GROUP_COORDINATOR = 13
    CHANGE_CONSUMER_GROUP_COORDINATOR = 14


class AckPolicy(IntEnum):
    """When a publisher wants an acknowledgement."""

    LEADER = 0
    ALL = 1
    NONE = 2


class AckError(IntEnum):
    """Why a message was not stored."""

    OK = 0
    UNKNOWN = 1
    INCORRECT_OFFSET = 2
    TOO_LARGE = 3
    ENCRYPTION = 4


class StartPosition(IntEnum):
    """Where a subscription begins."""

    NEW_ONLY = 0
    OFFSET = 1
    EARLIEST = 2
    LATEST = 3
    TIMESTAMP = 4


class StopPosition(IntEnum):
    """Where a subscription ends."""

    STOP_ON_CANCEL = 0
    STOP_OFFSET = 1
    STOP_LATEST = 2
    STOP_TIMESTAMP = 3


class AsyncError(IntEnum):
    """Why a message of PublishAsync was refused."""

    UNKNOWN = 0
    BAD_REQUEST = 1
    NOT_FOUND = 2
    INTERNAL = 3
    READONLY = 4
    INCORRECT_OFFSET = 5
    ENCRYPTION_FAILED = 6
    PERMISSION_DENIED = 7


class StreamError(IntEnum):
    """What metadata says of a stream that was asked for."""

    OK = 0
    UNKNOWN_STREAM = 1


class GroupError(IntEnum):
    """What metadata says of a consumer group that was asked for."""

    OK = 0
    UNKNOWN_GROUP = 1


class ActivityOp(IntEnum):
    """What has happened, on the stream of activity."""

    CREATE_STREAM = 0
    DELETE_STREAM = 1
    PAUSE_STREAM = 2
    RESUME_STREAM = 3
    SET_STREAM_READONLY = 4
    JOIN_CONSUMER_GROUP = 5
    LEAVE_CONSUMER_GROUP = 6


class Status(IntEnum):
    """Codes of gRPC, which the metadata leader answers with too."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class RaftCall(IntEnum):
    """First byte of a call between the Raft peers (hashicorp/raft, `net_transport.go`)."""

    APPEND_ENTRIES = 0
    REQUEST_VOTE = 1
    INSTALL_SNAPSHOT = 2
    TIMEOUT_NOW = 3
    REQUEST_PRE_VOTE = 4
