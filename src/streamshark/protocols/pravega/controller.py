"""What is in calls to the controller: the messages of its gRPC service.

Embedded records of the slots `grpc.message` and `grpc.reply`, chosen by the path of the call. All
calls are unary; tokens in replies allow what READ, SETUP_APPEND and others then carry.

Source: `shared/controller-api/src/main/proto/Controller.proto` of pravega/pravega 0.13.0.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, Final

from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.schema import ProtoField, ProtoMessage, Record, proto

SERVICE: Final = "/io.pravega.controller.stream.api.grpc.v1.ControllerService/"
SHOWS: Final = (
    "{scope}/{stream} {stream_info.scope}/{stream_info.stream} {kvt_name} {reader_group_name} "
    "{reader_group} segment={segment_id} epoch={epoch} status={status} state={state} "
    "{node_uri.endpoint}:{node_uri.port} {endpoint}:{port}"
)
"""What one line shows of a message, as far as it has these members."""


class AccessOperation(IntEnum):
    """What a token is asked for."""

    UNSPECIFIED = 0
    NONE = 1
    ANY = 2
    READ = 3
    WRITE = 4
    READ_WRITE = 5


class ScalingPolicyType(IntEnum):
    """When segments are split and merged."""

    FIXED_NUM_SEGMENTS = 0
    BY_RATE_IN_KBYTES_PER_SEC = 1
    BY_RATE_IN_EVENTS_PER_SEC = 2


class RetentionPolicyType(IntEnum):
    """When a stream is truncated."""

    UNKNOWN = 0
    TIME = 1
    SIZE = 2


class ReaderGroupRetention(IntEnum):
    """What a reader group keeps a stream from forgetting."""

    NONE = 0
    MANUAL = 1
    AUTOMATIC = 2


class TxnResult(IntEnum):
    """How a transaction ended."""

    COMMITTED = 0
    ABORTED = 1


class TxnState(IntEnum):
    """How far a transaction is."""

    UNKNOWN = 0
    OPEN = 1
    COMMITTING = 2
    COMMITTED = 3
    ABORTING = 4
    ABORTED = 5


class PingStatus(IntEnum):
    """What became of a transaction's lease."""

    OK = 0
    LEASE_TOO_LARGE = 1
    MAX_EXECUTION_TIME_EXCEEDED = 2
    SCALE_GRACE_TIME_EXCEEDED = 3
    DISCONNECTED = 4
    COMMITTED = 5
    ABORTED = 6
    UNKNOWN = 7


class ScaleStatus(IntEnum):
    """Whether a scale began."""

    STARTED = 0
    FAILURE = 1
    PRECONDITION_FAILED = 2


class ScaleProgress(IntEnum):
    """How far a scale is."""

    IN_PROGRESS = 0
    SUCCESS = 1
    INVALID_INPUT = 2
    INTERNAL_ERROR = 3


class ServiceType(IntEnum):
    """What controllers share out among them."""

    RETENTION_SERVICE = 0
    WATERMARKING_SERVICE = 1


def _status(*later: str) -> ProtoField:
    """Declare the outcome: 0 and 1 are the same everywhere."""
    names = dict(enumerate(("success", "failure", *later)))
    return proto("status", "enum", "How it went.", names=names)


def _message(*fields: ProtoField) -> ProtoMessage:
    """Declare a message whose fields are numbered from 1 on."""
    return ProtoMessage(dict(enumerate(fields, 1)))


def _string(name: str, sentence: str, *, repeated: bool = False, **facts: Any) -> ProtoField:  # noqa: ANN401 - any fact
    return proto(name, "string", sentence, repeated=repeated, **facts)


def _of(name: str, message: ProtoMessage, sentence: str, *, repeated: bool = False) -> ProtoField:
    return proto(name, "message", sentence, repeated=repeated, message=message)


SCOPE: Final = _string("scope", "Its scope.")
TOKEN: Final = proto(
    "delegation_token", "string", "Token for the store.", secret=True, role="chance"
)
CONTINUATION: Final = _of(
    "continuation_token",
    _message(_string("token", "Opaque.", role="chance")),
    "Where the list continues.",
)
STREAM_INFO_MESSAGE: Final = _message(
    SCOPE,
    _string("stream", "Its name."),
    proto("access_operation", "enum", "What it is asked for.", names=AccessOperation),
)
STREAM_INFO: Final = _of("stream_info", STREAM_INFO_MESSAGE, "Which stream.")
SEGMENT_ID_MESSAGE: Final = _message(
    STREAM_INFO, proto("segment_id", "int64", "Number; the epoch in the upper half.")
)
SEGMENT_ID: Final = _of("segment_id", SEGMENT_ID_MESSAGE, "Which segment.")
SEGMENT_RANGE_MESSAGE: Final = _message(
    SEGMENT_ID,
    proto("min_key", "double", "Where its keys begin."),
    proto("max_key", "double", "Where they end."),
)
SEGMENT_RANGES: Final = _of(
    "segment_ranges", SEGMENT_RANGE_MESSAGE, "Segments with their keys.", repeated=True
)
_CUT: Final = ProtoMessage({
    1: proto("key", "int64", "Segment."),
    2: proto("value", "int64", "Offset in it."),
})  # fmt: skip


def _cut(name: str) -> ProtoField:
    return proto(name, "map", "Segments and offsets.", message=_CUT)


STREAM_CUT_MESSAGE: Final = _message(STREAM_INFO, _cut("cut"))
TXN_ID: Final = _of(
    "txn_id",
    _message(
        proto("high_bits", "int64", "Upper half of its UUID.", role="chance"),
        proto("low_bits", "int64", "Lower half.", role="chance"),
    ),
    "Which transaction.",
)
LEASE: Final = proto("lease", "int64", "How long it lives without a ping.", unit="ms")
TIMESTAMP: Final = proto("timestamp", "int64", "Time of the writer.", role="chance")
ROLLOVER: Final = proto(
    "rollover_size_bytes", "int64", "Size at which storage begins a chunk.", unit="bytes"
)
SCALING_POLICY: Final = _of(
    "scaling_policy",
    _message(
        proto("scale_type", "enum", "What is counted.", names=ScalingPolicyType),
        proto("target_rate", "int32", "Rate of a segment."),
        proto("scale_factor", "int32", "Into how many one is split."),
        proto("min_num_segments", "int32", "Segments at least."),
    ),
    "When segments are split.",
)
RETENTION_POLICY: Final = _of(
    "retention_policy",
    _message(
        proto("retention_type", "enum", "What is counted.", names=RetentionPolicyType),
        proto("retention_param", "int64", "How much is kept at least."),
        proto("retention_max", "int64", "How much at most."),
    ),
    "When the stream is truncated.",
)
STREAM_CONFIG: Final = _message(
    STREAM_INFO,
    SCALING_POLICY,
    RETENTION_POLICY,
    _of("tags", _message(_string("tag", "A tag.", repeated=True)), "Its tags."),
    proto("timestamp_aggregation_timeout", "int64", "Time that watermarks wait.", unit="ms"),
    ROLLOVER,
)
TABLE_INFO_MESSAGE: Final = _message(SCOPE, _string("kvt_name", "Its name."))
TABLE_CONFIG: Final = _message(
    SCOPE,
    _string("kvt_name", "Its name."),
    proto("partition_count", "int32", "Segments that it has."),
    proto("primary_key_length", "int32", "Bytes of a primary key."),
    proto("secondary_key_length", "int32", "Bytes of a secondary key."),
    ROLLOVER,
)
READER_GROUP_ID: Final = _string("reader_group_id", "Its UUID.", role="chance")
GENERATION: Final = proto("generation", "int64", "Version of its configuration.")
READER_GROUP: Final = _message(
    SCOPE,
    _string("reader_group_name", "Its name."),
    proto("group_refresh_time_millis", "int64", "Time between refreshes.", unit="ms"),
    proto("automatic_checkpoint_interval_millis", "int64", "Time between them.", unit="ms"),
    proto("max_outstanding_checkpoint_request", "int32", "Checkpoints at one time."),
    proto("retention_type", "enum", "What it keeps.", names=ReaderGroupRetention),
    GENERATION,
    READER_GROUP_ID,
    _of("starting_stream_cuts", STREAM_CUT_MESSAGE, "Where it begins.", repeated=True),
    _of("ending_stream_cuts", STREAM_CUT_MESSAGE, "Where it ends.", repeated=True),
    ROLLOVER,
)
GROUP_CONFIG: Final = _of("config", READER_GROUP, "Its configuration.")
SCOPE_INFO: Final = _message(_string("scope", "Its name."))
SCOPE_LIST: Final = (SCOPE, CONTINUATION)
EXISTS: Final = _message(proto("exists", "bool", "Whether it does."))
ENDPOINT: Final = _message(
    proto("endpoint", "string", "Host.", role="host"),
    proto("port", "int32", "Port of the store.", role="port"),
)
SUCCESSOR: Final = _message(
    _of(
        "segments",
        _message(
            _of("segment", SEGMENT_RANGE_MESSAGE, "A segment that follows."),
            proto("value", "int64", "Segments that it follows.", repeated=True),
        ),
        "What comes after it.",
        repeated=True,
    ),
    TOKEN,
)
STREAM_STATUS: Final = _message(_status("stream_not_found", "scope_not_found", "stream_sealed"))
SCOPE_GONE: Final = _message(_status("scope_not_found", "scope_not_empty"))
STREAMS: Final = _message(
    _of("streams", STREAM_INFO_MESSAGE, "The streams.", repeated=True),
    CONTINUATION,
    _status("scope_not_found"),
)
GROUP_INFO: Final = _message(
    SCOPE, _string("reader_group", "Its name."), READER_GROUP_ID, GENERATION
)

REQUESTS: Final[dict[str, tuple[ProtoMessage, str]]] = {
    "server_request": (ProtoMessage({}), "getControllerServerList"),
    "stream_config": (STREAM_CONFIG, "createStream updateStream"),
    "stream_cut": (STREAM_CUT_MESSAGE, "truncateStream isStreamCutValid"),
    "stream_info": (
        STREAM_INFO_MESSAGE,
        ("sealStream deleteStream getCurrentSegments checkStreamExists getDelegationToken "
        "listSubscribers getStreamConfiguration"),
    ),
    "get_epoch_segments_request": (
        _message(STREAM_INFO, proto("epoch", "int32", "Which epoch.")), "getEpochSegments"),
    "get_segments_request": (_message(STREAM_INFO, TIMESTAMP), "getSegments"),
    "segment_id": (
        SEGMENT_ID_MESSAGE,
        "getSegmentsImmediatlyFollowing getSegmentsImmediatelyFollowing getURI isSegmentValid",
    ),
    "stream_cut_range": (
        _message(STREAM_INFO, _cut("from"), _cut("to")), "getSegmentsBetween"),
    "scale_request": (
        _message(
            STREAM_INFO,
            proto("sealed_segments", "int64", "Segments that end.", repeated=True),
            _of(
                "new_key_ranges",
                _message(
                    proto("start", "double", "Where its keys begin."),
                    proto("end", "double", "Where they end."),
                ),
                "Segments that begin.",
                repeated=True,
            ),
            proto("scale_timestamp", "int64", "When it was asked for.", unit="ms",
                  role="chance time"),
        ),
        "scale",
    ),
    "scale_status_request": (
        _message(STREAM_INFO, proto("epoch", "int32", "Epoch before it.")), "checkScale"),
    "create_txn_request": (
        _message(
            STREAM_INFO, LEASE, proto("scale_grace_period", "int64", "No longer used.", unit="ms")
        ),
        "createTransaction",
    ),
    "txn_request": (
        _message(STREAM_INFO, TXN_ID, _string("writer_id", "Its writer.",
                                              role="chance"), TIMESTAMP),
        "commitTransaction abortTransaction checkTransactionState",
    ),
    "ping_txn_request": (_message(STREAM_INFO, TXN_ID, LEASE), "pingTransaction"),
    "list_completed_txn_request": (_message(STREAM_INFO), "listCompletedTransactions"),
    "scope_info": (SCOPE_INFO, "createScope deleteScope checkScopeExists"),
    "delete_scope_request": (SCOPE_INFO, "deleteScopeRecursive"),
    "scopes_request": (_message(CONTINUATION), "listScopes"),
    "streams_in_scope_request": (_message(*SCOPE_LIST), "listStreamsInScope"),
    "streams_in_scope_with_tag_request": (
        _message(SCOPE, _string("tag", "Tag that they have."), CONTINUATION),
        "listStreamsInScopeForTag",
    ),
    "remove_writer_request": (
        _message(_string("writer", "Which.",
                         role="chance"), _of("stream", STREAM_INFO_MESSAGE, "Of which.")),
        "removeWriter",
    ),
    "timestamp_from_writer": (
        _message(
            _string("writer", "Which.", role="chance"),
            _of("position", STREAM_CUT_MESSAGE, "What it has written."),
            TIMESTAMP,
        ),
        "noteTimestampFromWriter",
    ),
    "key_value_table_config": (TABLE_CONFIG, "createKeyValueTable"),
    "key_value_table_info": (
        TABLE_INFO_MESSAGE,
        "getCurrentSegmentsKeyValueTable getKeyValueTableConfiguration deleteKeyValueTable",
    ),
    "kv_tables_in_scope_request": (_message(*SCOPE_LIST), "listKeyValueTablesInScope"),
    "subscriber_stream_cut": (
        _message(
            _string("subscriber", "Which reader group."),
            GENERATION,
            READER_GROUP_ID,
            _of("stream_cut", STREAM_CUT_MESSAGE, "Up to where it needs nothing more."),
        ),
        "updateSubscriberStreamCut",
    ),
    "reader_group_configuration": (READER_GROUP, "createReaderGroup updateReaderGroup"),
    "reader_group_info": (GROUP_INFO, "getReaderGroupConfig deleteReaderGroup"),
    "controller_to_bucket_mapping_request": (
        _message(proto("service_type", "enum", "Of which service.", names=ServiceType)),
        "getControllerToBucketMapping",
    ),
}  # fmt: skip
"""Messages of clients, and the methods that take them."""

REPLIES: Final[dict[str, tuple[ProtoMessage, str]]] = {
    "server_response": (
        _message(_of("node_uri", ENDPOINT, "The controllers.", repeated=True)),
        "getControllerServerList",
    ),
    "create_stream_status": (
        _message(_status("stream_exists", "scope_not_found", "invalid_stream_name")),
        "createStream",
    ),
    "update_stream_status": (STREAM_STATUS, "updateStream truncateStream sealStream"),
    "delete_stream_status": (
        _message(_status("stream_not_found", "stream_not_sealed")), "deleteStream"),
    "segment_ranges": (
        _message(SEGMENT_RANGES, TOKEN),
        "getCurrentSegments getEpochSegments getCurrentSegmentsKeyValueTable",
    ),
    "segments_at_time": (
        _message(
            _of(
                "segments",
                _message(SEGMENT_ID, proto("offset", "int64", "Offset then.", unit="bytes",
                                           role="chance")),
                "Segments at that time.",
                repeated=True,
            ),
            TOKEN,
        ),
        "getSegments",
    ),
    "successor_response": (
        SUCCESSOR, "getSegmentsImmediatlyFollowing getSegmentsImmediatelyFollowing"),
    "stream_cut_range_response": (
        _message(_of("segments", SEGMENT_ID_MESSAGE, "Segments between.", repeated=True), TOKEN),
        "getSegmentsBetween",
    ),
    "scale_response": (
        _message(
            proto("status", "enum", "How it went.", names=ScaleStatus),
            SEGMENT_RANGES,
            proto("epoch", "int32", "Epoch before it."),
        ),
        "scale",
    ),
    "scale_status_response": (
        _message(proto("status", "enum", "How far it is.", names=ScaleProgress)), "checkScale"),
    "node_uri": (ENDPOINT, "getURI"),
    "validity_response": (
        _message(proto("response", "bool", "Whether it is valid.")),
        "isSegmentValid isStreamCutValid",
    ),
    "create_txn_response": (
        _message(
            TXN_ID,
            _of("active_segments", SEGMENT_RANGE_MESSAGE, "Segments of it.", repeated=True),
            TOKEN,
        ),
        "createTransaction",
    ),
    "txn_status": (
        _message(_status("stream_not_found", "transaction_not_found")),
        "commitTransaction abortTransaction",
    ),
    "ping_txn_status": (
        _message(proto("status", "enum", "What became of it.", names=PingStatus)),
        "pingTransaction",
    ),
    "txn_state": (
        _message(proto("state", "enum", "How far it is.", names=TxnState)),
        "checkTransactionState",
    ),
    "list_completed_txn_response": (
        _message(
            _of(
                "response",
                _message(TXN_ID, proto("status", "enum", "How it ended.", names=TxnResult)),
                "The transactions.",
                repeated=True,
            )
        ),
        "listCompletedTransactions",
    ),
    "create_scope_status": (_message(_status("scope_exists", "invalid_scope_name")), "createScope"),
    "delete_scope_status": (SCOPE_GONE, "deleteScope deleteScopeRecursive"),
    "scopes_response": (
        _message(_string("scopes", "Names.", repeated=True), CONTINUATION), "listScopes"),
    "exists_response": (EXISTS, "checkScopeExists checkStreamExists"),
    "streams_in_scope_response": (STREAMS, "listStreamsInScope listStreamsInScopeForTag"),
    "delegation_token": (_message(TOKEN), "getDelegationToken"),
    "remove_writer_response": (
        _message(
            proto("result", "enum", "How it went.",
                  names={0: "success", 1: "unknown_writer", 2: "stream_does_not_exist",
                         3: "internal_error"})
        ),
        "removeWriter",
    ),
    "timestamp_response": (
        _message(
            proto("result", "enum", "How it went.",
                  names={0: "success", 1: "invalid_time", 2: "invalid_position",
                         3: "internal_error"})
        ),
        "noteTimestampFromWriter",
    ),
    "create_key_value_table_status": (
        _message(_status("table_exists", "scope_not_found", "invalid_table_name")),
        "createKeyValueTable",
    ),
    "delete_kv_table_status": (_message(_status("table_not_found")), "deleteKeyValueTable"),
    "key_value_table_config_response": (
        _message(_of("config", TABLE_CONFIG, "Its configuration."), _status("table_not_found")),
        "getKeyValueTableConfiguration",
    ),
    "kv_tables_in_scope_response": (
        _message(
            _of("kvtables", TABLE_INFO_MESSAGE, "The tables.", repeated=True),
            CONTINUATION,
            _status("scope_not_found"),
        ),
        "listKeyValueTablesInScope",
    ),
    "subscribers_response": (
        _message(
            _string("subscribers", "Reader groups.", repeated=True), _status("stream_not_found")
        ),
        "listSubscribers",
    ),
    "update_subscriber_status": (
        _message(
            _status(
                "stream_not_found", "subscriber_not_found", "stream_cut_not_valid",
                "generation_mismatch",
            )
        ),
        "updateSubscriberStreamCut",
    ),
    "create_reader_group_response": (
        _message(_status("scope_not_found", "invalid_rg_name"), GROUP_CONFIG), "createReaderGroup"),
    "reader_group_config_response": (
        _message(GROUP_CONFIG, _status("rg_not_found")), "getReaderGroupConfig"),
    "delete_reader_group_status": (_message(_status("rg_not_found")), "deleteReaderGroup"),
    "update_reader_group_response": (
        _message(_status("rg_not_found", "invalid_config"), GENERATION), "updateReaderGroup"),
    "stream_config_reply": (STREAM_CONFIG, "getStreamConfiguration"),
    "controller_to_bucket_mapping_response": (
        _message(
            proto(
                "mapping",
                "map",
                "Controllers and what they have.",
                message=ProtoMessage({
                    1: proto("key", "string", "Controller."),
                    2: proto("value", "message", "Its share.", message=_message(
                        proto("bucket", "int32", "A bucket.", repeated=True))),
                }),
            )
        ),
        "getControllerToBucketMapping",
    ),
}  # fmt: skip
"""Messages of the controller, and the methods that they answer."""


def _embedded_records() -> Iterator[EmbeddedRecord]:
    for slot, messages in (("grpc.message", REQUESTS), ("grpc.reply", REPLIES)):
        for name, (message, methods) in messages.items():
            yield EmbeddedRecord(
                id=f"pravega.controller_{name}",
                slots=frozenset({slot}),
                record=Record(message),
                types=frozenset(f"{SERVICE}{method}" for method in methods.split()),
                shows=SHOWS,
            )


CONTROLLER: Final = tuple(_embedded_records())
"""One embedded record for each message."""
