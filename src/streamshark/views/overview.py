"""One screen about captures: what they are, who talks, what is wrong, and what to run next."""

import shlex
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from streamshark.conversations.units import counted, duration, size
from streamshark.findings.finding import Finding
from streamshark.protocols.protocol import Protocol
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable
from streamshark.views.findings import MARKS, WorstFindings, place

MOST_FILES = 3
"""Most files that are listed."""
MOST_GROUPS = 6
"""Most groups of connections, and most endpoints of other kinds, that are listed."""
MOST_FINDINGS = 4
"""Most findings that are listed."""
INDENT = "  "
STANDARD_INPUT = shlex.quote("standard input")
"""What a capture from standard input is called; it cannot be read again."""


class Overview:
    """The screen, `width` columns wide; findings are added as they come.

    `protocols` are those that were known, with the rules that were checked. A terminal would cut
    long commands, so there they are made shorter.
    """

    def __init__(
        self,
        protocols: Sequence[Protocol],
        palette: Palette,
        width: int,
        *,
        is_terminal: bool = False,
    ) -> None:
        self.names = {each.wire.id: each.title for each in protocols}
        self.titles = {rule.id: rule.title for each in protocols for rule in reversed(each.rules)}
        self.palette = palette
        self.width = width
        self.is_terminal = is_terminal
        self._worst = WorstFindings(MOST_FINDINGS)

    def add(self, findings: Iterable[Finding]) -> None:
        """Add settled findings; only the worst are kept."""
        self._worst.add(findings)

    def text(self, facts: Mapping[str, Any]) -> str:
        """Return the screen; `facts` are those of `info.document`."""
        sections = (
            ("", self._files(facts)),
            ("Connections", self._connections(facts)),
            ("Findings", self._findings(facts)),
            ("Next", self._next(facts)),
        )
        lines: list[str] = []
        for title, body in sections:
            found = [*body]
            if found:
                lines += [self.palette.paint("command", title)] if title else []
                lines += found
        return "".join(f"{line}\n" for line in lines)

    def _files(self, facts: Mapping[str, Any]) -> Iterator[str]:
        files = facts["files"]
        for file in files[:MOST_FILES]:
            kind = ", ".join(each for each in (file["format"], file["compression"]) if each)
            parts = [kind, counted(file["packets"], "packet")]
            if file["duration_ns"] is not None:
                start = str(file["first"]).partition(".")[0].replace("T", " ")
                parts.append(f"{duration(file['duration_ns'])} from {start} UTC")
            yield from self._wrapped("", f"{file['name']}: {', '.join(parts)}")
            if file["damage"]:
                yield from self._wrapped(INDENT, f"damaged: {file['damage']}", "error")
        if len(files) > MOST_FILES:
            packets = counted(facts["packets"], "packet")
            yield f"and {len(files) - MOST_FILES} more files; {packets} in all"

    def _connections(self, facts: Mapping[str, Any]) -> Iterator[str]:
        groups = _groups(facts["connections"])
        for (protocol, carrier, server), members in list(groups.items())[:MOST_GROUPS]:
            name = self.names.get(protocol, protocol) + (f" over {carrier}" if carrier else "")
            yield from self._group(name, server, members)
        if len(groups) > MOST_GROUPS:
            yield f"{INDENT}and {len(groups) - MOST_GROUPS} more servers"
        for each in facts["protocols"]:
            if each["carrier"] in self.names:  # frames inside another protocol's frames
                inner, outer = self.names[each["protocol"]], self.names[each["carrier"]]
                text = f"{inner} inside {outer}: {counted(each['frames'], 'frame')}"
                yield f"{INDENT}{text}, {size(each['bytes'])}"
        yield from self._attempts(facts["attempts"])
        yield from self._unrecognised(facts["unrecognised"])
        if not (groups or facts["attempts"] or facts["unrecognised"]):
            yield f"{INDENT}no TCP connection with payload"

    def _group(self, name: str, server: str, members: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Yield the lines of the connections to one server."""
        frames = sum(each["frames"] for each in members)
        total = size(sum(each["bytes"] for each in members))
        head = f"{counted(len(members), 'connection')} to {server}: {name}"
        yield from self._wrapped(INDENT, f"{head}, {counted(frames, 'frame')}, {total}")
        for side in ("client", "broker"):
            if peers := _peers(members, side):
                named = any(f"{side}_product" in (each.get("context") or ()) for each in members)
                label = side if named or side == "client" else "server"
                yield from self._wrapped(INDENT * 2, f"{label}: {printable(peers)}")
        if lost := sum(each.get("lost_bytes", 0) for each in members):
            yield from self._wrapped(INDENT * 2, f"{counted(lost, 'byte')} lost", "warning")

    def _attempts(self, attempts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Yield the connects that failed, by endpoint."""
        for each in attempts[:MOST_GROUPS]:
            for what in ("refused", "unanswered"):
                if each[what]:
                    text = (
                        f"{counted(each[what], 'connection attempt')} to {each['endpoint']} {what}"
                    )
                    yield from self._wrapped(INDENT, text, "warning")

    def _unrecognised(self, flows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        if not flows:
            return
        kinds = Counter(_kind(each) or "unknown protocol" for each in flows)
        named = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
        payload = sum(each["payload"] for each in flows)
        text = f"{counted(len(flows), 'connection')} not recognised ({named}), {size(payload)}"
        yield from self._wrapped(INDENT, text)

    def _findings(self, facts: Mapping[str, Any]) -> Iterator[str]:
        counts = [counted(count, severity.value) for severity, count in self._worst.counts()]
        if not facts["frames"] and not counts:
            return
        yield INDENT + (", ".join(counts) or "none")
        for each in self._worst.worst():
            title = self.titles.get(each.rule, "")
            head = f"[{MARKS[each.severity]}] {each.rule}  {title}"
            yield from self._wrapped(INDENT, head, each.severity)
            where = f"{place(each)}, flow {each.flow}: {printable(each.message)}"
            yield from self._wrapped(INDENT * 2, where, lines=2)

    def _next(self, facts: Mapping[str, Any]) -> Iterator[str]:
        files = [shlex.quote(each["name"]) for each in facts["files"]]
        is_listed = len(files) <= MOST_FILES and STANDARD_INPUT not in files
        names = " ".join(files) if is_listed else "FILE..."
        commands = [*self._commands(facts)]
        longest = max(len(f"{INDENT}streamshark {each} {names}") for each in commands)
        if longest > self.width and is_listed and self.is_terminal:
            paths = [PurePath(each["name"]) for each in facts["files"]]
            folders = {str(each.parent) for each in paths} - {"."}
            if len(folders) == 1:  # a command that is cut cannot be pasted
                yield f"{INDENT}cd {shlex.quote(*folders)}"
                names = " ".join(shlex.quote(each.name) for each in paths)
        for each in commands:
            yield f"{INDENT}streamshark {each} {names}"

    def _commands(self, facts: Mapping[str, Any]) -> Iterator[str]:
        """Yield the commands to run next, without the captures."""
        if not facts["frames"]:
            if any(each["tls"] for each in facts["unrecognised"]):
                yield "check -o tls.keylog_file:keys.log"
            yield "info"
            return
        if worst := self._worst.worst():
            yield "check"
            yield f"explain --flow {worst[0].flow}"
        else:
            yield "explain"
        yield "read"
        yield "messages"

    def _wrapped(self, indent: str, text: str, style: str = "", lines: int = 0) -> Iterator[str]:
        """Yield text in lines of the screen; at most `lines`, the last then cut."""
        found = textwrap.wrap(
            text,
            self.width,
            initial_indent=indent,
            subsequent_indent=indent + INDENT,
            max_lines=lines or None,
            placeholder=" …",
            break_on_hyphens=False,
        )
        for each in found:
            yield self.palette.paint(style, each) if style else each


def _kind(flow: Mapping[str, Any]) -> str | None:
    """Return what is known of a connection that is not recognised."""
    return "TLS" if flow["tls"] else flow["carrier"]


def _groups(
    connections: Iterable[Mapping[str, Any]],
) -> dict[tuple[str, str, str], list[Mapping[str, Any]]]:
    """Return the connections by protocol and server, the largest group first."""
    groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for each in connections:
        ends = each.get("ends") or ["", "other servers"]
        server = each.get("server") or " or ".join(ends)
        key = each["protocol"], each.get("carrier") or "", server
        groups.setdefault(key, []).append(each)
    return dict(sorted(groups.items(), key=lambda item: -len(item[1])))


def _peers(members: Iterable[Mapping[str, Any]], side: str) -> str:
    """Return the products and versions that one side states, with the number of connections."""
    found: Counter[str] = Counter()
    for each in members:
        context = each.get("context") or {}
        product, version = context.get(f"{side}_product"), context.get(f"{side}_version")
        if product or version:
            found[f"{product or 'version'} {version or ''}".strip()] += 1
    shown = [name if count == 1 else f"{name} ({count:,})" for name, count in found.most_common(3)]
    return ", ".join(shown) + (", ..." if len(found) > len(shown) else "")
