"""Steps as they are printed."""

from streamshark.lua.steps import StepPrinter, ValueNames, needed
from streamshark.schema import U8, U16, Record, When, field, text, this
from streamshark.schema.walk import walk_word

RECORD = Record(
    field("kind", U8, "What.", names={1: "one"}),
    When(this.kind == 1, field("name", text(U16), "Who.")),
)


def test_a_record_reads_like_its_schema() -> None:
    """A record reads like its schema."""
    tree = walk_word(RECORD, "x.entity")
    names = ValueNames()
    assert StepPrinter(tree, names).members(tree.root.members) == (
        "{\n"
        '  word.u8("kind", "What.", { names = names.kind, keep = true }),\n'
        '  word.when(function(v) return v.kind == 1 end, { word.text(U16, "name", "Who.") }),\n'
        "}"
    )
    assert names.taken == {"kind": {1: "one"}}


def test_what_text_is_written_in_is_said() -> None:
    """Where it is not UTF-8."""
    encodings = {"a": "utf-8", "b": "mutf-8", "c": "ascii"}
    members = (field(name, text(U16, encoding=each), "T.") for name, each in encodings.items())
    tree = walk_word(Record(*members), "x.texts")
    assert StepPrinter(tree, ValueNames()).members(tree.root.members) == (
        "{\n"
        '  word.text(U16, "a", "T."),\n'
        '  word.text(U16, "b", "T.", { encoding = "mutf-8" }),\n'
        '  word.text(U16, "c", "T.", { encoding = "ascii" }),\n'
        "}"
    )


def test_what_expressions_refer_to_is_kept() -> None:
    """What expressions refer to is kept."""
    assert needed(walk_word(RECORD, "x.entity")) == {"kind"}


def test_equal_names_share_a_table_and_others_of_one_name_do_not() -> None:
    """Equal names share a table and others of one name do not."""
    names = ValueNames()
    first = names.of("code", {1: "ok"}).text
    assert names.of("other", {1: "ok"}).text == first == "names.code"
    assert names.of("code", {1: "bad"}).text == "names.code_2"
