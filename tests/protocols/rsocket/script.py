"""Connections of RSocket with their times and ends, for rules about what peers do over time."""

from collections.abc import Callable

from tests.protocols.rsocket.traffic import Talk

CLIENT, SERVER = 0, 1
MS, SECOND = 1_000_000, 1_000_000_000
RESPONSE, FNF, STREAM, CHANNEL, REQUEST_N, CANCEL, PAYLOAD, ERROR = range(4, 12)
KEEPALIVE, PUSH = 3, 12
METADATA, FOLLOWS = 0x100, 0x80
FAILED, REJECTED, REJECTED_SETUP = 0x201, 0x202, 3
NEXT, DONE, RESPOND = 0x20, 0x60, 0x80


def number(value: int) -> bytes:
    """Four bytes of a number."""
    return value.to_bytes(4, "big")


class Script(Talk):
    """Connections whose frames come one millisecond after another, unless they wait."""

    def say(self, side: int, data: bytes, wait: int = MS) -> None:
        """Bytes of one side."""
        self.now += wait - SECOND
        super().say(side, data)

    def ends(self, rule: str) -> list[tuple[int, ...]]:
        """Frames of the findings of a rule at the end, also as consequences."""
        for row in self.connection.finish():
            self.engine.see(row)
        self.engine.finish()
        self.judge.finish()
        own = self.judge.findings()
        return [
            each.frames
            for finding in own
            for each in (finding, *finding.echoes)
            if each.rule == rule
        ]

    def another(self) -> None:
        """The connection ends, and another one begins."""
        self.close()
        for row in self.connection.finish():
            self.engine.see(row)
        self.connect()


Scripts = Callable[[], tuple[Script, ...]]
"""A fault, and what looks like it."""


def names_the_fault_alone(rule: str, talks: Scripts) -> None:
    """Assert that a rule finds something in a fault, and nothing in what looks like it."""
    fault, *near = talks()
    assert fault.ends(f"RSK-{rule}")
    assert [each.ends(f"RSK-{rule}") for each in near] == [[]] * len(near)
