"""Texts of views are divided where they were painted, and hold no control characters."""

from streamshark.tui.pieces import PiecePalette, TextPiece, pieces, text_of


def test_painted_text_is_divided_into_pieces() -> None:
    """Each painted part is a piece with its style, the rest is plain."""
    paint = PiecePalette().paint
    line = f"{paint('error', 'bad')} and {paint(None, 'plain')}{paint('name', '')}"
    assert pieces(line) == [TextPiece("bad", "error"), TextPiece(" and plain")]
    assert text_of(pieces(line)) == "bad and plain"
    assert pieces("") == []
