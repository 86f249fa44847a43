"""Finds the declaration of a frame by what outputs show of it: command, kind, key and version."""

from functools import lru_cache

from streamshark.decoding.decoder import Decoder
from streamshark.errors import StreamsharkError
from streamshark.framing.wire_format import FrameTable, WireFormat
from streamshark.light_dataclass import record
from streamshark.schema import FrameSchema, Head, nodes


@record
class FrameName:
    """What identifies the declaration of a frame; what is None may be anything."""

    command: str
    kind: str | None = None
    key: int | None = None
    version: int | None = None

    def fits(self, frame: FrameSchema) -> bool:
        """Return whether it is the name of this frame."""
        key = frame.key if isinstance(frame.key, int) else None
        return frame.name == self.command and all(
            one == other or one is None or other is None
            for one, other in (
                (self.kind, frame.kind.value),
                (self.key, key),
                (self.version, frame.version),
            )
        )


@lru_cache(maxsize=1024)
def decoders_of(
    wire: WireFormat, name: FrameName, dialect: str = "", *, bare: bool = False
) -> tuple[Decoder, ...]:
    """Return the decoders of the frames that a name may mean, the dialect's own first.

    `bare`: for frames that come as messages, without a length.

    Raises:
        StreamsharkError: The protocol has no such frame.
    """
    own = dialect.partition(":")[0]
    others = [each for each in wire.dialects if each != own]
    found: dict[int, Decoder] = {}
    for each in (dialect, *others):
        for one in wire.table(each, bare=bare).all:
            if name.fits(one.schema):
                found.setdefault(id(one.schema), one)
    if found:
        return tuple(sorted(found.values(), key=lambda each: each.schema.dialect != own))
    raise StreamsharkError(_unknown(wire, name))


def prefix_size(table: FrameTable) -> int | None:
    """Return the size in bytes of the length at the start of a head; None if there is none."""
    first = table.all[0].tree.nodes[1] if isinstance(table.head, Head) and table.cuts else None
    return first.size if isinstance(first, nodes.IntNode | nodes.BitsNode) else None


def without_length(data: bytes, table: FrameTable) -> bytes:
    """Return a frame without the length before it.

    Raises:
        StreamsharkError: Frames of this protocol do not begin with a length.
    """
    size = prefix_size(table)
    if size is None:
        raise StreamsharkError(f"--no-prefix: frames of {table.wire.id} do not begin with a length")
    return data[size:]


def _unknown(wire: WireFormat, name: FrameName) -> str:
    """Return what is said of a name that no frame has."""
    own = [each for each in wire.frames if each.name == name.command]
    if not own:
        return f"{wire.id} has no command {name.command!r}"
    known = ", ".join(
        dict.fromkeys(
            f"{each.kind.value} key {each.key}"
            + ("" if each.version is None else f" version {each.version}")
            for each in own
        )
    )
    given = (("kind", name.kind), ("key", name.key), ("version", name.version))
    what = " ".join(f"{label} {value!r}" for label, value in given if value is not None)
    return f"{wire.id} has no {name.command} of {what} (known: {known})"
