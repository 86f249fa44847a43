"""Keys and commands do on the screens what the table says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from rich.segment import Segment
from rich.style import Style
from tests.builders import Conversation
from tests.failures import Failures
from tests.packets import Packet, packets, recorded, write
from tests.tui.screens import CREDIT, GrowingIndex, browser, run, text
from tests.tui.snapshots import FOLDER, SIZES, taken
from textual.color import Color
from textual.widgets import Static

from streamshark.errors import StreamsharkError
from streamshark.tui.app import StreamsharkApp
from streamshark.tui.help_screen import HelpScreen
from streamshark.tui.keys import ACTIONS, CONTEXTS, LETTER, Press
from streamshark.tui.state import PositionChosen

if TYPE_CHECKING:
    from textual.pilot import Pilot

Check = Callable[[StreamsharkApp], object]


class Case(NamedTuple):
    """What is done before the keys of an action, and what holds after them."""

    check: Check
    before: str = ""
    """Keys, separated by blanks, or a command after `:`; several parts with `|`."""
    row: int = 15
    """The row that is selected at first; row 15 is frame 15."""
    is_painted: bool = False
    """Whether it needs to be known how wide the lines are."""


def row(number: int) -> Check:
    """Return a check that a row is selected on the Frames screen."""
    return lambda app: app.page.id == "frames" and app.frames.state.row == number


def page(name: str, *words: str) -> Check:
    """Return a check that a screen is shown, with these words."""
    return lambda app: app.page.id == name and all(each in text(app) for each in words)


def focus(pane: str) -> Check:
    """Return a check that a pane has the focus."""
    return lambda app: app.focused is not None and app.focused.id == pane


def said(words: str) -> Check:
    """Return a check of the message in the status line."""
    return lambda app: words in app.said


def status(app: StreamsharkApp) -> str:
    """Return the status line."""
    return str(app.query_one("#status", Static).content)


TO_TREE, TO_BYTES = "tab", "tab tab"
CASES: dict[str, Case] = {
    "frames": Case(page("frames"), "f5"),
    "conversations": Case(page("conversations", "0-20-subscription", "bug-starves")),
    "connections": Case(page("connections", "Recognised by", "Negotiated")),
    "findings": Case(page("findings", "RMQ-C2", "Fix: Give one credit")),
    "statistics": Case(page("statistics", "deliver", "p95")),
    "next-screen": Case(page("conversations")),
    "previous-screen": Case(page("statistics")),
    "up": Case(row(14)),
    "down": Case(row(16)),
    "page-up": Case(lambda app: app.frames.state.row == 15 - app.frames.list.page),
    "page-down": Case(lambda app: app.frames.state.row == 2 + app.frames.list.page, row=2),
    "half-up": Case(lambda app: app.frames.state.row == 15 - app.frames.list.page // 2),
    "half-down": Case(lambda app: app.frames.state.row == 15 + app.frames.list.page // 2),
    "top": Case(row(0)),
    "bottom": Case(lambda app: row(22)(app) and app.frames.state.follows),
    "left": Case(lambda app: app.frames.list.shift == 0, "right", is_painted=True),
    "right": Case(lambda app: app.frames.list.shift > 0, is_painted=True),
    "next-row": Case(row(16), TO_TREE),
    "previous-row": Case(row(14), TO_BYTES),
    "next-pane": Case(focus("fields")),
    "previous-pane": Case(focus("bytes")),
    "maximise": Case(lambda app: [each.id for each in app.page.panes()] == ["fields"], TO_TREE),
    "layout": Case(lambda app: app.query_one("#below").has_class("beside")),
    "grow": Case(lambda app: app.frames.list.size.height > app.frames.fields.size.height + 4),
    "shrink": Case(lambda app: app.frames.list.size.height < app.frames.fields.size.height),
    "details": Case(focus("fields")),
    "filter": Case(lambda app: app.frames.bar.is_active),
    "goto": Case(lambda app: app.entry.input.value == "goto "),
    "next-problem": Case(row(16)),
    "previous-problem": Case(row(5), row=16),
    "next-evidence": Case(row(16), "f5"),
    "previous-evidence": Case(said("no more evidence of RMQ-C2"), "f5 enter"),
    "pair": Case(row(13), row=14),
    "next-in-conversation": Case(row(16)),
    "previous-in-conversation": Case(row(14)),
    "follow": Case(page("conversations", "without a frame", "credit 0", "RMQ-C2")),
    "ladder": Case(page("conversations", "peer_properties_response"), "f3"),
    "next-kind": Case(lambda app: "of type call" in status(app), "f3"),
    "show-frame": Case(row(16), "F down"),
    "linked": Case(said("no linked conversation"), "F"),
    "conversations-of": Case(lambda app: "connection 0" in status(app), "f4"),
    "frames-of": Case(lambda app: app.frames.state.filter.text == "tcp.stream == 0", "f4"),
    "frames-with": Case(
        lambda app: app.frames.state.filter.text == 'rmqstream.command == "deliver"', "f6"
    ),
    "mark": Case(lambda app: app.frames.state.marks.get("a") == 15),
    "to-mark": Case(row(15), "m a 1 g g"),
    "toggle-mark": Case(lambda app: 15 in app.frames.state.marked),
    "next-mark": Case(row(15), "m a g g"),
    "previous-mark": Case(row(15), "m a G"),
    "comment": Case(lambda app: app.entry.input.value == "comment "),
    "next-comment": Case(row(15), ":comment why|g g"),
    "previous-comment": Case(row(16), ":comment why|G"),
    "save": Case(lambda app: app.entry.input.value == "save "),
    "time-reference": Case(lambda app: app.frames.state.reference == 15),
    "time-format": Case(lambda app: app.said == "seconds since the first packet", ":time-format e"),
    "find": Case(lambda app: app.entry.input.value == "find "),
    "find-next": Case(row(18), ":find unsubscribe"),
    "find-previous": Case(row(18), ":find unsubscribe"),
    "copy": Case(lambda app: "16" in app.clipboard and "deliver" in app.clipboard, row=16),
    "copy-json": Case(lambda app: json.loads(app.clipboard)["frame"] == 16, row=16),
    "copy-hex": Case(lambda app: app.clipboard.startswith("000000bf00080002"), row=16),
    "copy-filter": Case(lambda app: app.clipboard == 'rmqstream.command == "deliver"', TO_TREE),
    "copy-command": Case(lambda app: app.clipboard.startswith("streamshark read --frame 15 -V -x")),
    "export": Case(lambda app: app.entry.input.value == "export "),
    "apply": Case(lambda app: 'command == "deliver"' in app.frames.state.filter.text, TO_TREE),
    "apply-and": Case(
        lambda app: (
            app.frames.state.filter.text == '(rmqstream.deliver) && rmqstream.command == "deliver"'
        ),
        f":filter rmqstream.deliver|{TO_TREE}",
    ),
    "column": Case(
        lambda app: app.frames.list.fields == ("rmqstream.deliver.subscription_id",),
        f"{TO_TREE} down down down down down",
    ),
    "column-remove": Case(lambda app: not app.frames.list.fields, ":column rmqstream.stream"),
    "expand": Case(lambda app: app.frames.fields.lines[0].is_expanded, f"{TO_TREE} g g"),
    "collapse": Case(lambda app: app.frames.fields.lines[1].is_expanded is False, TO_TREE),
    "parent": Case(lambda app: app.frames.fields.cursor == 1, f"{TO_TREE} down"),
    "expand-below": Case(lambda app: app.frames.fields.lines[0].is_expanded, f"{TO_TREE} g g"),
    "expand-all": Case(page("frames", "packet 22"), f"{TO_TREE} g g"),
    "collapse-all": Case(lambda app: app.frames.fields.count == 3, TO_TREE),
    "toggle": Case(lambda app: app.frames.fields.lines[0].is_expanded, f"{TO_TREE} g g"),
    "next-tab": Case(lambda app: app.frames.bytes.tab == 0, TO_BYTES),
    "evidence": Case(row(16), "f5"),
    "command": Case(lambda app: app.entry.is_active),
    "palette": Case(lambda app: len(app.screen_stack) > 1),
    "help": Case(lambda app: isinstance(app.screen, HelpScreen)),
    "redraw": Case(row(15)),
    "back": Case(focus("list"), TO_TREE),
    "close": Case(page("frames"), "f5"),
}
"""Action to its case, for each that has keys and does not end the program."""
ENDING = {"quit", "suspend"}


async def begin(app: StreamsharkApp, pilot: "Pilot[int]", case: Case) -> None:
    """Bring the program to where a case begins."""
    while len(app.screen_stack) > 1:
        app.pop_screen()
    app.entry.remove_class("typing")
    if app.conversations.list.count:
        app.conversations.use_kind("")
        app.conversations.use_flow(None)
    app.show("frames")
    frames = app.frames
    if frames.has_class("alone"):
        frames.act_maximise(None)
    if frames.state.filter.text:
        frames.apply("")
    frames.set_layout(2, beside=None)
    frames.fields.memory.changed.clear()
    frames.fields.memory.path = ()
    frames.list.pan(-99)
    frames.list.set_fields(())
    app.browser.use_time_style("r")
    app.browser.comments.own.clear()
    frames.fold(PositionChosen(0))
    frames.fold(PositionChosen(case.row))
    frames.list.focus()
    await pilot.pause()
    if case.is_painted:
        text(app)
    for part in case.before.split("|"):
        if part.startswith(":"):
            app.run_command(part[1:])
            await pilot.pause(0.02)
            continue
        for key in part.split():
            app.press(key)
            await pilot.pause()


def test_every_key_does_what_the_table_says() -> None:
    """The first keys of each action have its effect; all of its keys name it (test_keys.py)."""
    assert set(CASES) == {each.id for each in ACTIONS if each.keys} - ENDING

    async def script(app: StreamsharkApp, pilot: "Pilot[int]") -> None:
        with Failures() as failures:
            for action in ACTIONS:
                case = CASES.get(action.id)
                for sequence in action.keys[:1] if case is not None else ():
                    with failures.of(f"{action.id}: {sequence}"):
                        await begin(app, pilot, case)
                        assert set(CONTEXTS[app.page.pane.context]) & set(action.where)
                        for key in sequence.split(" "):
                            await pilot.press("a" if key == LETTER else key)
                        await pilot.pause()
                        assert case.check(app), f"{app.said}\n{text(app)}"

    run(script, size=(112, 36))


def test_a_live_capture_leaves_the_selection_and_brings_news() -> None:
    """Rows that come are counted, findings are said and marked; `G` follows; filters keep up."""
    growing = GrowingIndex()

    async def script(app: StreamsharkApp, pilot: "Pilot[int]") -> None:
        frames = app.frames
        await growing.until(app, pilot, lambda: frames.state.count >= 3)
        await pilot.press("j", "j")
        seen = frames.state.count
        index = growing.index
        await growing.until(app, pilot, lambda: index.finding_count and frames.state.count > seen)
        assert frames.state.cursor == 2
        assert f"{frames.state.count - seen:,} new, G follows" in status(app)
        assert "1 new finding: N RMQ-P2 at frame 5, ]f shows it" in status(app)
        assert "live" in status(app)
        assert " N    5 " in text(app)
        app.browser.severity = lambda _at: ("E", "error")
        app.look()
        frames.list.mark_news()
        await pilot.pause()
        assert " E    5 " in text(app)
        del app.browser.severity
        app.run_command("filter _ws.expert")
        await pilot.pause(0.05)
        assert list(frames.state.selected) == [5]
        await pilot.press("]", "f")
        assert (frames.state.row, "RMQ-P2" in app.said) == (5, True)
        await pilot.press("G")
        growing.end()
        app.look()
        await pilot.pause(0.05)
        assert list(frames.state.selected) == [5, 16]
        assert (frames.state.row, app.browser.is_complete) == (16, True)
        assert "1 new finding: W RMQ-C2 at frame 16" in status(app)
        await pilot.press("f5")
        assert "RMQ-C2" in text(app)
        await pilot.press("f2")
        assert "new finding" not in status(app)

    run(script, growing, size=(112, 36))


def test_a_report_of_a_crash_has_no_values() -> None:
    """A traceback is printed once the terminal is restored, without what variables hold."""

    def crash(password: str) -> None:
        raise ValueError(len(password))

    async def script(app: StreamsharkApp, _pilot: "Pilot[int]") -> None:
        try:
            crash("s3cr3t")
        except ValueError:
            app._fatal_error()
        report = "".join(map(str, app._exit_renderables))
        assert "in crash" in report
        assert "ValueError: 6" in report
        assert report.count("s3cr3t") == 1  # the line of the source

    run(script)


def test_screens_are_as_they_were() -> None:
    """What is on each screen is what `python -m tests.tui.snapshots` wrote, at three widths."""
    with Failures() as failures:
        for size in SIZES:
            for name, shown in taken(size).items():
                with failures.of(name):
                    assert shown == (FOLDER / name).read_text(encoding="utf-8")


def test_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    """No colour reaches the terminal, neither grey nor of a theme; what is reversed stays so."""
    for value, is_coloured in (("1", False), (None, True)):
        if value is None:
            monkeypatch.delenv("NO_COLOR", raising=False)
        else:
            monkeypatch.setenv("NO_COLOR", value)
        painted = [Segment("x", Style(color="#ff0000", bgcolor="#333333", reverse=True))]
        for each in StreamsharkApp(browser()).get_line_filters():
            painted = each.apply(painted, Color(0, 0, 0))
        (style,) = (each.style for each in painted)
        assert style is not None
        assert style.reverse
        colours = [style.color, style.bgcolor]
        assert all(each is not None and each.is_default for each in colours) != is_coloured


HOSTILE = '\x1b[2J\x1b]0;t\x07\u202e世\x9b2J\u2066\u200b\U000e0001\ufeff\x00\t\x7f"\\ [red]'
"""Text that a terminal obeys, that turns the writing direction, is wide, unseen, or is markup."""


def hostile(size: int) -> bytes:
    """Return so many bytes of hostile text."""
    found = ""
    for each in HOSTILE * size:
        if len((found + each).encode()) > size:
            break
        found += each
    return found.encode().ljust(size, b"\x07")


def hostile_capture(folder: Path) -> str:
    """Write a capture with hostile and long names in all that peers say; return its name."""
    found = packets(*recorded(CREDIT))
    names = (
        b"bug-starves", b"bug_credit_never_renewed", b"RabbitMQ", b"raw socket", b"rabbit@broker",
        b"Erlang/OTP 29.1.2", b"chunk 0 message 4", b"AMQPLAIN",
    )  # fmt: skip
    for name in names:
        found = [each._replace(data=each.data.replace(name, hostile(len(name)))) for each in found]
    talk = Conversation(server=("10.0.0.2", 4222), start_ns=found[-1].time_ns + 1).handshake()
    said = json.dumps(HOSTILE)
    word = HOSTILE.replace(" ", "").replace("\t", "").encode()
    own = f'"name":{said},"lang":{said},"version":{said},"user":{said}'
    for side, data in (
        (1, f'INFO {{"server_id":{said},"server_name":{said},"version":{said},"max_payload":99}}'),
        (0, f'CONNECT {{"verbose":false,{own}}}'),
        (0, b"SUB " + word + b" 1"),
        (0, b"SUB " + b"long." * 3_000 + b"end " + word + b" 2"),
        (0, b"PUB " + word + b" " + word + b" 3\r\n\x1b[m"),
        (1, b"MSG " + word + b" 1 3\r\n\x1b[m"),
        (1, b"-ERR 'Permissions Violation for Subscription to \"" + word + b"\"'"),
        (1, b"-ERR '" + word + b"'"),
        (0, word + b" not a line"),
    ):
        talk.send(side, (data.encode() if isinstance(data, str) else data) + b"\r\n")
    found += [Packet(each.time_ns, each.data, 1, each.original) for each in talk.packets]
    return write(folder / f"{HOSTILE.replace(chr(0), '')}.pcap", found)


async def look(app: StreamsharkApp, pilot: "Pilot[int]") -> None:
    """Check that each line on the screen is harmless, and as wide as the screen."""
    await pilot.pause()
    for strip in app.screen._compositor.render_strips():
        assert strip.text.isprintable(), ascii(strip.text)
        assert strip.cell_length == app.size.width, ascii(strip.text)


async def carry_out(app: StreamsharkApp, pilot: "Pilot[int]", command: str, row: int = 0) -> None:
    """Carry out a command on a row, and check the screen."""
    await begin(app, pilot, Case(lambda _app: None, row=row))
    try:
        app.run_command(command)
    except StreamsharkError as error:
        app.say(str(error))
    await look(app, pilot)


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_hostile_names_reach_no_terminal(tmp_path: Path, size: tuple[int, int]) -> None:
    """Escaped on each screen and in each notice and export; wide characters break no line."""

    async def script(app: StreamsharkApp, pilot: "Pilot[int]") -> None:
        with Failures() as failures:
            for page in app.pages[1:]:
                await carry_out(app, pilot, page.id or "")
                assert "\\x1b" in text(app) or page.id == "statistics"
                for at in range(page.panes()[0].count):
                    with failures.of(f"{page.id}: line {at}"):
                        app.act(Press("down"))
                        await look(app, pilot)
            for row in range(app.browser.total):
                with failures.of(f"row {row}"):
                    await carry_out(app, pilot, "expand-all", row)
            ids = (f"follow {each.id}" for each in app.browser.index.conversations())
            commands = (each.command for each in ACTIONS if each.id not in ENDING)
            typed = (f"{each} {HOSTILE}" for each in ("", "find", "comment", "theme", "follow"))
            given = (f"filter nats.subject == {json.dumps(HOSTILE)}", "column nats.subject")
            for command in (*ids, *commands, *typed, *given):
                with failures.of(command):
                    await carry_out(app, pilot, command, 25)
            for ending in ("txt", "json", "hex", "mmd"):
                with failures.of(ending):
                    app.run_export(str(tmp_path / f"out.{ending}"))
                    exported = (tmp_path / f"out.{ending}").read_text(encoding="utf-8")
                    assert exported.replace("\n", "").isprintable()

    run(script, hostile_capture(tmp_path), size)
