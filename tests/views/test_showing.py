"""What is shown unless the user asks for something else."""

from streamshark.views.showing import BODIES, Showing


def test_secrets_are_hidden_by_default() -> None:
    """Numbers are numbers, and bodies decoded."""
    assert Showing() == Showing(secrets=False, int_strings=False, bodies=BODIES[0])
    assert BODIES[0] == "decoded"
