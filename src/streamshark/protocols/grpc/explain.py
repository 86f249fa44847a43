"""What is told of a connection in plain sentences: `streamshark explain`."""

from typing import Final

from streamshark.conversations.explain import Sentence

SENTENCES: Final = (
    Sentence(
        part="who",
        on="call",
        per="'agent'",
        message="The client says it is {item(metadata, 'user-agent')}.",
        when="item(metadata, 'user-agent') is not None",
    ),
    Sentence(
        part="did",
        on="status",
        when="status == 0",
        per="method",
        message="{1:sum count call} of {method} went well[, the slowest took "
        "{t - req.t:most time}].",
    ),
    Sentence(
        part="did",
        on="status",
        when="status > 0",
        per="method, status",
        message="{1:sum count call} of {method} failed: {status:name}[, {status_message}].",
        advice="The status is the server's: look at what it says, and at its log.",
    ),
    Sentence(
        part="did",
        on="reset",
        per="method, sender",
        message="The {sender} broke off {1:sum count call} of {method}.",
    ),
)
"""Told by the engine, `streamshark.conversations.explain`."""
