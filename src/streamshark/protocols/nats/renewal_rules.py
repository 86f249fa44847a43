"""Rules for keys and consumers that are renewed wrongly, incomplete objects, and endless rounds."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.behaviours import CHUNKS, DELETED, META
from streamshark.protocols.nats.renewal_behaviours import (
    GOES_ROUND,
    KEPT_FOR_EVER,
    RENEWED,
    SKIPS_AGAIN,
    START_SEQUENCE,
    STORED_EACH,
    WITHOUT_TTL,
)
from streamshark.protocols.nats.row_names import DELIVERED, SENT
from streamshark.protocols.nats.sources import CONSUMER

_EXPIRES: Final = "ADR-48, KV TTL; nats.go issue 1994"

LEASES: Final = (
    *(
        Rule(
            id=rule_id,
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title=f"key renewed without its time to live{how}",
            on=on,
            when=f"{RENEWED} and coalesce(leased.renewals, 0) + 1 >= RENEWALS_LIMIT{more}",
            needs="",
            of="leased",
            evidence="leased.lost_n, leased.ttl_n, n",
            message="{subject} was created with Nats-TTL {leased.ttl}, and the same value was "
            "written {RENEWALS_LIMIT} times without that header: the key no longer expires",
            cause="Each write of a key has a time to live of its own: an update without Nats-TTL "
            "keeps the value for ever, also when the program that renews it is gone.",
            source=_EXPIRES,
            healthy="A key that is to stay once it is confirmed.",
            echo_of="NATS-B270c",
        )
        for rule_id, how, on, more in (
            ("NATS-B270", " by an update", "client:hpub", f" and {WITHOUT_TTL}"),
            ("NATS-B270b", " by a put", "client:pub", ""),
        )
    ),
    Rule(
        id="NATS-B270c",
        severity=Severity.ERROR,
        group=Group.RESPONSE,
        title="key that should have expired refused to another client",
        on=DELIVERED,
        when=KEPT_FOR_EVER,
        needs="",
        per="server, asked.subject",
        evidence="leased.lost_n, leased.ttl_n, asked.n, n",
        message="{asked.subject} cannot be created, {t - leased.written_t:time} after its last "
        "write: it was created with Nats-TTL {leased.ttl} in frame {leased.ttl_n}, and written "
        "without it since frame {leased.lost_n}, so that it does not expire",
        cause="Each write of a key has a time to live of its own: an update without Nats-TTL "
        "keeps the value for ever. A lock that is renewed so is never free when its owner is gone.",
        source=_EXPIRES,
    ),
)

OBJECTS: Final = (
    Rule(
        id="NATS-B271",
        severity=Severity.ERROR,
        group=Group.SEQUENCE,
        title="object metadata published although chunks were refused",
        on=SENT,
        when=f"{META} and not {DELETED} and part.refused > 0 and "
        f"coalesce(part.stored, 0) < {CHUNKS}",
        needs="whole both",
        per="client, server, token(subject, 1)",
        evidence="n, part.refused_n",
        message="the metadata in {subject} completes an object of which the server has refused "
        "{part.refused:count chunk} ({part.why}) and stored {coalesce(part.stored, 0)}",
        cause="The client does not look at the acks of the chunks before it publishes the "
        "metadata: each reader gets an object with parts missing, or waits for them.",
        source="ADR-20, Object Store; nats.ex pull request 231",
    ),
)

LAPSES: Final = (
    Rule(
        id="NATS-B272",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="consumer that was gone made again for new messages alone",
        on=DELIVERED,
        when=SKIPS_AGAIN,
        needs="whole both",
        per="client, server, coalesce(conn.client_name, ''), conn.create_stream",
        worse_from=2,
        evidence="asked.n, n, coalesce(lapse.gone_n, conn.lost_pull_n)",
        message="the consumer of stream {conn.create_stream} was gone and is created again with "
        f"deliver_policy new: {{{START_SEQUENCE} - lapse.reached:count message}} up to sequence "
        f"{{{START_SEQUENCE}}}, which the one before had not delivered, will never be delivered",
        cause="The server removes a consumer that is not used for its inactive_threshold: the "
        "threshold is shorter than the pause between two reads. A durable consumer stays, and "
        "opt_start_seq lets a new one go on after the last message.",
        source=f"{CONSUMER}, deleteNotActive; nats.go issue 1621",
        healthy="Only the latest messages are of interest.",
    ),
)

ROUNDS: Final = (
    Rule(
        id="NATS-B273",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="client that receives what it publishes, and publishes again for each message",
        on=SENT,
        when=GOES_ROUND,
        needs="start whole both",
        of="circle",
        evidence="n, circle.first_n",
        message="the client has published {circle.sent + 1} messages to {subject}, one for each of "
        "the {circle.came} that it received there: its own messages come back and go round "
        "without end",
        cause="The filter of its consumer, or its subscription, matches the subject of its "
        "results: they have to go to a subject that it does not receive.",
        source="docs.nats.io, Core NATS, Publish-Subscribe; nats.c issue 589",
        healthy="Programs that pass a token round on purpose.",
    ),
)

TRIES: Final = (
    Rule(
        id="NATS-B274",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message without an id that is stored for each try to publish it",
        on=SENT,
        when=STORED_EACH,
        needs="whole both",
        per="client, server, subject",
        evidence="conn.tried_first_n, conn.tried_n, n",
        message="a message to {subject} was sent {TRIES_LIMIT} times or more before its first ack, "
        "without a Nats-Msg-Id, and {conn.tries} of them are stored: consumers get it as often",
        cause="The publisher tries again after a timeout of its own, and the client keeps what it "
        "cannot send during an outage: afterwards all tries arrive. A Nats-Msg-Id lets the stream "
        "know the tries of one message.",
        source="docs.nats.io, JetStream, message deduplication; nats.go issue 1593",
        healthy="Equal values that are measured one after another.",
    ),
)

RENEWAL_RULES: Final = (*LEASES, *OBJECTS, *LAPSES, *ROUNDS, *TRIES)
"""Part of the rules of the protocol."""
