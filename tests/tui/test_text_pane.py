"""Text is folded at blanks, with its styles, and never wider than the pane."""

from streamshark.tui.pieces import PiecePalette, TextPiece, pieces, text_of
from streamshark.tui.text_pane import folded
from streamshark.views.terminal_lines import columns


def test_lines_are_folded_at_blanks_and_keep_their_styles() -> None:
    """Later lines are indented further than the first one."""
    text = f"  {PiecePalette().paint('name', 'Cause:')} the client has not given credit"
    lines = folded(pieces(text), 20)
    assert [text_of(each).rstrip() for each in lines] == [
        "  Cause: the client",
        "    has not given",
        "    credit",
    ]
    assert TextPiece("Cause:", "name") in lines[0]


def test_words_wider_than_a_line_are_cut() -> None:
    """No line is wider than asked, also in scripts with wide letters."""
    for text in ("a" * 95, "x " + "b" * 50, "注文" * 30, ""):
        lines = folded([TextPiece(text)], 20)
        assert all(columns(text_of(each)) <= 20 for each in lines)
        assert "".join(map(text_of, lines)).replace(" ", "") == text.replace(" ", "")
