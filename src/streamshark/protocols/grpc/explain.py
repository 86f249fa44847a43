"""Sentences of `streamshark explain` about a connection."""

from typing import Final

from streamshark.conversations.explain import Sentence

SENTENCES: Final = (
    Sentence(
        part="who",
        on="call",
        per="'agent'",
        message="The client identifies itself as {item(metadata, 'user-agent')}.",
        when="item(metadata, 'user-agent') is not None",
    ),
    Sentence(
        part="did",
        on="status",
        when="status == 0",
        per="method",
        message="{1:sum count call} of {method} succeeded[, the slowest after {t - req.t:most "
        "time}].",
    ),
    Sentence(
        part="did",
        on="status",
        when="status > 0",
        per="method, status",
        message="{1:sum count call} of {method} failed: {status:name}[, {status_message}].",
        advice="The status comes from the server: read its message and the server's log.",
    ),
    Sentence(
        part="did",
        on="reset",
        per="method, sender",
        message="The {sender} reset {1:sum count call} of {method}.",
    ),
)
"""Rendered by the engine, `streamshark.conversations.explain`."""
