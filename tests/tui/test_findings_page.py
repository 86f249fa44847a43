"""The Findings screen: the worst first, explained, with a way to the evidence."""

from tests.tui.screens import run, shows, text


def test_the_guilty_frame_is_two_keys_away() -> None:
    """Findings are in the order of `check`; Enter shows the guilty frame, its bytes on screen."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        await pilot.press("f5")
        found = [each.finding.rule for each in app.page.list.findings]
        assert found == ["RMQ-C2", "RMQ-P2"]
        assert await shows(app, pilot, "subscription without credit while messages wait")
        await pilot.press("enter")
        await pilot.pause()
        shown = text(app)
        assert app.frames.state.row == 16
        assert "0000  00 00 00 bf 00 08 00 02" in shown
        assert " W   16 " in shown
        await pilot.press("f5", "down")
        assert await shows(app, pilot, "SASL password without TLS")
        await pilot.press("enter")
        assert app.frames.state.row == 5

    run(script)


def test_evidence_is_shown_one_after_another() -> None:
    """`]f` and `[f` go through the frames of a finding, also if the filter hides them."""

    async def script(app, pilot) -> None:  # noqa: ANN001
        await pilot.press("f5")
        page = app.page
        many = next(each for each in page.list.findings if len(page.rows_of(each)) > 1)
        page.list.choose(page.list.findings.index(many))
        await pilot.pause()
        await pilot.press("enter")
        app.frames.apply("tcp.stream == 999")
        await pilot.pause()
        for at in (1, 0):
            await pilot.press("]" if at else "[", "f")
            await pilot.pause()
            assert app.frames.state.row == many.rows[at]

    run(script, "rabbitmq_stream/bug_metadata_storm")
