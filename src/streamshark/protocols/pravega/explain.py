"""What is told of a connection in plain sentences: `streamshark explain`.

Conditions see what was so before the row, as those of rules do.
"""

from typing import Final

from streamshark.conversations.explain import Sentence

GREETING: Final = (
    Sentence(
        part="who",
        on="client:hello",
        message="The client speaks wire versions {low_version} to {high_version}, as "
        "{lookup(high_version, RELEASES)} do.",
    ),
    Sentence(
        part="who",
        on="server:hello",
        message="The store speaks wire versions {low_version} to {high_version}, as "
        "{lookup(high_version, STORES)} do.",
    ),
    Sentence(
        part="agreed",
        on="server:hello",
        when="C.low > high_version or low_version > C.high",
        message="No version is in both ranges, so the store closes the connection.",
        advice="Take a client of a release that is nearer to the server's.",
    ),
    Sentence(
        part="agreed",
        on="server:hello",
        when="C.low <= high_version and low_version <= C.high",
        message="Both speak version {min(C.high, high_version)}.",
    ),
    Sentence(
        part="agreed",
        on="server:hello",
        when="C.high != high_version and C.low <= high_version and low_version <= C.high",
        message="They are of different releases. Each writes its own newest layouts, and leaves it "
        "to the other to pass over what it does not know.",
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
        "{writer.appends:sum count append} to {writer.segment}"
        "[; the slowest was acknowledged after {writer.slowest:most time}].",
    ),
    Sentence(
        part="did",
        on="segment_is_sealed",
        per="segment",
        message="{segment} is sealed: nothing can be appended to it any more.",
        advice="That is how a stream is scaled or ended: the client asks its controller which "
        "segments follow, and goes on there.",
    ),
    Sentence(
        part="did",
        on="conditional_check_failed",
        per="writer.segment",
        message="{1:sum count append} on condition to {writer.segment} found it changed, and was "
        "not stored.",
    ),
)

READING: Final = (
    Sentence(
        part="did",
        on="end:input",
        when="input.reads > 0",
        per="input.segment",
        evidence="input.n",
        message="{input.segment} was read {input.reads:sum count time}[, "
        "{input.bytes:sum size} in all].",
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
        message="{segment} is truncated: it begins at {start_offset}.",
        advice="A reader that was further back has lost what stood there.",
    ),
)

OTHERS: Final = (
    Sentence(
        part="did",
        on="client:keep_alive",
        per="sender",
        message="The client sent {1:sum count sign} of life (KEEP_ALIVE).",
    ),
    Sentence(
        part="did",
        on="wrong_host",
        per="segment",
        message="The store said {1:sum count time} that {segment} is not with it.",
        advice="The client has to ask its controller again; a store that starts says so until it "
        "has its containers.",
    ),
    Sentence(
        part="did",
        on="auth_token_check_failed",
        per="error_code",
        message="The store refused a token {1:sum count time}[: {error_code:name}].",
        advice="Look at the credentials that the client gives its controller, and at the clocks of "
        "both: tokens expire.",
    ),
    Sentence(
        part="ended",
        on="invalid_event_number",
        message="The store said that event {event_number} of a writer is not above what is stored, "
        "and closes then.",
        advice="Two connections append for one writer, or the client sends again what is stored.",
    ),
    Sentence(
        part="ended",
        on="error_message",
        message="The store said: {message}.",
    ),
)

SENTENCES: Final = (*GREETING, *WRITING, *READING, *OTHERS)
"""Told by the engine, `streamshark.conversations.explain`."""
