"""The sentences of calls: they load, and are told of a recorded capture."""

from pathlib import Path

from streamshark.conversations.resolve import ResolvedTables
from streamshark.protocols.grpc import PROTOCOL
from streamshark.protocols.grpc.explain import SENTENCES
from streamshark.session import Session


def test_they_load() -> None:
    """Every name in them is known."""
    assert len(ResolvedTables(PROTOCOL.wire, PROTOCOL.conversations, SENTENCES).watches) == len(
        SENTENCES
    )


def test_who_calls_what() -> None:
    """The client's name for itself, and methods with how they went."""
    (path,) = Path("captures/pravega/transactions_py").glob("traffic.*")
    analysis = Session([str(path)]).analysis(rules=True, explanations=True)
    for _ in analysis.rows():
        pass
    (sentences,) = (each for each in analysis.explanations() if each.protocols == ("grpc",))
    who = [each.text for each in sentences.parts["who"]]
    did = [each.text for each in sentences.parts["did"]]

    assert who[0].startswith("The client identifies itself as ")
    assert any(each.startswith("1 call of createScope succeeded, the slowest") for each in did)
