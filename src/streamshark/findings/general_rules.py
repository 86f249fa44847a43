"""Rules for problems that `read` marks and that no rule of the protocol names."""

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.schema.problems import ProblemCode

_UNKNOWN = (ProblemCode.UNKNOWN_KEY, ProblemCode.UNKNOWN_VERSION)
_ENDS = tuple(each.word for each in ProblemCode if each.stops and each not in _UNKNOWN)


def general(prefix: str, source: str) -> tuple[Rule, ...]:
    """Make the general rules of a protocol: unreadable frames, other problems, message bodies.

    Args:
        prefix: Prefix of the rules' ids.
        source: Document that defines the layout of frames.
    """
    return (
        Rule(
            id=f"{prefix}-Q1",
            severity=Severity.ERROR,
            group=Group.MALFORMED,
            title="a frame that cannot be read",
            on="problem:any",
            when=f"problem in {_ENDS}",
            needs="whole",
            per="flow, name, problem, problem_field",
            message="{name}: {problem_text}",
            cause="The frame is not written as its layout says: the peer cannot read it either.",
            source=source,
            is_general=True,
        ),
        Rule(
            id=f"{prefix}-Q2",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title="a frame that breaks a rule",
            on="problem:any",
            when=f"problem not in {_ENDS}",
            needs="whole",
            per="flow, name, problem, problem_field",
            message="{name}: {problem_text}",
            cause="It is read here all the same; other peers may refuse it.",
            healthy="A command or version newer than what is known here is no mistake.",
            source=source,
            is_general=True,
        ),
        Rule(
            id=f"{prefix}-Q3",
            severity=Severity.WARNING,
            group=Group.MALFORMED,
            title="a malformed message body",
            on="body:any",
            needs="whole",
            per="name, problem, problem_field",
            message="{name}, {problem_field}: {problem_text}",
            cause="The body breaks the rules of the format that it says it has: who decodes it may "
            "refuse it.",
            source=f"{source}; docs/message-bodies.md, The formats",
            is_general=True,
        ),
    )
