"""Codes: verbs become names that may stand in a filter, statuses are those that servers write."""

from tests.protocols.nats.traffic import CLIENT_CONNECT, SERVER_INFO, rows

from streamshark.protocols.nats.codes import SIZED, VERBS, GatewayCommand, Status


def test_names_of_verbs_are_identifiers() -> None:
    """Signs become words."""
    assert all(name.isidentifier() and name == name.lower() for name in VERBS.values())
    assert VERBS["RS+"] == "rs_plus"
    assert VERBS["+OK"] == "ok"
    assert VERBS.keys() > SIZED


def test_a_status_is_a_number_with_a_name() -> None:
    """The description is the server's own."""
    reply = b"NATS/1.0 404 No Messages\r\n\r\n"
    line = b"HMSG _INBOX.1 2 %d %d\r\n%s\r\n" % (len(reply), len(reply), reply)

    *_, row = rows((1, SERVER_INFO), (0, CLIENT_CONNECT), (1, line))

    assert (row.values["status"], row.values["description"]) == (404, "No Messages")
    assert Status(row.values["status"]) is Status.NO_MESSAGES
    assert row.decoder is not None
    assert (row.decoder.tree.find("status").facts.names or {})[404] == "no_messages"


def test_gateway_commands() -> None:
    """As INFO has them."""
    assert [each.value for each in GatewayCommand] == [1, 2, 3]
