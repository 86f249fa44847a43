"""The tables of what is repeated: what tests of the rules do not show."""

from streamshark.conversations.tables import Constant
from streamshark.protocols.nats.echo_behaviours import ECHOES
from streamshark.protocols.nats.jetstream import SUBJECTS


def test_types_of_answers_are_those_of_requests_of_the_api() -> None:
    """Each request that has a type of its answer is one that JetStream names."""
    types = next(
        each.value for each in ECHOES if isinstance(each, Constant) and each.name == "ANSWER_TYPES"
    )

    assert types.keys() <= SUBJECTS.keys()
    assert types["$JS.API.STREAM.CREATE.*"] == "stream_create"
