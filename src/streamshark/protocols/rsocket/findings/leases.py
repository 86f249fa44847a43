"""Rules about leases."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.conversations import ANSWER, OPENING

LEASES: Final = (
    Rule(
        id="RSK-L4",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="first lease that allows nothing",
        on="repetition:empty_lease",
        needs="start whole both",
        evidence="n, conn.setup_n",
        message="the {sender}'s LEASE allows {number_of_requests:count request} for "
        "{time_to_live:count millisecond}, and none before it has allowed any: its peer may send "
        "no request",
        cause="The responder's limit is not set, or is counted wrongly. It is a note if a later "
        "lease allows requests.",
        healthy="A responder that starts, and serves later.",
        source="Protocol.md, LEASE Frame (0x02)",
    ),
    Rule(
        id="RSK-L5",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="lease of a very short time",
        on="lease",
        when="0 < time_to_live < SHORT_LEASE and number_of_requests > 0",
        needs="",
        per="server, sender",
        message="LEASE allows {number_of_requests:count request} within "
        "{time_to_live:count millisecond}",
        cause="The time is in milliseconds; the responder may mean seconds.",
        source="Protocol.md, LEASE Frame (0x02)",
        healthy="Peers on one host, with many leases.",
    ),
    Rule(
        id="RSK-L9",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="lease of a very long time",
        on="lease",
        when="time_to_live > LONG_LEASE",
        needs="",
        per="server, sender",
        message="LEASE allows {number_of_requests:count request} within "
        "{time_to_live:count millisecond}, which is over a day",
        cause="The time is in milliseconds; the responder may mean a smaller unit, or no limit.",
        source="Protocol.md, LEASE Frame (0x02)",
        healthy="Leases whose number of requests is the limit.",
    ),
    *(
        Rule(
            id="RSK-L10",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="lease that is used up and not renewed",
            on="end:conn",
            when=f"{side}.budget == 0 and {side}.spent_n is not None and "
            f"conn.last_t - {side}.spent_t > STALLED",
            needs="since both",
            evidence=f"{side}.spent_n, {side}.lease_n",
            message=f"the {sender} used the last request of its lease in frame {{{side}.lease_n}}, "
            f"and no LEASE followed for {{conn.last_t - {side}.spent_t:time}}, until the "
            "connection ended",
            cause="The responder has to send the next lease when one is used up: until then the "
            "requester must wait with each request, or fail it.",
            source="Protocol.md, LEASE Frame (0x02); Lease Semantics",
            healthy="A requester that has nothing more to ask.",
        )
        for side, sender in (("C", "client"), ("S", "server"))
    ),
    Rule(
        id="RSK-L6",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="leases of one request each",
        on="repetition:single_leases",
        needs="",
        of="conn",
        message="{SINGLE_LEASES} leases in a row allow one request each",
        cause="Each request costs a LEASE, and waits for it: a lease of several requests lets the "
        "requester send them when it has them.",
        source="Protocol.md, LEASE Frame (0x02)",
        healthy="Requests that must not run at the same time.",
    ),
    Rule(
        id="RSK-L8",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="leases that are replaced long before they are needed",
        on="repetition:early_leases",
        needs="whole both",
        of="conn",
        message="{EARLY_LEASES} leases in a row each replace one that is hardly used: of the one "
        "in frame {me.lease_given_n}, {me.lease_taken} of {me.lease_allows:count request} and "
        "{t - me.lease_given_t:time} of {me.lease_lasts * 1000000:time} are used up",
        cause="LEASE is sent at a short interval, whatever the requester has used: send the next "
        "one when the requests or the time of the last one run out.",
        source="Protocol.md, LEASE Frame (0x02)",
        healthy="A responder that adapts the number of requests to its load.",
    ),
    Rule(
        id="RSK-L7",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request within its lease rejected",
        on="error",
        when=f"{ANSWER} and error_code == 514 and conn.leases and stream.over_lease_n is None and "
        "stream.items == 0 and peer.lease_n < stream.n",
        needs="object both",
        evidence="n, stream.n, peer.lease_n",
        message="the request on stream {fields.stream_id} was rejected, although the lease in "
        "frame {peer.lease_n} allowed it",
        cause="The responder counts the requests of its leases otherwise than it announces them.",
        source="Protocol.md, Lease Semantics",
        healthy="The responder has no room for another reason.",
        guilty="server",
    ),
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
        echo_of="RSK-L4",
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
