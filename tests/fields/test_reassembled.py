"""Fields of what fragments are reassembled to."""

from tests.madeup import vault

from streamshark.fields.reassembled import facts, names, parts_of, values

CUT = (vault.put(vault.BODY[:2], more=True), vault.put(vault.BODY[2:3], more=True),
       vault.put(vault.BODY[3:]))  # fmt: skip


def test_values_at_the_last_fragment() -> None:
    """The facts and the parts; nothing at the fragments before."""
    *_, first, middle, last = vault.rows(vault.hello(vault.OPEN), *CUT)

    assert facts(last)["count"] == 3
    assert values(last, "body") == [vault.BODY]
    assert values(last, "command") == ["put"]
    assert values(last, "reason") == []
    assert facts(first) == {}
    assert values(middle, "body") == []


def test_names_of_frames_that_may_be_fragments() -> None:
    """Only these have some."""
    hello, put = (each.tree for each in vault.WIRE.table().all)

    assert parts_of(vault.WIRE, put) == ("body",)
    assert list(names(vault.WIRE, hello)) == []
    assert [name for name, *_ in names(vault.WIRE, put)] == [
        f"vault.put.reassembled.{name}"
        for name in ("command", "count", "fragments", "reason", "body")
    ]
