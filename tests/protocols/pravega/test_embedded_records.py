"""Records in slots are those that the folder declares, each once."""

from tests.protocols.declarations import declared_riders

from streamshark.protocols import pravega
from streamshark.protocols.pravega.embedded_records import RIDERS


def test_every_record_that_a_module_declares_is_known() -> None:
    """One that is left out would never be read."""
    assert [each.id for each in pravega.PROTOCOL.riders] == [each.id for each in RIDERS]
    assert sorted(each.id for each in RIDERS) == declared_riders(pravega)
    assert all(each.id.startswith("pravega.") and each.slots for each in RIDERS)
