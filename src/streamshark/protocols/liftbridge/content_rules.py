"""Rules for what messages and names of Liftbridge contain."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.behaviours import FORMAT
from streamshark.protocols.liftbridge.sources import API
from streamshark.protocols.liftbridge.value_predicates import (
    is_mistaken,
    is_mistaken_name,
    is_not_announced,
    is_text_of_bytes,
)

CONTENTS: Final = (
    *(
        Rule(
            id="LFB-B66",
            severity=Severity.WARNING,
            group=Group.ASSUMPTION,
            title="name of a stream, cursor or group that was not meant",
            on=on,
            when=when,
            predicate=is_mistaken_name,
            reads=reads,
            needs="",
            per="client, server, found",
            message="{name} has {found}",
            cause="A variable of the program was not set, or a template not filled in: all "
            "programs with the same mistake share the name.",
            source=API,
        )
        for on, when, reads in (
            ("create_stream_request", "", "fields.name subject"),
            ("subscribe_request", "", "stream"),
            ("set_cursor_request fetch_cursor_request", "", "stream cursor_id"),
            ("join_consumer_group_request", "", "group_id consumer_id"),
            (
                "publish_request",
                "stream is not None and stream != coalesce(conn.known_stream, '')",
                "stream",
            ),
        )
    ),
    Rule(
        id="LFB-B67",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="value that was converted wrongly",
        on="publish_request",
        when="conn.published <= FORMAT_SAMPLE and len(value) > 2",
        predicate=is_mistaken,
        reads="value",
        needs="",
        of="conn",
        message="the value of a message for {stream} is {found}",
        cause="The program passes a value that it has not encoded, or that was encoded before: "
        "consumers cannot use it.",
        source=f"{API}, Publish, Value",
    ),
    Rule(
        id="LFB-B68",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="value as encoded text",
        on="publish_request",
        when="conn.published <= FORMAT_SAMPLE and len(value) >= 12",
        predicate=is_text_of_bytes,
        reads="value",
        needs="",
        of="conn",
        message="the value of a message for {stream} is {found}",
        cause="The program encodes bytes as text, although a value is bytes: it is a third larger, "
        "or twice as large.",
        source=f"{API}, Publish, Value",
        healthy="The data comes from a system that passes on text only.",
    ),
)

FORMATS: Final = (
    Rule(
        id="LFB-B47",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="messages of one Liftbridge stream in different formats",
        on="mixture:content",
        needs="",
        message=f"messages of {{stream}} are in {{content.first}} from one client and in "
        f"{{{FORMAT}}} from another one",
        cause="The publishers encode their messages differently: consumers of one format cannot "
        "read the other.",
        source=f"{API}, Publish, Value",
        healthy="Consumers that recognise both formats.",
    ),
    Rule(
        id="LFB-B47b",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="messages of one client to one Liftbridge stream in different formats",
        on="mixture:mixed",
        needs="",
        message=f"messages of {{stream}} are first in {{mixed.first}}, then in {{{FORMAT}}}, from "
        "one client",
        cause="Two parts of the program encode messages differently, or a value was not encoded.",
        source=f"{API}, Publish, Value",
        healthy="Consumers that recognise both formats.",
    ),
    Rule(
        id="LFB-B48",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="value that is not what its headers announce",
        on="publish_request",
        when="len(fields.headers) > 0",
        predicate=is_not_announced,
        reads="fields.headers value",
        needs="",
        per="client, stream",
        message="a message of {stream} is {found}, although its headers announce it",
        cause="The header is a default or a copy, or the value was encoded in another way: "
        "consumers that go by the header cannot read it.",
        source="liftbridge-api v1.9.0, api.proto, PublishRequest.Headers; RFC 9110, 8.3 and 8.4",
    ),
)
