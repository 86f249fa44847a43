"""The public Python API, fast to import: heavy modules are loaded on first use."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation
    from streamshark.dissection.row import Frame, Row
    from streamshark.findings.finding import Finding
    from streamshark.schema.encoding import Changes
    from streamshark.session import Session
    from streamshark.views.text import TextRows

EVERY = 64
"""Number of packets between two collections of findings."""


def open(*sources: str, **options: Any) -> "Session":  # noqa: A001, ANN401 - streamshark.open(...)
    """Open one or several captures (paths, `-` for standard input) as one session, in time order.

    Iterating over the session yields a `Frame` for each frame and each event of a connection.
    Printed, it is the line that `streamshark read` shows:

    >>> import streamshark
    >>> with streamshark.open("captures/rabbitmq_stream/login_fails/traffic.pcapng") as session:
    ...     frames = [frame for frame in session if not frame.is_event]
    >>> refused = frames[5]
    >>> refused.command, refused.kind, refused.sender
    ('sasl_authenticate', 'response', 'server')
    >>> refused.fields
    {'correlation_id': 3, 'response_code': 8 (authentication_failure)}
    >>> refused.fields["response_code"] == 8, refused.fields["response_code"].name
    (True, 'authentication_failure')

    Passwords and tokens are hidden in `fields` and `data` unless `show_secrets=True`. Further
    `options` are `decode_as={5553: "rabbitmq_stream"}`, `dialects={"pravega": "draft"}`,
    `limit=1000` (packets), `keylog="keys.log"` (TLS), and the others of
    `streamshark.session.Session`.

    Raises:
        StreamsharkError: A capture cannot be read at all.
    """
    from streamshark.session import Session  # noqa: PLC0415 - keeps `import streamshark` light

    session: Session

    @cache
    def lines() -> "TextRows":
        return _lines(session, sources)

    def describe(row: "Row") -> str:
        return lines().row(row).strip()

    session = Session(sources, describe=describe, **options)
    return session


def _lines(session: "Session", sources: tuple[str, ...]) -> "TextRows":
    """Return the writer of the lines of a session, as `read` writes them."""
    from streamshark.views.colour import Palette  # noqa: PLC0415 - only who prints loads them
    from streamshark.views.text import TextRows  # noqa: PLC0415
    from streamshark.views.times import Clock  # noqa: PLC0415

    return TextRows(
        Clock("r", lambda: session.started_ns),
        Palette(enabled=False),
        secrets=session.show_secrets,
        files=sources if len(sources) > 1 else (),
        layers=session.layers,
    )


def check(*sources: str, **options: Any) -> "Iterator[Finding]":  # noqa: ANN401 - as above
    """Yield the findings of the rules on captures, as `streamshark check` reports them.

    >>> import streamshark
    >>> capture = "captures/rabbitmq_stream/login_fails/traffic.pcapng"
    >>> for finding in streamshark.check(capture):
    ...     print(finding.severity, finding.rule, finding.frames, finding.message)
    note RMQ-P2 (5,) PLAIN sent the password to 127.0.0.1:5552 without TLS
    error RMQ-N6 (5, 6) the broker refused with 8 (authentication_failure) in sasl_authenticate_response

    `options` are those of `open`. Findings are in the order in which they are settled: many only
    when their connection ends.

    Raises:
        StreamsharkError: A capture cannot be read at all.
    """  # noqa: E501 - what is printed
    from streamshark.session import unread_findings  # noqa: PLC0415 - as above

    with open(*sources, **options) as session:
        analysis = session.analysis(rules=True)
        for row in analysis.rows():
            if row.packet % EVERY == 0:
                yield from analysis.findings()
        yield from analysis.findings()
        yield from unread_findings(session)


def read_conversations(*sources: str, **options: Any) -> "Iterator[Conversation]":  # noqa: ANN401 - as above
    """Yield the conversations of captures, as `streamshark conversations` lists them.

    >>> import streamshark
    >>> capture = "captures/rabbitmq_stream/login_fails/traffic.pcapng"
    >>> for each in streamshark.read_conversations(capture):
    ...     if (each.type, each.state) == ("call", "failed"):
    ...         print(each.id, each.request.command, each.outcome.text)
    0-10-call sasl_authenticate code=authentication_failure

    `options` are those of `open`. A conversation is yielded when it ends.

    Raises:
        StreamsharkError: A capture cannot be read at all.
    """
    with open(*sources, **options) as session:
        analysis = session.analysis(conversations=True)
        for _row in analysis.rows():
            yield from analysis.ended()
        analysis.finish()
        yield from analysis.ended()


def encode(
    protocol: str,
    command: str,
    fields: Mapping[str, Any],
    *,
    kind: str | None = None,
    version: int | None = None,
    dialect: str = "",
) -> bytes:
    """Encode one frame; `fields` are those of `Frame.fields`, `protocol` is an id or short name.

    `kind` and `version` choose where a command has several frames; the first one otherwise.
    Lengths, counts and checksums that are left out are computed, and so is the head.

    Raises:
        StreamsharkError: There is no such frame, a value does not fit, or the frame would be
            malformed.
    """
    from streamshark.framing.frame_names import FrameName, decoders_of  # noqa: PLC0415
    from streamshark.protocols.catalog import catalog, find  # noqa: PLC0415
    from streamshark.schema.encoding import encoded  # noqa: PLC0415

    wire = find(protocol, catalog()).wire
    found = decoders_of(wire, FrameName(command, kind, None, version), dialect)
    return encoded(found[0].tree, dict(fields))


def amend(frame: "Frame", changes: "Changes") -> bytes:
    """Return the bytes of a frame with some values changed, all others as they were.

    `changes` are new values by path, such as `{("streams", 0, "leader"): 2}`. Lengths, counts and
    checksums that follow from them are computed. The frame is one of a session opened with
    `show_secrets=True`: the bytes of another have no secrets.

    Raises:
        StreamsharkError: A path names no field, a value does not fit, or the frame would be
            malformed.
    """
    from streamshark.decoding.amending import amended  # noqa: PLC0415
    from streamshark.framing.frame_names import FrameName, decoders_of  # noqa: PLC0415
    from streamshark.protocols.catalog import catalog, find  # noqa: PLC0415

    wire = find(frame.protocol, catalog()).wire
    name = FrameName(frame.command or "", frame.kind, frame.key, frame.version)
    forms = (False, True) if wire.bare else (False,)
    found = [each for form in forms for each in decoders_of(wire, name, bare=form)]
    fields = frame.fields
    return amended(
        min(found, key=lambda one: one.read(frame.data)[0] != fields), frame.data, changes
    )
