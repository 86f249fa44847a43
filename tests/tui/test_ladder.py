"""A conversation as a ladder: arrows, waits, credit and findings."""

from tests.tui.screens import run, text

from streamshark.tui.ladder import GAP, arrow, ladder_lines
from streamshark.tui.pieces import TextPiece, text_of
from streamshark.views.terminal_lines import columns


def test_long_waits_are_lines_of_their_own() -> None:
    """A second without a frame is shown before the frame that ends it."""
    times = [0, 10, 10 + GAP, 11 + GAP]
    lines = [tuple(each) for each in ladder_lines([0, 1, 2, 3], times)]
    assert lines == [(0, False, 0), (1, False, 10), (2, True, GAP), (2, False, GAP), (3, False, 1)]


def test_arrows_fill_their_width_and_point_to_the_receiver() -> None:
    """Text is at the sender's side; one that is too long is cut; an unknown sender has no arrow."""
    for words in ("open", "x" * 99, "注文" * 20):
        for to_server, head in ((True, "▶"), (False, "◀"), (None, "·")):
            line = text_of(arrow([TextPiece(words)], to_server=to_server, width=30, style=""))
            assert columns(line) == 30
            assert head in line
    assert text_of(arrow([TextPiece("open")], to_server=True, width=12, style="")) == "open ─────▶ "
    assert text_of(arrow([TextPiece("ok")], to_server=False, width=12, style="")) == " ◀─────── ok"


def test_a_ladder_shows_what_starves_a_subscription() -> None:
    """Credit falls to zero, the finding is at its arrow, and five seconds pass."""

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        app.conversations.open("0-20-subscription", 16)
        app.show("conversations")
        await pilot.pause()
        lines = text(app).splitlines()
        shown = {line.split()[0]: line for line in lines if line.split()[:1]}
        assert shown["13"].rstrip().endswith("▶  credit 2")
        assert "credit 1" in shown["15"]
        assert shown["16"].rstrip().endswith("credit 0 W RMQ-C2")
        assert any("5 s without a frame" in line for line in lines)
        assert app.conversations.ladder.row == 16

    run(script, size=(100, 24))
