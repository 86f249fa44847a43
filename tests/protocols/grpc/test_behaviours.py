"""The tables of behaviours: what tests of the rules do not show."""

from streamshark.conversations.behaviours import Behaviour
from streamshark.conversations.tables import Constant
from streamshark.protocols.grpc.behaviours import BEHAVIOURS


def test_thresholds_are_constants_with_a_description() -> None:
    """Users may change each limit and pause by its name."""
    named = {each.name for each in BEHAVIOURS if isinstance(each, Constant) and each.doc}
    used = {
        value
        for each in BEHAVIOURS
        if isinstance(each, Behaviour)
        for name in ("limit", "pause")
        if isinstance(value := getattr(each, name, None), str) and value.isupper()
    }
    assert used
    assert used <= named
