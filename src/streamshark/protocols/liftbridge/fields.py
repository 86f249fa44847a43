"""Fields that span messages and calls: what most filters ask for, whichever of them carries it.

A member of protobuf that has its default value (partition 0) is absent on the wire, and so is its
field here.
"""

from typing import Final

from streamshark.fields.common_fields import CommonField, CommonFlag, CommonTable

FIELDS: Final[tuple[CommonTable, ...]] = (
    CommonField(
        name="stream",
        is_stream=True,
        doc="Name of the stream, of messages and of calls of the API; of an answer to a publish "
        "or on a subscription, the one that the connection knows.",
        members=("stream",),
        paths=(
            "create_stream_request.name",
            "delete_stream_request.name",
            "pause_stream_request.name",
            "set_stream_readonly_request.name",
            "propagated_request.create_stream_op.stream.name",
            "propagated_request.join_consumer_group_op.streams",
            "join_consumer_group_request.streams",
            "fetch_metadata_request.streams",
            "fetch_metadata_response.stream_metadata.name",
        ),
        context="stream",
    ),
    CommonField(
        name="partition",
        doc="Number of the partition in its stream; absent on the wire, and here, where it is 0.",
        members=("partition",),
        paths=(
            "pause_stream_request.partitions",
            "set_stream_readonly_request.partitions",
            "propagated_request.pause_stream_op.partitions",
            "propagated_request.resume_stream_op.partitions",
            "propagated_request.set_stream_readonly_op.partitions",
            "propagated_request.create_stream_op.stream.partitions.id",
            "propagated_request.create_partition_op.partition.id",
            "fetch_metadata_response.stream_metadata.partitions.value.id",
            "fetch_partition_metadata_response.metadata.id",
            "fetch_consumer_group_assignments_response.assignments.partitions",
        ),
    ),
    CommonField(
        name="offset",
        doc="Offset in the partition: of a message, an ack, a cursor, a replica.",
        members=("offset",),
        paths=("subscribe_request.start_offset", "publish_request.expected_offset"),
    ),
    CommonFlag(
        name="failed",
        doc="An error is reported: in an ack, an answer between servers, an answer of the API.",
        members=("ack_error", "error"),
        paths=("publish_response.async_error.code", "propagated_response.error.code"),
        unless=(0, ""),
    ),
)
