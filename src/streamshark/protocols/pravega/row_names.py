"""Names of rows that tables and rules of Pravega share: appends, calls, refusals."""

from typing import Final

from streamshark.protocols.pravega import codes

APPENDS: Final = "append_block_end conditional_append conditional_block_end"
"""Frames that make an append whole."""
BLOCKS: Final = f"append_block {APPENDS}"
DRAFTED: Final = "begin_append_block end_append_block"
"""Those of dialect `draft`."""
ERRORS: Final = " ".join(codes.ERRORS)
"""Replies that say why something was not done."""
ANSWERED: Final = {
    "flush_to_storage": "flushed_to_storage",
    "list_storage_chunks": "storage_chunks_listed",
    "get_stream_segment_info": "stream_segment_info",
    "get_transaction_info": "transaction_info",
    "create_segment": "segment_created",
    "create_transient_segment": "segment_created",
    "create_table_segment": "segment_created",
    "create_transaction": "transaction_created",
    "commit_transaction": "transaction_committed",
    "abort_transaction": "transaction_aborted",
    "seal_segment": "segment_sealed",
    "seal_table_segment": "segment_sealed",
    "delete_segment": "segment_deleted",
    "delete_table_segment": "segment_deleted",
    "update_segment_policy": "segment_policy_updated",
    "get_segment_attribute": "segment_attribute",
    "update_segment_attribute": "segment_attribute_updated",
    "truncate_segment": "segment_truncated",
    "locate_offset": "offset_located segment_truncated",
    "merge_segments": "segments_merged segment_attribute_updated",
    "merge_table_segments": "segments_merged",
    "merge_segments_batch": "segments_batch_merged",
    "get_table_segment_info": "table_segment_info",
    "update_table_entries": "table_entries_updated",
    "remove_table_keys": "table_keys_removed",
    "read_table": "table_read",
    "read_table_keys": "table_keys_read",
    "read_table_entries": "table_entries_read",
    "read_table_entries_delta": "table_entries_delta_read",
}
"""Requests with an id of their own, and what answers them but for errors."""
CALLS: Final = " ".join(ANSWERED)
REPLIES: Final = " ".join(sorted({each for text in ANSWERED.values() for each in text.split()}))
REFUSALS: Final = " ".join(
    each for each in codes.ERRORS if each not in {"wrong_host", "auth_token_check_failed"}
)
"""Errors that name what is wrong with a request; those of place and token have their own rules."""
REPEATING: Final = (
    "segment_created segment_deleted offset_located segment_policy_updated segment_sealed "
    "segment_truncated stream_segment_info table_segment_info table_read table_keys_read "
    "table_entries_read table_entries_delta_read no_such_segment segment_is_sealed "
    "segment_already_exists table_key_bad_version table_key_does_not_exist "
    "table_segment_not_empty"
)
"""Replies that repeat the segment of their request."""
READS_REFUSED: Final = "segment_is_truncated segment_is_sealed no_such_segment wrong_host"
"""Errors that answer a read."""
SHOWING: Final = (
    "setup_append read_segment get_stream_segment_info create_segment create_transient_segment "
    "create_table_segment seal_segment delete_segment delete_table_segment update_segment_policy "
    "get_segment_attribute update_segment_attribute truncate_segment locate_offset merge_segments "
    "merge_segments_batch get_table_segment_info update_table_entries remove_table_keys read_table "
    "read_table_keys read_table_entries read_table_entries_delta"
)
"""Requests that show a token."""
IS_SIGNED: Final = "len(delegation_token) > 16"
"""The token is long enough to be signed."""
SETTLED: Final = "append_setup segment_created stream_segment_info segments_merged"
"""Answers by which a refused request has worked in the end; those of tables are too many to
look at each."""
CONDITIONAL: Final = "conditional_append conditional_block_end"
CONDITIONED: Final = {
    "conditional_append": "coalesce(event, data)",
    "conditional_block_end": "data",
}
"""What conditional appends store."""
ASKED_FOR: Final = (
    "coalesce(req.asked, ''), req.segment, coalesce(req.start, 0), coalesce(req.versions, 0), "
    "coalesce(req.wanted_key, '')"
)
"""What a request was about, as far as its answer shows it."""
OF_TRANSACTION: Final = "between(segment, 'epoch.', '#transaction.') is not None"
"""Whether a segment is that of a transaction."""


def not_internal(segment: str) -> str:
    """Return a condition: the segment is of a program, not of the controller or a reader group."""
    return f"(not starts({segment}, '_system/') and between({segment}, '/_', '/') is None)"


NOT_INTERNAL: Final = not_internal("segment")
CONTROLS: Final = (
    "controller_scope_info controller_stream_config controller_key_value_table_config "
    "controller_reader_group_configuration"
)
"""Calls to the controller that create something, or change it."""
CREATED: Final = (
    "controller_create_scope_status controller_create_stream_status "
    "controller_create_key_value_table_status"
)
"""Replies of the controller that say whether something was created."""
CHANGED: Final = (
    "controller_update_stream_status controller_delete_stream_status "
    "controller_delete_scope_status controller_delete_kv_table_status "
    "controller_delete_reader_group_status controller_update_reader_group_response "
    "controller_update_subscriber_status controller_create_reader_group_response"
)
"""Replies of the controller that say whether something was changed or removed."""
CHANGES: Final = (
    "controller_stream_info controller_stream_cut controller_delete_scope_request "
    "controller_key_value_table_info controller_reader_group_info "
    "controller_subscriber_stream_cut controller_scale_request controller_scale_status_request"
)
"""Calls to the controller about something that exists."""
REFUSABLE: Final = f"{CHANGED} controller_scale_response"
"""Replies of the controller whose status is 0 only if it does what a client wants."""
ANSWERED_CHANGES: Final = (
    f"{REFUSABLE} controller_scale_status_response controller_delegation_token "
    "controller_segment_ranges"
)
"""Replies to them."""
LISTINGS: Final = (
    "controller_scopes_request controller_streams_in_scope_request "
    "controller_streams_in_scope_with_tag_request controller_kv_tables_in_scope_request"
)
"""Calls for a page of a list of names."""
LISTED: Final = (
    "controller_scopes_response controller_streams_in_scope_response "
    "controller_kv_tables_in_scope_response"
)
"""Pages of such lists."""
TRANSACTION_ID: Final = "coalesce(txn_id.high_bits, 0), coalesce(txn_id.low_bits, 0)"
"""The id of a transaction at the controller; protobuf leaves a half that is 0 out."""
GROUP_OF_ROW: Final = "coalesce(between(segment, '/_RG', '/'), between(segment, '/', '_kvtable/'))"
"""The reader group whose state a segment holds: of Java, or of Rust and Python."""
