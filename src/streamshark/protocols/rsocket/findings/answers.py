"""Rules for answers and items, and for what the next connection asks for."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket import answer_predicates
from streamshark.protocols.rsocket.answers import CONTINUED, FIRST_ANSWER, FOLDED, GOES_ON

ANSWERS: Final = (
    Rule(
        id="RSK-B200",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="answer with the value of another request",
        on="payload",
        when=f"{FIRST_ANSWER} and stream.items == 0",
        predicate=answer_predicates.belongs_to_another,
        reads="stream.n stream.t stream.question data peer.asked_for me.replied OTHERS",
        needs="",
        of="conn",
        evidence="n, stream.n",
        message="the answer on stream {fields.stream_id} has {found}: the value belongs to another "
        "request of that time, as in earlier answers on this connection",
        cause="The responder keeps what belongs to one request where all requests share it, or "
        "answers in another order than it was asked.",
        source="Protocol.md, Request Response; rsocket-java issue 510",
        healthy="A name that means one thing in the request and another in the answer.",
        guilty="server",
    ),
    Rule(
        id="RSK-B201",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="items of a stream that come more often each time it is requested",
        on="payload",
        when=f"{FOLDED} and data == stream.former and stream.times + 1 == stream.fold "
        "and stream.folds + 1 == FOLDS and stream.fold > feed.fold",
        needs="object",
        of="stream",
        evidence="n, stream.former_n, stream.n, feed.of_n",
        message="each item of stream {fields.stream_id} comes {stream.fold} times; when the same "
        "was requested before, in frame {feed.of_n}, it came {feed.fold:count time}",
        cause="The responder adds a listener for each request and does not remove it when the "
        "stream or its connection ends: the former ones go on, and write to the new stream.",
        source="Protocol.md, Request Stream, CANCEL Frame; rsocket-java issue 1094",
        guilty="server",
    ),
    Rule(
        id="RSK-B202",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="some streams of a lost connection not requested again",
        on=GOES_ON,
        when=f"{CONTINUED} and count(wanted.again) > 0",
        predicate=answer_predicates.leaves_out,
        reads="wanted.lost wanted.again",
        needs="start whole both",
        of="wanted",
        evidence="wanted.again_n, wanted.lost_n, conn.setup_n",
        message="the server ended a connection with open streams; on the next one the client "
        "requests some of them again, but not {found} within {t - conn.setup_t:time}",
        cause="The client does not request all of its streams in the place where it connects "
        "again: some are requested once, at its start.",
        source="Protocol.md, Request Stream; rsocket-java issue 540",
        healthy="A program that needs that stream no more.",
    ),
    Rule(
        id="RSK-B203",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="requests continued on a connection whose credentials are refused",
        on="repetition:denied",
        predicate=answer_predicates.refuses_credentials,
        reads="error_data",
        needs="",
        evidence="stream.n, n, peer.accepted_n",
        message="{DENIED_LIMIT} requests in a row were refused with '{error_data}', and the client "
        "goes on to ask on the same connection, where requests were accepted before",
        cause="A token that SETUP or a request has sent has expired, and the client does not "
        "renew it: it has to connect again with a new one, or to send it.",
        source="Extensions/Security/Authentication.md; rsocket-dart issue 33",
        healthy="A program that tries what it is not allowed to do.",
    ),
)
"""Part of `all_rules`."""
