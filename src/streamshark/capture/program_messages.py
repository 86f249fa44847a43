"""What dumpcap and tcpdump write while they capture: files, counters, and why they refuse."""

import getpass
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from streamshark.capture.capture_program import CaptureProgram

_BEGINS: Final = re.compile(r"(?:Capturing on |tcpdump: listening on )'?(.+?)(?:, link-type .*|'?)")
_FILE: Final = re.compile(r"(?:Packets: (?P<packets>\d+) )?File: (?P<file>.+)")
"""The counter is on the line of the next file, since it ends no line of its own."""
_CAPTURED: Final = re.compile(r"Packets captured: (\d+)|(\d+) packets? captured")
_DUMPCAP_DROPS: Final = re.compile(
    r"Packets received/dropped on interface '(.+)': \d+/(\d+)"
    r" \(pcap:(\d+)/dumpcap:(\d+)/flushed:(\d+)/ps_ifdrop:(\d+)\).*"
)
_TCPDUMP_DROPS: Final = re.compile(r"(\d+) packets? dropped by (kernel|interface)")
_SO_FAR: Final = re.compile(r"Packets: (\d+)")
_COUNTERS: Final = re.compile(
    r"tcpdump: (\d+ packets? captured), \d+ packets? received by filter,"
    r" (\d+) packets? dropped by kernel"
)
_IGNORED: Final = re.compile(
    r"\d+ packets? received by filter|tcpdump: (?:data link type|verbose output).*"
    r"|dumpcap: $"
)
_DENIED_THERE: Final = ("permission to", "operation not permitted", "permission to capture")
"""What tcpdump says, and ssh does not."""
_LOOPBACK: Final = re.compile(r"Loopback: (\S+)")
_DENIED: Final = ("permission to", "operation not permitted", "permission denied", "no interfaces")
_REASON: Final = re.compile(r"\(([^()]*(?:\([^()]*\))?[^()]*)\)")
_MOST_LINES: Final = 40
"""Lines of a message that are kept."""


@dataclass(slots=True)
class ProgramMessages:
    """What a program has written to standard error so far."""

    interfaces: str = ""
    """Interfaces on which it captures; empty before it begins."""
    captured: int | None = None
    """Packets; None until it ends."""
    drops: list[str] = field(default_factory=list)
    """Counters of packets that were dropped, as text; none for 0."""
    lines: list[str] = field(default_factory=list)
    """Other lines since it began: why it refuses or fails."""
    so_far: int = 0
    """Packets that dumpcap has counted so far."""
    counters: str = ""
    """What tcpdump says of its counters while it captures."""

    def take(self, line: str) -> Path | None:
        """Take a line; return the file that it says is begun."""
        line = line.strip()
        if match := _FILE.fullmatch(line):
            self.lines.clear()
            self.so_far = int(match["packets"] or self.so_far)
            return Path(match["file"])
        if match := _BEGINS.fullmatch(line):
            self.lines.clear()
            self.interfaces = _LOOPBACK.sub(r"\1", match[1]).replace("'", "")
        elif match := _CAPTURED.fullmatch(line):
            self.captured = int(match[1] or match[2])
        elif match := _SO_FAR.fullmatch(line):
            self.so_far = int(match[1])
        elif match := _COUNTERS.fullmatch(line):
            self.counters = f"{match[1]} so far, {match[2]} dropped by the kernel"
        elif match := _DUMPCAP_DROPS.fullmatch(line):
            self._add_drops(_LOOPBACK.sub(r"\1", match[1]), match)
        elif match := _TCPDUMP_DROPS.fullmatch(line):
            if int(match[1]):
                self.drops.append(f"{match[1]} dropped by the {match[2]}")
        elif line and not _IGNORED.fullmatch(line) and len(self.lines) < _MOST_LINES:
            self.lines.append(line.removeprefix("dumpcap: ").removeprefix("tcpdump: "))
        return None

    def _add_drops(self, interface: str, match: re.Match[str]) -> None:
        if interface not in self.interfaces:
            self.interfaces = interface
        named = ((match[3], "kernel"), (match[4], "dumpcap"), (match[5], "dumpcap at the end"))
        for count, name in (*named, (match[6], "interface")):
            if int(count):
                by = name if name.startswith("dumpcap") else f"the {name}"
                self.drops.append(f"{count} dropped by {by} on {interface}")

    def totals(self) -> str:
        """Return a sentence with the counters; empty if the program has written none."""
        if self.captured is None:
            return ""
        one = "packet" if self.captured == 1 else "packets"
        return f"{self.captured} {one} captured, {', '.join(self.drops) or 'none dropped'}"

    def failure(self) -> str:
        """Return the message about a failure, as one line; empty if there is none."""
        return " ".join(self.lines)

    def refusal(self, program: CaptureProgram, capture_filter: str) -> str:
        """Return a sentence that says why the program captures nothing, and what helps."""
        text = self.failure()
        lower = text.lower()
        is_denied = any(each in lower for each in _DENIED) and "could not be opened" not in lower
        if is_denied and program.remote is None:
            return f"no right to capture packets; {grant()}"
        if any(each in lower for each in _DENIED_THERE) and program.remote:
            return f"no right to capture packets on {program.remote.host}: {text}; try --sudo"
        if "filter expression" in lower or "capture filter" in lower or "syntax error" in lower:
            reason = _REASON.search(text)
            return f"-f {capture_filter!r}: {reason[1] if reason else text}"
        first = self.lines[0].rstrip(".") if self.lines else "it ended without a message"
        if program.remote:
            return f"{program.title}: {text or first}"
        if "no such device" in lower or "no device" in lower:
            return f"{program.name}: {first}; streamshark capture -D lists the interfaces"
        return f"{program.name}: {first}"


def missing() -> str:
    """Return a sentence for a system on which neither program can be run."""
    if shutil.which("dumpcap", os.F_OK):
        return f"no right to run dumpcap; {grant()}"
    debian = Path("/etc/debian_version").exists()
    how = "sudo apt-get install wireshark-common" if debian else "install Wireshark or tcpdump"
    return f"neither dumpcap nor tcpdump was found; to install one: {how}"


def grant() -> str:
    """Return the half sentence that names the command that gives this user the right."""
    if os.geteuid() == 0:
        return "this container needs it: docker run --cap-add NET_RAW --cap-add NET_ADMIN ..."
    dumpcap = shutil.which("dumpcap", os.F_OK)
    if dumpcap and _is_group_only(dumpcap):
        command = f"sudo usermod -aG wireshark {getpass.getuser()}"
        return f"this grants it from the next login on: {command}"
    path = dumpcap or shutil.which("tcpdump", os.F_OK) or "/usr/bin/dumpcap"
    return f"this grants it: sudo setcap cap_net_raw,cap_net_admin=ep {path}"


def _is_group_only(path: str) -> bool:
    """Return whether the group of a program, and not everyone, may run it."""
    return not os.access(path, os.X_OK)


@dataclass(frozen=True, slots=True)
class NetworkInterface:
    """An interface on which packets can be captured."""

    number: int
    name: str
    description: str
    """In words, or its flags; may be empty."""
    addresses: Sequence[str] = ()

    def line(self) -> str:
        """Return it as a line of a list."""
        described = f" ({self.description})" if self.description else ""
        return f"{self.number}. {self.name}{described} {', '.join(self.addresses)}".rstrip()


_DUMPCAP_INTERFACE: Final = re.compile(r"(\d+)\. ([^\t]*)\t([^\t]*)\t([^\t]*)\t\d+\t([^\t]*)\t.*")
_TCPDUMP_INTERFACE: Final = re.compile(r"(\d+)\.(\S+)(?: \((.*)\))? \[(.*)\]")


def listed_interfaces(text: str, addresses: Mapping[str, Sequence[str]]) -> list[NetworkInterface]:
    """Return the interfaces of `dumpcap -D -M`, or `tcpdump -D` with addresses found elsewhere."""
    found = []
    for line in text.splitlines():
        if match := _DUMPCAP_INTERFACE.fullmatch(line):
            own = tuple(filter(None, match[5].split(",")))
            found.append(NetworkInterface(int(match[1]), match[2], match[4] or match[3], own))
        elif match := _TCPDUMP_INTERFACE.fullmatch(line):
            name, own = match[2], tuple(addresses.get(match[2], ()))
            found.append(NetworkInterface(int(match[1]), name, match[3] or match[4], own))
    return found
