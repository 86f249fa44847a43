"""Which members of a frame have the value of a field that spans commands."""

from streamshark.fields.common_fields import CommonField, CommonFlag, is_record, sources
from streamshark.schema import U8, Many, Record, field, text
from streamshark.schema.walk import walk_word

TREE = walk_word(
    Record(
        field("stream", text(U8), "S."),
        field("name", text(U8), "N."),
        field("others", Many(Record(field("stream", text(U8), "O.")), count=U8), "O."),
        field("inner", Record(field("stream", Record(field("id", U8, "I.")), "R.")), "R."),
        field("streams", Many(text(U8), count=U8), "L."),
    ),
    "made.list",
)


def paths(table: CommonField | CommonFlag) -> list[str]:
    """The paths of the sources."""
    return [".".join(each.path) for each in sources(table, TREE)]


def test_members_at_any_depth() -> None:
    """In wire order; a record of the name is none."""
    assert paths(CommonField(name="stream", doc="", members=("stream",))) == [
        "stream", "others.stream",
    ]  # fmt: skip


def test_members_of_certain_commands() -> None:
    """Added, or left out, by their full paths; lists of plain values too."""
    table = CommonField(
        name="stream", doc="", members=("stream",), paths=("list.streams", "other.name"),
        but=("list.others.stream",),
    )  # fmt: skip
    assert paths(table) == ["stream", "streams"]
    assert paths(CommonFlag(name="failed", doc="", members=("name",))) == ["name"]


def test_records() -> None:
    """Also lists of records."""
    found = {".".join(each.path): is_record(each) for each in TREE.named()}

    assert {name for name, record in found.items() if record} == {
        "others", "inner", "inner.stream",
    }  # fmt: skip
