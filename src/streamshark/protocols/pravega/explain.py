"""Sentences of `streamshark explain` about a connection.

Conditions see the state before the row, as those of rules do.
"""

from typing import Final

from streamshark.conversations.explain import Sentence

GREETING: Final = (
    Sentence(
        part="who",
        on="client:hello",
        message="The client supports wire versions {low_version} to {high_version}, as "
        "{lookup(high_version, RELEASES)} do.",
    ),
    Sentence(
        part="who",
        on="server:hello",
        message="The segment store supports wire versions {low_version} to {high_version}, as "
        "{lookup(high_version, STORES)} do.",
    ),
    Sentence(
        part="agreed",
        on="server:hello",
        when="C.low > high_version or low_version > C.high",
        message="The version ranges do not overlap, so the segment store closes the connection.",
        advice="Use a client of a release that is closer to the server's.",
    ),
    Sentence(
        part="agreed",
        on="server:hello",
        when="C.low <= high_version and low_version <= C.high",
        message="Client and segment store both support version {min(C.high, high_version)}.",
    ),
    Sentence(
        part="agreed",
        on="server:hello",
        when="C.high != high_version and C.low <= high_version and low_version <= C.high",
        message="Client and segment store have different releases. Each writes its own newest "
        "layouts; the other skips what it does not know.",
    ),
)

WRITING: Final = (
    Sentence(
        part="did",
        on="end:writer",
        when="writer.appends > 0",
        per="writer.segment",
        evidence="writer.n",
        message="{1:sum count writer} appended {writer.events:sum count event} in "
        "{writer.appends:sum count append} to {writer.segment}[; the slowest was acknowledged "
        "after {writer.slowest:most time}].",
    ),
    Sentence(
        part="did",
        on="segment_is_sealed",
        per="segment",
        message="{segment} is sealed: nothing can be appended to it any more.",
        advice="A segment is sealed when its stream is scaled or ended: the client asks its "
        "controller for the successor segments and continues there.",
    ),
    Sentence(
        part="did",
        on="conditional_check_failed",
        per="writer.segment",
        message="A conditional append to {writer.segment} failed {1:sum count time}: the segment "
        "had changed, and nothing was stored.",
    ),
)

READING: Final = (
    Sentence(
        part="did",
        on="end:input",
        when="input.reads > 0",
        per="input.segment",
        evidence="input.n",
        message="{input.segment} was read {input.reads:sum count time}[, {input.bytes:sum size} in "
        "total].",
    ),
    Sentence(
        part="did",
        on="segment_read",
        when="end_of_segment == 1 and input.ended_at_n is None",
        message="{segment} was read to its end.",
    ),
    Sentence(
        part="did",
        on="segment_is_truncated",
        per="segment",
        message="{segment} is truncated: it starts at offset {start_offset}.",
        advice="A reader before this offset has lost the data in between.",
    ),
)

OTHERS: Final = (
    Sentence(
        part="did",
        on="client:keep_alive",
        per="sender",
        message="The client sent KEEP_ALIVE {1:sum count time}.",
    ),
    Sentence(
        part="did",
        on="wrong_host",
        per="segment",
        message="The segment store answered {1:sum count time} that it does not have {segment}.",
        advice="The client must ask its controller again; a store that is starting answers this "
        "until it owns its containers.",
    ),
    Sentence(
        part="did",
        on="auth_token_check_failed",
        per="error_code",
        message="The segment store refused a token {1:sum count time}[: {error_code:name}].",
        advice="Check the credentials that the client gives its controller, and the clocks of "
        "both: tokens expire.",
    ),
    Sentence(
        part="ended",
        on="invalid_event_number",
        message="The segment store rejected event {event_number} of a writer as not above the "
        "stored one; it then closes the connection.",
        advice="Two connections append for one writer, or the client resends what is stored.",
    ),
    Sentence(
        part="ended",
        on="error_message",
        message="The segment store reported an error: {message}.",
    ),
)

SENTENCES: Final = (*GREETING, *WRITING, *READING, *OTHERS)
"""Rendered by the engine, `streamshark.conversations.explain`."""
