"""Carriers: each has a class that replaces its bytes."""

from streamshark.protocols.catalog import carriers
from streamshark.sharing.redaction_carriers import CARRIERS


def test_every_carrier_is_known() -> None:
    """What a new one carries would be blanked."""
    assert {each.id for each in carriers()} == CARRIERS.keys()
