"""Rules for requests that lack a name, and for answers that lack what they are for."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.sources import API, SERVER

_EMPTY: Final = "coalesce(len({}), 0) == 0"

REQUEST_RULES: Final = (
    *(
        Rule(
            id="LFB-B229",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title="request without a name that it needs",
            on=on,
            when=" or ".join(_EMPTY.format(each) for each in names.split()),
            needs="",
            per="client, server, name",
            message=f"{{name}} has no {names.removeprefix('fields.').replace(' ', ' or no ')}",
            cause="A variable of the program is empty: the server refuses the request with "
            "INVALID_ARGUMENT or NOT_FOUND.",
            source=source,
            guilty="client",
        )
        for on, names, source in (
            ("create_stream_request", "fields.name subject", f"{API}, CreateStream"),
            (
                "delete_stream_request pause_stream_request set_stream_readonly_request",
                "fields.name",
                f"{API}, DeleteStream",
            ),
            (
                "subscribe_request fetch_partition_metadata_request",
                "stream",
                f"{API}, Subscribe",
            ),
            ("publish_to_subject_request", "subject", f"{API}, PublishToSubject"),
            (
                "set_cursor_request fetch_cursor_request",
                "stream cursor_id",
                f"{API}, SetCursor",
            ),
            (
                (
                    "join_consumer_group_request leave_consumer_group_request "
                    "fetch_consumer_group_assignments_request"
                ),
                "group_id consumer_id",
                f"{API}, JoinConsumerGroup",
            ),
        )
    ),
    Rule(
        id="LFB-B230",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="request of a consumer that has not joined, on the connection of one that has",
        on="fetch_consumer_group_assignments_request leave_consumer_group_request",
        when="crew.joined_n is None and conn.joined_n is not None",
        needs="start whole",
        of="conn",
        evidence="n, conn.joined_n",
        message="{name} is for {consumer_id} of group {group_id}; this connection has joined group "
        "{conn.joined_group} as {conn.joined_as}",
        cause="The consumer id or the name of the group is made anew for each request: the "
        "membership that was joined is not kept.",
        source=f"{SERVER}/groups.go",
        healthy="A consumer that has joined before the capture.",
        guilty="client",
    ),
    *(
        Rule(
            id=f"LFB-B234{letter}",
            severity=Severity.WARNING,
            group=Group.RESPONSE,
            title=title,
            on=on,
            when=when,
            needs="",
            of="conn",
            message=message,
            cause="",
            source=f"{API}, {method}",
            guilty="server",
        )
        for letter, title, on, when, message, method in (
            (
                "",
                "FetchMetadata answered without any server",
                "fetch_metadata_response",
                _EMPTY.format("brokers"),
                "FetchMetadata lists no server: the client does not know where partitions are",
                "FetchMetadata",
            ),
            (
                "b",
                "JoinConsumerGroup answered without a coordinator or a timeout",
                "join_consumer_group_response",
                (
                    f"{_EMPTY.format('coordinator')} or coalesce(consumer_timeout, 0) <= 0 or "
                    "coalesce(coordinator_timeout, 0) <= 0"
                ),
                (
                    "JoinConsumerGroup was answered with coordinator "
                    "{coalesce(coordinator, 'none')}, consumer timeout "
                    "{coalesce(consumer_timeout, 0)} and coordinator timeout "
                    "{coalesce(coordinator_timeout, 0)}: the consumer cannot keep its membership"
                ),
                "JoinConsumerGroup",
            ),
            (
                "c",
                "cursor at an offset below -1",
                "fetch_cursor_response",
                "offset < -1",
                "FetchCursor was answered with offset {offset}; -1 is that of no cursor",
                "FetchCursor",
            ),
        )
    ),
)
"""Part of the rules of the protocol."""
