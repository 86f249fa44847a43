"""Behaviours are replaced by the tables that they stand for."""

import pytest
from tests.conversations.dialogue import rule

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import Action, Behaviour, Lifecycle, Relief
from streamshark.conversations.unfolding import unfolded
from streamshark.errors import SchemaError

KEEP = Action(on="tick", do="conn.ticked = n")
AGAIN = Repetition(name="again", on="send_response", when="code != 0", per="flow, name", limit=4,
                   success="send_response", success_when="code == 0")  # fmt: skip


def test_rules_on_a_trigger_become_rules_on_rows() -> None:
    """With both conditions, both needs, and the evidence of the behaviour unless they have one."""
    watches = (
        rule("tick"),
        rule("repetition:again", "code == 3", needs="whole"),
        rule("repetition:again", evidence="req.n"),
    )
    tables, made = unfolded((KEEP, AGAIN), watches)

    assert made[0] is watches[0]
    assert (made[1].on, made[1].of, made[1].needs) == ("send_response", "again", "whole")
    assert made[1].when.endswith("and (code == 3)")
    assert "again.second_n" in made[1].evidence
    assert made[2].evidence == "req.n"
    assert [each.name for each in tables if isinstance(each, Lifecycle)] == ["again"]
    assert not any(isinstance(each, Behaviour) for each in tables)


def test_numbers_of_rules_stay() -> None:
    """What lowers findings comes after them, and names them by number."""
    _, made = unfolded((AGAIN,), (rule("tick"), rule("repetition:again"), rule("hello")))

    assert [each.on for each in made[:3]] == ["tick", "send_response", "hello"]
    assert [each.eases for each in made[3:] if isinstance(each, Relief)] == [1]


def test_behaviours_without_a_rule_are_left_out() -> None:
    """They would only take time."""
    assert unfolded((KEEP, AGAIN), (rule("tick"),))[0] == (KEEP,)


def test_a_trigger_stands_alone() -> None:
    """The condition of a behaviour is one over its own rows."""
    with pytest.raises(SchemaError, match="stands alone"):
        unfolded((AGAIN,), (rule("repetition:again tick"),))
