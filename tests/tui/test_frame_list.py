"""The list of rows: columns for the width, and nothing from the wire that breaks it."""

from pathlib import Path

from tests.tui.screens import CREDIT, run, shows, text

from streamshark.tui.pieces import text_of

FOREIGN = Path(__file__).parents[1] / "foreign" / "traffic"
HOSTILE = "rabbitmq_stream/non_ascii_name_rstream"


def test_columns_fit_the_terminal() -> None:
    """Addresses are shown where there is room for them, directions elsewhere."""
    for width, heading in (
        (80, ["No.", "Time", "Flow", "Info"]),
        (120, ["No.", "Packet", "Time", "Source", "Destination", "Protocol", "Length", "Info"]),
    ):

        async def script(app, pilot, heading=heading) -> None:  # noqa: ANN001
            await pilot.pause()
            assert text(app).splitlines()[2].split() == heading
            app.run_command("column rmqstream.deliver.subscription_id")
            await pilot.pause()
            is_narrow = len(heading) < 5
            field = "subscription_id" if is_narrow else "rmqstream.deliver.subscription_id"
            titles = [*heading[:-1], field, "Info"]
            assert text(app).splitlines()[2].split() == titles

        run(script, CREDIT, (width, 24))


def test_no_line_has_control_characters() -> None:
    """What peers send is escaped: each line is one line of printable characters."""

    async def script(app, pilot) -> None:  # noqa: ANN001, ARG001
        for at in range(app.browser.total):
            line = text_of(app.frames.list.line(at))
            assert line.isprintable(), line
            details = app.browser.details(at)
            app.frames.fields.load(details)
            app.frames.fields.set_all(expanded=True)
            for number in range(app.frames.fields.count):
                assert text_of(app.frames.fields.line(number)).isprintable()

    for capture in (HOSTILE, "nats/bug_before_connect"):
        run(script, capture)


def test_rows_whose_capture_has_changed_say_so() -> None:
    """A row that cannot be read any more is a line with the reason, and has no fields."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        def gone(_at: int) -> object:
            from streamshark.errors import StreamsharkError  # noqa: PLC0415

            raise StreamsharkError("traffic.pcapng: packet 3 is not as it was")

        app.browser.original = gone
        app.frames.list.forget()
        app.frames.go_to(5, "row")
        await pilot.pause()
        assert await shows(app, pilot, "packet 3 is not as it was")
        assert app.frames.fields.count == 0

    run(script)


def test_an_empty_list_says_why_and_what_to_do() -> None:
    """Foreign traffic, a filter that selects nothing: no screen is just empty."""

    async def foreign(app, pilot) -> None:  # noqa: ANN001
        assert await shows(app, pilot, "No frame of a known protocol in 15 connections")
        assert "-d tcp.port==PORT,PROTOCOL" in " ".join(text(app).split())
        await pilot.press("f3")
        assert await shows(app, pilot, "No conversations.")

    run(foreign, str(next(FOREIGN.glob("amqp_0_9_1/traffic.*"))))

    async def filtered(app, pilot) -> None:  # noqa: ANN001
        app.run_command("filter rmqstream.deliver.subscription_id == 9")
        assert await shows(app, pilot, "The display filter selects none of 23 rows")

    run(filtered)
