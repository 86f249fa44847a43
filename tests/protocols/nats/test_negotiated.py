"""Agreements: what INFO and CONNECT say holds for later rows."""

from tests.protocols.nats.traffic import CLIENT_CONNECT, SERVER_INFO, WIRE, rows

from streamshark.protocols.nats.negotiated import AGREEMENTS


def test_what_is_agreed() -> None:
    """A later INFO that says less takes nothing back."""
    found = rows((1, SERVER_INFO), (0, CLIENT_CONNECT), (1, b'INFO {"ldm":true} \r\n'))

    assert found[-1].agreed == {
        "server_version": "2.12.2", "max_payload": 1048576, "verbose": False, "headers": True,
    }  # fmt: skip


def test_every_agreement_is_a_field() -> None:
    """Of the frame that says it."""
    for each in AGREEMENTS:
        assert WIRE.table().named(each.command).tree.find(each.path).doc
