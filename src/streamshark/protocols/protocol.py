"""A protocol: the parts that the stages take, joined into one value."""

from dataclasses import dataclass

from streamshark.conversations.story import Sentence
from streamshark.conversations.tables import Table
from streamshark.findings.rule import Rule
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
    conversations: tuple[Table, ...] = ()
    """What its frames mean to each other."""
    rules: tuple[Rule, ...] = ()
    """What is said of peers that misbehave."""
    story: tuple[Sentence, ...] = ()
    """What is told of its connections in plain sentences."""
