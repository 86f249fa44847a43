"""The tables of `stats`: commands, batches, streams, connections, conversations, TCP."""

from collections.abc import Mapping
from typing import Any, Protocol

from streamshark.conversations.histogram import Histogram
from streamshark.conversations.statistics import OTHER_FLOWS, OTHERS, Statistics, Traffic
from streamshark.conversations.units import rate
from streamshark.flows.segment import Flow
from streamshark.schema.secrets import scrubbed
from streamshark.views.statistics_tables import SPREAD, StatisticsTable, TableColumn, Time, spread

NAMES = (
    *("commands", "batches", "streams", "connections", "tcp", "attempts"),
    *("conversations", "measures"),
)
"""Names of the tables, in their order."""


class ConnectionSource(Protocol):
    """What knows the connections of a reading: a session, or the sum of several readings."""

    @property
    def protocol_names(self) -> Mapping[str, str]:
        """Id of each known protocol to its short name."""

    def flow(self, number: int) -> Flow:
        """Return a TCP connection by its number."""

    def client(self, number: int) -> int | None:
        """Return the side of a flow that is the client; None if it is not proved."""


_PROTOCOL = TableColumn("protocol", "protocol")
_WAYS = (
    TableColumn("client_messages", "sent msgs", "count"),
    TableColumn("client_messages_per_second", "/s", "number", 5),
    TableColumn("client_bytes", "sent", "bytes"),
    TableColumn("client_bytes_per_second", "B/s", "number", 5),
    TableColumn("server_messages", "received msgs", "count"),
    TableColumn("server_messages_per_second", "/s", "number", 5),
    TableColumn("server_bytes", "received", "bytes"),
    TableColumn("server_bytes_per_second", "B/s", "number", 5),
)
"""Columns for what the client sent and received."""


def sheets(statistics: Statistics, session: ConnectionSource) -> list[StatisticsTable]:
    """Return all tables that have rows."""
    shorts = session.protocol_names
    found = [
        _commands(statistics, shorts),
        _batches(statistics, shorts),
        _streams(statistics, shorts),
        _connections(statistics, session, shorts),
        _tcp(statistics, session),
        _attempts(statistics),
        _conversations(statistics, shorts),
        _measures(statistics, shorts),
    ]
    return [each for each in found if each.rows]


def _commands(statistics: Statistics, shorts: Mapping[str, str]) -> StatisticsTable:
    columns = (
        _PROTOCOL,
        TableColumn("command", "command"),
        TableColumn("count", "count", "count"),
        TableColumn("per_second", "/s", "number", 5),
        TableColumn("errors", "errors", "count"),
        TableColumn("unanswered", "unanswered", "count", 4),
        TableColumn("problems", "malformed", "count", 4),
        TableColumn("bytes", "bytes", "bytes"),
        *SPREAD,
    )
    rows = [
        [
            shorts[protocol],
            name,
            each.count,
            rate(each.count, statistics.duration_ns),
            each.errors,
            each.unanswered,
            each.problems,
            each.size,
            *spread(each.times),
        ]
        for (protocol, name), each in statistics.commands.items()
    ]
    note = (
        "Requests and one-way frames; bytes in both directions; response time, or for confirms "
        "the time since the publish."
    )
    if not all(each.count for each in statistics.commands.values()):
        note += " Responses with a name of their own have count 0."
    return StatisticsTable("commands", "Commands and response times", columns, rows, note)


def _batches(statistics: Statistics, shorts: Mapping[str, str]) -> StatisticsTable:
    columns = (
        _PROTOCOL,
        TableColumn("command", "command"),
        TableColumn("frames", "frames", "count"),
        TableColumn("messages", "messages", "count"),
        TableColumn("mean", "per frame", "number"),
        TableColumn("p50", "p50", "count", 2),
        TableColumn("p95", "p95", "count", 1),
        TableColumn("greatest", "max", "count"),
        TableColumn("bytes_per_message", "B/message", "number"),
        TableColumn("compression_ratio", "ratio", "number", 3),
    )
    rows = [
        [
            shorts[protocol],
            name,
            each.messages.count,
            each.messages.total,
            each.messages.mean,
            round(each.messages.percentile(50) or 0),
            round(each.messages.percentile(95) or 0),
            each.messages.greatest,
            each.size / each.messages.total if each.messages.total else None,
            each.ratio,
        ]
        for (protocol, name), each in statistics.batches.items()
    ]
    note = "Messages per frame; the ratio is uncompressed to compressed size of compressed data."
    return StatisticsTable("batches", "Batches", columns, rows, note)


def _streams(statistics: Statistics, shorts: Mapping[str, str]) -> StatisticsTable:
    columns = (_PROTOCOL, TableColumn("stream", "stream"), *_WAYS)
    rows = [
        [shorts[protocol], name, *_ways(each)]
        for (protocol, name), each in statistics.streams.items()
    ]
    return StatisticsTable(
        "streams",
        "Streams",
        columns,
        rows,
        "Sent and received from the point of view of the clients.",
    )


def _connections(
    statistics: Statistics, session: ConnectionSource, shorts: Mapping[str, str]
) -> StatisticsTable:
    columns = (
        TableColumn("flow", "flow", "count"),
        _PROTOCOL,
        TableColumn("client", "client"),
        TableColumn("product", "product", spare=7),
        *_WAYS,
        TableColumn("p50_ns", "p50", "ns", 1),
        TableColumn("p95_ns", "p95", "ns", 2),
        TableColumn("starved_ns", "starved", "ns", 3),
    )
    rows = []
    for flow, each in statistics.connections.items():
        client = OTHERS if flow == OTHER_FLOWS else _client(session, flow)
        times = each.times
        rows.append(
            [
                flow,
                shorts[each.protocol],
                client,
                product(each.context, "client"),
                *_ways(each),
                *(None if at is None else round(at) for at in map(times.percentile, (50, 95))),
                each.starved_ns or None,
            ]
        )
    return StatisticsTable("connections", "Connections", columns, rows)


def _tcp(statistics: Statistics, session: ConnectionSource) -> StatisticsTable:
    columns = (
        TableColumn("flow", "flow", "count"),
        TableColumn("round_trip_ns", "handshake", "ns"),
        TableColumn("to_server_ns", "to server", "ns", 2),
        TableColumn("to_client_ns", "to client", "ns", 2),
        TableColumn("client_retransmissions", "client resent", "count"),
        TableColumn("server_retransmissions", "server resent", "count"),
        TableColumn("client_out_of_order", "client late", "count", 3),
        TableColumn("server_out_of_order", "server late", "count", 3),
        TableColumn("client_zero_windows", "client full", "count"),
        TableColumn("server_zero_windows", "server full", "count"),
        TableColumn("lost_bytes", "not captured", "bytes", 1),
        TableColumn("copies", "captured twice", "count", 4),
    )
    rows = []
    for number, traffic in statistics.connections.items():
        if number == OTHER_FLOWS:
            continue
        flow = session.flow(number)
        side = session.client(number)
        client, server = flow.trouble if side != 1 else reversed(flow.trouble)
        ways = flow.handshake_ns
        rows.append(
            [
                flow.number,
                sum(ways) if ways else None,
                *(ways or (None, None)),
                client.retransmissions,
                server.retransmissions,
                client.out_of_order,
                server.out_of_order,
                client.zero_windows,
                server.zero_windows,
                traffic.lost,
                flow.copies,
            ]
        )
    rows.sort(key=lambda row: -sum(row[4:]))  # those in trouble first
    note = (
        "Network: retransmissions, packets out of order, and the handshake time. Client: its "
        "receive window is full (it reads too slowly), or it lacks credit. Server: its window is "
        "full, or response times are far above the handshake time."
    )
    return StatisticsTable("tcp", "TCP: network, client or server?", columns, rows, note)


def _attempts(statistics: Statistics) -> StatisticsTable:
    columns = (
        TableColumn("endpoint", "endpoint"),
        TableColumn("refused", "refused", "count"),
        TableColumn("unanswered", "unanswered", "count"),
    )
    rows = [
        [endpoint, counts["refused"], counts["unanswered"]]
        for endpoint, counts in statistics.attempts.items()
    ]
    note = "Connections that were never established: the server refused them or did not respond."
    return StatisticsTable("attempts", "Failed connection attempts", columns, rows, note)


def _conversations(statistics: Statistics, shorts: Mapping[str, str]) -> StatisticsTable:
    states = ("done", "open", "failed", "unanswered", "unknown")
    columns = (
        _PROTOCOL,
        TableColumn("type", "conversation"),
        TableColumn("count", "count", "count"),
        *(TableColumn(state, state, "count") for state in states),
        TableColumn("p50_ns", "p50", "ns", 1),
        TableColumn("greatest_ns", "longest", "ns"),
    )
    rows = [
        [
            shorts[protocol],
            name,
            each.count,
            *(each.states[state] for state in states),
            round(each.duration.percentile(50) or 0),
            each.duration.greatest,
        ]
        for (protocol, name), each in statistics.kinds.items()
    ]
    return StatisticsTable("conversations", "Conversations", columns, rows)


def _measures(statistics: Statistics, shorts: Mapping[str, str]) -> StatisticsTable:
    columns = (
        _PROTOCOL,
        TableColumn("type", "conversation"),
        TableColumn("measure", "measure", "name"),
        TableColumn("count", "count", "count"),
        *(
            TableColumn(name, head, "measure", spare)
            for name, head, spare in (
                ("least", "min", 2),
                ("mean", "mean", 1),
                ("p50", "p50", 0),
                ("p95", "p95", 0),
                ("greatest", "max", 0),
            )
        ),
    )
    rows = [
        [shorts[protocol], name, measure, each.count, *_values(measure, each)]
        for (protocol, name), kind in statistics.kinds.items()
        for measure, each in kind.measures.items()
        if each.greatest and measure != "response_time_ns"  # the commands have it
    ]
    return StatisticsTable("measures", "Measures of conversations", columns, rows)


def _values(measure: str, values: Histogram) -> list[Any]:
    """Return minimum, mean, percentiles and maximum; times as `Time`."""
    middle = [values.percentile(percent) for percent in (50, 95)]
    rounded = [None if each is None else round(each) for each in middle]
    found = [values.least, values.mean, *rounded, values.greatest]
    return [Time(each) if measure.endswith("_ns") and each else each for each in found]


def _ways(traffic: Traffic) -> list[Any]:
    """Return the values of `_WAYS`; data whose sender is not proved is in neither."""
    lasted = max(traffic.last_ns - traffic.first_ns, 0)
    out: list[Any] = []
    for sender in ("client", "server"):
        way = traffic.way(sender)
        out += [way.messages, rate(way.messages, lasted), way.size, rate(way.size, lasted)]
    return out


def product(context: Mapping[str, Any], side: str) -> str | None:
    """Return the product and version that a side announced; None if it did not."""
    parts = (context.get(f"{side}_product"), context.get(f"{side}_version"))
    return scrubbed(" ".join(str(each) for each in parts if each)) or None


def _client(session: ConnectionSource, number: int) -> str:
    """Return the address of the client, or of the first side if the client is unknown."""
    return session.flow(number).addresses[session.client(number) or 0]
