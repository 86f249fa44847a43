"""Messages of Liftbridge."""

from tests.protocols.found_messages import messages_in


def test_messages_of_the_api_and_of_nats() -> None:
    """A message goes in by gRPC, through NATS in an envelope, and out by gRPC with its offset."""
    found = [each for each in messages_in("liftbridge/subscribes_go") if each.stream == "log"]
    delivered = [each for each in found if each.row.connection.wire.id == "grpc"]
    delivered = [each for each in delivered if not each.is_published]

    places = {(each.row.connection.wire.id, each.is_published) for each in found}
    assert places >= {
        ("grpc", True),
        ("grpc", False),
        ("liftbridge", True),
        ("liftbridge", False),
    }
    assert {each.number for each in delivered} >= set(range(6))
    assert {each.number_name for each in delivered} == {"offset"}
    assert delivered[0].text == "log 0"
