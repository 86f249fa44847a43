"""Members of every row, and header fields."""

from tests.failures import every
from tests.madeup import parrot_traffic

from streamshark.conversations.conversation import Annotation, Name
from streamshark.fields.field import ANNOTATION
from streamshark.fields.rows import HEADERS, MEMBERS, member_getter


@every("name", [name for name in MEMBERS if name != "file"])
def test_every_member_has_a_getter(name: str) -> None:
    """Of frames; `file` has one in a registry that knows the names of the captures."""
    getter = member_getter(name)
    row = parrot_traffic.row(parrot_traffic.say())

    assert getter is not None
    assert isinstance(list(getter.values(row)), list)


def test_annotations_are_raw() -> None:
    """Times are numbers of nanoseconds."""
    row = parrot_traffic.row(parrot_traffic.say())
    row.annotation = Annotation(Name(0, 3, "call"), {"user": "ara"}, 3, 1_000_000_250, 9)
    found = {name: member_getter(name) for name in ("response_time", "conversation", "context")}

    values = {name: list(each.values(row)) for name, each in found.items() if each}
    assert values == {
        "response_time": [1_000_000_250],
        "conversation": ["0-3-call"],
        "context": [{"user": "ara"}],
    }
    assert {name for name, each in MEMBERS.items() if each.needs} >= {"conversation", "context"}
    assert MEMBERS["context"].needs == {ANNOTATION}


def test_events_have_fewer() -> None:
    """No frame number, no key; their kind is constant."""
    assert member_getter("frame", event=True) is None
    assert member_getter("key", event=True) is None
    assert (kind := member_getter("kind", event=True)) is not None
    assert kind.expression == "'event'"


def test_headers_are_members() -> None:
    """All but two of them are members of the JSON."""
    assert set(HEADERS) - set(MEMBERS) == {"problem", "response_time"}
