"""Faults that the proxy does to frames: `FILTER -> ACT [TRIGGER]`, as text."""

import re
import threading
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple, Self

from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.fields.registry import Fields
from streamshark.filters.filter import Filter, compile  # noqa: A004 - as of `re`
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.protocols.protocol import Protocol
from streamshark.proxy.fault_checks import GRPC, check_field, check_sent, code_of, like
from streamshark.proxy.recipes import RECIPES

ACTIONS: Final = (
    "delay SECONDS, drop, duplicate, close, reset, stall, error CODE, corrupt FIELD,"
    " set FIELD = VALUE, send COMMAND [CODE] [after SECONDS]"
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
_SEND: Final = re.compile(
    r"send\s+([a-z][a-z0-9_]*)(?:\s+(\d{1,9}))?(?:\s+after\s+(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s)?)?"
)
_NUMBER: Final = re.compile(r"-?\d{1,20}|0x[0-9a-fA-F]{1,16}")
_FOREVER: Final = 1 << 62
CALLED: Final = ("liftbridge", "pravega")
"""Protocols whose frames are also the messages of calls."""
SIDES: Final = ("client", "server")
_USE: Final = re.compile(r"fault on (\S*) of the (client|server): (.*)", re.DOTALL)


class FaultUse(NamedTuple):
    """One use of a fault, as the recording has it in the comment of a packet."""

    command: str
    """Command of the frame; empty if it is unknown."""
    side: int
    """Who has sent the frame: 0 for the client, 1 for the server."""
    fault: str
    """The fault as text."""

    @property
    def text(self) -> str:
        """The use in words.

        >>> FaultUse("msg", 1, 'nats.command == "msg" -> drop').text
        'fault on msg of the server: nats.command == "msg" -> drop'
        """
        return f"fault on {self.command} of the {SIDES[self.side]}: {self.fault}"

    @classmethod
    def parsed(cls, text: str) -> Self | None:
        """Return the use that a comment describes; None for any other comment."""
        found = _USE.fullmatch(text)
        return None if found is None else cls(found[1], SIDES.index(found[2]), found[3])

    @property
    def fields(self) -> dict[str, str | None]:
        """The members of its row in JSON."""
        names = {each.fault: each.name for each in RECIPES}
        action = self.fault.rpartition("->")[2].split()
        return {
            "fault": self.fault,
            "name": names.get(self.fault),
            "act": action[0] if action else None,
            "command": self.command or None,
        }


@dataclass(frozen=True, slots=True)
class FaultAction:
    """What is done to a frame."""

    name: str
    seconds: float = 0
    """Of `delay` and `send`."""
    field: str = ""
    """Of `corrupt` and `set`; of `send` the command."""
    value: int | str = ""
    """Of `set`, `error` and `send`."""


class Fault:
    """A fault of the proxy; it counts how often it was used, for tests that wait for it.

    Raises:
        StreamsharkError: The text is malformed, or its filter cannot be tested in passing.
    """

    def __init__(self, text: str, number: int = 0) -> None:
        self.number = number
        """Its id in the proxy."""
        named = {each.name: each.fault for each in RECIPES}
        if text in named:
            text = named[text]
        elif "->" not in text:
            near = like(text, named) or f"; names are {', '.join(named)}"
            raise StreamsharkError(
                f"--fault {text!r}: expected 'FILTER -> ACT [TRIGGER]', or the name of a fault"
                f"{near}"
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
        self.action = _checked(text, self.action, self.protocol)
        self.matched = 0
        """Number of frames that its filter has selected."""
        self.used = 0
        """Number of frames to which it was done."""
        self.is_cleared = False
        """Whether it does nothing any more."""
        self._condition = threading.Condition()

    def takes(self, row: FrameRow) -> bool:
        """Return whether it is to be done to a frame."""
        if self.is_cleared or not self.filter(row):
            return False
        with self._condition:
            self.matched += 1
            return self._first <= self.matched <= self._last

    def count_use(self) -> None:
        """Take note that it was done to a frame."""
        with self._condition:
            self.used += 1
            self._condition.notify_all()

    def may_be_at(self, protocol: str | None) -> bool:
        """Return whether its frames may be on connections to a server; None if that is unknown."""
        own = self.protocol.wire.id
        return protocol in (None, own) or (own == GRPC and protocol in CALLED)

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
                raise TimeoutError(self.unused(timeout))

    def unused(self, timeout: float) -> str:
        """Return the sentence about a fault that was not used often enough in so many seconds."""
        return f"used {self.used} times in {timeout:g} s: {self.text}"


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
        return FaultAction("delay", seconds=_seconds(text, match[1], match[2]))
    if match := _SEND.fullmatch(words):
        seconds = _seconds(text, match[3] or "0", match[4])
        return FaultAction("send", seconds, match[1], int(match[2] or 0))
    if match := _ERROR.fullmatch(words):
        return FaultAction("error", value=_value(match[1]))
    if match := _CORRUPT.fullmatch(words):
        return FaultAction("corrupt", field=match[1])
    if match := _SET.fullmatch(words):
        return FaultAction("set", field=match[1], value=_value(match[2].strip()))
    raise StreamsharkError(f"--fault {text!r}: expected {ACTIONS}; then, if wanted, {TRIGGERS}")


def _checked(text: str, action: FaultAction, protocol: Protocol) -> FaultAction:
    """Return an action with its code as a number; raise `StreamsharkError` if it is impossible."""
    try:
        match action.name:
            case "corrupt" | "set":
                check_field(protocol, action.field)
            case "send":
                check_sent(protocol, action.field)
            case "error":
                return replace(action, value=code_of(protocol, action.value))
    except StreamsharkError as error:
        raise StreamsharkError(f"--fault {text!r}: {error}") from None
    return action


def _seconds(text: str, number: str, unit: str | None) -> float:
    seconds = float(number) / (1000 if unit == "ms" else 1)
    if seconds > LONGEST_DELAY:
        raise StreamsharkError(f"--fault {text!r}: a delay is at most {LONGEST_DELAY:.0f} s")
    return seconds


def _value(text: str) -> int | str:
    if _NUMBER.fullmatch(text):
        return int(text, 0)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] in "\"'" else text


@cache
def _fields() -> Fields:
    """Return the fields of all protocols, those inside payloads included."""
    return Fields(catalog(), layers(catalog(), formats()), formats=formats())


def _filter(text: str, condition: str) -> Filter:
    chosen = compile(condition, _fields())
    if not condition or chosen.needs_analysis or chosen.needs_first_reading:
        raise StreamsharkError(
            f"--fault {text!r}: the filter must test a frame by itself, not requests or findings"
        )
    return chosen


def _protocol(text: str, chosen: Filter) -> Protocol:
    """Return the protocol that the fields of a filter belong to; gRPC may be named beside it."""
    shorts = {each.field.name.partition(".")[0] for each in chosen.used}
    found = [each for each in catalog() if each.wire.short in shorts]
    if len(found) > 1:
        found = [each for each in found if each.wire.id != GRPC]
    if len(found) != 1:
        raise StreamsharkError(f"--fault {text!r}: the filter must name fields of one protocol")
    if not found[0].wire.table().cuts and found[0].wire.id not in (GRPC, *CALLED):
        raise StreamsharkError(f"--fault {text!r}: there are no faults for {found[0].title}")
    return found[0]
