"""Rules about leases."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.conversations import ANSWER, OPENING

LEASES: Final = (
    Rule(
        id="RSK-L3",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="request beyond a lease refused with another code than REJECTED",
        on="error",
        when=f"{ANSWER} and stream.over_lease_n is not None and error_code != 514 and "
        "stream.items == 0",
        needs="object both",
        evidence="n, stream.over_lease_n",
        message="the request beyond the lease was refused with {error_code:name}; REJECTED says "
        "that it may be sent again",
        cause="",
        source="Protocol.md, Lease Semantics",
        guilty="server",
    ),
    Rule(
        id="RSK-C10",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="client request before LEASE",
        on=OPENING,
        when="sender == 'client' and conn.leases and me.lease_n is None and conn.resume_n is None",
        needs="start whole both",
        evidence="n, conn.setup_n",
        message="{name} was sent on stream {fields.stream_id} before the server's LEASE",
        cause="The client asks for leases in SETUP but does not wait for one.",
        source="Protocol.md, Connection Establishment",
    ),
    Rule(
        id="RSK-C11",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="server request before LEASE",
        on=OPENING,
        when="sender == 'server' and conn.leases and me.lease_n is None and conn.resume_n is None",
        needs="start whole both",
        evidence="n, conn.setup_n",
        message="{name} was sent on stream {fields.stream_id} before the client's LEASE",
        cause="",
        source="Protocol.md, Connection Establishment",
        guilty="server",
    ),
    Rule(
        id="RSK-L1",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="more requests than the lease allows",
        on=OPENING,
        when="conn.leases and me.budget <= 0",
        needs="since",
        evidence="n, me.lease_n",
        message="{name} was sent on stream {fields.stream_id}, but the lease in frame {me.lease_n} "
        "is used up",
        cause="The requester does not count its requests.",
        source="Protocol.md, Lease Semantics",
    ),
    Rule(
        id="RSK-L2",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="request after the lease expired",
        on=OPENING,
        when="conn.leases and me.budget > 0 and t > me.lease_end + LEASE_GRACE",
        needs="since",
        evidence="n, me.lease_n",
        message="{name} was sent on stream {fields.stream_id}, but the lease in frame {me.lease_n} "
        "has expired",
        cause="The requester ignores the lease's time to live.",
        source="Protocol.md, Lease Semantics",
    ),
)
