"""Requirements of the documents: each is held by rules that exist, or the reason is given."""

from tests.failures import every

from streamshark.findings.requirement import MOST_QUOTED, Requirement, held, unseen
from streamshark.findings.rule import selected
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol


def cases() -> list[tuple[Protocol, Requirement]]:
    """Return the requirements of all protocols."""
    return [
        (protocol, each)
        for protocol in catalog()
        for document in protocol.requirements
        for each in document.requirements
    ]


@every(("protocol", "requirement"), cases, ids=lambda case: case[1].text)
def test_a_requirement_is_held_or_explained(protocol: Protocol, requirement: Requirement) -> None:
    """By rules of its protocol or of one below it; a quotation is short, and names its section."""
    known = {rule.id for each in catalog() for rule in each.rules}

    assert bool(requirement.rules) != bool(requirement.why)
    assert [name for name in requirement.rules if not selected(name, known)] == []
    assert len(set(requirement.rules)) == len(requirement.rules)
    assert 0 < len(requirement.text) <= MOST_QUOTED
    assert requirement.section
    assert protocol.rules


def test_every_quotation_is_once_in_its_section() -> None:
    """And documents name their revision."""
    for protocol in catalog():
        for document in protocol.requirements:
            keys = [(each.section, each.text) for each in document.requirements]
            assert len(set(keys)) == len(keys)
            assert document.title
            assert document.revision


def test_both_kinds() -> None:
    """Rules, or a reason."""
    assert held("S", "a MUST", "R-1", "R-2") == Requirement("S", "a MUST", ("R-1", "R-2"))
    assert unseen("S", "a MUST", "inside") == Requirement("S", "a MUST", why="inside")
