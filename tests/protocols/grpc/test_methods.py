"""Methods whose kind is known: those of services that are read, and none twice."""

from streamshark.conversations.expression_functions import f_begins
from streamshark.protocols.grpc.methods import METHODS, REPLIES, SINGLE, STREAMING
from streamshark.protocols.liftbridge.api import API
from streamshark.protocols.pravega.controller import CONTROLLER


def test_methods_of_services_that_are_read_have_a_kind() -> None:
    """No other method is listed for them, and the longest beginning counts."""
    read = {path for each in (*API, *CONTROLLER) for path in each.types}
    kinds = {path: f_begins(path, METHODS) for path in read}
    assert {path for path, kind in kinds.items() if kind is None} == set()
    assert {path for path, kind in kinds.items() if kind != SINGLE} == {
        "/proto.API/Subscribe",
        "/proto.API/PublishAsync",
    }
    assert {each for each in METHODS if each.startswith("/proto.API/")} <= read


def test_kinds() -> None:
    """A method of another service has none."""
    assert f_begins("/proto.API/Publish", METHODS) == SINGLE
    assert f_begins("/proto.API/PublishAsync", METHODS) == STREAMING
    assert f_begins("/grpc.health.v1.Health/Watch", METHODS) == REPLIES
    assert f_begins("/proto.API/Other", METHODS) is None
