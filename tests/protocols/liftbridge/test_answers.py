"""The tables of answers: what they keep of requests, for the rules."""

from tests.protocols.liftbridge.clients import Script
from tests.protocols.liftbridge.traffic import member, members


def test_correlation_ids_are_counted() -> None:
    """An id that is published twice has two answers."""
    talk = Script()
    for _ in range(2):
        talk.publish(method="PublishAsync", correlation="1")
    for _ in range(2):
        talk.answer("PublishAsync", member(1, member(1, "s")) + member(3, "1"))

    assert not talk.found("LFB-B156")
    again = Script()
    again.publish(method="PublishAsync", correlation="1")
    for _ in range(2):
        again.answer("PublishAsync", members(_1=member(1, "s"), _3="1"))
    assert again.found("LFB-B156")
