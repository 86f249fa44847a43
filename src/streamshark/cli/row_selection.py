"""The rows that `--flow`, `--conversation` and `--frame` choose."""

from typing import TYPE_CHECKING, Any

from streamshark.cli.diagnostics import report_missing_flows
from streamshark.cli.run import Ending
from streamshark.dissection.row import FrameRow, Row
from streamshark.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from streamshark.analysis import Analysis
    from streamshark.conversations.conversation import Conversation
    from streamshark.conversations.follow import ConversationRows


class RowSelection:
    """The rows of the chosen connections and conversations; all rows if none is chosen.

    Of these, the frames with the chosen numbers, if any are chosen.
    """

    def __init__(self, session: Session, given: dict[str, Any]) -> None:
        self._session = session
        self._flows = frozenset(given["flows"])
        self._numbers = given.get("numbers")
        self.conversations: list[ConversationRows] = []
        if given["conversations"]:
            from streamshark.conversations import follow  # noqa: PLC0415 - few need it

            types = follow.types_of_connections(each.conversations for each in session.protocols)
            self.conversations = [
                follow.ConversationRows(name, types) for name in given["conversations"]
            ]

    @property
    def is_all(self) -> bool:
        """Whether nothing is chosen, so that all rows are taken."""
        return not self._flows and not self.conversations and not self._numbers

    @property
    def flows(self) -> frozenset[int]:
        """The connections that are chosen, or have frames of chosen conversations so far."""
        return self._flows.union(*(each.flows for each in self.conversations))

    def takes(self, row: Row, ended: "Iterable[Conversation]" = ()) -> bool:
        """Return whether a row is chosen; `ended` are the conversations that it has ended."""
        taken = row.connection.flow.number in self._flows
        for each in self.conversations:
            taken |= each.takes(row, ended)
        if not self._numbers:
            return taken
        is_numbered = isinstance(row, FrameRow) and row.number in self._numbers
        return is_numbered and (taken or not (self._flows or self.conversations))

    def finish(self, analysis: "Analysis | None", ending: Ending) -> None:
        """Report what is chosen and was not found.

        Raises:
            StreamsharkError: There is no conversation with a chosen id.
        """
        ended = [] if analysis is None else analysis.ended()
        for chosen in self.conversations:
            chosen.find(ended)
            if chosen.conversation is None:
                from streamshark.cli.conversations import raise_missing  # noqa: PLC0415 - as above

                raise_missing(self._session, chosen, ending)
        if self._numbers and not ending.failed and not ending.interrupted:
            self._numbers.report_missing(self._session.frames)
        report_missing_flows(self._flows, len(self._session.dissector.tracker.flows))
