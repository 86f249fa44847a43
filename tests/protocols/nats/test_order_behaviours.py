"""The tables of the order of lines: what tests of the rules do not show."""

from streamshark.conversations.tables import Lifecycle
from streamshark.protocols.nats.order_behaviours import ORDER


def test_messages_are_followed_across_connections_and_their_order_on_one() -> None:
    """A message is that of all connections; what a subscription gets of it is its own."""
    scopes = {each.name: each.scope for each in ORDER if isinstance(each, Lifecycle)}

    assert scopes == {"ledger": "connection", "issue": "capture", "heard": "connection"}
