"""Rules for problems that `read` reports and that no rule of the protocol covers."""

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.schema.problems import ProblemCode

_UNKNOWN = (ProblemCode.UNKNOWN_KEY, ProblemCode.UNKNOWN_VERSION)
_ENDS = tuple(each.word for each in ProblemCode if each.stops and each not in _UNKNOWN)
_GROUPS = {
    ProblemCode.CHECKSUM: Group.CHECKSUM,
    ProblemCode.UNKNOWN_KEY: Group.UNDECODED,
    ProblemCode.UNKNOWN_VERSION: Group.UNDECODED,
    ProblemCode.CODEC: Group.UNDECODED,
    ProblemCode.FOREIGN: Group.UNDECODED,
    ProblemCode.VALUE: Group.PROTOCOL,
}
"""Groups of problems that do not follow from whether decoding stops."""


def group_of(problem: ProblemCode) -> Group:
    """Return the group of a problem in Wireshark."""
    return _GROUPS.get(problem, Group.MALFORMED if problem.stops else Group.PROTOCOL)


def general(prefix: str, source: str, name: str) -> tuple[Rule, ...]:
    """Make the general rules of a protocol: unreadable frames, other problems, message bodies.

    Args:
        prefix: Prefix of the rules' ids.
        source: Document that defines the layout of frames.
        name: Name of the protocol in titles.
    """

    def undecodable(when: str, needs: str, cause: str) -> Rule:
        return Rule(
            id=f"{prefix}-Q1",
            severity=Severity.ERROR,
            group=Group.MALFORMED,
            title=f"undecodable {name} frame",
            on="problem:any",
            when=when,
            needs=needs,
            per="flow, name, problem, problem_field",
            message="{name}: {problem_text}",
            cause=cause,
            source=source,
            is_general=True,
        )

    return (
        undecodable(
            f"problem in {_ENDS}",
            "whole",
            "The frame does not follow its layout: the peer cannot decode it either.",
        ),
        undecodable(
            f"problem in {_ENDS} and not conn.whole and conn.gapless",
            "start",
            "It follows bytes that are not part of any frame: a length before them is wrong.",
        ),
        Rule(
            id=f"{prefix}-Q2",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title=f"{name} frame with unexpected bytes or values",
            on="problem:any",
            when=f"problem not in {_ENDS}",
            needs="whole",
            per="flow, name, problem, problem_field",
            message="{name}: {problem_text}",
            cause="Streamshark decodes the frame all the same; other peers may reject it.",
            healthy="A command or version that is newer than this release of Streamshark is not a "
            "mistake.",
            source=source,
            is_general=True,
        ),
        Rule(
            id=f"{prefix}-Q3",
            severity=Severity.WARNING,
            group=Group.MALFORMED,
            title=f"malformed {name} message body",
            on="body:any",
            needs="whole",
            per="name, problem, problem_field",
            message="{name}, {problem_field}: {problem_text}",
            cause="The body does not follow its declared format: programs that decode it may "
            "reject it.",
            source=f"{source}; docs/message-bodies.md, The formats",
            is_general=True,
        ),
    )


def half_open(rule_id: str, source: str, name: str) -> Rule:
    """Make the rule about a client that continues after the server has closed the connection.

    It needs `HALF_OPEN`, and the slot `closed_t` of the sides, from the tables of the protocol.

    Args:
        rule_id: Id of the rule.
        source: Document or implementation that says how connections end.
        name: Name of the protocol in the title.
    """
    return Rule(
        id=rule_id,
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title=f"{name} frames sent after the server closed the connection",
        on="end:conn",
        when="C.last_t > S.closed_t + HALF_OPEN",
        needs="whole both",
        per="client, server",
        evidence="C.last_n",
        message="the client sent frames for {C.last_t - S.closed_t:time} after the server had "
        "closed its side of the connection (FIN)",
        cause="The client does not notice the end of the connection: it no longer reads, or "
        "ignores the end of what it reads.",
        source=source,
    )
