"""Messages of RSocket."""

from tests.protocols.found_messages import messages_in


def test_the_route_of_the_request_is_that_of_its_payloads() -> None:
    """It stands in the metadata of the request alone; responses are never joined with requests."""
    found = messages_in("rsocket/composite_metadata_java")
    routes = {each.row.annotation.conversation: each.stream for each in found if each.is_published}

    assert {"users.find", "users.find,shard-7"} < set(routes.values())
    for each in found:
        assert each.stream == routes[each.row.annotation.conversation]
        assert each.published_frame is None


def test_fragments_are_one_message() -> None:
    """The last of them has the whole."""
    found = messages_in("rsocket/fragments_java")

    assert len({(each.row.number, each.index) for each in found}) == len(found)
    assert max(len(each.data or b"") for each in found) >= 300
