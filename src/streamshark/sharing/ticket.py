"""The text of a ticket: what a maintainer needs to see a finding, as Markdown."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from streamshark import __version__
from streamshark.conversations.units import counted
from streamshark.findings.finding import Finding
from streamshark.schema.secrets import scrubbed
from streamshark.views.escaping import printable
from streamshark.views.top_finding import sentence

CAPTURE: Final = "capture.pcapng"
REPORT: Final = "report.html"
TEXT: Final = "ticket.md"
_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>|#~$])")
"""Characters with a meaning in Markdown, wherever they are."""
_SIDES: Final = (("client", ("client",)), ("server", ("broker", "server")))
"""What a side is called to the prefixes of its facts."""


class TicketContent(NamedTuple):
    """What a ticket says, of the capture that comes with it."""

    finding: Finding
    protocol: str
    """Title of its protocol."""
    title: str
    """Title of its rule."""
    context: Mapping[str, Any]
    """What is known of its connection: products and versions of both sides."""
    explanation: str
    """The pages of `explain`."""
    diagram: str
    """A diagram in Mermaid."""
    frames: int
    all_frames: int
    """Frames of the capture that it was made of."""


def markdown(content: TicketContent) -> str:
    """Return the ticket."""
    return "".join(f"{line}\n" for line in _lines(content))


def _lines(content: TicketContent) -> Iterator[str]:
    finding = content.finding
    yield f"# {escaped(sentence(finding, content.protocol))}"
    yield ""
    yield from _finding(finding, content.title)
    yield ""
    yield "## Versions"
    yield ""
    yield from (f"- {each}" for each in _versions(content.context))
    yield ""
    yield "## Files"
    yield ""
    yield (
        f"- `{CAPTURE}`: {content.frames:,} of {counted(content.all_frames, 'frame')}, the least "
        "that show this finding, with TCP written anew; names, credentials, message bodies and "
        "addresses are replaced by others of the same length"
    )
    yield f"- `{REPORT}`: the same with the trees and bytes of the frames, for a browser"
    yield ""
    yield "## How to see it"
    yield ""
    yield "```sh"
    yield from _commands(finding)
    yield "```"
    yield ""
    yield "## Sequence"
    yield ""
    yield "```mermaid"
    yield content.diagram.rstrip("\n")
    yield "```"
    yield ""
    yield from _explained(content.explanation)


def _finding(finding: Finding, title: str) -> Iterator[str]:
    """Yield the finding as a table of two columns."""
    frames = ", ".join(map(str, finding.frames[:8]))
    rows = (
        ("rule", f"{finding.rule} ({finding.severity}): {title}"),
        ("seen", finding.message),
        ("frames", frames),
        ("cause", finding.cause),
        ("source", finding.source),
    )
    yield "| | |"
    yield "|---|---|"
    yield from (f"| {name} | {escaped(text)} |" for name, text in rows if text)


def _versions(context: Mapping[str, Any]) -> Iterator[str]:
    """Yield client, server, and Streamshark."""
    for name, sides in _SIDES:
        for side in sides:
            product, version = context.get(f"{side}_product"), context.get(f"{side}_version")
            if product or version:
                shown = " ".join(str(each) for each in (product, version) if each)
                yield f"{name}: {escaped(scrubbed(shown))}"
    yield f"streamshark {__version__}"


def _commands(finding: Finding) -> Iterator[str]:
    """Yield the commands that show the finding."""
    yield f"streamshark check {CAPTURE}"
    yield f"streamshark check --explain-rule {finding.rule}"
    if finding.frames:
        yield f"streamshark read -V -x --frame {finding.frames[0]} {CAPTURE}"
    if finding.packets:
        yield f"wireshark -g {finding.packets[0]} {CAPTURE}"


def _explained(text: str) -> Iterator[str]:
    """Yield the pages of `explain`: their headings, and their sentences as lists."""
    yield "## What happened"
    for line in text.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        if not line.strip():
            continue
        if depth == 0:
            yield ""
            yield f"### {escaped(line)}"
            yield ""
        else:
            yield f"{'  ' * (depth - 1)}- {escaped(line.strip())}"


def escaped(text: str) -> str:
    """Return text in one line of which nothing has a meaning in Markdown.

    A name after an `@` is not one that is notified.
    """
    return _MARKS.sub(r"\\\1", printable(text)).replace("@", "@<!-- -->")
