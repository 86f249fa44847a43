"""The programs that capture packets: dumpcap, tcpdump, or scapy; and their command lines."""

import math
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from streamshark.capture.remote_program import Remote, watched
from streamshark.capture.source import CaptureError

Name = Literal["dumpcap", "tcpdump", "scapy"]
PREFERRED: Final[tuple[Name, ...]] = ("dumpcap", "tcpdump")
"""dumpcap first: it needs fewer rights, and writes rings of files itself."""
SNIFFER: Final = "streamshark.capture.scapy_sniffer"
"""Module that takes the options of tcpdump."""
KILOBYTE: Final = 1000
"""Bytes of a unit of `filesize`, as in dumpcap."""
BUFFER: Final = 16
"""Mebibytes of the kernel's buffer: by their own defaults, the programs drop packets of a burst."""
_MEBIBYTE_IN_KIB: Final = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Conditions of `-a` or `-b`; 0 where there is none."""

    duration: float = 0
    """Seconds."""
    filesize: int = 0
    """Kilobytes of a file."""
    packets: int = 0
    files: int = 0
    """For `-a`, files after which the capture stops; for `-b`, those that are kept."""
    interval: int = 0
    """Seconds: a file ends when the time is a multiple of them."""

    @property
    def switches(self) -> bool:
        """Whether these conditions of `-b` begin another file."""
        return bool(self.duration or self.filesize or self.packets or self.interval)

    def words(self) -> list[str]:
        """Return the conditions as dumpcap takes them."""
        named = {name: getattr(self, name) for name in self.__slots__}
        return [f"{name}:{value:.15g}" for name, value in named.items() if value]


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What is to be captured, in the terms of dumpcap's options."""

    path: Path
    """The file; with `switch`, names of files get a number and a time."""
    interfaces: Sequence[str] = ()
    """Empty for the first one that is not a loopback."""
    filter: str = ""
    """Capture filter of libpcap; empty for all packets."""
    snaplen: int = 0
    """Bytes of each packet; 0 for all."""
    promiscuous: bool = True
    buffer: int = 0
    """Mebibytes of the kernel's buffer; 0 for `BUFFER`."""
    packets: int = 0
    """Packets after which the capture stops (`-c`); 0 for no limit."""
    stop: Limits = field(default_factory=Limits)
    switch: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class CaptureProgram:
    """A program that captures packets."""

    name: Name
    path: str
    remote: Remote | None = None
    """The other machine on which it runs; None for this one."""

    @property
    def title(self) -> str:
        """The name for messages."""
        return f"{self.name} on {self.remote.host}" if self.remote else self.name

    @property
    def writes_files(self) -> bool:
        """Whether it writes the files itself; otherwise pcap comes from its standard output."""
        return self.name == "dumpcap"

    def command(self, request: CaptureRequest) -> list[str]:
        """Return the command line that captures until its standard input ends.

        Raises:
            CaptureError: The program cannot do it.
        """
        if self.name == "dumpcap":
            return watched([self.path, *_options(request), *_dumpcap(request)])
        words = ["-U", "--immediate-mode", *_options(request), *_tcpdump(request)]
        if self.remote:
            return self.remote.capture(words, request.filter)
        return watched(self.run(*words, *(["--", request.filter] if request.filter else [])))

    def link_types(self, interfaces: Sequence[str]) -> list[str]:
        """Return the command line that lists the link types of interfaces."""
        if not self.writes_files and len(interfaces) > 1:
            raise CaptureError(f"{self.name} takes one interface (-i)")
        return self.run("-L", *_each("-i", interfaces))

    def interfaces(self) -> list[str]:
        """Return the command line that lists interfaces."""
        return self.run(*(["-D", "-M"] if self.name == "dumpcap" else ["-D"]))

    def run(self, *words: str) -> list[str]:
        """Return the command line that runs it with these options."""
        if self.remote:
            return self.remote.run(words)
        return [self.path, *(["-m", SNIFFER] if self.name == "scapy" else []), *words]


def installed_program() -> CaptureProgram | None:
    """Return the preferred program of those that this user may run, else scapy, else None."""
    for name in PREFERRED:
        if path := shutil.which(name):
            return CaptureProgram(name, path)
    return CaptureProgram("scapy", sys.executable) if find_spec("scapy") else None


def default_filter(ports: Iterable[int]) -> str:
    """Return a capture filter for TCP ports."""
    known = " or ".join(map(str, sorted(set(ports))))
    return f"tcp port {known}" if known else "tcp"


def _each(option: str, values: Iterable[str]) -> list[str]:
    """Return an option before each value."""
    return [word for value in values for word in (option, value)]


def _options(request: CaptureRequest) -> list[str]:
    """Return options that both programs have; in dumpcap, before `-i`, they are for all of them."""
    words = ["-s", str(request.snaplen)] if request.snaplen else []
    return words + ([] if request.promiscuous else ["-p"])


def _dumpcap(request: CaptureRequest) -> list[str]:
    words = ["-c", str(request.packets)] if request.packets else []
    words += ["-B", str(request.buffer or BUFFER)]
    words += ["-f", request.filter] if request.filter else []
    words += _each("-i", request.interfaces)
    words += _each("-a", request.stop.words())
    words += _each("-b", request.switch.words())
    return [*words, "-w", str(request.path)]


def _tcpdump(request: CaptureRequest) -> list[str]:
    if len(request.interfaces) > 1:
        raise CaptureError("tcpdump captures on one interface (-i); several need dumpcap")
    if request.switch.interval:
        raise CaptureError("-b interval needs dumpcap")
    counts = [each for each in (request.packets, request.stop.packets) if each]
    words = ["-c", str(min(counts))] if counts else []
    words += ["-B", str((request.buffer or BUFFER) * _MEBIBYTE_IN_KIB)]
    words += _each("-i", request.interfaces)
    return [*words, "-w", "-"]


def parse_limits(values: Iterable[str], names: Sequence[str]) -> Limits:
    """Return the conditions that `NAME:N` texts give.

    Raises:
        ValueError: One is malformed; the message is the text.
    """
    found: dict[str, float] = {}
    for value in values:
        name, _, number = value.partition(":")
        if name not in names:
            raise ValueError(value)
        try:
            amount = float(number) if name == "duration" else int(number)
        except ValueError:
            raise ValueError(value) from None
        if not (0 < amount <= _MOST and math.isfinite(amount)):
            raise ValueError(value)
        found[name] = amount
    return Limits(**found)  # type: ignore[arg-type]


_MOST: Final = 2**31 - 1
"""The largest number that dumpcap takes."""
