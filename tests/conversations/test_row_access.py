"""Columns as handlers read them: of rows, and of others."""

from collections.abc import Iterable, Mapping
from typing import Any

from tests.conversations.test_handler_code import SEND, place, program

from streamshark.conversations.handler_code import HandlerCode
from streamshark.conversations.row_access import SessionRowAccess
from streamshark.conversations.tables import Action, Context
from streamshark.schema.nodes import Tree


class Columns:
    """An adapter of batches: a row is a tuple, its columns are taken by their place."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.bound: dict[str, Any] = {}

    def built_in(self, name: str) -> str:
        """By place."""
        return f"row[{self.names.index(name)}]"

    def column(self, tree: Tree | None, path: tuple[str, ...], part: str) -> str:
        """By place."""
        assert tree is not None
        assert not part
        return f"row[{self.names.index('.'.join(path))}]"

    def sure(self, tree: Tree, path: tuple[str, ...], part: str) -> str | None:
        """No more than that."""
        assert part in ("", "len")
        assert tree.find(".".join(path)).name
        return None

    def lines(self, tree: Tree | None, read: Mapping[str, str]) -> Iterable[str]:
        """One after the other."""
        assert tree is not None
        return [f"{name} = {text}" for text, name in read.items()]

    def common(self, body: str) -> Iterable[tuple[str, str]]:
        """Nothing."""
        assert body
        return ()


def test_columns_are_read_where_they_are_needed() -> None:
    """A tick has none, an answer its id."""
    made = program(SEND)

    assert "shallow" not in HandlerCode(made.chosen, place("tick"), SessionRowAccess()).row()
    answer = HandlerCode(made.chosen, place("send_response", "server"), SessionRowAccess()).row()
    assert answer.count("row.shallow") == 1
    assert "values" not in answer


def test_lists_are_measured_without_being_read() -> None:
    """The items of a list are decoded at their first use."""
    made = program(
        Action(on="send", do="conn.count = len(goods)"), Context(name="count", value="conn.count")
    )
    assert "row.values" not in HandlerCode(made.chosen, place("send"), SessionRowAccess()).row()


def test_the_same_tables_over_columns() -> None:
    """A handler of another adapter pairs tuples."""
    names = ("t", "n", "side", "correlation_id", "address")
    made = program(SEND)
    conn = made.meet(0, 0, start=True)
    conn.sides[0].frames = conn.sides[1].frames = 1
    rows = [(place("send"), 0, (5, 1, 0, 7, "home")),
            (place("send_response", "server"), 1, (9, 2, 1, 7, None))]  # fmt: skip
    told = []
    for where, side, row in rows:
        text = HandlerCode(made.chosen, where, Columns(*names)).row()
        handle = made._run(compile(text, "<test>", "exec"))
        told.append(handle(row, conn, conn.sides[side], conn.sides[1 - side]))

    assert (told[1].request_frame, told[1].response_time_ns) == (1, 4)
