"""Tables of text."""

from streamshark.views.text_table import LEAST, grid


def test_columns() -> None:
    """As wide as needed; numbers and what stands for them to the right."""
    assert grid(["what", "n", "time"], [["open", "1", "3 ms"], ["x", "1,200", "-"]]) == [
        "what      n  time",
        "open      1  3 ms",
        "x     1,200     -",
    ]
    assert grid(["what"], []) == []


def test_narrow_terminals() -> None:
    """The widest text is cut in its middle, never a number, and not below a few characters."""
    rows = [["a" * 40 + "z", "b" * 20, "1,000,000"]]

    lines = grid(["first", "second", "number"], rows, width=50)
    assert {len(line) for line in lines} == {50}
    assert lines[1].endswith("1,000,000")
    assert "…" in lines[1]
    assert lines[1].split()[0].endswith("z")
    lines = grid(["first", "second", "number"], rows, width=5)
    assert len(lines[1]) == 2 * LEAST + 9 + 4
