"""The table of keys has no conflicts, and keys and commands name what it says."""

import pytest
from tests.failures import every

from streamshark.errors import StreamsharkError
from streamshark.tui.keys import (
    ACTIONS,
    CONTEXTS,
    LETTER,
    KeyAction,
    KeyMap,
    KeyReader,
    Press,
    command_of,
    key_of,
    shown,
)

KEYS = KeyMap()


def test_no_keys_mean_two_things_in_one_pane() -> None:
    """Each sequence of keys names one action, and begins no other, wherever the focus is."""
    assert not list(KEYS.conflicts())


def test_actions_have_names_and_sentences_of_their_own() -> None:
    """Ids and commands are unique, and each action is described by a sentence."""
    assert len({each.id for each in ACTIONS}) == len(ACTIONS)
    assert len({each.command for each in ACTIONS}) == len(ACTIONS)
    assert not [each.doc for each in ACTIONS if not each.doc.endswith(".")]


@every("action", ACTIONS, ids=lambda each: each.id)
def test_keys_name_their_action_in_each_pane(action: KeyAction) -> None:
    """Typed one by one, the keys of an action name it in every pane where they work."""
    panes = [pane for pane, contexts in CONTEXTS.items() if set(action.where) & set(contexts)]
    assert panes
    for pane in panes:
        for sequence in action.keys:
            reader = KeyReader(KEYS)
            typed = ["b" if each == LETTER else each for each in sequence.split(" ")]
            pressed = [reader.feed(each, pane) for each in typed]
            assert pressed[:-1] == [None] * (len(typed) - 1)
            assert pressed[-1] is not None
            assert pressed[-1].action == action.id
            assert not reader.typed


@every("action", ACTIONS, ids=lambda each: each.id)
def test_commands_name_their_action(action: KeyAction) -> None:
    """`:` and the command name the action; one that needs an argument asks for it."""
    needs = action.argument and not action.argument.startswith("[")
    if needs:
        with pytest.raises(StreamsharkError, match=f"needs {action.argument}"):
            command_of(action.command, KEYS)
    assert command_of(f"{action.command} 5" if action.argument else action.command, KEYS) == (
        action,
        "5" if action.argument else "",
    )


def test_numbers_count_and_a_wrong_key_ends_a_sequence() -> None:
    """A number before keys is their count; what no sequence begins with is dropped."""
    reader = KeyReader(KEYS)
    for key in "120":
        assert reader.feed(key, "list") is None
    assert reader.typed == "120"
    assert reader.feed("G", "list") == Press("bottom", 120)
    assert reader.feed("g", "list") is None
    assert reader.typed == "g"
    assert reader.feed("x", "list") is None
    assert not reader.typed
    assert reader.feed("j", "list") == Press("down")


def test_commands_are_numbers_too_and_may_be_short() -> None:
    """A number goes to its frame; the beginning of one command suffices."""
    assert command_of("12", KEYS) == (KEYS.of("goto"), "12")
    assert command_of("stat", KEYS)[0].id == "statistics"
    with pytest.raises(StreamsharkError, match=r"no command 'pa': packet, page-down, page-up"):
        command_of("pa", KEYS)
    with pytest.raises(StreamsharkError, match="no command 'gotoo'; did you mean 'goto'"):
        command_of("gotoo 1", KEYS)


def test_settings_change_keys_and_report_conflicts() -> None:
    """Keys of settings replace those of the table; conflicts and unknown actions are errors."""
    changed = KeyMap({"quit": "ctrl+x, X"})
    assert changed.find(["X"], "list") == "quit"
    assert changed.find(["Q"], "list") is None
    assert (changed.hint("quit"), KeyMap({"quit": ""}).hint("quit")) == ("Ctrl+X", ":quit")
    with pytest.raises(StreamsharkError, match=r"j is bound to down and to quit"):
        KeyMap({"quit": "j"})
    with pytest.raises(StreamsharkError, match="no action 'quti'; did you mean 'quit'"):
        KeyMap({"quti": "j"})


def test_keys_of_a_terminal_have_the_names_of_the_table() -> None:
    """Printable characters are named by themselves, all others as Textual names them."""
    assert key_of("slash", "/") == "/"
    assert key_of("upper_g", "G") == "G"
    assert key_of("ctrl+d", "\x04") == "ctrl+d"
    assert key_of("space", " ") == "space"
    assert [shown(each) for each in ("ctrl+f", "] p", "shift+tab")] == ["Ctrl+F", "]p", "Shift+Tab"]
