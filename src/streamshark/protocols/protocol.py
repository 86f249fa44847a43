"""A protocol: the parts that the stages take, joined into one value."""

from dataclasses import dataclass

from streamshark.frames.layers import Rider
from streamshark.frames.wire import Wire


@dataclass(frozen=True)
class Protocol:
    """What a protocol folder's `PROTOCOL` is; each stage is handed only its own part."""

    title: str
    """The protocol's own name, as its document writes it."""
    card: str
    """The folder's docstring: document and revision, reference implementation, what is left out."""
    wire: Wire
    """What `frames` needs."""
    riders: tuple[Rider, ...] = ()
    """Records that stand in its own slots or in those of others."""
    conversations: tuple[object, ...] = ()
    """Tables from which the engine builds conversations (`conversations.tables`)."""
    rules: tuple[object, ...] = ()
    """What is said of clients that misbehave (`findings.rule.Rule`)."""
