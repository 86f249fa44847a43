"""Pravega: tails that grew by release, records with their own length, an empty key that lies.

One schema reads all releases, because later members are only there while bytes remain.
"""

from streamshark.schema import (
    I8,
    I32,
    I64,
    REST,
    U8,
    U16,
    UUID,
    Fits,
    FrameKind,
    FrameSchema,
    Head,
    Literal,
    Many,
    Member,
    Record,
    Sender,
    Tail,
    When,
    field,
    len_,
    raw,
    text,
    this,
)

_SPEC = "pravega 0.13.0, WireCommands"
STR = text(U16, encoding="mutf-8")

HEAD = Head(
    members=(
        field("type_code", I32, "Which command."),
        field("payload_length", I32, "Bytes of the payload."),
    ),
    total=this.payload_length + 8,
    key="type_code",
    least=8,
    most=0xFFFFFF + 8,
    hidden=("type_code", "payload_length"),
    source="WireCommands.MAX_WIRECOMMAND_SIZE",
)


def _long(name: str) -> Member:
    return field(name, I64, "A number.")


def _int(name: str) -> Member:
    return field(name, I32, "A number.")


def _str(name: str) -> Member:
    return field(name, STR, "A text.")


def _bool(name: str) -> Member:
    return field(name, U8, "A truth.", boolean=True)


def _uuid(name: str) -> Member:
    return field(name, UUID, "An id.")


def _bytes(name: str) -> Member:
    return field(name, raw(I32), "Bytes.")


def _list(name: str, item: Record) -> Member:
    return field(name, Many(item, count=I32), "A list.")


def _later(part: Member, default: object) -> Tail:
    return Tail(part, default=default)


RID = _long("request_id")
SEG = _str("segment")
WRITER = _uuid("writer_id")
_LATER_RID = _later(RID, -1)
_TRACE = Tail(_str("server_stack_trace"), need=1, default="")
_TOKEN = Tail(field("delegation_token", STR, "Token.", secret=True), need=1, default="")
_OFFSET = _later(_long("offset"), -1)

KEY = Record(
    field("total", I32, "Bytes of the key; 12 for an empty one.", claims=len_(this.data) + 12),
    field("data", raw(I32, limit=8192), "The key; nothing follows an empty one."),
    When(len_(this.data) > 0, field("key_version", I64, "-1 must not exist; lowest is any.")),
)
VALUE = Record(
    field("total", I32, "Bytes of the value.", claims=len_(this.data) + 4),
    field("data", raw(I32), "The value."),
)
ENTRY = Record(field("key", KEY, "The key."), field("value", VALUE, "The value."))
_KEYS, _ENTRIES = _list("keys", KEY), _list("entries", ENTRY)

BODIES: dict[str, tuple[int, tuple[Member, ...]]] = {
    "hello": (-127, (_int("high_version"), _int("low_version"))),
    "storage_chunks_listed": (-6, (RID, _list("chunks", Record(
        _long("length_in_metadata"), _long("length_in_storage"), _long("start_offset"),
        _str("chunk_name"), _bool("exists_in_storage"))))),
    "list_storage_chunks": (-5, (SEG, _TOKEN, RID)),
    "flushed_to_storage": (-4, (RID,)),
    "flush_to_storage": (-3, (_int("container_id"), _TOKEN, RID)),
    "partial_event": (-2, (field("data", raw(REST), "Start of an event."),)),
    "padding": (-1, (field("data", raw(REST), "Zeros."),)),
    "setup_append": (1, (RID, WRITER, SEG, _TOKEN)),
    "append_setup": (2, (RID, SEG, WRITER, _long("last_event_number"))),
    "append_block": (3, (WRITER, field("data", raw(REST, slot="pravega.block"), "Events."))),
    "append_block_end": (4, (
        WRITER, _int("size_of_whole_events"), _bytes("data"), _int("num_events"),
        _long("last_event_number"), _LATER_RID)),
    "conditional_append": (5, (
        WRITER, _long("event_number"), _long("expected_offset"),
        Fits(event=(Literal(bytes(4), "Type code of EVENT."), _bytes("event"), _LATER_RID),
             bare=(_bytes("data"),)))),
    "data_appended": (7, (
        WRITER, _long("event_number"), _later(_long("previous_event_number"), -1), _LATER_RID,
        _later(_long("current_segment_write_offset"), -1))),
    "conditional_check_failed": (8, (WRITER, _long("event_number"), _LATER_RID)),
    "read_segment": (9, (SEG, _long("offset"), _int("suggested_length"), _TOKEN, _LATER_RID)),
    "segment_read": (10, (
        SEG, _long("offset"), _bool("at_tail"), _bool("end_of_segment"), _bytes("data"),
        _LATER_RID)),
    "get_stream_segment_info": (11, (RID, SEG, _TOKEN)),
    "stream_segment_info": (12, (
        RID, SEG, _bool("exists"), _bool("is_sealed"), _bool("is_deleted"),
        _long("last_modified"), _long("write_offset"), _later(_long("start_offset"), 0))),
    "create_segment": (20, (
        RID, SEG, _int("target_rate"), field("scale_type", I8, "How."), _TOKEN,
        _later(_long("rollover_size_bytes"), 0))),
    "segment_created": (21, (RID, SEG)),
    "update_segment_policy": (32, (
        RID, SEG, _int("target_rate"), field("scale_type", I8, "How."), _TOKEN)),
    "get_segment_attribute": (34, (RID, SEG, _uuid("attribute_id"), _TOKEN)),
    "segment_attribute": (35, (RID, _long("value"))),
    "update_segment_attribute": (36, (
        RID, SEG, _uuid("attribute_id"), _long("new_value"), _long("expected_value"), _TOKEN)),
    "segment_attribute_updated": (37, (RID, _bool("success"))),
    "truncate_segment": (38, (RID, SEG, _long("truncation_offset"), _TOKEN)),
    "create_transient_segment": (40, (RID, WRITER, _str("parent_segment"), _TOKEN)),
    "wrong_host": (50, (RID, SEG, _str("correct_host"), _TRACE)),
    "segment_is_sealed": (51, (RID, SEG, _TRACE, _OFFSET)),
    "segment_already_exists": (52, (RID, SEG, _TRACE)),
    "no_such_segment": (53, (RID, SEG, _TRACE, _OFFSET)),
    "invalid_event_number": (55, (
        WRITER,
        Fits(since_0_13=(RID, _str("server_stack_trace"), _long("event_number")),
             before=(_long("event_number"), _TRACE)))),
    "segment_is_truncated": (56, (RID, SEG, _long("start_offset"), _TRACE, _OFFSET)),
    "operation_unsupported": (57, (RID, _str("operation_name"), _TRACE)),
    "merge_segments": (58, (
        RID, _str("target"), _str("source"), _TOKEN,
        Tail(field("attribute_updates", Many(Record(
            _uuid("attribute_id"), field("attribute_update_type", U8, "How."),
            _long("new_value"), _long("old_value")), count=I32), "Conditions.")))),
    "segments_merged": (59, (
        RID, _str("target"), _str("source"), _later(_long("new_target_write_offset"), -1))),
    "auth_token_check_failed": (60, (RID, _TRACE, _later(_int("error_code"), -1))),
    "error_message": (61, (RID, SEG, _str("message"), _int("error_code"))),
    "get_table_segment_info": (68, (RID, SEG, _TOKEN)),
    "table_segment_info": (69, (
        RID, SEG, _long("start_offset"), _long("length"), _long("entry_count"),
        _int("key_length"))),
    "create_table_segment": (70, (
        RID, SEG, _TOKEN, _later(_bool("sorted"), 0), _later(_int("key_length"), 0),
        _later(_long("rollover_size_bytes"), 0))),
    "delete_table_segment": (71, (RID, SEG, _bool("must_be_empty"), _TOKEN)),
    "update_table_entries": (74, (
        RID, SEG, _TOKEN, _ENTRIES, _later(_long("table_segment_offset"), -1))),
    "table_entries_updated": (75, (
        RID, field("updated_versions", Many(I64, count=I32), "In the order of the entries."))),
    "remove_table_keys": (76, (
        RID, SEG, _TOKEN, _KEYS, _later(_long("table_segment_offset"), -1))),
    "read_table": (78, (RID, SEG, _TOKEN, _KEYS)),
    "table_read": (79, (RID, SEG, _ENTRIES)),
    "table_key_bad_version": (82, (RID, SEG, _str("server_stack_trace"))),
    "read_table_keys": (83, (
        RID, SEG, _TOKEN, _int("suggested_key_count"), _bytes("continuation_token"),
        _later(_bytes("prefix_filter"), b""), _later(_bytes("from_key"), b""),
        _later(_bytes("to_key"), b""))),
    "table_keys_read": (84, (RID, SEG, _KEYS, _bytes("continuation_token"))),
    "read_table_entries": (85, (
        RID, SEG, _TOKEN, _int("suggested_entry_count"), _bytes("continuation_token"),
        _later(_bytes("prefix_filter"), b""), _later(_bytes("from_key"), b""),
        _later(_bytes("to_key"), b""))),
    "table_entries_read": (86, (RID, SEG, _ENTRIES, _bytes("continuation_token"))),
    "table_entries_delta_read": (87, (
        RID, SEG, _ENTRIES, _bool("should_clear"), _bool("reached_end"),
        _long("last_position"))),
    "read_table_entries_delta": (88, (
        RID, SEG, _TOKEN, _long("from_position"), _int("suggested_entry_count"))),
    "conditional_block_end": (89, (
        WRITER, _long("event_number"), _long("expected_offset"), _bytes("data"), RID)),
    "merge_segments_batch": (90, (
        RID, _str("target"), field("sources", Many(STR, count=I32), "Sources."), _TOKEN)),
    "segments_batch_merged": (91, (
        RID, _str("target"),
        _list("sources", Record(_str("source"), _long("new_target_write_offset"))))),
    "keep_alive": (100, ()),
}  # fmt: skip

FRAMES = tuple(
    FrameSchema(name, key, FrameKind.COMMAND, Sender.BOTH, f"{name}.", f"{_SPEC}.{name}", body)
    for name, (key, body) in BODIES.items()
)

BLOCK = Record(
    field(
        "entries",
        Many(
            Record(
                field(
                    "type_code",
                    I32,
                    "What it is.",
                    names={0: "event", -1: "padding", -2: "partial_event"},
                ),
                field("data", raw(I32), "Its bytes."),
            )
        ),
        "Events, then padding or the start of the next event.",
    )
)
"""What an append block is made of; one-shot blocks and segments hold the same."""
EMBEDDED_RECORDS = {"block": BLOCK}
