"""Where fields are in the tables of an archive."""

from tests.failures import every
from tests.filters.reading import PUBLISH, read

from streamshark.filters.row_fields import RowFields
from streamshark.filters.sql_columns import SqlColumns, SqlValue

IS_PUBLISH = "f.protocol = 'rabbitmq_stream' AND ((f.command = 'publish' AND f.kind = 'command'))"
VALUES = {
    "time": SqlValue("f.time_ns"),
    "tcp.stream": SqlValue("f.flow"),
    "rmqstream": SqlValue("CASE WHEN f.protocol = 'rabbitmq_stream' THEN TRUE END"),
    "rmqstream.publish": SqlValue(f"CASE WHEN {IS_PUBLISH} THEN TRUE END"),
    "rmqstream.length": SqlValue("CASE WHEN f.protocol = 'rabbitmq_stream' THEN f.length END"),
    "rmqstream.publish.published_messages.publishing_id": SqlValue(
        "transform(f_1.`rmqstream.publish.published_messages`, i0 -> i0.`publishing_id`)", many=True
    ),
    "rsocket.setup.flags.lease": SqlValue("CAST(f_1.`rsocket.setup.flags` AS BIGINT) & 8192 <> 0"),
    "rmqstream.expert.short": SqlValue(
        "CASE WHEN f.protocol = 'rabbitmq_stream' AND exists(f.problems, p -> p.code = 'short') "
        "THEN TRUE END"
    ),
    "request.tcp.stream": SqlValue("r.flow"),
    "request.rmqstream": SqlValue("CASE WHEN r.protocol = 'rabbitmq_stream' THEN TRUE END"),
    "conv.id": SqlValue("array(f.conversation, f.part_of)", many=True),
    "conv.duration": SqlValue("array(c.duration_ns, p.duration_ns)", many=True),
    "finding": SqlValue("CASE WHEN n.frame IS NOT NULL THEN TRUE END"),
    "finding.rule": SqlValue("n.`rule`", many=True),
    "rmqstream.publish.published_messages.message": None,
    "rmqstream.response_frame": None,
    "carrier": None,
}
"""By field; no column for bodies, which are kept on request, and for what is known only later."""


@every("name", VALUES)
def test_values(name: str) -> None:
    """Columns of `frames`, of a command's table, members of items, flags."""
    fields = read(PUBLISH).fields
    field = RowFields(fields).find(name)

    assert field is not None
    assert SqlColumns(fields).value(field) == VALUES[name]


def test_fields_that_span_commands() -> None:
    """That of the command's own table, else what the connection knows."""
    fields = read(PUBLISH).fields
    columns, field = SqlColumns(fields), RowFields(fields).find("rmqstream.stream")
    assert field is not None
    found = columns.value(field)

    assert found is not None
    assert "rmqstream.declare_publisher" in columns.tables.values()
    assert "rmqstream.publish" not in columns.tables.values()
    assert "get_json_object(f.context, '$.stream')" in found.text
    assert columns.joins().count("LEFT JOIN") == len(columns.tables) - 1
