"""Messages of NATS."""

from tests.protocols.found_messages import messages_in, summary


def test_published_and_delivered() -> None:
    """By subject, with headers; empty bodies are messages too."""
    found = messages_in("nats/interactions_go")
    first = next(each for each in found if not each.is_published)
    headed = next(each for each in found if each.headers)

    assert summary(found[0]) == (True, "orders.new", None, "order 0\r\nPING\r\n")
    assert summary(first) == (False, "orders.new", None, "order 0\r\nPING\r\n")
    assert (first.published_frame, first.latency_ns) == (found[0].row.number, 81_000)
    assert (headed.headers, headed.text) == ((("Trace", "1"), ("Trace", "2")), "")


def test_equal_messages_are_not_joined() -> None:
    """The second of two equal messages could come from either."""
    asked = [each for each in messages_in("nats/interactions_go") if each.stream == "orders.ask"]
    delivered = [each for each in asked if not each.is_published]

    assert [each.published_frame is None for each in delivered[:3]] == [False, True, True]
