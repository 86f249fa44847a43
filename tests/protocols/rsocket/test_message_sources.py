"""Messages of RSocket."""

from tests.protocols.found_messages import messages_in


def test_the_route_of_the_request_is_that_of_its_payloads() -> None:
    """It is the first tag in the request's metadata; responses are never joined with requests."""
    found = messages_in("rsocket/composite_metadata_java")
    routes = {each.row.annotation.conversation: each.stream for each in found if each.is_published}

    assert {"users.find", "last"} < set(routes.values())
    assert "users.find,shard-7" not in routes.values()
    for each in found:
        assert each.stream == routes[each.row.annotation.conversation]
        assert each.published_frame is None


def test_fragments_are_one_message() -> None:
    """The last of them has the whole."""
    found = messages_in("rsocket/fragments_java")

    assert len({(each.row.number, each.index) for each in found}) == len(found)
    assert max(len(each.data or b"") for each in found) >= 300
