"""What is shown unless the user asks for something else."""

from streamshark.schema.secrets import MARK
from streamshark.views.display_options import BODIES, MASK, DisplayOptions


def test_secrets_are_hidden_by_default() -> None:
    """Numbers are numbers, and bodies decoded."""
    assert DisplayOptions() == DisplayOptions(secrets=False, int_strings=False, bodies=BODIES[0])
    assert BODIES[0] == "decoded"


def test_one_mark_stands_for_secrets() -> None:
    """In what is hidden in bytes, and in what views hide."""
    assert MASK == MARK
