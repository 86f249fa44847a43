"""Connections as plain values, which an index keeps."""

from typing import TYPE_CHECKING, Any

from streamshark.index.plain_values import plain

if TYPE_CHECKING:
    from streamshark.flows.segment import Flow


def connection_record(flow: "Flow", connection: Any) -> tuple[Any, ...]:  # noqa: ANN401 - None without one
    """Return the members of `reader.IndexedConnection` as plain values."""
    client = flow.client if connection is None else connection.client
    return (
        flow.number, flow.addresses, flow.ports, client, flow.first_file, flow.first_packet,
        flow.packets, flow.payload, flow.repeated,
        None if connection is None else connection.wire.id,
        None if connection is None or connection.carrier is None else connection.carrier.id,
        "" if connection is None else connection.reason,
        {} if connection is None else plain(connection.agreed),
        0 if connection is None else connection.lost,
    )  # fmt: skip
