"""Which response belongs to which request."""

from typing import Final

from streamshark.conversations.tables import Pair

CONVERSATIONS: Final = (
    Pair(
        name="add",
        request="add",
        answers="add_response",
        keep="counter amount",
        failed="code != 0",
    ),
)
