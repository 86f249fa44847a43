"""The vocabulary's page says what the code does."""

import pytest

from streamshark.errors import SchemaError
from streamshark.schema import ProblemCode
from streamshark.views.manual import vocabulary as module
from streamshark.views.manual.examples import Example
from streamshark.views.manual.vocabulary import vocabulary


def test_every_code_is_there() -> None:
    """With its sentence, and whether it stops."""
    text = vocabulary()

    for code in ProblemCode:
        assert f"| `{code.word}` | {'yes' if code.stops else 'no'} | {code.sentence} |" in text


def test_docstrings_and_facts_are_there() -> None:
    """Meanings come from the code: a word's docstring, a fact's string."""
    text = vocabulary()

    assert "Members that are there only if a condition over earlier fields holds." in text
    assert "| `unit` | `None` | Unit of the number:" in text
    assert "### FrameSchema" in text


def test_it_is_the_same_each_time() -> None:
    """Nothing of the moment or the machine."""
    assert vocabulary() == vocabulary()


def test_an_example_that_is_not_true_is_refused() -> None:
    """Good bytes have no problem, bad ones have one."""
    with pytest.raises(SchemaError, match="differ on 01"):
        module._example(Example('field("a", U16, "A.")', ("01",)))
    with pytest.raises(SchemaError, match="reads 0102"):
        module._example(Example('field("a", U16, "A.")', (), ("0102",)))
