"""What fragments are together, in every output."""

import json
from typing import Any

import pytest
from tests.fields.known import fields_of
from tests.madeup import vault

from streamshark.dissection import reassembly as pieces
from streamshark.views import reassembly
from streamshark.views.colour import Palette
from streamshark.views.display_options import DisplayOptions
from streamshark.views.fields_output import FieldRows, Layout
from streamshark.views.json import JsonRows
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.text import TextRows
from streamshark.views.times import Clock
from streamshark.views.tree import FrameTree
from streamshark.views.tree_items import lines as tree_lines
from streamshark.views.tree_nodes import Subtrees

PLAIN = Palette(enabled=False)
CUT = (vault.put(vault.BODY[:2], more=True), vault.put(b"", more=True), vault.put(vault.BODY[2:]))
"""A name and a secret in three fragments."""
TOGETHER = {"command": "put", "count": 3, "fragments": [2, 3, 4]}


def fields(*frames: bytes, **showing: object) -> dict[str, Any]:
    """What JSON has of the last of some frames."""
    view = JsonRows(DisplayOptions(**showing), layers=vault.LAYERS)
    return json.loads([view.row(row) for row in vault.rows(*frames)][-1])  # type: ignore[no-any-return]


def lines(*frames: bytes, mode: str = "decoded", secrets: bool = False) -> list[str]:
    """The lines of the last of some frames from its body on."""
    *_, row = vault.rows(*frames)
    bodies = PayloadTree(vault.LAYERS, mode)
    tree = FrameTree(row, Subtrees(), secrets=secrets, bodies=bodies)
    return [each for each in list(tree_lines(tree.items, PLAIN))[3:] if " = " not in each]


def test_json_has_it_at_the_last_fragment() -> None:
    """Beside the fragment's own members, read as one; the fragments alone are not read."""
    hello = vault.hello(vault.KEY)

    assert "reassembled" not in fields(hello, *CUT[:2])["fields"]
    row = fields(hello, *CUT)
    assert row["fields"]["body"] == "***"
    assert row["fields"]["reassembled"] == {**TOGETHER, "body": {"name": "a", "key": "***"}}
    assert row["problems"] == []
    assert fields(hello, *CUT, secrets=True)["fields"]["reassembled"]["body"]["key"] == "key"


@pytest.mark.parametrize(
    ("mode", "secrets", "body"),
    [
        ("raw", False, "***"),
        ("raw", True, vault.BODY.hex()),
        ("size", False, {"bytes": 6}),
    ],
)
def test_bodies_are_shown_as_everywhere(mode: str, secrets: bool, body: object) -> None:  # noqa: FBT001
    """As hex, or by their size."""
    found = fields(vault.hello(vault.KEY), *CUT, bodies=mode, secrets=secrets)

    assert found["fields"]["reassembled"]["body"] == body


def test_text_in_fragments() -> None:
    """What nothing says is read by who is surest of the whole."""
    hello = vault.hello(vault.OPEN)
    row = fields(hello, vault.put("grü".encode()[:3], more=True), vault.put("grü".encode()[3:]))

    assert row["fields"]["reassembled"]["body"] == {"format": "text", "value": "grü", "bytes": 4}


def test_what_is_wrong_inside() -> None:
    """Has no place in the last fragment; the fragments themselves are accused of nothing."""
    row = fields(vault.hello(vault.KEY), *CUT[:2], vault.put(b"\xffkey"))

    (problem,) = row["problems"]
    assert (problem["code"], problem["field"]) == ("short", "vault.put.body")
    assert problem["message"].endswith("of the reassembled body)")
    shown = lines(vault.hello(vault.KEY), *CUT[:2], vault.put(b"\xffkey"))
    assert [each for each in shown if "[E] short" in each]


def test_the_tree_has_it_below_the_last_fragment() -> None:
    """And says of the others what they are fragments of."""
    hello = vault.hello(vault.KEY)

    assert lines(hello, *CUT[:1]) == ["body: ***", "[fragment 1 of put]"]
    assert lines(hello, *CUT[:2]) == ["body: [empty]", "[fragment 2 of put, from #2 on]"]
    told = "[reassembled put, 3 fragments: #2, #3, #4; body 6 bytes]"
    assert lines(hello, *CUT) == [
        "body: ***", told, "    body: [6 bytes]", "        name: a", "        key: ***",
    ]  # fmt: skip
    assert lines(hello, *CUT, mode="size") == ["body: ***", told, "    body: [6 bytes]"]
    assert lines(hello, *CUT, mode="raw") == ["body: ***", told, "    body: ***"]


def test_a_line_says_it() -> None:
    """Sizes alone."""
    view = TextRows(Clock("r", lambda: None, 6), PLAIN, loose=True)
    first, *_, last = [view.row(row) for row in vault.rows(*CUT)]

    assert first.endswith("[fragment 1 of put]")
    assert last.endswith("[reassembled put, 3 fragments: #1, #2, #3; body 6 bytes]")


def test_what_is_too_much_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every output."""
    monkeypatch.setattr(pieces, "MOST_BYTES", 5)
    reason = "its fragments exceed 5 bytes"
    hello = vault.hello(vault.KEY)

    assert fields(hello, *CUT)["fields"]["reassembled"] == {**TOGETHER, "reason": reason}
    told = f"[not reassembled: put, 3 fragments: #2, #3, #4; {reason}]"
    assert lines(hello, *CUT) == ["body: ***", told]


def test_many_fragments_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of their numbers has an end."""
    monkeypatch.setattr(reassembly, "MOST_LISTED", 2)
    *_, row = vault.rows(*CUT)

    told = "reassembled put, 3 fragments: #1, #2, ...; body 6 bytes"
    assert reassembly.sentence(row) == told


@pytest.mark.parametrize(
    ("name", "value"),
    [("command", "put"), ("count", "3"), ("fragments", "2,3,4"), ("reason", ""), ("body", "***")],
)
def test_fields_by_name(name: str, value: str) -> None:
    """Each under its full name, at the last fragment alone."""
    view = FieldRows(
        [f"vault.put.reassembled.{name}"], fields_of(vault.WIRE), Layout(), DisplayOptions()
    )

    shown = [view.row(row) for row in vault.rows(vault.hello(vault.KEY), *CUT)]
    assert shown == ["", "", "", value]


def test_secrets_by_name() -> None:
    """Shown to those who ask for them."""
    names = ["vault.put.reassembled.body"]
    view = FieldRows(names, fields_of(vault.WIRE), Layout(), DisplayOptions(secrets=True))

    *_, shown = [view.row(row) for row in vault.rows(vault.hello(vault.KEY), *CUT)]
    assert shown == vault.BODY.hex()


def test_the_list_of_fields_has_them() -> None:
    """Of frames that may be the last fragment of one."""
    found = {
        each.name: each.type.words
        for each in fields_of(vault.WIRE).all()
        if "reassembled" in each.name
    }

    assert found == {
        "vault.put.reassembled.command": "text",
        "vault.put.reassembled.count": "number",
        "vault.put.reassembled.fragments": "list of number",
        "vault.put.reassembled.reason": "text",
        "vault.put.reassembled.body": "bytes",
    }
