"""Records in slots are those that the folder declares, each once."""

import importlib
import pkgutil

from streamshark.frames.layers import Rider
from streamshark.protocols import pravega
from streamshark.protocols.pravega.riders import RIDERS


def test_every_record_that_a_module_declares_is_known() -> None:
    """One that is left out would never be read."""
    names = [each.name for each in pkgutil.iter_modules(pravega.__path__)]
    modules = [importlib.import_module(f"{pravega.__name__}.{name}") for name in names]
    declared = {
        each.id
        for module in modules
        for value in vars(module).values()
        for each in (value if isinstance(value, tuple) else (value,))
        if isinstance(each, Rider)
    }

    assert [each.id for each in pravega.PROTOCOL.riders] == [each.id for each in RIDERS]
    assert sorted(each.id for each in RIDERS) == sorted(declared)
    assert all(each.id.startswith("pravega.") and each.slots for each in RIDERS)
