"""A protocol: the parts that the stages take, joined into one value."""

import importlib
import pkgutil
from types import ModuleType
from typing import TYPE_CHECKING

from streamshark.decoding.lazy import LazyPart
from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.framing.wire_format import WireFormat
from streamshark.light_dataclass import record
from streamshark.schema import FrameSchema

if TYPE_CHECKING:
    from streamshark.conversations.explain import Sentence
    from streamshark.conversations.messages import MessageSource
    from streamshark.conversations.tables import Derived, Table
    from streamshark.fields.common_fields import CommonTable
    from streamshark.findings.object_states import ObjectStates
    from streamshark.findings.requirement import Document
    from streamshark.findings.rule import Rule
    from streamshark.schema.syntax import Syntax


def declared(package: ModuleType) -> list[FrameSchema]:
    """Return the frames that the modules of a protocol's `frames` declare, by module name."""
    names = (each.name for each in pkgutil.iter_modules(package.__path__))
    modules = (importlib.import_module(f"{package.__name__}.{name}") for name in names)
    return [frame for module in modules for frame in module.FRAMES]


@record(slots=False)
class Protocol:
    """What a protocol folder's `PROTOCOL` is; each stage is handed only its own part."""

    title: str
    """The protocol's own name, as its document writes it."""
    card: str
    """The folder's docstring: document and revision, reference implementation, what is left out."""
    wire: WireFormat
    """What `frames` needs."""
    embedded_records: LazyPart[tuple[EmbeddedRecord, ...]] = LazyPart(())
    """Records in its own slots or in those of others."""
    embedded_slots: frozenset[str] = frozenset()
    """Slots of others whose embedded records are rows of its tables, named by the last part of the
    embedded records' ids."""
    advertises: frozenset[str] = frozenset()
    """Slots of others in which its records name servers (fields of the role `host`)."""
    fields: LazyPart[tuple["CommonTable", ...]] = LazyPart(())
    """Fields that have one name in all commands that carry the value."""
    conversations: LazyPart[tuple["Table", ...]] = LazyPart(())
    """What its frames mean to each other."""
    rules: LazyPart[tuple["Rule", ...]] = LazyPart(())
    """Rules about mistakes of peers."""
    fixes: LazyPart[tuple[tuple[str, str], ...]] = LazyPart(())
    """Pairs of a rule's id, or that of its family, and what to change."""
    requirements: LazyPart[tuple["Document", ...]] = LazyPart(())
    """What its documents require of peers, and the rules that hold it."""
    states: LazyPart[tuple["ObjectStates", ...]] = LazyPart(())
    """The states of its objects, what contradicts them, and the rules that name it."""
    parts: LazyPart[tuple["ObjectStates", ...]] = LazyPart(())
    """The parts of programs that use it, how they fail, and the rules that name it."""
    sentences: LazyPart[tuple["Sentence", ...]] = LazyPart(())
    """Sentences about its connections: `streamshark explain`."""
    housekeeping: frozenset[str] = frozenset()
    """Commands that set up, keep alive and close a connection: `explain` counts them together."""
    syntax: LazyPart["Syntax | None"] = LazyPart(None)
    """Its own words in names, texts and bodies, which a redaction keeps."""
    messages: LazyPart[tuple["MessageSource", ...]] = LazyPart(())
    """Where the messages of applications are in its frames."""

    @property
    def derived(self) -> tuple["Derived", ...]:
        """What the engine can work out of its frames, among the tables."""
        from streamshark.conversations.tables import Derived  # noqa: PLC0415 - only who asks loads it

        return tuple(each for each in self.conversations if isinstance(each, Derived))
