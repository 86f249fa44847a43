"""Pravega's controller: protobuf with nested types, maps of numbers, doubles, packed lists."""

from tests.schema.shapes.liftbridge import message

from streamshark.schema import Record

SCOPED = message("1 scope string", "2 stream string", "3 access_operation enum")
SEGMENT_ID = message("1 stream_info message", "2 segment_id int64", stream_info=SCOPED)
TXN_ID = message("1 high_bits int64", "2 low_bits int64")
SEGMENT_RANGE = message(
    "1 segment_id message", "2 min_key double", "3 max_key double", segment_id=SEGMENT_ID
)
CUT = message("1 key int64", "2 value int64")
STREAM_CUT = message("1 stream_info message", "2 cut map", stream_info=SCOPED, cut=CUT)
SCALING = message(
    "1 scale_type enum", "2 target_rate int32", "3 scale_factor int32", "4 min_num_segments int32"
)


EMBEDDED_RECORDS = {
    "create_txn_response": Record(message(
        "1 txn_id message", "2 active_segments message*",
        txn_id=TXN_ID, active_segments=SEGMENT_RANGE)),
    "exists_response": Record(message("1 exists bool")),
    "node_uri": Record(message("1 endpoint string", "2 port int32")),
    "ping_txn_request": Record(message(
        "1 stream_info message", "2 txn_id message", "3 lease int64",
        stream_info=SCOPED, txn_id=TXN_ID)),
    "ping_txn_status": Record(message("1 status enum")),
    "segment_ranges": Record(message(
        "1 segment_ranges message*", "2 delegation_token string", segment_ranges=SEGMENT_RANGE)),
    "stream_cut": Record(STREAM_CUT),
    "stream_cut_range": Record(message(
        "1 stream_info message", "2 from map", "3 to map",
        stream_info=SCOPED, **{"from": CUT, "to": CUT})),
    "stream_info": Record(SCOPED),
    "scale_request": Record(message(
        "1 stream_info message", "2 sealed_segments int64*", "3 new_key_ranges message*",
        "4 scale_timestamp int64", stream_info=SCOPED,
        new_key_ranges=message("1 start double", "2 end double"))),
    "stream_config": Record(message(
        "1 stream_info message", "2 scaling_policy message", "3 retention_policy message",
        "4 tags message", "5 timestamp_aggregation_timeout int64", "6 rollover_size_bytes int64",
        stream_info=SCOPED, scaling_policy=SCALING, tags=message("1 tag string*"),
        retention_policy=message("1 retention_type enum", "2 retention_param int64"))),
    "reader_group_configuration": Record(message(
        "1 scope string", "2 reader_group_name string", "7 generation int64",
        "8 reader_group_id string", "9 starting_stream_cuts message*",
        "10 ending_stream_cuts message*",
        starting_stream_cuts=STREAM_CUT, ending_stream_cuts=STREAM_CUT)),
    "txn_state": Record(message("1 state enum")),
    "successor_response": Record(message(
        "1 segments message*",
        segments=message(
            "1 segment message", "2 value int64*", segment=SEGMENT_RANGE))),
}  # fmt: skip


def canonical(_data: bytes) -> bool:
    """Return whether we write the same bytes: an encoder of its own may order maps as it likes."""
    return False
