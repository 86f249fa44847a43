"""What the frames of a call mean to each other.

Source: PROTOCOL-HTTP2.md; a stream of the connection is one call.
"""

from typing import Final

from streamshark.conversations.tables import Context, Pair, Table
from streamshark.protocols.grpc.behaviours import BEHAVIOURS

CONVERSATIONS: Final[tuple[Table, ...]] = (
    Pair(
        name="call",
        request="call",
        answers="status reset",
        key="stream_id",
        keep="path",
        failed="name == 'reset' or status != 0",
        type="call",
    ),
    *BEHAVIOURS,
    Context(name="path", value="req.path"),
)
