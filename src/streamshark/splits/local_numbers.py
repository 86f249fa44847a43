"""Numbers of frames and connections of a part of a reading, until those of all of it are known.

A task that reads some connections numbers what it finds by itself. Its numbers keep their class
wherever they go, so that they can be replaced in whatever was pickled.
"""

import io
import pickle
from collections.abc import Callable
from typing import Any

Replacing = Callable[[int], int]


class FrameNumber(int):
    """Number of a frame among those of one task."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it so that `renumbered` replaces it."""
        return frame_number, (int(self),)


class FlowNumber(int):
    """Number of a connection among those of one task."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it so that `renumbered` replaces it."""
        return flow_number, (int(self),)


def frame_number(number: int) -> int:
    """Return the number of a frame."""
    return FrameNumber(number)


def flow_number(number: int) -> int:
    """Return the number of a connection."""
    return FlowNumber(number)


class NumberUnpickler(pickle.Unpickler):
    """Unpickler that replaces numbers; without functions it keeps them."""

    def __init__(
        self, file: io.BytesIO, frames: Replacing | None = None, flows: Replacing | None = None
    ) -> None:
        super().__init__(file)
        self._replaced = {"frame_number": frames, "flow_number": flows}

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - any global
        """Return what a name stands for."""
        if module == __name__ and (found := self._replaced.get(name)) is not None:
            return found
        return super().find_class(module, name)


def renumbered(data: bytes, frames: Replacing, flows: Replacing) -> Any:  # noqa: ANN401 - what was pickled
    """Return what was pickled, with the numbers that two functions return."""
    return NumberUnpickler(io.BytesIO(data), frames, flows).load()
