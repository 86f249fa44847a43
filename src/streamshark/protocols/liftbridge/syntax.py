"""Words of Liftbridge in subjects and texts: a redaction keeps them.

Source: liftbridge v1.9.0, `server/server.go` (subjects), `server/api.go`, `server/cursors.go`.
"""

import re
from typing import Final

from streamshark.schema.syntax import Syntax, word_set

SYNTAX: Final = Syntax(
    names=re.compile(
        r"(?<=\.)(raft\.metadata)\.[^.\s]+\.(accept|request)(?![\w])"
        r"|(?<=\.)(raft\.metadata)(?:\.(bootstrap(?:\.reply)?|join|info|fetch|propagate|status))?"
        r"(?![^.\s])"
        r"|(?<=\.)(notify)(?=\.[^.\s]+\Z)|(?<=\.)(\d+)\.(replicate|offset)\Z"
        r"|(?<![\w])(__cursors|__activity)(?![\w])"
        r"|\A(LIFT)\.[^.]+\.[^.]+\.(streams|raft|replication|acks|publishes)\Z"
    ),
    control_slots=frozenset({"liftbridge.raft"}),
    members=word_set(
        """
        RPCHeader ProtocolVersion Term Leader PrevLogEntry PrevLogTerm Entries LeaderCommitIndex
        Index Type Data Extensions LastLog Success NoRetryBackoff Candidate LastLogIndex
        LastLogTerm LeadershipTransfer Peers Granted SnapshotVersion Configuration
        ConfigurationIndex Size AppendedAt ID Addr"""
    ),
    bodies=re.compile(rb"\xb9\x0e\x43\xb4[\s\S]{0,9}|\xb9\x0e[\s\S]{2}|LIFT|\xb4\x43\x0e\xb9"),
    words=word_set(
        """
        stream partition no such exists already not found leader server subject name
        cursor cursors consumer group unknown closed readonly paused invalid request deleted
        offset expected inbox"""
    ),
)
