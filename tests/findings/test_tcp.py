"""Findings of TCP alone."""

from pathlib import Path

from tests.builders import Conversation
from tests.madeup import parrot_traffic

from streamshark.findings.tcp import UnreadConnection, unread


def connection(flow: int, server: str, *, ours: bool) -> UnreadConnection:
    """One that was not read."""
    return UnreadConnection(flow, server, 100 + flow, 10 * flow, 0, "TLS" if ours else None, ours)


def test_many_connections_are_few_findings() -> None:
    """One for each endpoint of ours and one for the rest; one for all where nothing was read."""
    given = [connection(each, f"10.0.0.2:{each % 50}", ours=each % 50 < 2) for each in range(5000)]
    beside = unread(given, alone=False)
    alone = unread(given, alone=True)

    assert [(each.severity, each.count) for each in beside] == [
        ("warning", 100),
        ("warning", 100),
        ("chat", 4800),
    ]
    assert [(each.severity, each.count, each.flow) for each in alone] == [("warning", 5000, 4999)]
    assert len(alone[0].packets) == 64
    assert alone[0].packets[0] == 49990
    assert unread([], alone=True) == []


def test_a_refused_upgrade_beside_others_is_a_note() -> None:
    """It says what HTTP answered; connections of another kind to the server stay a warning."""
    server = "10.0.0.2:7000"
    said = "the upgrade to WebSocket was refused (401 Unauthorized)"
    refused = UnreadConnection(3, server, 280, 7, 0, f"HTTP: {said}", ours=True)
    found = unread([refused, connection(1, server, ours=True)], alone=False)

    assert [(each.severity, each.message) for each in found] == [
        ("note", f"1 connection to {server} not decoded (280 B): {said}"),
        ("warning", f"1 connection to {server} not decoded (101 B, TLS): no known protocol"),
    ]
    assert "credentials" in found[0].cause


def test_failed_attempts_are_one_finding(tmp_path: Path) -> None:
    """With their number, and their time from the second one on, which is a warning."""
    told = []
    for count in (1, 2, 7):
        talks = []
        for each in range(count):
            talk = Conversation(("10.0.0.1", 1000 + each), ("10.0.0.2", 7777))
            talk.time_ns += each * 1_500_000_000
            talks.append(talk.refused())
        session = parrot_traffic.session(parrot_traffic.write(tmp_path, *talks))
        analysis = session.analysis(rules=True)
        assert any(row.name == "refused" for row in list(analysis.rows()))
        (found,) = analysis.findings()
        told.append((found.rule, found.count, found.severity, found.message))
    to = "to 10.0.0.2:7777 refused"

    assert told == [
        ("TCP-C1", 1, "note", f"1 connection attempt {to}"),
        ("TCP-C1", 2, "warning", f"2 connection attempts {to} within 1.5 s"),
        ("TCP-C1", 7, "warning", f"7 connection attempts {to} within 9 s"),
    ]


def test_a_long_attempt_without_an_answer_is_a_warning(tmp_path: Path) -> None:
    """It says for how long SYNs were sent, and points at the first one; a short one is a note."""
    second, said = 1_000_000_000, []
    for pauses in ((1, 2), (1, 2, 4, 8)):
        talk = Conversation(("10.0.0.1", 1000), ("10.0.0.2", 7777))
        talk.unanswered(*(each * second for each in pauses))
        beside = Conversation(("10.0.0.1", 1001), ("10.0.0.3", 7778))
        beside.time_ns = talk.time_ns + 60 * second
        session = parrot_traffic.session(parrot_traffic.write(tmp_path, talk, beside.refused()))
        analysis = session.analysis(rules=True)
        list(analysis.rows())
        (found,) = [each for each in analysis.findings() if each.rule == "TCP-C2"]
        said.append((found.severity, found.message.rpartition("unanswered")[2], found.packets))
        assert ("time limit" in found.cause) == (found.severity == "warning")

    assert said == [("note", " for 3 s", (1,)), ("warning", " for 15 s", (1,))]


def test_attempts_at_the_other_address_of_a_name_are_a_note(tmp_path: Path) -> None:
    """Of both families, at once, in either order; not at another port, host or time."""
    second = 1_000_000_000
    cases = {
        "elsewhere": (("::1", 7777), ("127.0.0.1", 7777), 0.01, "note"),
        "at once": (("::1", 7777), ("127.0.0.1", 7777), -0.001, "note"),
        "IPv4 first": (("10.0.0.2", 7777), ("fd00::2", 7777), 0.3, "note"),
        "another port": (("::1", 7777), ("127.0.0.1", 7778), 0.01, "warning"),
        "another host": (("fd00::2", 7777), ("127.0.0.1", 7777), 0.01, "warning"),
        "the same family": (("10.0.0.3", 7777), ("10.0.0.2", 7777), 0.01, "warning"),
        "later": (("::1", 7777), ("127.0.0.1", 7777), 2.5, "warning"),
    }
    failures = []
    for name, (refusing, accepting, wait, severity) in cases.items():
        talks = []
        for each in range(3):
            for server, at in ((refusing, 0.0), (accepting, wait)):
                client = "fd00::1" if ":" in server[0] else "10.0.0.1"
                talk = Conversation((client, 1000 + each), server)
                talk.time_ns += int((each * 4 + at + 1) * second)
                if server == refusing:
                    talks.append(talk.refused())
                else:
                    talks.append(talk.handshake().send(0, parrot_traffic.say()))
        session = parrot_traffic.session(parrot_traffic.write(tmp_path, *talks))
        analysis = session.analysis(rules=True)
        list(analysis.rows())
        found = [each for each in analysis.findings() if each.rule == "TCP-C1"]
        if [each.severity for each in found] != [severity]:
            failures.append((name, found))

    assert not failures
