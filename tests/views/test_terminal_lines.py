"""Lines that fit a terminal."""

import pytest

from streamshark.views.terminal_lines import (
    FoldLayout,
    columns,
    cut,
    fold,
    graphemes,
    indented,
    of_row,
)

RED, OFF = "\x1b[31m", "\x1b[0m"


def test_columns() -> None:
    """Wide characters take two, marks and colours none, a flag is one character."""
    assert [columns(each) for each in ("abc", "注文", "e\u0301", f"{RED}a{OFF}", "")] == [
        3, 4, 1, 1, 0,
    ]  # fmt: skip
    assert list(graphemes("e\u0301\U0001f1e9\U0001f1ea\U0001f44d\U0001f3fd")) == [
        ("e\u0301", 1), ("\U0001f1e9\U0001f1ea", 2), ("\U0001f44d\U0001f3fd", 2),
    ]  # fmt: skip


def test_cut() -> None:
    """No wide character is divided, and none is parted from its marks."""
    assert [cut("orders", most) for most in (6, 5, 1, 0)] == ["orders", "orde…", "…", ""]
    assert [cut("注文注文", most) for most in (8, 7, 6, 2)] == ["注文注文", "注文注…", "注文…", "…"]
    assert cut("e\u0301e\u0301e\u0301", 2) == "e\u0301…"


@pytest.mark.parametrize("width", [20, 33, 40, 80])
def test_folded_lines_fit_and_keep_their_words(width: int) -> None:
    """Whatever the width, for words that fit."""
    words = [f"{RED}word{n}{OFF}" if n % 3 else f"注文{n}" for n in range(40)]
    folded = fold(f"  {' '.join(words)}", width)
    lines = folded.split("\n")

    assert max(map(columns, lines)) <= width
    assert " ".join(folded.split()).replace(RED, "").replace(OFF, "") == " ".join(words).replace(
        RED, ""
    ).replace(OFF, "")
    assert all(line.startswith(" " * min(6, width - 20)) for line in lines[1:])


def test_what_stays_together() -> None:
    """The mark of a refusal and its command, a number and its unit; a long word is cut."""
    row = (
        "   6 p11     0.002218 1.2.3.4:5 -> 1.2.3.4:6 rmqstream ! open_response code=x -> 5, 404 us"
    )

    assert fold(row, 60, of_row).split("\n") == [
        "   6 p11     0.002218 1.2.3.4:5 -> 1.2.3.4:6 rmqstream",
        "             ! open_response code=x -> 5, 404 us",
    ]
    assert fold("a 3 MiB 12 bytes", 4, lambda _: FoldLayout(0)).split("\n") == ["a", "3 M…", "12 …"]
    assert fold("x" * 30, 10) == "x" * 9 + "…"
    assert fold("short", 10) == "short"


def test_where_later_lines_begin() -> None:
    """Four columns further; of a row, below its time, from its command on."""
    assert [indented("  a"), of_row("  12 p7 0.1 a -> b nats sub"), of_row("  a")] == [
        FoldLayout(6), FoldLayout(8, 24), FoldLayout(6),
    ]  # fmt: skip
    assert of_row("  12 p7 0.1 nats -> subject body") == FoldLayout(8)
