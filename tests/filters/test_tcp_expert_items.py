"""Expert items of TCP; Wireshark judges them in tests/judge/test_display_filters.py."""

from tests.filters.reading import LOGIN, read

from streamshark.filters.tcp_expert_items import tcp_items


def test_items() -> None:
    """How a connection begins and ends."""
    packets = [each for each in read(LOGIN).packets if each.tcp is not None]
    shown = [
        (packet.number, item.severity, item.message)
        for packet in packets
        for item in tcp_items(packet.tcp)  # type: ignore[arg-type]
    ]

    assert shown == [
        (1, "chat", "Connection establish request (SYN): server port 5552"),
        (2, "chat", "Connection establish acknowledge (SYN+ACK): server port 5552"),
        (12, "chat", "Connection finish (FIN)"),
        (12, "note", "This frame initiates the connection closing"),
        (13, "chat", "Connection finish (FIN)"),
        (13, "note", "This frame undergoes the connection closing"),
    ]


def test_filters_of_packets_have_them() -> None:
    """Beside the problems of frames."""
    found = read(LOGIN)

    assert found.numbers('_ws.expert.message contains "FIN"') == [12, 13]
    assert found.numbers('_ws.expert.severity == "Chat"') == [1, 2, 12, 13]
