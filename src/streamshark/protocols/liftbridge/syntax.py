"""Words of Liftbridge in subjects and texts: a redaction keeps them.

Source: liftbridge v1.9.0, `server/server.go` (subjects), `server/api.go`, `server/cursors.go`.
"""

import re
from typing import Final

from streamshark.schema.syntax import Syntax

SYNTAX: Final = Syntax(
    names=re.compile(
        r"(?<=\.)(raft\.metadata\.(?:bootstrap(?:\.reply)?|join|info|fetch|propagate|status))(?![\w])"
        r"|(?<=\.)(raft\.metadata)\.[^.\s]+\.(accept|request)(?![\w])"
        r"|(?<=\.)(notify)(?=\.[^.\s]+\Z)|(?<=\.)(\d+)\.(replicate|offset)\Z"
        r"|(?<![\w])(__cursors|__activity)(?![\w])"
        r"|(?<![\w])(streams|raft|replication|acks|publishes)\Z"
    ),
    words=frozenset(
        """stream partition no such exists already not found leader server subject name
        cursor cursors consumer group unknown closed readonly paused invalid request deleted
        offset expected inbox""".split()
    ),
)
