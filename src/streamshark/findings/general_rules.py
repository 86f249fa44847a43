"""Rules for problems that `read` reports and that no rule of the protocol covers."""

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.schema.problems import ProblemCode

_UNKNOWN = (ProblemCode.UNKNOWN_KEY, ProblemCode.UNKNOWN_VERSION)
_ENDS = tuple(each.word for each in ProblemCode if each.stops and each not in _UNKNOWN)


def general(prefix: str, source: str, name: str) -> tuple[Rule, ...]:
    """Make the general rules of a protocol: unreadable frames, other problems, message bodies.

    Args:
        prefix: Prefix of the rules' ids.
        source: Document that defines the layout of frames.
        name: Name of the protocol in titles.
    """
    return (
        Rule(
            id=f"{prefix}-Q1",
            severity=Severity.ERROR,
            group=Group.MALFORMED,
            title=f"undecodable {name} frame",
            on="problem:any",
            when=f"problem in {_ENDS}",
            needs="whole",
            per="flow, name, problem, problem_field",
            message="{name}: {problem_text}",
            cause="The frame does not follow its layout: the peer cannot decode it either.",
            source=source,
            is_general=True,
        ),
        Rule(
            id=f"{prefix}-Q2",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title=f"unexpected bytes or values in a {name} frame",
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
            "reject "
            "it.",
            source=f"{source}; docs/message-bodies.md, The formats",
            is_general=True,
        ),
    )
