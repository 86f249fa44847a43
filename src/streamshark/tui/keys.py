"""The table of actions: keys, `:` command and description of each.

Help, footer, command palette, documentation and remapping are made from it. Keys are those of
Wireshark, termshark and vim.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from streamshark.errors import StreamsharkError

ANYWHERE: Final = "anywhere"
FRAMES: Final = "frames"
"""Any pane of the Frames screen."""
LIST: Final = "list"
TREE: Final = "tree"
BYTES: Final = "bytes"
FINDINGS: Final = "findings"
CONVERSATIONS: Final = "conversations"
LADDER: Final = "ladder"
CONNECTIONS: Final = "connections"
STATISTICS: Final = "statistics"

CONTEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    LIST: (LIST, FRAMES, ANYWHERE),
    TREE: (TREE, FRAMES, ANYWHERE),
    BYTES: (BYTES, FRAMES, ANYWHERE),
    FINDINGS: (FINDINGS, ANYWHERE),
    CONVERSATIONS: (CONVERSATIONS, ANYWHERE),
    LADDER: (LADDER, ANYWHERE),
    CONNECTIONS: (CONNECTIONS, ANYWHERE),
    STATISTICS: (STATISTICS, ANYWHERE),
}
"""Each pane to the contexts whose keys work in it, the narrowest first."""

LETTER: Final = "<letter>"
"""Stands in a sequence of keys for any letter."""
LONGEST_COUNT: Final = 12
"""Most digits of a number typed before a key."""


class KeyAction(NamedTuple):
    """One row of the table."""

    id: str
    """Name in the settings."""
    keys: tuple[str, ...]
    """Keys, or sequences of keys separated by a blank."""
    command: str
    """Word after `:`."""
    doc: str
    """What it does, as a sentence."""
    where: tuple[str, ...] = (ANYWHERE,)
    """Contexts in which the keys work; the command works anywhere."""
    argument: str = ""
    """What the command takes, in capitals; in brackets if it may be left out."""
    footer: str = ""
    """Word in the footer; empty if it is not there."""


ACTIONS: Final = (
    # Screens
    KeyAction("frames", ("f2", "g 1"), "frames", "Show the frames."),
    KeyAction(
        "conversations", ("f3", "g 2"), "conversations", "Show the conversations."),
    KeyAction("connections", ("f4", "g 3"), "connections", "Show the connections."),
    KeyAction("findings", ("f5", "g 4"), "findings", "Show the findings, the worst first."),
    KeyAction("statistics", ("f6", "g 5"), "statistics", "Show the statistics."),
    KeyAction("next-screen", ("g t",), "next-screen", "Show the next screen."),
    KeyAction("previous-screen", ("g T",), "previous-screen", "Show the previous screen."),
    # Movement
    KeyAction("up", ("up", "k"), "up", "Move up one line."),
    KeyAction("down", ("down", "j"), "down", "Move down one line."),
    KeyAction("page-up", ("pageup",), "page-up", "Move up one page."),
    KeyAction("page-down", ("pagedown", "space"), "page-down", "Move down one page."),
    KeyAction("half-up", ("ctrl+u",), "half-up", "Move up half a page."),
    KeyAction("half-down", ("ctrl+d",), "half-down", "Move down half a page."),
    KeyAction("top", ("home", "g g", "ctrl+home"), "top",
              "Move to the first line; after a number, to that frame."),
    KeyAction(
        "bottom", ("end", "G", "ctrl+end"), "bottom",
        "Move to the last line, and follow new ones; after a number, to that frame.",
    ),
    KeyAction("left", ("left", "h"), "left", "Scroll to the left.",
           (LIST, BYTES, FINDINGS, CONVERSATIONS, LADDER, CONNECTIONS, STATISTICS)),
    KeyAction("right", ("right", "l"), "right", "Scroll to the right.",
           (LIST, BYTES, FINDINGS, CONVERSATIONS, LADDER, CONNECTIONS, STATISTICS)),
    KeyAction("next-row", ("ctrl+down", "f8"), "next", "Select the next row, from any pane.",
           (FRAMES,)),
    KeyAction("previous-row", ("ctrl+up", "f7"), "previous",
           "Select the previous row, from any pane.", (FRAMES,)),
    # Panes
    KeyAction("next-pane", ("tab", "ctrl+w"), "next-pane", "Go to the next pane."),
    KeyAction("previous-pane", ("shift+tab",), "previous-pane", "Go to the previous pane."),
    KeyAction("maximise", ("\\",), "maximise", "Show this pane alone, or all panes again.",
           (FRAMES,)),
    KeyAction("layout", ("|",), "layout", "Put tree and bytes beside or below each other.",
           (FRAMES,)),
    KeyAction("grow", ("+", ">"), "grow", "Make the list larger.", (FRAMES,)),
    KeyAction("shrink", ("-", "<"), "shrink", "Make the list smaller.", (FRAMES,)),
    # Frames
    KeyAction("details", ("enter",), "details", "Go to the fields of the selected row.", (LIST,),
              footer="Fields"),
    KeyAction("filter", ("/", "f", "ctrl+underscore"), "filter",
           "Type a display filter, in Wireshark's language.", argument="[FILTER]",
           footer="Filter"),
    KeyAction("goto", ("ctrl+g",), "goto", "Go to a frame.", argument="FRAME"),
    KeyAction("packet", (), "packet", "Go to the first row of a packet.", argument="PACKET"),
    KeyAction("time", (), "time", "Go to a time, in seconds since the first packet.",
           argument="SECONDS"),
    KeyAction("next-problem", ("] p",), "next-problem",
           "Go to the next row with a problem or a finding.", (FRAMES,)),
    KeyAction("previous-problem", ("[ p",), "previous-problem",
           "Go to the previous row with a problem or a finding.", (FRAMES,)),
    KeyAction("next-evidence", ("] f",), "next-evidence",
           "Go to the next frame that proves the finding.", (FRAMES, FINDINGS), footer="Evidence"),
    KeyAction("previous-evidence", ("[ f",), "previous-evidence",
           "Go to the previous frame that proves the finding.", (FRAMES,)),
    KeyAction("pair", ("%",), "pair", "Go to the response of a request, or to the request.",
           (FRAMES,), footer="Pair"),
    KeyAction("next-in-conversation", (".", "ctrl+full_stop"), "next-in-conversation",
           "Go to the next frame of the conversation.", (FRAMES,)),
    KeyAction("previous-in-conversation", (",", "ctrl+comma"), "previous-in-conversation",
           "Go to the previous frame of the conversation.", (FRAMES,)),
    KeyAction("mark", ("m <letter>",), "mark", "Mark the row with a letter.", (FRAMES,)),
    KeyAction("to-mark", ("' <letter>", "' '", "alt+left", "alt+right"), "to-mark",
              "Go to the row with a letter, or to where the last jump began.", (FRAMES,)),
    KeyAction("toggle-mark", ("M",), "toggle-mark", "Mark the row, or remove its mark.",
              (FRAMES,)),
    KeyAction("next-mark", ("] m",), "next-mark", "Go to the next marked row.", (FRAMES,)),
    KeyAction("previous-mark", ("[ m",), "previous-mark", "Go to the previous marked row.",
              (FRAMES,)),
    KeyAction("comment", (";", "alt+ctrl+c"), "comment",
              "Comment on the packet of the row; :save writes a copy with the comments.", (FRAMES,),
              argument="[TEXT]"),
    KeyAction("uncomment", (), "uncomment", "Remove your comment on the packet."),
    KeyAction("next-comment", ("] c",), "next-comment",
              "Go to the next row whose packet has a comment.", (FRAMES,)),
    KeyAction("previous-comment", ("[ c",), "previous-comment",
              "Go to the previous row whose packet has a comment.", (FRAMES,)),
    KeyAction("save", ("ctrl+s",), "save",
              "Write a copy of the captures with your comments, as pcapng.", argument="FILE"),
    KeyAction("time-reference", ("ctrl+t",), "time-reference",
              "Let times count from this row, or from the first packet again.", (FRAMES,)),
    KeyAction("time-format", ("t",), "time-format",
              "Show times in the next format, or in one of `-t`.", (LIST,), argument="[FORMAT]"),
    KeyAction("colour-rules", (), "colour-rules",
              "Apply Wireshark's colour rules to the rows, or none."),
    KeyAction("theme", (), "theme", "Use the next theme, or one by its name.",
              argument="[NAME]"),
    # Search, copy, export
    KeyAction("find", ("ctrl+f",), "find",
              "Search in the pane for text, in bytes also for 0x...", argument="TEXT",
              footer="Find"),
    KeyAction("find-next", ("n", "ctrl+n"), "find-next", "Go to the next place that was found."),
    KeyAction("find-previous", ("N", "ctrl+b"), "find-previous",
              "Go to the previous place that was found."),
    KeyAction("copy", ("y y",), "copy", "Copy the selected line, or the field's value.",
              footer="Copy"),
    KeyAction("copy-json", ("y j",), "copy-json", "Copy the row as JSON.", (FRAMES,)),
    KeyAction("copy-hex", ("y x",), "copy-hex", "Copy the bytes as hex digits.", (FRAMES,)),
    KeyAction("copy-filter", ("y f",), "copy-filter",
              "Copy the filter of the selected field, or the one that is applied.", (FRAMES,)),
    KeyAction("copy-command", ("y c",), "copy-command",
              "Copy the command line that shows the same."),
    KeyAction("export", ("x", "w"), "export",
              "Write the rows shown to a file: .txt, .json, .ndjson, .hex, .pcapng, .mmd, .puml.",
              argument="FILE", footer="Export"),
    # Tree
    KeyAction("expand", ("right", "l"), "expand", "Expand the field, or go to its first member.",
           (TREE,)),
    KeyAction("collapse", ("left", "h"), "collapse", "Collapse the field, or go to its parent.",
           (TREE,)),
    KeyAction("parent", ("backspace",), "parent", "Go to the field that has this one.", (TREE,)),
    KeyAction("expand-below", ("shift+right",), "expand-below",
           "Expand the field and all below it.", (TREE,)),
    KeyAction("expand-all", ("ctrl+right",), "expand-all", "Expand all fields.", (TREE,)),
    KeyAction("collapse-all", ("ctrl+left", "shift+left"), "collapse-all", "Collapse all fields.",
           (TREE,)),
    KeyAction("toggle", ("enter",), "toggle", "Expand or collapse the field, or follow its link.",
           (TREE,), footer="Expand"),
    KeyAction("apply", ("a",), "apply", "Show the rows with the value of this field.", (TREE,),
              footer="Apply"),
    KeyAction("apply-and", ("A",), "apply-and",
              "Show those of the rows shown that have the value of this field.", (TREE,)),
    KeyAction("column", ("c",), "column", "Make the field a column, or remove the column.",
              (TREE,), argument="[FIELD]", footer="Column"),
    KeyAction("column-remove", ("C",), "column-remove", "Remove the last column of a field.",
              (FRAMES,)),
    # Bytes
    KeyAction("next-tab", ("t", "enter"), "next-tab",
           "Show the next bytes: the frame's, unpacked ones, reassembled ones.", (BYTES,),
              footer="Next"),
    # Conversations
    KeyAction("follow", ("F",), "follow", "Show the conversation of the frame as a ladder.",
           (FRAMES,), argument="[ID]", footer="Ladder"),
    KeyAction("ladder", ("enter",), "ladder", "Show the conversation as a ladder.",
           (CONVERSATIONS,), footer="Ladder"),
    KeyAction("next-kind", ("t",), "kind", "Show conversations of the next type, or of a type.",
           (CONVERSATIONS,), argument="[TYPE]", footer="Type"),
    KeyAction("flow", (), "flow", "Show conversations of one connection, or of all.",
           (CONVERSATIONS,), argument="[FLOW]"),
    KeyAction("show-frame", ("enter",), "show-frame", "Show the frame of the arrow.", (LADDER,),
              footer="Frame"),
    KeyAction("linked", ("L",), "linked",
           "Add conversations of other connections that are linked, or leave them out.",
           (LADDER,), footer="Linked"),
    # Connections and statistics
    KeyAction("conversations-of", ("enter",), "conversations-of",
           "Show the conversations of the connection.", (CONNECTIONS,), footer="Conversations"),
    KeyAction("frames-of", ("a",), "frames-of", "Show the frames of the connection.",
           (CONNECTIONS,), footer="Frames"),
    KeyAction("frames-with", ("enter",), "frames-with", "Show the frames of the command.",
           (STATISTICS,), footer="Frames"),
    # Findings
    KeyAction("evidence", ("enter",), "evidence", "Show the frame that proves the finding.",
           (FINDINGS,), footer="Evidence"),
    # Program
    KeyAction("command", (":",), "command", "Type a command; Tab completes it.", footer="Command"),
    KeyAction("palette", ("ctrl+p",), "palette", "Search for a command."),
    KeyAction("help", ("?", "f1"), "help", "Show the keys.", footer="Help"),
    KeyAction("redraw", ("ctrl+l",), "redraw", "Draw the screen again."),
    KeyAction("suspend", ("ctrl+z",), "suspend", "Put the program into the background."),
    KeyAction("back", ("escape",), "back", "Stop what runs, or go back."),
    KeyAction("close", ("q",), "close", "Go back; on the Frames screen, quit.", footer="Quit"),
    KeyAction("quit", ("Q", "ctrl+q", "Z Z"), "quit", "Quit."),
)  # fmt: skip
"""All actions, in the order of the help."""

_NAMES: Final[Mapping[str, str]] = {
    "pageup": "PgUp", "pagedown": "PgDn", "escape": "Esc", "underscore": "/", "full_stop": ".",
    "comma": ",", "letter": "a",
}  # fmt: skip
"""Names of keys as they are shown, if they are not those of the table with a capital."""
_CHARACTERS: Final = {"space": " "}


def shown(sequence: str) -> str:
    """Return a key or a sequence of keys as help shows it.

    >>> shown("ctrl+f"), shown("g g"), shown("pageup"), shown("f2"), shown("m <letter>")
    ('Ctrl+F', 'gg', 'PgUp', 'F2', 'ma')
    """
    return "".join(_shown_key(each) for each in sequence.split(" "))


def _shown_key(key: str) -> str:
    if key == LETTER:
        return "a"
    if len(key) == 1:
        return key
    return "+".join(
        _NAMES.get(each, each.upper() if len(each) == 1 else each.capitalize())
        for each in key.split("+")
    )


@dataclass(frozen=True, slots=True)
class Press:
    """Keys that name an action."""

    action: str
    count: int | None = None
    """Number typed before the keys; None without one."""
    letter: str = ""
    """Letter that the sequence ends with; empty without one."""


class KeyMap:
    """The keys of all actions, as far as settings do not change them.

    `changes` maps ids of actions to keys separated by commas.
    """

    def __init__(self, changes: Mapping[str, str] | None = None) -> None:
        known = {each.id for each in ACTIONS}
        for name in changes or {}:
            if name not in known:
                raise StreamsharkError(f"keys: no action {name!r}{_near(name, known)}")
        self.actions = tuple(
            each._replace(keys=_parsed(changes[each.id]))
            if changes and each.id in changes
            else each
            for each in ACTIONS
        )
        self._by_context: dict[str, dict[tuple[str, ...], str]] = {}
        for each in self.actions:
            for where in each.where:
                keys = self._by_context.setdefault(where, {})
                for sequence in each.keys:
                    keys.setdefault(tuple(sequence.split(" ")), each.id)
        if found := list(self.conflicts()):
            raise StreamsharkError("; ".join(found))

    def conflicts(self) -> Iterator[str]:
        """Yield a sentence for each sequence of keys that names two actions in one pane."""
        seen = set[str]()
        for contexts in CONTEXTS.values():
            known: dict[tuple[str, ...], str] = {}
            for action in self.actions:
                if not set(action.where).intersection(contexts):
                    continue
                for sequence in map(str.split, action.keys):
                    for other in _clashing(tuple(sequence), known):
                        text = (
                            f"keys: {shown(' '.join(sequence))} is bound to "
                            f"{known[other]} and to {action.id}"
                        )
                        if known[other] != action.id and text not in seen:
                            seen.add(text)
                            yield text
                    known[tuple(sequence)] = action.id

    def find(self, keys: Sequence[str], pane: str) -> str | None:
        """Return the action of a sequence of keys in a pane; empty if more keys must follow."""
        typed, waits = tuple(keys), False
        for context in CONTEXTS[pane]:
            for sequence, action in self._by_context.get(context, {}).items():
                if _matches(typed, sequence):
                    return action
                waits = waits or _matches(typed, sequence[: len(typed)])
        return "" if waits else None

    def of(self, action: str) -> KeyAction:
        """Return the row of an action."""
        return next(each for each in self.actions if each.id == action)

    def hint(self, action: str) -> str:
        """Return the first key of an action as it is shown, or its command if it has no key."""
        found = self.of(action)
        return shown(found.keys[0]) if found.keys else f":{found.command}"


class KeyReader:
    """Reads keys one by one: numbers, then sequences, and reports the action they name."""

    def __init__(self, keys: KeyMap) -> None:
        self.keys = keys
        self.pending: list[str] = []
        """Keys of a sequence that is not complete."""
        self.count = ""
        """Digits typed before the keys."""

    def feed(self, key: str, pane: str) -> Press | None:
        """Take one key; return the action that is complete with it, None if there is none."""
        if not self.pending and key.isdecimal() and len(key) == 1 and (self.count or key != "0"):
            self.count = (self.count + key)[-LONGEST_COUNT:]
            return None
        self.pending.append(key)
        action = self.keys.find(self.pending, pane)
        if action == "":
            return None
        press = None
        if action is not None:
            letter = key if len(self.pending) > 1 and len(key) == 1 else ""
            press = Press(action, int(self.count) if self.count else None, letter)
        self.reset()
        return press

    def reset(self) -> None:
        """Forget what was typed."""
        self.pending, self.count = [], ""

    @property
    def typed(self) -> str:
        """What was typed and is not complete, as text."""
        return self.count + "".join(map(_shown_key, self.pending))


def key_of(key: str, character: str | None) -> str:
    """Return the name of a key in the table, from what Textual reports.

    >>> key_of("G", "G"), key_of("slash", "/"), key_of("ctrl+f", None), key_of("space", " ")
    ('G', '/', 'ctrl+f', 'space')
    """
    if character and character.isprintable() and character != " ":
        return character
    return key


def command_of(text: str, keys: KeyMap) -> tuple[KeyAction, str]:
    """Return the action and the argument of a `:` command.

    A number alone goes to that frame; the beginning of a command suffices if it is the only one.

    Raises:
        StreamsharkError: There is no such command, or it lacks its argument.
    """
    word, _, argument = text.strip().partition(" ")
    if word.isdecimal():
        return keys.of("goto"), word
    found = [each for each in keys.actions if each.command == word]
    found = found or [each for each in keys.actions if word and each.command.startswith(word)]
    if len(found) != 1:
        names = {each.command for each in found} or {each.command for each in keys.actions}
        hint = f": {', '.join(sorted(names))}" if found else _near(word, names)
        raise StreamsharkError(f"no command {word!r}{hint}")
    action = found[0]
    argument = argument.strip()
    if action.argument and not action.argument.startswith("[") and not argument:
        raise StreamsharkError(f":{action.command} needs {action.argument}")
    return action, argument


def _parsed(keys: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in keys.split(",") if each.strip())


def _matches(typed: Sequence[str], sequence: Sequence[str]) -> bool:
    return len(typed) == len(sequence) and all(
        one == other or (other == LETTER and len(one) == 1 and one.isalpha())
        for one, other in zip(typed, sequence, strict=True)
    )


def _clashing(sequence: tuple[str, ...], known: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the known sequences that are the same, or of which one begins the other."""
    return [
        each
        for each in known
        if all(
            one == other or LETTER in {one, other}
            for one, other in zip(sequence, each, strict=False)
        )
    ]


def _near(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(names), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
