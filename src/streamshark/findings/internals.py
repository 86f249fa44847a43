"""Error texts that show the inside of a program: stack traces, credentials, queries."""

import re
from typing import Final

TRACES: Final = (
    (re.compile(r"\n\s+at [\w.`<>]+\(.*\) in .+:line \d+"), ".NET"),
    (
        re.compile(r"\n\s+at [\w.$<>/]+\((?:[\w$]+\.\w+(?::\d+)?|Native Method|Unknown Source)\)"),
        "Java",
    ),
    (re.compile(r"\n\s+at (?:async )?[\w.<> \[\]]+ \(?(?:file:|node:|/|[A-Z]:\\)"), "JavaScript"),
    (re.compile(r"Traceback \(most recent call last\)|File \".+\", line \d+"), "Python"),
    (re.compile(r"goroutine \d+ \[|\n\s+/\S+\.go:\d+"), "Go"),
    (re.compile(r"stack backtrace:|\n\s+at \S+\.rs:\d+"), "Rust"),
    (re.compile(r"\S+\.rb:\d+:in [`']"), "Ruby"),
    (re.compile(r"#0 \S+\.php\(\d+\)"), "PHP"),
)
"""Forms of stack traces, and the language that writes them."""
CREDENTIALS: Final = re.compile(
    r"\w://[^/\s:@]+:[^/\s@]+@|(?i:password|passwd|pwd|secret|api[_-]?key)\s*[=:]\s*['\"]?[^\s'\"]{3}"
)
QUERY: Final = re.compile(
    r"SQLSTATE|ORA-\d{5}|(?i:jdbc:\w+:)|(?i:syntax error at or near)|"
    r"(?i:select\s.+\sfrom\s.+\swhere\s|insert\s+into\s|update\s+\w+\s+set\s)"
)


def stack_trace(text: str | None) -> str:
    """Return the language whose stack trace a text has; empty for none."""
    return next((name for pattern, name in TRACES if text and pattern.search(text)), "")


def inner_detail(text: str | None) -> str:
    """Return what else a text shows of the inside of a program, without repeating it."""
    if not text:
        return ""
    if CREDENTIALS.search(text):
        return "credentials"
    return "a query or the error of a database" if QUERY.search(text) else ""
