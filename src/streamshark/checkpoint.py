"""Checkpoints: the state of a reading as bytes, to continue it later or on another machine.

The state of a session, its engine and its judge is pickled. Objects that every process has
(protocols with their schemas, decoders, tables and rules, carriers, formats) are not part of it:
they are stored as names. Only the same version of Streamshark, with the same protocols, can
continue a reading; `restored` raises for any other.
"""

import io
import pickle
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cached_property
from importlib import import_module
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final, Protocol

from streamshark import __version__
from streamshark.capture import Capture
from streamshark.conversations.conversation import NOTHING
from streamshark.conversations.engine import Engine
from streamshark.conversations.state import EMPTY, NO_OBJECT, NO_TROUBLE, NullObject
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders
from streamshark.dissector import Dissector, KnownProtocols
from streamshark.errors import StreamsharkError
from streamshark.findings.joined_records import RecordJoiner
from streamshark.findings.judge import Judge
from streamshark.framing.carrier import Carrier
from streamshark.framing.splitter import NO_MARKS
from streamshark.framing.wire_format import FrameTable, OnlySelector, WireFormat
from streamshark.protocols import protocol
from streamshark.retirement import RetiredConnection
from streamshark.schema.nodes import Tree

_PLAIN = (int, float, complex, str, bytes, type(None), types.ModuleType)


_NAMED: Final[Mapping[type, tuple[str, ...]]] = {
    Decoder: ("tree",),
    Tree: ("schema", "head", "prefix", "root", "nodes", "hidden"),
    PayloadReaders: ("readers",),
    protocol.Protocol: ("conversations", "rules"),
}
"""Parts of objects that have others, which they make when these are asked for."""
_known_objects: dict[tuple[int, ...], "tuple[dict[int, str], dict[str, Any]]"] = {}
"""By the tables, carriers and embedded records of a session: their names and objects, so that the
next session of the process reuses them. Entries are kept, since keys are ids of objects."""


_last: "list[tuple[KnownProtocols, bool, dict[int, str], dict[str, Any]]]" = []
"""The protocols that were named last, whether with their rules, their names and objects: tasks of
one process read the same ones."""


class Judging(Protocol):
    """Judge of rows whose state can be saved: an `Analysis`, or a judge of connections."""

    @property
    def engine(self) -> Engine:
        """Its engine."""

    @property
    def judge(self) -> "Resumed | None":
        """What receives the matches of rules."""

    @property
    def retired(self) -> list[RetiredConnection]:
        """Connections that were retired and that the engine may still follow."""

    def resume(self, retired: Iterable[RetiredConnection]) -> None:
        """Continue from the `retired` of an earlier one."""


class Resumed(Protocol):
    """A part whose state can be saved."""

    def state(self) -> dict[str, Any]:
        """Return its state between two captures."""

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""


class Resumable(Protocol):
    """A reader whose state can be saved: a session, or a part of one."""

    @property
    def dissector(self) -> Dissector:
        """Its dissector."""

    def state(self) -> dict[str, Any]:
        """Return its state between two captures."""

    def resume(self, state: Mapping[str, Any], captures: Iterable[Capture]) -> None:
        """Continue from a state, after the captures that were read for it."""


class SharedObjects:
    """Objects that every process has, by name, and their names.

    Rules and the tables of conversations are included only if rows are `judged`; then those of all
    protocols are loaded, since a state may name any of them.
    """

    def __init__(self, dissector: Dissector, *, judged: bool = False) -> None:
        known = dissector.known
        embedded_records = [
            each for each in known.layers.readers if isinstance(each, EmbeddedRecord)
        ]
        made_of = (*known.tables, *known.carriers, *embedded_records)
        if _last and _last[0][0] is known and _last[0][1] == judged:
            _, _, names, objects = _last[0]
            self.names: dict[int, str] = dict(names)
            self.objects: dict[str, Any] = dict(objects)
            return
        key = tuple(map(id, made_of))
        if key not in _known_objects:
            self.names = {}
            self.objects = {}
            self._walk(
                {
                    "no_object": NO_OBJECT,
                    "nothing": NOTHING,
                    "empty": EMPTY,
                    "marks": NO_MARKS,
                    "no trouble": NO_TROUBLE,
                    "made of": made_of,
                    "embedded records": [each.decoder for each in embedded_records],
                    "bare": [
                        each.wire.table(dialect, bare=True)
                        for each in known.tables
                        for dialect in sorted({each.dialect, *each.wire.bare})
                        if dialect in each.wire.bare
                    ],
                    "dialects": [
                        (each.wire.all_decoders, *map(each.wire.table, each.wire.dialects))
                        for each in known.tables
                        if each.wire.switch_dialect
                    ],
                    "links": [_tables_of(each) for each in known.carriers],
                }
            )
            _known_objects[key] = self.names, self.objects
        names, objects = _known_objects[key]
        self.names, self.objects = dict(names), dict(objects)
        self._walk(
            {
                "carriers": known.carriers,
                "layers": known.layers,
                "tables": known.tables,
                "routes": known.routes,
                "protocols": known.protocols if judged else (),
            }
        )
        _last[:] = [(known, judged, dict(self.names), dict(self.objects))]

    def _walk(self, roots: dict[str, Any]) -> None:
        """Name all objects that can be reached from the roots."""
        stack = [(each, name) for name, each in reversed(roots.items())]
        while stack:
            found, name = stack.pop()
            if isinstance(found, _PLAIN) or id(found) in self.names:
                continue
            self.add(name, found)
            # Lazy members are imported or made now.
            if isinstance(found, WireFormat | Carrier):
                _ = [getattr(found, each.name) for each in fields(found)]
            if isinstance(found, WireFormat | Carrier | EmbeddedRecord | FrameTable):
                _ = [getattr(found, each) for each in _made_late(type(found))]
            stack += reversed([(each, f"{name}.{part}") for part, each in _parts(found)])

    def add(self, name: str, found: Any) -> None:  # noqa: ANN401 - any object
        """Add an object."""
        self.names[id(found)] = name
        self.objects[name] = found


def _made_late(kind: type) -> Iterator[str]:
    """Yield the names of a class's cached properties."""
    for each in kind.__mro__:
        yield from (name for name, of in vars(each).items() if isinstance(of, cached_property))


def _tables_of(carrier: Carrier) -> dict[str, FrameTable]:
    """Return the frame tables of a carrier's own frames, which its reader keeps in its module."""
    members = vars(import_module(carrier.link.__module__))
    return {name: each for name, each in members.items() if isinstance(each, FrameTable)}


def _parts(found: Any) -> Iterator[tuple[object, Any]]:  # noqa: ANN401 - any object
    """Yield the parts of an object, each with a key that is unique in it."""
    match found:
        case (NullObject() | type() | set() | frozenset() | FunctionType() | BuiltinFunctionType()
              | OnlySelector()):  # a cache  # fmt: skip
            return
        case dict() | types.MappingProxyType():
            for at, (key, value) in enumerate(found.items()):
                yield f"{at}k", key
                yield at, value
        case list() | tuple():
            yield from enumerate(found)
        case Decoder() | Tree() | PayloadReaders() | protocol.Protocol():
            # What they cache or import late varies.
            yield from ((name, getattr(found, name)) for name in _NAMED[type(found)])
        case _:
            members = dict(getattr(found, "__dict__", {}))
            for kind in type(found).__mro__:
                slots = kind.__dict__.get("__slots__", ())
                for slot in (slots,) if isinstance(slots, str) else slots:
                    if hasattr(found, slot):
                        members[slot] = getattr(found, slot)
            yield from sorted(members.items())  # independent of the order of access


class _Pickler(pickle.Pickler):
    """Pickler that writes shared objects by name."""

    def __init__(self, file: io.BytesIO, named: SharedObjects) -> None:
        super().__init__(file, protocol=5)
        self.named = named

    def persistent_id(self, obj: Any) -> str | None:  # noqa: ANN401 - any object
        return None if isinstance(obj, _PLAIN) else self.named.names.get(id(obj))

    def reducer_override(self, obj: Any) -> Any:  # noqa: ANN401 - any object
        if isinstance(obj, types.MappingProxyType):
            return _proxy, (dict(obj),)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    """Unpickler that finds shared objects by name, and makes a protocol's program if needed."""

    def __init__(
        self,
        file: io.BytesIO,
        named: SharedObjects,
        engine: "Engine | RecordJoiner | None",
        replaced: Mapping[str, Any] = NOTHING,
    ) -> None:
        super().__init__(file)
        self.named = named
        self.engine = engine
        self.replaced = replaced

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - any global
        """Return what a name stands for, or what replaces it."""
        found = self.replaced.get(f"{module}.{name}")
        return super().find_class(module, name) if found is None else found

    def persistent_load(self, pid: str) -> Any:  # noqa: ANN401 - any object
        if pid not in self.named.objects and pid.startswith("program") and self.engine is not None:
            _programs(self.named, self.engine, pid.split(" ")[1])
        if pid not in self.named.objects:
            raise StreamsharkError(f"the checkpoint was made with other protocols: no {pid} here")
        return self.named.objects[pid]


def _programs(
    named: SharedObjects, engine: "Engine | RecordJoiner", protocol: str | None = None
) -> None:
    """Name the programs of an engine with their classes; make that of `protocol` if needed."""
    if protocol is not None and protocol in engine.tables:
        engine.program(protocol)
    for spoken, program in engine.programs.items():
        start = f"program {spoken}"
        named.add(start, program)
        named.add(f"{start} side", program.side)
        named.add(f"{start} connection", program.connection)
        for name in program.model.lifecycles.keys() - {"conn"}:
            named.add(f"{start} kind {name}", program.kinds[name])
        for sender, handlers in program.quick.items():
            named.add(f"{start} quick {sender}", handlers)
        for name, kind in program.classes.items():
            named.add(f"{start} scope {name}", kind)


def _proxy(members: dict[Any, Any]) -> types.MappingProxyType[Any, Any]:
    """Return an immutable mapping."""
    return types.MappingProxyType(members)


def saved(
    session: Resumable, analysis: Judging | None = None, named: SharedObjects | None = None
) -> bytes:
    """Return the state of a session between two captures, and of its analysis, as bytes.

    A caller with many equal sessions makes the names once, as `named`.
    """
    named = named or SharedObjects(session.dissector, judged=analysis is not None)
    state: dict[str, Any] = {
        "version": __version__,
        "names": [each.name for each in session.dissector.captures],
        "session": session.state(),
    }
    if analysis is not None:
        engine = analysis.engine
        _programs(named, engine)
        named.add("engine", engine)
        state["engine"] = engine.state()
        state["retired"] = analysis.retired
        if analysis.judge is not None:
            state["judge"] = analysis.judge.state()
    file = io.BytesIO()
    _Pickler(file, named).dump(state)
    return file.getvalue()


def restored(
    state: bytes,
    session: Resumable,
    analysis: Judging | None = None,
    named: SharedObjects | None = None,
    replaced: Mapping[str, Any] = NOTHING,
) -> None:
    """Restore a state into a session that has read nothing.

    `replaced` maps names of functions in the state to those that are called instead.

    Raises:
        StreamsharkError: The state is of another version, or of other protocols.
    """
    named = named or SharedObjects(session.dissector, judged=analysis is not None)
    engine = analysis.engine if analysis is not None else None
    if engine is not None:
        named.add("engine", engine)
    found: dict[str, Any] = _Unpickler(io.BytesIO(state), named, engine, replaced).load()
    if found["version"] != __version__:
        raise StreamsharkError(f"the checkpoint was written by Streamshark {found['version']}")
    captures = [FinishedCapture(name, at) for at, name in enumerate(found["names"])]
    session.resume(found["session"], captures)
    if analysis is not None and engine is not None:
        engine.resume(found["engine"])
        analysis.resume(found["retired"])
        if analysis.judge is not None:
            analysis.judge.resume(found["judge"])


def saved_join(
    joiner: RecordJoiner, judge: Judge, dissector: Dissector, places: Mapping[int, tuple[int, int]]
) -> bytes:
    """Return the state of the evaluation of what connections leave as bytes.

    Its judge must have returned its findings, and it its conversations. `places` has file and
    packet of frames by number, instead of those that the judge knows.
    """
    named = SharedObjects(dissector, judged=True)
    _programs(named, joiner)
    named.add("places", judge.places)
    file = io.BytesIO()
    state = {
        "version": __version__,
        "joiner": joiner.state(),
        "judge": judge.state(),
        "places": pickle.dumps(dict(places), 5),
    }
    _Pickler(file, named).dump(state)
    return file.getvalue()


def restored_join(
    state: bytes, joiner: RecordJoiner, judge: Judge, dissector: Dissector
) -> dict[int, tuple[int, int]]:
    """Restore a state of `saved_join` into an evaluation that has begun nothing.

    Return the places of frames in it.

    Raises:
        StreamsharkError: The state is of another version, or of other protocols.
    """
    named = SharedObjects(dissector, judged=True)
    named.add("places", judge.places)
    found: dict[str, Any] = _Unpickler(io.BytesIO(state), named, joiner).load()
    if found["version"] != __version__:
        raise StreamsharkError(f"the checkpoint was written by Streamshark {found['version']}")
    joiner.resume(found["joiner"])
    judge.resume(found["judge"])
    places: dict[int, tuple[int, int]] = pickle.loads(found["places"])  # noqa: S301 - our own
    return places


class FinishedCapture(Capture):
    """Placeholder for a capture that was read before: its name, at its number."""

    format = "ended"

    def __init__(self, name: str, file: int) -> None:
        super().__init__(_NoSource(), name, file, None)

    def _walk(self, batch: Any, left: int) -> None:  # noqa: ANN401 - never called
        raise NotImplementedError


class _NoSource:
    damage = None

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - a source's signature
        """Return True: no bytes are awaited."""
        return True

    def read(self, most: int) -> bytes:  # noqa: ARG002 - a source's signature
        return b""

    def close(self) -> None:
        pass
