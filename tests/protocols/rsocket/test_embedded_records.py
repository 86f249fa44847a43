"""Records in slots are those that the folder declares, each once."""

from tests.protocols.declarations import declared_records

from streamshark.protocols import rsocket
from streamshark.protocols.rsocket.embedded_records import EMBEDDED_RECORDS


def test_every_record_that_a_module_declares_is_known() -> None:
    """One that is left out would never be read."""
    assert [each.id for each in rsocket.PROTOCOL.embedded_records] == [
        each.id for each in EMBEDDED_RECORDS
    ]
    assert sorted(each.id for each in EMBEDDED_RECORDS) == declared_records(rsocket)
    assert all(each.id.startswith("rsocket.") and each.slots for each in EMBEDDED_RECORDS)
