"""Numbers with names: type codes, scale types, kinds of attribute updates, error codes.

Source: `WireCommandType`, `WireCommands` and `AttributeUpdateType` of pravega/pravega, release
0.13.0; codes that a release removed are from the last one that had them.
"""

from enum import IntEnum
from typing import Final


class TypeCode(IntEnum):
    """What a frame is: the first four bytes of each, signed."""

    HELLO = -127
    STORAGE_CHUNKS_LISTED = -6
    LIST_STORAGE_CHUNKS = -5
    FLUSHED_TO_STORAGE = -4
    FLUSH_TO_STORAGE = -3
    PARTIAL_EVENT = -2
    PADDING = -1
    EVENT = 0
    SETUP_APPEND = 1
    APPEND_SETUP = 2
    APPEND_BLOCK = 3
    APPEND_BLOCK_END = 4
    CONDITIONAL_APPEND = 5
    DATA_APPENDED = 7
    CONDITIONAL_CHECK_FAILED = 8
    READ_SEGMENT = 9
    SEGMENT_READ = 10
    GET_STREAM_SEGMENT_INFO = 11
    STREAM_SEGMENT_INFO = 12
    GET_TRANSACTION_INFO = 13
    TRANSACTION_INFO = 14
    CREATE_SEGMENT = 20
    SEGMENT_CREATED = 21
    CREATE_TRANSACTION = 22
    TRANSACTION_CREATED = 23
    COMMIT_TRANSACTION = 24
    TRANSACTION_COMMITTED = 25
    ABORT_TRANSACTION = 26
    TRANSACTION_ABORTED = 27
    SEAL_SEGMENT = 28
    SEGMENT_SEALED = 29
    DELETE_SEGMENT = 30
    SEGMENT_DELETED = 31
    UPDATE_SEGMENT_POLICY = 32
    SEGMENT_POLICY_UPDATED = 33
    GET_SEGMENT_ATTRIBUTE = 34
    SEGMENT_ATTRIBUTE = 35
    UPDATE_SEGMENT_ATTRIBUTE = 36
    SEGMENT_ATTRIBUTE_UPDATED = 37
    TRUNCATE_SEGMENT = 38
    SEGMENT_TRUNCATED = 39
    CREATE_TRANSIENT_SEGMENT = 40
    LOCATE_OFFSET = 41
    OFFSET_LOCATED = 42
    WRONG_HOST = 50
    SEGMENT_IS_SEALED = 51
    SEGMENT_ALREADY_EXISTS = 52
    NO_SUCH_SEGMENT = 53
    NO_SUCH_TRANSACTION = 54
    INVALID_EVENT_NUMBER = 55
    SEGMENT_IS_TRUNCATED = 56
    OPERATION_UNSUPPORTED = 57
    MERGE_SEGMENTS = 58
    SEGMENTS_MERGED = 59
    AUTH_TOKEN_CHECK_FAILED = 60
    ERROR_MESSAGE = 61
    GET_TABLE_SEGMENT_INFO = 68
    TABLE_SEGMENT_INFO = 69
    CREATE_TABLE_SEGMENT = 70
    DELETE_TABLE_SEGMENT = 71
    MERGE_TABLE_SEGMENTS = 72
    SEAL_TABLE_SEGMENT = 73
    UPDATE_TABLE_ENTRIES = 74
    TABLE_ENTRIES_UPDATED = 75
    REMOVE_TABLE_KEYS = 76
    TABLE_KEYS_REMOVED = 77
    READ_TABLE = 78
    TABLE_READ = 79
    TABLE_SEGMENT_NOT_EMPTY = 80
    TABLE_KEY_DOES_NOT_EXIST = 81
    TABLE_KEY_BAD_VERSION = 82
    READ_TABLE_KEYS = 83
    TABLE_KEYS_READ = 84
    READ_TABLE_ENTRIES = 85
    TABLE_ENTRIES_READ = 86
    TABLE_ENTRIES_DELTA_READ = 87
    READ_TABLE_ENTRIES_DELTA = 88
    CONDITIONAL_BLOCK_END = 89
    MERGE_SEGMENTS_BATCH = 90
    SEGMENTS_BATCH_MERGED = 91
    KEEP_ALIVE = 100


class ScaleType(IntEnum):
    """When a segment is split or merged (`WireCommands.CreateSegment`)."""

    NO_SCALE = 0
    IN_KBYTES_PER_SEC = 1
    IN_EVENTS_PER_SEC = 2


class AttributeUpdateType(IntEnum):
    """How an attribute is to change (`AttributeUpdateType`); clients send 1 and 4 only."""

    NONE = 0
    REPLACE = 1
    REPLACE_IF_GREATER = 2
    ACCUMULATE = 3
    REPLACE_IF_EQUALS = 4


class TokenError(IntEnum):
    """Why a delegation token was refused (`WireCommands.AuthTokenCheckFailed.ErrorCode`)."""

    UNSPECIFIED = -1
    TOKEN_CHECK_FAILED = 0
    TOKEN_EXPIRED = 1


class ErrorCode(IntEnum):
    """What went wrong (`WireCommands.ErrorMessage.ErrorCode`)."""

    UNSPECIFIED = -1
    ILLEGAL_ARGUMENT_EXCEPTION = 0


class RecordType(IntEnum):
    """What a record inside an append block or a segment is; these are type codes too."""

    EVENT = 0
    PADDING = -1
    PARTIAL_EVENT = -2


ERRORS: Final = (
    "wrong_host",
    "segment_is_sealed",
    "segment_already_exists",
    "no_such_segment",
    "no_such_transaction",
    "segment_is_truncated",
    "operation_unsupported",
    "auth_token_check_failed",
    "error_message",
    "table_segment_not_empty",
    "table_key_does_not_exist",
    "table_key_bad_version",
)
"""Replies that say why something was not done."""
