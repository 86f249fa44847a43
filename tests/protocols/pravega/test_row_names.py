"""Names of rows are those of commands, and each reply is in its place."""

from streamshark.protocols.pravega import row_names
from streamshark.protocols.pravega.framing import all_frames
from streamshark.schema import Sender


def test_names_are_those_of_commands() -> None:
    """Of all dialects; refusals come from the server, appends from the client."""
    senders = {each.name: each.sender for each in all_frames()}
    lists = (
        row_names.BLOCKS,
        row_names.CALLS,
        row_names.REPLIES,
        row_names.REFUSALS,
        row_names.READS_REFUSED,
        row_names.CONDITIONAL,
    )
    wrong = [name for each in lists for name in each.split() if name not in senders]
    assert wrong == []
    assert {senders[each] for each in row_names.APPENDS.split()} == {Sender.CLIENT}
    assert {senders[each] for each in row_names.REFUSALS.split()} == {Sender.SERVER}


def test_errors_with_rules_of_their_own_are_no_refusals() -> None:
    """A wrong place and a wrong token."""
    refusals, errors = set(row_names.REFUSALS.split()), set(row_names.ERRORS.split())
    assert errors - refusals == {"wrong_host", "auth_token_check_failed"}
