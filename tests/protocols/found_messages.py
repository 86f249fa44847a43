"""The messages that a recorded capture holds."""

from pathlib import Path

from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import formats
from streamshark.session import Session
from streamshark.views.display_options import DisplayOptions
from streamshark.views.messages import Message, MessageReader

CAPTURES = Path(__file__).parents[2] / "captures"


def messages_in(capture: str) -> list[Message]:
    """All messages of a capture, as `protocol/scenario`, in the order of its frames."""
    (path,) = (CAPTURES / capture).glob("traffic.*")
    session = Session([str(path)], formats=formats(), puts_together=True)
    hide = SecretMask(session.layers).row
    reader = MessageReader(session.protocols, DisplayOptions(), session.layers, hide)
    rows = session.analysis().rows()
    return [each for row in rows if isinstance(row, FrameRow) for each in reader.messages(row)]


def summary(message: Message) -> tuple[bool, str | None, object, str]:
    """What most claims are about: direction, stream, number, body."""
    return message.is_published, message.stream, message.number, message.text
