"""Every record that is in frames, and in calls of the controller."""

from typing import Final

from streamshark.protocols.pravega.append_content import APPEND_BLOCK
from streamshark.protocols.pravega.controller import CONTROLLER
from streamshark.protocols.pravega.draft_spec import MESSAGE

EMBEDDED_RECORDS: Final = (APPEND_BLOCK, MESSAGE, *CONTROLLER)
