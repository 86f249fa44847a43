"""scapy packets of a protocol: its frames as layers, dissected and built from the schemas.

    rabbitmq = load("rabbitmq_stream")
    rabbitmq.dissect(data)[0].show()
    bytes(rabbitmq.Open(correlation_id=1, virtual_host="/"))

Each declared frame is a class of scapy, whose fields are those of `Frame.fields`. Frames follow
each other as payloads. A frame that was dissected is built as it was, with what was changed;
lengths, counts and sums are computed. scapy is licensed under GPL-2.0-only: what is distributed
together with it comes under that licence. It is an extra, and only `capture` imports it.
"""

from collections.abc import Mapping
from functools import cache
from keyword import iskeyword
from typing import Any, ClassVar, Final, cast

from scapy.fields import Field
from scapy.layers.inet import TCP
from scapy.packet import Packet, Raw, bind_bottom_up, split_bottom_up

from streamshark.decoding.amending import amended
from streamshark.decoding.decoder import Decoder
from streamshark.errors import StreamsharkError
from streamshark.framing.wire_format import FrameTable, Selector
from streamshark.protocols.catalog import catalog, find
from streamshark.schema import FrameKind, nodes
from streamshark.schema.encoding import changes_between, encoded

MASK: Final = "***"
"""What is shown instead of a secret; the value itself is there."""
_TAKEN: Final = frozenset({*dir(Packet), *Packet.__all_slots__})
"""Names that packets of scapy have already."""


@cache
def load(protocol: str, dialect: str = "") -> "Layers":
    """Return the layers of a protocol, and let scapy dissect its TCP ports with them.

    Args:
        protocol: Its id or short name, as in `-d tcp.port==N,PROTOCOL`.
        dialect: As in `-o PROTOCOL.dialect:NAME`.

    Raises:
        StreamsharkError: There is no such protocol or dialect, or it has no frames on TCP.
    """
    known = catalog()
    wire = find(protocol, known).wire
    table = wire.table(dialect)
    if not table.cuts:
        able = ", ".join(each.wire.id for each in known if each.wire.table().cuts)
        raise StreamsharkError(f"{wire.id} has no frames on TCP of its own (known: {able})")
    layers = Layers(table)
    layers.bind(*wire.ports)
    return layers


class Layers:
    """The layers of one dialect of a protocol.

    Each is an attribute by its name (`Open`, `OpenResponse`, `PublishV2`); `classes` has all.
    """

    def __init__(self, table: FrameTable) -> None:
        self.table = table
        self.classes: dict[str, type[FrameLayer]] = {}
        """The classes of declared frames by their names."""
        self._of: dict[int, type[FrameLayer]] = {}
        """The same by the identity of their decoder."""
        for decoder in table.all:
            name = _class_name(decoder, self.classes)
            self.classes[name] = self._of[id(decoder)] = self._made(name, decoder)
        self.any = _any_frame(self)
        """What scapy takes for the payload of TCP: `dispatch_hook` finds the class."""
        self._ports: set[int] = set()

    def __getattr__(self, name: str) -> "type[FrameLayer]":
        """Return the class of this name."""
        classes: dict[str, type[FrameLayer]] = self.__dict__.get("classes", {})
        if name not in classes:
            raise AttributeError(name)
        return classes[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.classes]

    def bind(self, *ports: int) -> None:
        """Let scapy dissect TCP ports with these layers, and with no others."""
        self._ports.update(ports)
        for port in ports:
            for before in {each for fields, each in TCP.payload_guess if port in fields.values()}:
                split_bottom_up(TCP, before, sport=port)
                split_bottom_up(TCP, before, dport=port)
            bind_bottom_up(TCP, self.any, sport=port)
            bind_bottom_up(TCP, self.any, dport=port)

    def dissect(self, data: bytes, sender: str | None = None) -> list[Packet]:
        """Return the frames of one direction of a connection, each without a payload.

        Bytes that are no whole frame, and frames of unknown commands, are `Raw`.

        Args:
            data: The bytes, from the beginning of a frame on.
            sender: `client` or `server`, where frames of the two differ.
        """
        found: list[Packet] = []
        while data:
            kind, size = self.class_of(data, sender), self.size(data) or len(data)
            found.append(kind(data[:size]))
            data = data[size:]
        return found

    def sender(self, layer: Packet | None) -> str | None:
        """Return who has sent a packet, by the ports of its TCP layer; None if unknown."""
        while layer is not None and not isinstance(layer, TCP):
            layer = layer.underlayer
        if layer is None:
            return None
        if layer.dport in self._ports:
            return "client"
        return "server" if layer.sport in self._ports else None

    def size(self, data: bytes) -> int:
        """Return the bytes of the first frame; 0 if it is incomplete or malformed."""
        measured = self.table.measure(data, 0, len(data))
        total = measured[0] if measured else 0
        return total if self.table.least <= total <= len(data) else 0

    def class_of(self, data: bytes, sender: str | None = None) -> type[Packet]:
        """Return the class of the first frame of some bytes; `Raw` without one."""
        size, measured = self.size(data), self.table.measure(data, 0, len(data))
        found = self.table.decoders.get(Selector(*measured[1:])) if measured and size else None
        if not found:
            return Raw
        own = [each for each in found if each.schema.sender.value == sender] or found
        if len(own) > 1:
            own = sorted(own, key=lambda each: len(each.read(data[:size])[1]))
        return self._of[id(own[0])]

    def _made(self, name: str, decoder: Decoder) -> "type[FrameLayer]":
        """Return the class of a frame."""
        tops = {each.name: each for each in decoder.tree.named() if len(each.path) == 1}
        fields = [ValueField(each, decoder.tree) for each in tops.values()]
        members = {
            "name": f"{self.table.wire.short}.{_command(decoder)}",
            "fields_desc": fields,
            "family": self,
            "decoder": decoder,
            "members": {each.name: each.member for each in fields},
            "__doc__": decoder.schema.doc,
        }
        return cast("type[FrameLayer]", type(name, (FrameLayer,), members))


class ValueField(Field[Any, Any]):
    """A field whose value is that of `Frame.fields`: a number, text, bytes, a list, a dict."""

    __slots__ = ("_facts", "_secrets", "member")
    islist = 1  # else scapy would make a packet for each item

    def __init__(self, node: nodes.Node, tree: nodes.Tree) -> None:
        self.member = str(node.name)
        """Its name in the schema; one that is taken gets an underscore in scapy."""
        is_taken = self.member in _TAKEN or iskeyword(self.member)
        super().__init__(f"{self.member}_" if is_taken else self.member, None)
        self._facts = node.facts
        self._secrets = {
            each.path[1:]
            for each in tree.named()
            if each.facts.secret and each.path[0] == node.name
        }

    def i2repr(self, pkt: Packet | None, x: Any) -> str:  # noqa: ANN401, ARG002 - scapy's signature
        """Return a value as text, with its name, and without secrets."""
        if isinstance(x, int) and (name := self._facts.name_of(x)) is not None:
            return f"{x} ({name})"
        return repr(_masked(x, self._secrets))


class FrameLayer(Packet):
    """A frame."""

    family: ClassVar[Layers]
    decoder: ClassVar[Decoder]
    members: ClassVar[dict[str, str]]
    """Names of fields to those of the schema."""

    def do_dissect(self, s: bytes) -> bytes:
        """Take the fields from the first frame of some bytes; return the rest."""
        size = self.family.size(s)
        self.raw_packet_cache = bytes(s[:size])
        self.fields = self._values(self.raw_packet_cache)
        self.raw_packet_cache_fields = {}
        self.explicit = 1
        return s[size:]

    def guess_payload_class(self, payload: bytes) -> type[Packet]:
        """Return the class of the next frame."""
        return self.family.class_of(payload, self.family.sender(self.underlayer))

    def self_build(self) -> bytes:
        """Return the bytes of the frame: those dissected, and what was changed.

        Raises:
            EncodingError: A value is missing, does not fit, or does not go with the others.
        """
        fields, data = self._named(self.fields), self.raw_packet_cache
        if data is None:
            return encoded(self.decoder.tree, fields)
        return amended(self.decoder, data, changes_between(self._named(self._values(data)), fields))

    def setfieldval(self, attr: str, val: Any) -> None:  # noqa: ANN401 - scapy's signature
        """Set a field; what was dissected is kept, so that the rest stays as it was spelt."""
        data = self.raw_packet_cache
        super().setfieldval(attr, val)
        self.raw_packet_cache = data

    @property
    def problems(self) -> list[str]:
        """What is malformed in the frame that was dissected, a sentence each."""
        data = self.raw_packet_cache
        return [each.code.sentence for each in self.decoder.read(data)[1]] if data else []

    def _values(self, data: bytes) -> dict[str, Any]:
        """Return the fields of a frame."""
        values = self.decoder.read(data)[0]
        return {name: values[of] for name, of in self.members.items() if of in values}

    def _named(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return fields by their names in the schema."""
        return {self.members[name]: value for name, value in fields.items()}


def _any_frame(layers: Layers) -> type[Packet]:
    """Return the class that stands for some bytes of a protocol."""

    class Frames(Packet):
        name = layers.table.wire.id

        @classmethod
        def dispatch_hook(
            cls,
            _pkt: bytes | None = None,
            *_: object,
            **given: Any,  # noqa: ANN401 - scapy's
        ) -> type[Packet]:
            """Return the class of the first frame."""
            sender = layers.sender(given.get("_underlayer"))
            return layers.class_of(_pkt, sender) if _pkt else cls

        @classmethod
        def tcp_reassemble(cls, data: bytes, *_: object) -> Packet | None:
            """Return the first frame, once it is whole; for `TCPSession`."""
            return cls(data) if layers.size(data) else None

    return Frames


def _command(decoder: Decoder) -> str:
    schema = decoder.schema
    is_response = schema.kind is FrameKind.RESPONSE
    return f"{schema.name}_response" if is_response else schema.name


def _class_name(decoder: Decoder, known: Mapping[str, object]) -> str:
    """Return the name of a frame's class: its command, and what tells it from others."""
    schema = decoder.schema
    name = "".join(each.capitalize() for each in _command(decoder).split("_"))
    if schema.version is not None and schema.version > 1:
        name += f"V{schema.version}"
    if name in known:
        name += f"From{str(schema.sender.value).capitalize()}"
    while name in known:
        name += "_"
    return name


def _masked(value: Any, secrets: set[tuple[str, ...]]) -> Any:  # noqa: ANN401 - any field
    """Return a value with a mask at each path of a secret."""
    if not secrets:
        return value
    if () in secrets:
        return MASK
    if isinstance(value, list):
        return [_masked(each, secrets) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _masked(each, {path[1:] for path in secrets if path[0] == name})
        for name, each in value.items()
    }
