"""The Conversations screen: by kind and connection, and those that are linked."""

from unittest import mock

import pytest
from tests.tui.screens import GrowingIndex, browser, run, shows

from streamshark.errors import StreamsharkError
from streamshark.index import build
from streamshark.tui import conversations_page

LINKED = "rabbitmq_stream/two_clients_reconnect"


def test_conversations_are_in_the_order_of_their_frames() -> None:
    """All of `conversations` are listed; a kind or a connection chooses some."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        await pilot.press("f3")
        page = app.conversations
        ids = [app.browser.index.conversation(each.number).id for each in page.list.entries]
        assert sorted(ids) == sorted(each.id for each in app.browser.index.conversations())
        firsts = [each.first for each in page.list.entries]
        assert firsts == sorted(firsts)
        app.run_command("kind subscription")
        assert [each.type for each in page.list.entries] == ["subscription"]
        app.run_command("flow 1")
        assert not page.list.entries
        with pytest.raises(StreamsharkError, match="no conversation of type 'x'"):
            app.run_command("kind x")
        with pytest.raises(StreamsharkError, match="no conversation '0-99-call'"):
            app.run_command("follow 0-99-call")

    run(script)


def test_linked_conversations_of_other_connections_are_added() -> None:
    """`L` shows them in one ladder, by time, with their connections."""
    known = browser(LINKED)
    linked = next(each for each in known.index.conversations() if each.links)
    own = known.rows_of_conversation(linked.id)

    async def script(app, pilot) -> None:  # noqa: ANN001
        app.run_command(f"follow {linked.id}")
        ladder = app.conversations.ladder
        assert {each.row for each in ladder.lines} == set(own)
        await pilot.press("L")
        rows = [each.row for each in ladder.lines]
        assert set(own) < set(rows)
        assert rows == sorted(rows)
        assert ladder.shows_flows
        await pilot.press("q")
        assert app.focused.id == "conversation-list"
        await pilot.press("q")
        assert app.page.id == "frames"

    run(script, LINKED)


def test_a_call_without_an_answer_says_so() -> None:
    """The arrow of its request has it at the margin."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        found = next(
            each
            for each in app.browser.index.conversations()
            if each.type == "call" and each.state == "unanswered"
        )
        app.run_command(f"follow {found.id}")
        await pilot.pause()
        assert await shows(app, pilot, "no response seen")

    run(script, "rabbitmq_stream/bug_answer_lost", size=(120, 30))


def test_conversations_that_have_not_ended_are_there_and_grow() -> None:
    """A live capture shows them with their state so far; a ladder gets the frames that come."""
    with (
        mock.patch.multiple(build, OPEN=0.0, COMMIT=0.0),
        mock.patch.object(conversations_page, "AGAIN", 0.0),
    ):
        growing = GrowingIndex()

        async def script(app, pilot) -> None:  # noqa: ANN001
            await pilot.press("f3")
            page = app.conversations
            types = lambda: [each.type for each in page.list.entries]  # noqa: E731
            await growing.until(app, pilot, lambda: {"connection", "call"} <= {*types()})
            at = types().index("connection")
            assert page.list.conversation(page.list.entries[at]).state == "open"
            page.open("0-4-connection")
            rows = len(page.ladder.rows)
            await growing.until(app, pilot, lambda: len(page.ladder.rows) > rows)
            growing.end()
            app.look()
            app.show("conversations")
            assert types().count("connection") == 1
            assert len(page.ladder.rows) == app.browser.total
            assert all(each.number >= 0 for each in page.list.entries)

        run(script, growing)


def test_columns_follow_the_width() -> None:
    """A narrow terminal has more room for what was asked and answered; lines are drawn again."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        await pilot.press("f3")
        assert await shows(app, pilot, "0.000762    664 us      2  peer_properties")
        await pilot.resize_terminal(80, 24)
        assert await shows(app, pilot, "664 us  peer_properties")
        await pilot.press("f2")
        assert await shows(app, pilot, "0.000762  0 → peer_properties")

    run(script, size=(120, 30))
