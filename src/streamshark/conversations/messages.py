"""Where the messages of a protocol are in its frames: a table that each protocol declares."""

from typing import Any

from streamshark.light_dataclass import record

PUBLISHED, DELIVERED = "published", "delivered"
"""Which way a message goes: to the server, from it."""


@record(slots=False, kw_only=True)
class MessageSource:
    """The messages in the frames of one command.

    Paths are those of a frame's `fields` in JSON, joined by dots; `entries[name=value]` is the
    first item of a list with such a member. The paths of `body`, `key`,
    `headers`, `partition` and `number` begin in the item, or in the frame if there are no `items`.
    """

    command: str
    """The command, as JSON names it."""
    body: tuple[str, ...]
    """Paths of the body; the first that exists."""
    items: tuple[str, ...] = ()
    """Path of the list of items, then that of the list inside an item; an item without the second
    is a message itself."""
    only: tuple[tuple[str, Any], ...] = ()
    """Paths in the frame, and the values that they must have."""
    only_items: tuple[tuple[str, Any], ...] = ()
    """Paths in the item, and the values that they must have."""
    way: str = ""
    """`PUBLISHED` or `DELIVERED`; empty if the sender decides: a client publishes."""
    stream: tuple[str, ...] = ()
    """Paths in the frame of what the message is sent to; the first that exists. If none does, it is
    what the connection knows under the last part of a path, else that of the first message of the
    same conversation."""
    number: str = ""
    """Path of the offset, publishing id or event number."""
    absent_number: int | None = None
    """The number if the member is absent: Protobuf leaves out 0."""
    key: str = ""
    headers: str = ""
    partition: str = ""
    protocol: str = ""
    """Id of the protocol whose frames these are, if it is another one."""
    is_joined: bool = True
    """Whether a delivered message has the bytes of the published one."""
