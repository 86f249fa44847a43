"""A protocol: the parts that the stages take, joined into one value."""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from streamshark.frames.layers import Rider
from streamshark.frames.wire import Wire
from streamshark.schema import FrameSchema

if TYPE_CHECKING:
    from streamshark.conversations.story import Sentence
    from streamshark.conversations.tables import Derived, Table
    from streamshark.findings.rule import Rule

T = TypeVar("T")
Later = Callable[[], tuple[T, ...]]


def declared(package: ModuleType) -> list[FrameSchema]:
    """What the modules of a protocol's `frames` declare, by the names of the modules."""
    names = (each.name for each in pkgutil.iter_modules(package.__path__))
    modules = (importlib.import_module(f"{package.__name__}.{name}") for name in names)
    return [frame for module in modules for frame in module.FRAMES]


def later(package: str, path: str) -> Later[Any]:
    """A part of a protocol that is imported when somebody asks for it: `module.NAME`."""
    module, _, name = path.rpartition(".")

    def found() -> tuple[Any, ...]:
        part: tuple[Any, ...] = getattr(importlib.import_module(f"{package}.{module}"), name)
        return part

    return found


class Part(Generic[T]):
    """A member that may be given `later`."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name = name

    def __get__(self, protocol: object, _owner: type) -> tuple[T, ...]:
        if protocol is None:
            return ()
        given: tuple[T, ...] | Later[T] = vars(protocol)[self.name]
        if callable(given):
            given = vars(protocol)[self.name] = given()
        return given

    def __set__(self, protocol: object, given: tuple[T, ...] | Later[T]) -> None:
        vars(protocol)[self.name] = given


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
    conversations: Part["Table"] = Part()
    """What its frames mean to each other."""
    rules: Part["Rule"] = Part()
    """What is said of peers that misbehave."""
    story: Part["Sentence"] = Part()
    """What is told of its connections in plain sentences."""

    @property
    def derived(self) -> tuple["Derived", ...]:
        """What the engine can work out of its frames, among the tables."""
        from streamshark.conversations.tables import Derived  # noqa: PLC0415 - only who asks loads it

        return tuple(each for each in self.conversations if isinstance(each, Derived))
