"""A report is one page that is safe to open, small, and complete."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

from tests.builders import Conversation
from tests.madeup import parrot_traffic
from tests.recorded.index import lines

from streamshark.session import Session
from streamshark.sharing.report import ReportContent, report_of
from streamshark.sharing.report_page import STYLE, page

HOSTILE = '</pre></style><script>alert(1)</script><img/src=x/onerror="alert(2)">\x1b[31m\u202e&lt;'
END = b"\r\n"
VOID = {"meta", "line", "path", "circle", "rect"}
CAPTURES = (
    "rabbitmq_stream/credit_starves_java",
    "nats/bug_watch_loop",
    "rabbitmq_stream/http_on_stream_port",
    "rabbitmq_stream/lost_segment",
)
WORDS = (
    *("RMQ-C2", 'href="#frame-91"', 'id="frame-91"', 'href="#flow-2"'),
    *("RabbitMQ Stream 1.11.0", "Response times", "Frames per second"),
)


class Elements(HTMLParser):
    """The elements of a page; they must be nested properly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element without content."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Check that the innermost element ends."""
        assert self._open.pop() == tag


def content_of(path: str, **options: object) -> ReportContent:
    """Return what the report on a capture shows."""
    return report_of(lambda: Session([path], **options))  # type: ignore[arg-type]


def is_safe(text: str) -> None:
    """Nothing runs, nothing is loaded, and each link leads to a place in the page."""
    elements = Elements(text).tags
    names = {tag for tag, _ in elements}
    assert not names & {"script", "img", "iframe", "object", "embed", "link", "base", "form"}
    targets = {each["id"] for _, each in elements if "id" in each}
    for _, attributes in elements:
        assert not [each for each in attributes if each.startswith("on")]
        assert not {"src", "srcset", "xlink:href"} & attributes.keys()
        href = attributes.get("href")
        assert href is None or (href.startswith("#") and href[1:] in targets), href
    assert "url(" not in STYLE
    assert "@import" not in STYLE
    assert text.isprintable() or not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)


def test_recorded_captures() -> None:
    """Findings link to their frames and connections; what was not read is listed."""
    for capture in CAPTURES:
        text = page(content_of(str(lines()[capture].path)))
        is_safe(text)
        assert len(text.encode()) < 200_000
        if capture == CAPTURES[0]:
            for word in WORDS:
                assert word in text, word
        if capture == CAPTURES[2]:
            assert "HTTP" in text
        if capture == CAPTURES[3]:
            assert "1,448 bytes of recognised connections are not in the capture" in text


def test_hostile_text(tmp_path: Path) -> None:
    """Text of peers and file names is escaped in findings, drawings, trees and bytes."""
    talk = Conversation(server=("10.0.0.2", 4222)).handshake()
    talk.send(1, b"INFO " + json.dumps({"server_id": HOSTILE, "version": HOSTILE}).encode() + END)
    talk.send(0, b"CONNECT " + json.dumps({"name": HOSTILE, "lang": HOSTILE}).encode() + END)
    for subject in (HOSTILE, "other"):
        talk.send(0, f"SUB {subject} 1".encode() + END)
    path = parrot_traffic.write(tmp_path, talk.finish(0).finish(1), name="<b>&talk.pcap")
    content = content_of(path)
    assert "NATS-N12" in {each.rule for each in content.findings}
    assert content.frames
    text = page(content)
    is_safe(text)
    assert "<script>" not in text
    assert text.count("&lt;script&gt;") > 2
    assert "&lt;b&gt;&amp;talk.pcap" in text
    assert str(tmp_path) not in text


def test_secrets_are_masked() -> None:
    """A password that a finding is about is in no line, tree or dump."""
    path = str(lines()["rabbitmq_stream/bug_wrong_password"].path)
    with Session([path]) as session:
        values = [row.values for row in session.rows() if row.number == 5]  # type: ignore[attr-defined]
    password = values[0]["sasl_opaque_data"].split(b"\0")[-1]
    assert len(password) > 4
    text = page(content_of(path))
    assert 'id="frame-5"' in text
    for written in (password.decode(), password.hex(), password.hex(" ")):
        assert written not in text


def test_large_reports_are_cut() -> None:
    """A report that would be too large says that parts are left out, and is still whole."""
    content = content_of(str(lines()[CAPTURES[1]].path))
    whole = page(content)
    for most in (20_000, 40_000, len(whole.encode()) - 1):
        text = page(content, most)
        assert len(text.encode()) <= most
        assert "left out: it would be larger than" in text
        Elements(text)
