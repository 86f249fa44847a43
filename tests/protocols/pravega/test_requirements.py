"""The four sentences of the proposal that say what is valid are held by rules."""

from streamshark.protocols.pravega.requirements import REQUIREMENTS


def test_what_is_valid_only_in_places_is_held() -> None:
    """Each sentence with "valid", and the lengths of a block."""
    (document,) = REQUIREMENTS
    valid = {each.text: each.rules for each in document.requirements if "valid" in each.text}

    assert len(valid) == 3
    assert all(valid.values())
    assert {"PRV-P55", "PRV-P55b"} <= {name for e in document.requirements for name in e.rules}
