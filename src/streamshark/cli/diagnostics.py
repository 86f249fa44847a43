"""What a command reports on stderr after a reading: damage, notes, unrecognised connections."""

from collections.abc import Iterable, Mapping, Sequence

from streamshark.cli.output import complain
from streamshark.conversations.units import counted
from streamshark.errors import StreamsharkError
from streamshark.retirement import Unrecognised
from streamshark.session import ReadingReport

MOST_FLOWS = 4
"""Most connections named if nothing was recognised."""


def report_damage(report: ReadingReport) -> bool:
    """Print a line for each damaged capture; return whether there was one.

    Raises:
        StreamsharkError: A capture is damaged, and no packet could be read from any.
    """
    for name, sentence in report.damage:
        complain(f"{name}: {sentence}")
    if report.damage and not report.packets:
        raise StreamsharkError("no packet could be read")
    return bool(report.damage)


def report_notes(report: ReadingReport) -> None:
    """Print a line for each note of a reading, such as TLS that was not decrypted."""
    for note in report.notes:
        complain(note)


def report_unrecognised(report: ReadingReport) -> None:
    """Print why no frame was found in the captures."""
    complain(nothing_read(report))


def failed_attempts(report: ReadingReport) -> list[str]:
    """Return a phrase for each endpoint to which a connection failed, at most `MOST_FLOWS`."""
    failed = sorted(report.failed.items(), key=lambda each: -each[1])
    phrases = [
        f"{counted(count, 'connection attempt')} to {endpoint} {event}"
        for (event, endpoint), count in failed[:MOST_FLOWS]
    ]
    if more := sum(count for _, count in failed[MOST_FLOWS:]):
        phrases.append(f"{counted(more, 'more connection attempt')} failed")
    return phrases


def nothing_read(report: ReadingReport) -> str:
    """Return a sentence that explains why no frame was found."""
    return f"{', '.join(report.names)}: {'; '.join([*failed_attempts(report), _without(report)])}"


def _without(report: ReadingReport) -> str:
    """Return what was there instead of frames."""
    known = ", ".join(report.protocols) or "none"
    flows = report.unrecognised
    if not flows and report.is_spoken:
        return f"no frame of a known protocol ({known}); the events show why"
    if not flows:
        return f"no TCP payload in {report.packets} packets"
    closed = [each for each in flows if each.is_tls]
    advice = ["-o tls.keylog_file:FILE decrypts TLS"] if closed else []
    if len(closed) < len(flows):
        advice.append("-d tcp.port==N,PROTOCOL decodes a port as one of them")
    return f"no known protocol ({known}) in {_named(flows)}; {', '.join(advice)}"


def report_carried(report: ReadingReport) -> None:
    """Print the connections whose carrier is known, but not the protocol it carries."""
    flows = [each for each in report.unrecognised if each.carrier]
    if flows:
        complain(f"no known protocol in {_named(flows)}")


def _named(flows: Sequence[Unrecognised]) -> str:
    """Return connections as text, those with most bytes first, at most `MOST_FLOWS`."""
    flows = sorted(flows, key=lambda each: -each.payload)
    shown = ", ".join(
        f"{each.addresses[0]} - {each.addresses[1]} (flow {each.flow}, {each.payload} bytes"
        f"{f' of {each.kind}' if each.kind else ''})"
        for each in flows[:MOST_FLOWS]
    )
    return f"{shown} and {len(flows) - MOST_FLOWS} more" if len(flows) > MOST_FLOWS else shown


def report_missing_flows(flows: Iterable[int], count: int) -> None:
    """Print a line that names the chosen connections that are not among the first `count`."""
    if missing := [str(each) for each in sorted(flows) if each >= count]:
        complain(f"--flow {', '.join(missing)}: the captures have {counted(count, 'connection')}")


def report_empty_flows(flows: Iterable[int], known: Sequence[int]) -> None:
    """Print a line that names the chosen connections without frames, and those with frames."""
    if empty := [str(each) for each in sorted(flows) if each not in known]:
        names = ", ".join(map(str, known))
        complain(f"no frames on flow {', '.join(empty)}; flows with frames: {names}")


def report_evictions(capped: Mapping[str, int]) -> None:
    """Print a line for each kind of object that was evicted because there were too many."""
    for name, count in capped.items():
        complain(f"limit of {name} reached: {count:,} dropped; their state is unknown")


def report_sample() -> None:
    """Print that only some message bodies were judged."""
    complain("only a sample of the message bodies was judged; --all-bodies judges all")
