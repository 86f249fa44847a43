"""Faults that the proxy does to frames: `FILTER -> ACT [TRIGGER]`, as text."""

import re
import threading
from dataclasses import dataclass
from typing import Final

from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.filters.filter import Filter, compile  # noqa: A004 - as of `re`
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol
from streamshark.proxy.recipes import RECIPES

ACTIONS: Final = (
    "delay SECONDS, drop, duplicate, close, reset, stall, error CODE, corrupt FIELD,"
    " set FIELD = VALUE"
)
"""What a fault can do, for messages."""
TRIGGERS: Final = "once, on call N, times N, every time"
"""When it does it, for messages."""
LONGEST_DELAY: Final = 3600.0
_TRIGGER: Final = re.compile(r"\s+(once|on call (\d{1,9})|times (\d{1,9})|every time)$")
_SIMPLE: Final = ("drop", "duplicate", "close", "reset", "stall")
_DELAY: Final = re.compile(r"delay\s+(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s)?")
_ERROR: Final = re.compile(r"error\s+(\S.*)")
_CORRUPT: Final = re.compile(r"corrupt\s+([a-z0-9_.]+)")
_SET: Final = re.compile(r"set\s+([a-z0-9_.]+)\s*=\s*(\S.*)", re.DOTALL)
_NUMBER: Final = re.compile(r"-?\d{1,20}|0x[0-9a-fA-F]{1,16}")
_FOREVER: Final = 1 << 62
CARRIED: Final = ("grpc", "liftbridge")
"""Protocols whose frames are inside those of others."""


@dataclass(frozen=True, slots=True)
class FaultAction:
    """What is done to a frame."""

    name: str
    seconds: float = 0
    """Of `delay`."""
    field: str = ""
    """Of `corrupt` and `set`."""
    value: int | str = ""
    """Of `set` and `error`."""


class Fault:
    """A fault of the proxy; it counts how often it was used, for tests that wait for it.

    Raises:
        StreamsharkError: The text is malformed, or its filter cannot be tested in passing.
    """

    def __init__(self, text: str) -> None:
        named = {each.name: each.fault for each in RECIPES}
        if text in named:
            text = named[text]
        elif "->" not in text:
            known = ", ".join(named)
            raise StreamsharkError(
                f"--fault {text!r}: expected 'FILTER -> ACT [TRIGGER]', or a name ({known})"
            )
        self.text = text
        condition, _, rest = text.rpartition("->")
        rest = f" {rest.strip()}"
        found = _TRIGGER.search(rest)
        self.action = _action(text, rest[: found.start()].strip() if found else rest.strip())
        first, last = _calls(found)
        self._first, self._last = first, last
        """Matching frames, counted from 1, between which it is used."""
        self.filter = _filter(text, condition.strip())
        self.protocol = _protocol(text, self.filter)
        """The protocol of its frames."""
        self.matched = 0
        """Number of frames that its filter has selected."""
        self.used = 0
        """Number of frames to which it was done."""
        self.is_cleared = False
        """Whether it does nothing any more."""
        self._condition = threading.Condition()

    def takes(self, row: FrameRow) -> bool:
        """Return whether it is done to a frame, and count it."""
        if self.is_cleared or not self.filter(row):
            return False
        with self._condition:
            self.matched += 1
            if not self._first <= self.matched <= self._last:
                return False
            self.used += 1
            self._condition.notify_all()
        return True

    def clear(self) -> None:
        """Let it do nothing any more; what it has stalled goes on."""
        self.is_cleared = True

    def wait(self, timeout: float = 10.0, times: int = 1) -> None:
        """Wait until it was used so often.

        Raises:
            TimeoutError: It was not, in so many seconds.
        """
        with self._condition:
            if not self._condition.wait_for(lambda: self.used >= times, timeout):
                raise TimeoutError(f"used {self.used} times in {timeout} s: {self.text}")


def _calls(found: re.Match[str] | None) -> tuple[int, int]:
    """Return the first and the last matching frame of a trigger."""
    if found is None or found[1] == "every time":
        return 1, _FOREVER
    if found[2]:
        return int(found[2]), int(found[2])
    return 1, int(found[3]) if found[3] else 1


def _action(text: str, words: str) -> FaultAction:
    if words in _SIMPLE:
        return FaultAction(words)
    if match := _DELAY.fullmatch(words):
        seconds = float(match[1]) / (1000 if match[2] == "ms" else 1)
        if seconds > LONGEST_DELAY:
            raise StreamsharkError(f"--fault {text!r}: a delay is at most {LONGEST_DELAY:.0f} s")
        return FaultAction("delay", seconds=seconds)
    if match := _ERROR.fullmatch(words):
        return FaultAction("error", value=_value(match[1]))
    if match := _CORRUPT.fullmatch(words):
        return FaultAction("corrupt", field=match[1])
    if match := _SET.fullmatch(words):
        return FaultAction("set", field=match[1], value=_value(match[2].strip()))
    raise StreamsharkError(f"--fault {text!r}: expected {ACTIONS}; then, if wanted, {TRIGGERS}")


def _value(text: str) -> int | str:
    if _NUMBER.fullmatch(text):
        return int(text, 0)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] in "\"'" else text


def _filter(text: str, condition: str) -> Filter:
    chosen = compile(condition)
    if not condition or chosen.needs_analysis or chosen.needs_first_reading:
        raise StreamsharkError(
            f"--fault {text!r}: the filter must test a frame by itself, not requests or findings"
        )
    return chosen


def _protocol(text: str, chosen: Filter) -> Protocol:
    """Return the protocol that the fields of a filter belong to."""
    shorts = {each.field.name.partition(".")[0] for each in chosen.used}
    found = [each for each in catalog() if each.wire.short in shorts]
    if len(found) != 1:
        raise StreamsharkError(f"--fault {text!r}: the filter must name fields of one protocol")
    if not found[0].wire.table().cuts or found[0].wire.id in CARRIED:
        raise StreamsharkError(f"--fault {text!r}: there are no faults for {found[0].title}")
    return found[0]
