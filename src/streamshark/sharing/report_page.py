"""A report as one page of HTML: without scripts, light and dark, for screens and paper."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from streamshark import __version__
from streamshark.conversations.units import counted, duration, size
from streamshark.findings.finding import Finding
from streamshark.schema.secrets import scrubbed
from streamshark.sharing.report import ReportContent, ShownFrame
from streamshark.sharing.report_drawings import ladder, rates, response_times
from streamshark.views.escaping import printable
from streamshark.views.findings import place

MOST_BYTES: Final = 2_000_000
"""Most bytes of a page."""
MOST_COMMANDS: Final = 30
"""Most commands in the table of response times."""
MOST_CONNECTIONS: Final = 30
"""Most connections that are listed."""
MOST_EVIDENCE: Final = 8
"""Most frames that a finding links to."""
_END: Final = 2000
"""Bytes that are kept for the end of the page."""

STYLE: Final = """
:root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--soft:#57606a;--line:#d0d7de;--box:#f6f8fa;
--error:#b3261e;--warning:#8a5a00;--note:#0b5cad;--client:#0b5cad;--server:#a0410d;--mark:#fff3bf}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--bg:#0d1117;--soft:#9aa4af;--line:#30363d;
--box:#161b22;--error:#ff8a80;--warning:#e3b341;--note:#79b8ff;--client:#79b8ff;--server:#ffab70;
--mark:#4a3b00}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1100px;padding:1rem;color:var(--fg);background:var(--bg);
font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem;
border-bottom:1px solid var(--line)}h3{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.25rem 0}a{color:var(--note)}.soft{color:var(--soft)}
nav{margin:.4rem 0 1rem}nav a{margin-right:1rem}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;padding:.2rem .8rem .2rem 0;
border-bottom:1px solid var(--line);vertical-align:top}th{white-space:nowrap}
.list{overflow-wrap:normal}td.n,th.n{text-align:right}
article{border:1px solid var(--line);border-left:5px solid var(--soft);border-radius:6px;
padding:.5rem .8rem;margin:.8rem 0;background:var(--box)}
article.error{border-left-color:var(--error)}article.warning{border-left-color:var(--warning)}
article.note{border-left-color:var(--note)}
.error>h3 b{color:var(--error)}.warning>h3 b{color:var(--warning)}.note>h3 b{color:var(--note)}
article:target,section:target{background:var(--mark)}
pre{font:12px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;margin:.3rem 0;
overflow-x:auto;white-space:pre;overflow-wrap:normal}
.frame{border:1px solid var(--line);border-radius:6px;padding:.4rem .8rem;margin:.8rem 0}
.frame h3{font-family:ui-monospace,monospace;font-size:.85rem;overflow-wrap:anywhere}
.both{display:flex;flex-wrap:wrap;gap:1rem}
.both pre{flex:1 1 300px;min-width:0;white-space:pre-wrap}
.both pre+pre{flex:0 1 auto;white-space:pre}
svg{max-width:none;font:11px ui-monospace,Menlo,Consolas,monospace}
svg text{fill:var(--fg);text-anchor:middle}svg text.axis,svg text.time,svg text.times{
text-anchor:end}svg text.from{text-anchor:start}
svg text.axis,svg text.from,svg text.time,svg text.note,svg .small{fill:var(--soft)}
svg path{fill:none;stroke:var(--fg)}
svg path.response:not(.tip),svg path.close:not(.tip){stroke-dasharray:5 3}
svg .guilty{stroke-width:2}svg path.guilty,svg path.reset{stroke:var(--error)}
svg text.guilty{fill:var(--error);stroke:none;font-weight:bold}svg a text{text-decoration:underline}
svg .life,svg .grid{stroke:var(--line)}svg .loop{fill:none;stroke:var(--soft);stroke-dasharray:2 3}
svg path.client{stroke:var(--client)}svg path.server{stroke:var(--server)}
svg path.unknown{stroke:var(--soft)}svg circle.client,svg circle.median{fill:var(--client)}
svg circle.server,svg circle.greatest{fill:var(--server)}svg circle.unknown{fill:var(--soft)}
svg path.spread{stroke:var(--line)}
@media print{.both pre+pre{white-space:pre-wrap}
body{max-width:none;font-size:10pt}nav{display:none}article,.frame,svg{
break-inside:avoid}pre{white-space:pre-wrap;overflow-wrap:anywhere}.scroll{overflow:visible}
svg{max-width:100%;height:auto}a{color:inherit}}
"""


def page(content: ReportContent, most: int = MOST_BYTES) -> str:
    """Return the page, of at most `most` bytes."""
    title = ", ".join(printable(each["name"]) for each in content.facts["files"][:3])
    head = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Report on {escape(title)}</title><style>{STYLE}</style></head><body>\n"
        f"<h1>Report on {escape(title)}</h1>\n"
    )
    out, left, dropped = [head], most - len(head.encode()) - _END, 0
    for part in _parts(content):
        cost = len(part.encode())
        if cost > left:
            dropped += 1
            continue
        left -= cost
        out.append(part)
    if dropped:
        out.append(
            f"<p><b>{counted(dropped, 'part')} of this report left out: "
            f"it would be larger than {most / 1e6:g} MB.</b></p>\n"
        )
    out.append(f'<p class="soft">streamshark {__version__}</p></body></html>\n')
    return "".join(out)


def _parts(content: ReportContent) -> Iterator[str]:
    """Yield the parts of the page; one that is too large for it is left out."""
    yield _summary(content)
    yield '<h2 id="findings">Findings</h2>\n'
    yield _counts(content)
    for each in content.findings:
        yield _finding(each, content)
    if content.ladders:
        yield '<h2 id="ladders">Connections with findings</h2>\n'
    for drawn in content.ladders:
        ends = " and ".join(content.ends.get(drawn.flow, ()))
        yield (
            f'<section id="flow-{drawn.flow}"><h3>Connection {drawn.flow}: {_text(ends)}</h3>'
            f'<div class="scroll">{ladder(drawn, content.frames)}</div></section>\n'
        )
    yield from _traffic(content)
    yield '<h2 id="unread">What was not read</h2>\n'
    lines = [f"<li>{_text(each)}</li>" for each in content.unread]
    yield f"<ul>{''.join(lines)}</ul>\n" if lines else "<p>All of the capture was read.</p>\n"
    if content.frames:
        yield '<h2 id="frames">Frames</h2>\n'
    for number in sorted(content.frames):
        yield _frame(content.frames[number])


def _text(text: object) -> str:
    """Return text escaped for HTML, in one line, without secrets."""
    return escape(printable(scrubbed(str(text))))


# What the capture is


def _summary(content: ReportContent) -> str:
    facts = content.facts
    rows = [("packets, frames", f"{facts['packets']:,}, {facts['frames']:,}")]
    for each in facts["files"]:
        kind = ", ".join(part for part in (each["format"], each["compression"]) if part)
        rows.append(("file", f"{each['name']} ({kind}, {counted(each['packets'], 'packet')})"))
    if facts["first"]:
        rows.append(("time", f"{facts['first']}, {duration(facts['duration_ns'])}"))
    for each in facts["protocols"]:
        over = f" over {each['carrier']}" if each["carrier"] else ""
        name = content.names.get(each["protocol"], each["protocol"]) + over
        amount = f"{counted(each['frames'], 'frame')}, {size(each['bytes'])}"
        rows.append(("protocol", f"{name}: {amount}"))
    cells = "".join(f"<tr><th>{name}</th><td>{_text(text)}</td></tr>" for name, text in rows)
    links = "".join(
        f'<a href="#{name}">{text}</a>'
        for name, text in (
            ("findings", "Findings"),
            ("ladders", "Connections"),
            ("traffic", "Traffic"),
            ("unread", "Not read"),
            ("frames", "Frames"),
        )
    )
    peers = _connections(facts["connections"])
    return f'<nav>{links}</nav>\n<div class="scroll"><table>{cells}</table></div>\n{peers}'


def _connections(found: Sequence[Mapping[str, Any]]) -> str:
    """Return a table of the connections with their peers."""
    rows = []
    for each in found[:MOST_CONNECTIONS]:
        context = each.get("context") or {}
        ends = " and ".join(each.get("ends") or ())
        peers = [
            f"{context.get(f'{side}_product') or ''} {context.get(f'{side}_version') or ''}".strip()
            for side in ("client", "broker")
        ]
        cells = (each.get("flow", ""), ends, each["protocol"], *peers)
        texts = "".join(f"<td>{_text(cell)}</td>" for cell in cells)
        rows.append(f'<tr>{texts}<td class="n">{each["frames"]:,}</td></tr>')
    if not rows:
        return ""
    more = len(found) - len(rows)
    rest = f"<p>{counted(more, 'more connection')}</p>" if more > 0 else ""
    head = "<tr><th>flow</th><th>ends</th><th>protocol</th><th>client</th><th>server</th>"
    head += '<th class="n">frames</th></tr>'
    table = f'<table class="list">{head}{"".join(rows)}</table>'
    return f'<h3>Connections</h3><div class="scroll">{table}</div>{rest}\n'


# Findings


def _counts(content: ReportContent) -> str:
    if not content.counts:
        return "<p>No findings.</p>\n"
    found = ", ".join(counted(count, severity.value) for severity, count in content.counts)
    total, shown = sum(count for _, count in content.counts), len(content.findings)
    rest = f"; the {shown} worst are shown" if shown < total else ""
    return f"<p>{found}{rest}.</p>\n"


def _finding(finding: Finding, content: ReportContent) -> str:
    """Return one finding, with links to its frames and its connection."""
    often = f" ({finding.count:,} times)" if finding.count > 1 else ""
    ends = " and ".join(content.ends.get(finding.flow, ()))
    title = _text(content.titles.get(finding.rule, ""))
    lines = [
        f"<h3><b>{finding.severity} {_text(finding.rule)}</b> {title}</h3>",
        f"<p>{_text(finding.message)}{often}</p>",
        f'<p class="soft">{_text(place(finding))}, connection {finding.flow} {_text(ends)}</p>',
    ]
    if finding.frames:
        lines.append(f"<p>Evidence: {_links(finding, content)}</p>")
    for echo in finding.echoes:
        what = f"{echo.severity} {echo.rule}, {place(echo)}: {echo.message}"
        lines.append(f"<p>Consequence: {_text(what)}</p>")
    said = (("Cause", finding.cause), ("Source", finding.source))
    lines += (f'<p class="soft">{name}: {_text(text)}</p>' for name, text in said if text)
    return f'<article class="{finding.severity}">{"".join(lines)}</article>\n'


def _links(finding: Finding, content: ReportContent) -> str:
    """Return the frames of a finding, and links to those that are shown."""
    shown = [
        f'<a href="#frame-{each}">frame {each}</a>' if each in content.frames else f"frame {each}"
        for each in finding.frames[:MOST_EVIDENCE]
    ]
    more = len(finding.frames) - len(shown)
    if more > 0:
        shown.append(f"{more} more")
    if any(each.flow == finding.flow for each in content.ladders):
        shown.append(f'<a href="#flow-{finding.flow}">connection {finding.flow}</a>')
    return ", ".join(shown)


# Traffic


def _traffic(content: ReportContent) -> Iterator[str]:
    drawings = ((rates(content.series), "Frames per second"),
                (response_times(content.series), "Response times"))  # fmt: skip
    if not content.facts["frames"]:
        return
    yield '<h2 id="traffic">Traffic</h2>\n'
    for drawing, title in drawings:
        if drawing:
            yield f'<h3>{title}</h3><div class="scroll">{drawing}</div>\n'
    yield _commands(content)


def _commands(content: ReportContent) -> str:
    """Return the commands, the most frequent first, with their response times."""
    commands = content.statistics.commands.items()
    found = sorted((each for each in commands if each[1].count), key=lambda one: -one[1].count)
    rows = []
    for (protocol, name), each in found[:MOST_COMMANDS]:
        times = each.times
        numbers = [f"{each.count:,}", f"{each.errors:,}", f"{each.unanswered:,}"]
        spread = (times.percentile(50), times.percentile(99), times.greatest)
        numbers += [duration(value) if times.count else "" for value in spread]
        cells = "".join(f'<td class="n">{_text(number)}</td>' for number in numbers)
        rows.append(f"<tr><td>{_text(protocol)}</td><td>{_text(name)}</td>{cells}</tr>")
    more = len(found) - len(rows)
    rest = f"<p>{counted(more, 'more command')}</p>" if more > 0 else ""
    heads = ("count", "errors", "unanswered", "p50", "p99", "max")
    head = "<tr><th>protocol</th><th>command</th>" + "".join(
        f'<th class="n">{each}</th>' for each in heads
    )
    table = f'<table class="list">{head}</tr>{"".join(rows)}</table>'
    return f'<h3>Commands</h3><div class="scroll">{table}</div>{rest}\n'


# Frames


def _frame(frame: ShownFrame) -> str:
    """Return a frame: its line, its tree, and its bytes."""
    rest = f"<p>{counted(frame.left_out, 'more byte')} not shown</p>" if frame.left_out else ""
    return (
        f'<section class="frame" id="frame-{frame.number}"><h3>{_text(frame.line)}</h3>'
        f'<div class="both">{_block(frame.tree)}{_block(frame.bytes)}</div>{rest}</section>\n'
    )


def _block(text: str) -> str:
    """Return lines of text, as they are."""
    lines: Iterable[str] = (printable(each) for each in text.rstrip("\n").split("\n"))
    return f"<pre>{escape(chr(10).join(lines))}</pre>"
