"""Rules for the parts of programs: faults in two forms, and near misses."""

from tests.failures import every
from tests.protocols.rabbitmq_stream.play import found, play
from tests.protocols.rabbitmq_stream.test_parts import ENDS, FED, HUNGRY, STORES

from streamshark.protocols.rabbitmq_stream.findings.programs import PROGRAMS

BOTH = "s1:s s2:t " + "M1 c1 M2 c2 " * 5
PUBLISHES = "M1 p1 C1 c1 " * 3
THREE = "s1:s*2 s2:t*2 s3:u*2 M1 M2 M3 "

CASES: list[tuple[str, tuple[str, ...]]] = [
    ("B100", (f"s1:s {FED} g:s! R {HUNGRY} +60000 h",
        f"s1:s {FED} g:s! {HUNGRY} +60000 h", f"s1:s {FED} g:s R +60000 h",
        f"s1:s {FED} g:s! R {HUNGRY} +60000 c1 h")),
    ("B100", (f"s1:s d1:t {PUBLISHES} M1 p1 C1 {HUNGRY} +60000 h",
        f"s1:s d1:t {PUBLISHES} M1 p1 C1 w:s*2 {HUNGRY} +60000 h")),
    ("B101", (f"{BOTH} {HUNGRY} {'M2 c2 +1000 ' * 20} l", f"{BOTH} {HUNGRY} M2 c2 l",
        f"{BOTH} M1 M1 {'M2 c2 +1000 ' * 20} l")),
    ("B101", (f"{BOTH} {'M1 ' * 5} {'M2 c2 +1000 ' * 20} -r",)),
    ("B100", (f"s1:s*2 {FED} M1 g:s! R +60000 h", f"s1:s*2 {FED} M1 g:s! R +2000 c1 +60000 h")),
    ("B101", (f"s1:s {'M1 c1 ' * 5} @1 s1:t M1 c1 @0 {HUNGRY} @1 {'M1 c1 +1000 ' * 20} @0 -c -s",
        f"s1:s {'M1 c1 ' * 5} @1 s1:t M1 c1 @0 {HUNGRY} -c -s @1 {'M1 c1 +1000 ' * 20}")),
    ("B102", (f"d1:s p1 C1 {'+90000 h H ' * 4}", f"d1:s p1 C1 {'+90000 h H ' * 2}",
        f"d1:s p1 C1 {'+70000 h H ' * 6}", f"d1:s p1 C1 {'+60000 p1 C1 +40000 h H ' * 6}")),
    ("B102", (f"s1:s M1 c1 {'+80000 h +10000 H ' * 9}",)),
    ("B107", ("s1:s M1 -s +9000 -c", "s1:s M1 -s +900 -c", "s1:s M1 -c +9000 -s")),
    ("B107", ("d1:s p1 C1 -s +30000 -r", "d1:s p1 C1 -t")),
    ("B103", (f"s1:s*2 s2:t*2 M1 M2 {'+2000 c1 M1 +2000 c2 M2 ' * 8}",
        f"s1:s*2 s2:t*2 M1 M2 {'+20 c1 M1 +20 c2 M2 ' * 8}",
        f"s1:s*2 {'M1 +2000 c1 ' * 8}", f"s1:s*2 s2:t*2 {'M1 +2000 c1 M2 +2000 c2 ' * 8}")),
    ("B103", (f"{THREE} {'+300 c1 M1 +300 c2 M2 +300 c3 M3 ' * 5}",
        f"{THREE} {'+900 c1 M1 +100 c2 M2 +300 c3 M3 ' * 5}")),
    ("B104", (f"s1:s*2 {' '.join(f'M1 +{50 * 2**n} c1' for n in range(9))}",
        f"s1:s*2 {' '.join(f'M1 +{50 + n} c1' for n in range(9))}",
        f"s1:s*2 {' '.join(f'M1 +{2**n} c1' for n in range(6))}")),
    ("B104", (f"s1:s*9 M1 M1 {' '.join(f'+{30 * 2**n} c1 M1' for n in range(9))}",)),
    ("B105", (f"s1:s {STORES} {'M1*5 c1 ' * 60} {ENDS}", f"s1:s {STORES} M1*5 c1 {ENDS}",
        f"s1:s {STORES} +9000 M1*5 c1 {ENDS}")),
    ("B105", (f"s1:s {STORES} {'M1*50 c1 +100 ' * 6} -r",
        f"s1:s {STORES} {'M1*50 ' * 6} -r", f"s1:s {STORES} u1 s1:t {'M1*50 c1 ' * 6} -r")),
    ("B106", ("s1:s M1*5 u1 +3500 w:s*2 +1000 w:s*3 +1000 w:s*4",
        "s1:s M1*5 u1 +3500 w:t*2 +1000 w:t*3 +1000 w:t*4", "s1:s M1*5 u1 +3500 w:s*4")),
    ("B106", ("s1:s=app M1*5 c1 u1 s2:t +9000 w:s*1 w:s*2 w:s*3",
        "s1:s=app M1*5 c1 u1 s2:s +9000 w:s*1 w:s*2 w:s*3")),
]  # fmt: skip
"""Rule, words of a fault, and words of near misses."""


@every(("at", "rule", "talks"), [(at, *case) for at, case in enumerate(CASES)],
       ids=lambda e: e[:2])  # fmt: skip
def test_faults_and_near_misses(at: int, rule: str, talks: tuple[str, ...]) -> None:
    """A rule names its fault; near misses stay silent."""
    del at
    fault, *near = talks
    assert f"RMQ-{rule}" in found(play(fault))
    assert [words for words in near if f"RMQ-{rule}" in found(play(words))] == []


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {f"RMQ-{rule}" for rule, _ in CASES} == {rule.id for rule in PROGRAMS}
