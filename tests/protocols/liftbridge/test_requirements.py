"""The members of the envelope are in the table of requirements."""

from streamshark.protocols.liftbridge.requirements import REQUIREMENTS


def test_every_member_of_the_envelope_has_a_rule() -> None:
    """Magic number, version, length, flags, type and checksum."""
    (document,) = REQUIREMENTS
    rules = {rule for each in document.requirements for rule in each.rules}

    assert {"LFB-L5", "LFB-L1", "LFB-L1b", "LFB-L3", "LFB-L2"} <= rules
