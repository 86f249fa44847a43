"""The Connections screen: who talks with whom, and what is known of it."""

from tests.tui.screens import browser, run, shows

from streamshark.tui.connections_page import describe
from streamshark.tui.pieces import pieces, text_of


def test_a_connection_is_described() -> None:
    """Peers, negotiated values, what was sent, objects and findings are there; no secret is."""
    found = browser()
    lines = [text_of(pieces(each)) for each in describe(found, found.index.connection(0))]
    for words in (
        "Connection 0: rabbitmq_stream",
        "127.0.0.1:35434 -> 127.0.0.1:5552",
        "Ended: close by the server, close by the client",
        "  broker_version: 4.3.6",
        "  frame_max: 1048576",
        "  [W] RMQ-C2 subscription 0 has had no credit for 5 s while messages from offset 10 wait",
    ):
        assert words in lines, words
    assert any(each.startswith("  client: 9 frames") for each in lines)
    assert any(each.startswith("  0-20-subscription done subscribe bug-starves") for each in lines)
    assert "guest\0guest" not in "".join(lines)


def test_foreign_traffic_is_described_too() -> None:
    """Why a connection is taken for a protocol is said, and its rows are one key away."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        await pilot.press("f4")
        await pilot.pause()
        assert await shows(app, pilot, "HTTP on a port of rabbitmq_stream")
        await pilot.press("a")
        await pilot.pause(0.1)
        assert app.page.id == "frames"
        assert app.frames.state.count == len(app.browser.index)

    run(script, "rabbitmq_stream/http_on_stream_port")
