"""All rules of RSocket, for peers that misbehave.

Ids are those of the document's sections as this project numbers them, `RSK-` before them: C the
connection, K keepalive, S streams, F fragments, M metadata, L leases, R resuming, W carriers, D
bytes that cannot be read. Where the document contradicts itself, or real peers of every kind do
otherwise, the rule follows them, as its cause states: LEASE with zeros, positions of KEEPALIVE,
reuse of stream ids after they wrap. S4 is S2 and S3 (one request for each stream), S16 is S11, S18
is that all of it holds for either side. K6 is covered by C24. Not rules: C15's second half (whose
token it is) and what a peer does inside when it ignores a frame, for no frame shows them; C16 (the
largest frame), for 24 bits cannot say more, and a longer message of a carrier is no frame (D2). R9
is what positions show of it: that they are between two frames.
"""

from typing import Final

from streamshark.findings.general_rules import general, half_open
from streamshark.findings.harm import with_harm
from streamshark.protocols.rsocket.findings.answers import ANSWERS
from streamshark.protocols.rsocket.findings.behaviours import BEHAVIOURS
from streamshark.protocols.rsocket.findings.connection import CONNECTION
from streamshark.protocols.rsocket.findings.contents import CONTENTS
from streamshark.protocols.rsocket.findings.continuity import CONTINUITY
from streamshark.protocols.rsocket.findings.endings import ENDINGS
from streamshark.protocols.rsocket.findings.exchanges import EXCHANGES
from streamshark.protocols.rsocket.findings.fragments import FRAGMENTS
from streamshark.protocols.rsocket.findings.framing import BYTES
from streamshark.protocols.rsocket.findings.harm import HARM
from streamshark.protocols.rsocket.findings.keepalives import KEEPALIVES
from streamshark.protocols.rsocket.findings.leases import LEASES
from streamshark.protocols.rsocket.findings.metadata import METADATA
from streamshark.protocols.rsocket.findings.object_states import OBJECT_STATES
from streamshark.protocols.rsocket.findings.pacing import PACING
from streamshark.protocols.rsocket.findings.programs import PROGRAMS
from streamshark.protocols.rsocket.findings.resuming import POSITIONS, RESUMING
from streamshark.protocols.rsocket.findings.streams import STREAMS

RULES: Final = tuple(with_harm((
    *CONNECTION, *KEEPALIVES, *STREAMS, *FRAGMENTS, *METADATA, *CONTENTS, *LEASES, *RESUMING,
    *POSITIONS, *BYTES, *BEHAVIOURS, *EXCHANGES, *ANSWERS, *CONTINUITY,
    *ENDINGS, *OBJECT_STATES, *PROGRAMS, *PACING,
    half_open("RSK-C32", "Protocol.md, Transport Protocol", "RSocket"),
    *general("RSK", "Protocol.md, Framing Protocol", "RSocket"),
), HARM))  # fmt: skip
"""Read by the judge, `streamshark.findings`."""
