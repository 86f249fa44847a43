"""Rules for what clients do at the controller over time: creations, transactions, leases."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.behaviours import GROUP_BIRTHS, new_group
from streamshark.protocols.pravega.row_names import CHANGED, CREATED
from streamshark.protocols.pravega.sources import CLIENT, CONTROLLER_API, WIRE

_LATE_PINGS: Final = 4
"""Pings of ended transactions of a stream, which are more than those that cross with an end."""

CONTROLLER: Final = (
    Rule(
        id="PRV-B32",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="creation repeated although the controller answered that it exists",
        on="repetition:existing",
        needs="",
        message="the client called {req.method} {EXISTING_LIMIT} times in a row for "
        "{req.scope}{'/' if req.named is not None else ''}{coalesce(req.named, '')}, at most 2 s "
        "apart, and the controller answered each time that it exists",
        cause="The client does not accept the answer that it exists, or creates before each use.",
        source=CONTROLLER_API,
    ),
    Rule(
        id="PRV-B36",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="creation of what exists, repeated with pauses",
        on="repetition:existing_still",
        needs="",
        message="the client called {req.method} {EXISTING_STARTS} times for "
        "{req.scope}{'/' if req.named is not None else ''}{coalesce(req.named, '')}, although the "
        "controller answered that it exists",
        cause="The client creates before each use, instead of once.",
        source=CONTROLLER_API,
        healthy="A program that creates what it needs at each start.",
        echo_of="PRV-B32",
    ),
    Rule(
        id="PRV-B42",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new streams or tables one after another",
        on="repetition:created_anew",
        needs="",
        message="{STREAM_LIMIT} {req.method} in a row created something in scope {req.scope}, the "
        "last one {coalesce(req.named, '')}",
        cause="The client creates a stream for each run, user or message: the controller keeps "
        "each with its segments until it is deleted.",
        source=CONTROLLER_API,
        healthy="A program that sets up all its streams.",
    ),
    *(
        Rule(
            id="PRV-B33",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="new reader groups that are never deleted",
            on=on,
            when=f"{new_group(when, name)} and count(groups.names) + 1 >= GROUP_LIMIT and "
            "groups.deleted is None",
            of="groups",
            needs="",
            evidence="n, groups.latest_n, groups.former_n",
            message=f"reader group {{{name}}} is number {{count(groups.names) + 1}} that is "
            "created, and none was deleted",
            cause="The client makes a name for a new reader group at each start, and does not "
            "delete the former one: the controller keeps each with its stream or table, and "
            "streams are not truncated beyond it.",
            source=f"{CLIENT}, ReaderGroupManager.java",
            healthy="A program that needs as many reader groups.",
        )
        for on, when, name in GROUP_BIRTHS
    ),
    Rule(
        id="PRV-B34",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="transactions with one event each",
        on="append_block_end",
        when="writer.transaction is not None and writer.transaction != spree.latest and "
        "not has(spree.seen, writer.transaction) and spree.events == 1 and num_events == 1 and "
        "coalesce(spree.alone, 0) + 2 >= ALONE_LIMIT and t - spree.latest_t <= ALONE_PAUSE",
        of="spree",
        needs="",
        evidence="n, author.asked_n, spree.latest_n, spree.former_n",
        message="the client wrote {coalesce(spree.alone, 0) + 1} transactions in a row with one "
        "event each, and begins another one",
        cause="Each transaction costs calls to the controller, and segments that are created, "
        "sealed and merged; an event alone is stored whole without one.",
        source=f"{CLIENT}, TransactionalEventStreamWriter.java",
        healthy="An event that must become visible together with something else.",
    ),
    Rule(
        id="PRV-B35",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="overlapping reads of a segment",
        on="segment_read",
        when="len(data) > 0 and input.start < fields.offset < input.reached and "
        "coalesce(input.again, 0) + 1 >= OVERLAP_LIMIT and "
        "(input.reached - fields.offset) * 2 >= len(data)",
        of="input",
        needs="",
        evidence="coalesce(req.n, n), n, input.reached_n",
        message="{OVERLAP_LIMIT} reads in a row of {segment} began inside the bytes of the one "
        "before: the read at {fields.offset} brings {input.reached - fields.offset} bytes again",
        cause="The client asks for far more than it uses of an answer, and drops the rest.",
        source=f"{WIRE}, ReadSegment",
        healthy="Several readers of a segment on one connection.",
    ),
)


LEASES: Final = (
    Rule(
        id="PRV-B38",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="commitTransaction or abortTransaction failed",
        on="repetition:lapsed_txn",
        needs="",
        evidence="req.n, n",
        message="{coalesce(req.method, 'the call')} for a transaction of {req.scope}/{req.stream} "
        "failed with {fields.status:name}",
        cause="The controller failed, or the transaction is over. It is a note if a later "
        "transaction of the stream is committed.",
        by="0 if t - lease.alive_t > lease.time * 1000000 else fields.status",
        causes={
            0: "The lease of the transaction has expired without a ping: the controller has "
            "aborted it, and its events are lost.",
            2: "The stream does not exist.",
            3: "The transaction is over: its lease has expired, or it was committed or aborted "
            "before.",
        },
        source=CONTROLLER_API,
    ),
    Rule(
        id="PRV-B38b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="transaction aborted, because no ping came within its lease",
        on="controller_txn_state",
        when="state in (4, 5) and lease.over_n is None and "
        "t - lease.alive_t > lease.time * 1000000",
        needs="",
        per="server, req.high, req.low",
        evidence="req.n, n, lease.opened_n",
        message="a transaction of {req.scope}/{req.stream} is {state:name}: its lease of "
        "{lease.time} ms began {t - lease.alive_t:time} ago, and no ping has renewed it",
        cause="The program that goes on with the transaction, such as another one that has its id, "
        "is too late: its events are lost.",
        source=f"{CONTROLLER_API}; pravega issue 6063",
        echo_of="PRV-B38",
    ),
    Rule(
        id="PRV-B235",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="transaction that was committed and is aborted",
        on="controller_txn_state",
        when="state in (4, 5) and lease.taken_n is not None",
        needs="",
        per="server, req.high, req.low",
        evidence="n, lease.taken_n, lease.opened_n",
        message="a transaction of {req.scope}/{req.stream} is {state:name}, although the "
        "controller took its commit {t - lease.taken_t:time} before: its events are lost",
        cause="Two controllers handle the transaction, and one of them has aborted it for its "
        "lease while the other one commits it.",
        source=f"{CONTROLLER_API}; pravega issue 2650",
        guilty="server",
    ),
    Rule(
        id="PRV-B235b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="transaction aborted within its lease",
        on="controller_txn_state",
        when="state in (4, 5) and lease.over_n is None and "
        "t - lease.alive_t <= lease.time * 1000000",
        needs="",
        per="server, req.high, req.low",
        evidence="n, req.n, lease.opened_n",
        message="a transaction of {req.scope}/{req.stream} is {state:name}, although its lease of "
        "{lease.time} ms was renewed {t - lease.alive_t:time} before, and no call has ended it",
        cause="Pings reach another controller than the one that watches the lease, or the stream "
        "is being sealed.",
        source=f"{CONTROLLER_API}; pravega issue 1499",
        healthy="Another program, which is not in the captures, has aborted it.",
        guilty="server",
        echo_of="PRV-B38",
    ),
    Rule(
        id="PRV-B39",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="pingTransaction failed",
        on="controller_ping_txn_status",
        when="fields.status in (1, 2, 3, 4, 7)",
        needs="",
        per="client, server, req.scope, req.stream, fields.status",
        evidence="req.n, n",
        message="pingTransaction for a transaction of {req.scope}/{req.stream} with a lease of "
        "{req.lease} ms failed with {fields.status:name}",
        cause="The transaction does not continue.",
        by="fields.status",
        causes={
            1: "The lease is longer than the controller allows.",
            2: "The transaction has existed for longer than the controller allows.",
            4: "The client pings after its lease has expired.",
            7: "The controller does not know the transaction.",
        },
        source=CONTROLLER_API,
    ),
    Rule(
        id="PRV-B40",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="pingTransaction after the end of the transaction",
        on="controller_ping_txn_request",
        when="t - lease.over_t > GRACE",
        needs="",
        per="client, server, stream_info.scope, stream_info.stream",
        worse_from=_LATE_PINGS,
        evidence="n, lease.over_n, lease.opened_n",
        message="pingTransaction for a transaction of {stream_info.scope}/{stream_info.stream} "
        "was sent {t - lease.over_t:time} after {lease.how}",
        cause="The client does not stop its pings when the transaction ends: their number grows "
        "with each transaction.",
        source=f"{CONTROLLER_API}; {CLIENT}, Pinger.java",
        healthy="A last ping that crosses with the end.",
    ),
    Rule(
        id="PRV-B41",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="transaction opened at the controller and never ended",
        on="end:lease",
        when="lease.opened_n is not None and lease.over_n is None and "
        "t - lease.opened_t > max(FORGOTTEN, lease.time * 1000000)",
        needs="",
        of="lease",
        evidence="lease.opened_n",
        message="a transaction of {lease.scope}/{lease.stream} was created and neither committed "
        "nor aborted within its lease of {lease.time} ms",
        cause="The client forgets its transaction: the controller keeps it until the lease ends, "
        "and its segments until they are cleaned up.",
        source=f"{CONTROLLER_API}; pravega issue 4147",
        healthy="A program that pings the transaction and is still at work.",
        echo_of="PRV-B26",
    ),
    Rule(
        id="PRV-B43",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="transaction pinged far more often than its lease needs",
        on="repetition:pinged",
        needs="",
        message="{PING_LIMIT} pingTransaction in a row for one transaction, each within a "
        "{PING_PART}th of its lease of {fields.lease} ms after the one before",
        cause="The client pings by a timer that ignores the lease, or before each event.",
        source=f"{CONTROLLER_API}; {CLIENT}, Pinger.java",
        healthy="Programs that call ping by themselves.",
    ),
    Rule(
        id="PRV-B44",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="scope, stream or table not created",
        on=CREATED,
        when="fields.status not in (0, 2) and "
        "(fields.status != 3 or name == 'controller_create_scope_status')",
        needs="",
        per="client, server, req.method, fields.status",
        evidence="req.n, n",
        message="{req.method} for {req.scope}{'/' if req.named is not None else ''}"
        "{coalesce(req.named, '')} failed with {fields.status:name}",
        cause="The name is not allowed, or the controller failed.",
        source=CONTROLLER_API,
        healthy="A controller that fails once; PRV-B44c says that the client repeats the call.",
    ),
    Rule(
        id="PRV-B44b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="change refused by the controller",
        on=CHANGED,
        when="fields.status > 0",
        needs="",
        per="client, server, carrier.method, fields.status",
        evidence="req.n, n",
        message="{carrier.method}{' of ' if req.scope is not None else ''}"
        "{coalesce(req.scope, '')}{'/' if req.named is not None else ''}"
        "{coalesce(req.named, '')} failed with {fields.status:name}",
        cause="The object does not exist, or is not in the state that the call needs: a stream "
        "must be sealed before it is deleted, a scope empty.",
        source=CONTROLLER_API,
        healthy="A program that removes what may not exist.",
    ),
)
