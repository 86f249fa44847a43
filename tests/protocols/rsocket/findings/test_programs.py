"""Rules for the parts of programs: faults in two forms, and near misses."""

from tests.failures import every
from tests.protocols.rsocket.play import found, play
from tests.protocols.rsocket.test_parts import LEFT, QUEUE, SERVED, again, each, odd

from streamshark.protocols.rsocket.findings.programs import PROGRAMS

SERVED_BY_CLIENT = f"o {each('Q{0} +20 a{0}', odd(6, 2))} {each('Q{0} +1000', odd(6, 14))}"
CLIMB = " ".join(f"Q{s} +{10 * 2**n} a{s} +100" for n, s in enumerate(odd(9, 2)))
CLIMB_AT_ONCE = " ".join(f"+{9 * n} A{s}" for n, s in enumerate(odd(40)))
UNSERVED = "o @1 o q1 q3 q5 k Y"

CASES: list[tuple[str, tuple[str, ...]]] = [
    ("B100", ("o k Y q1 A1 q3 +10 k +4000 A3 Y", "o k Y q1 A1 q3 +10 k Y +4000 A3")),
    ("B100", ("o K y Q2 +10 K +4000 y a2", "o K y Q2 +10 K +900 y a2",
        "o K y +1000 K +4000 y Q2 +10 a2")),
    ("B101", ("o q1 A1 q3 Q2 a2 +10000 X2 E3", "o q1 A1 q3 Q2 a2 X2 E3")),
    ("B101", ("o q1 A1 Q2 q3 A3 +10000 x3 e2", "o q1 A1 Q2 q3 +2000 A3 +10000 x3 e2")),
    ("B101b", ("o q1 A1 q3 Q2 a2 +10000 E3", "o q1 A1 q3 Q2 +2000 a2 +10000 E3")),
    ("B101b", ("o Q2 q1 A1 +500 e2", "o Q2 q1 A1 k Y +500 e2")),
    ("B102", (f"{SERVED} {LEFT} k Y +5000 k Y -c -s", f"{SERVED} q13 q15 k Y +5000 k Y -c -s")),
    ("B102", (f"{SERVED_BY_CLIENT} +5000 K y -c -s",
        f"{SERVED_BY_CLIENT} +5000 -c -s", f"{SERVED_BY_CLIENT} a24 +5000 K y -c -s")),
    ("B102", (f"o {each('q{0}:a A{0}', odd(6))} {each('q{0}:a q8{0}:b A8{0} +900', odd(6, 13))}",
        f"o {each('q{0}:a A{0}', odd(6))} {each('q{0}:b q8{0}:a A8{0} +900', odd(6, 13))}")),
    ("B103", (f"o {QUEUE} {each('+300 A{0}', odd(8))}",
        f"o {QUEUE} {each('+300 A{0}', odd(5))}", f"o {QUEUE} {each('+30 A{0}', odd(8))}")),
    ("B103", (f"o {each('Q{0}', odd(8, 2))} {each('+900 a{0}', odd(8, 2))}",)),
    ("B104", (f"o {CLIMB}",)),
    ("B104", (f"o {each('q{0}', odd(40))} {CLIMB_AT_ONCE}",
        f"o {each('q{0}', odd(40))} {each('A{0}', odd(40))}")),
    ("B105", (f"{UNSERVED} @0 {each('q{0} A{0}', odd(6))} +5000 q51 A51 @1 k Y -c -s",
        f"{UNSERVED} @0 {each('q{0} A{0}', odd(6))} +5000 q51 A51 @1 E1 -c -s",
        f"{UNSERVED} @0 {each('q{0} A{0}', odd(6))} @1 k Y -c -s")),
    ("B105", (f"{UNSERVED} @0 {each('+900 q{0} +100 A{0}', odd(9))} @1 x1 x3 -t",)),
    ("B106", (f"o s1 s3 s5 s7 {each('+100 P{0} +500 P{0} +500 A{0}', odd(4))}",
        f"o s1 s3 s5 s7 {each('+100 P{0} +500 A{0} +900', odd(4))}")),
    ("B106", ("o c1 c3 c5 c7 +900 A1 +9 A3 +9 A5 +9 A7",
        f"o {each('s{0} P{0} A{0}', odd(4))}")),
    ("B107", (again("o -s -c +500", 6), again("o -s -c +90000", 6), again("o -s -c", 2))),
    ("B107", (again("o -t +5000", 3), again("o Y -t +5000", 3))),
    ("B109", ("o s1 P1 -s +30000 -c", "o s1 P1 -s +900 -c", "o s1 P1 -c +9000 -s")),
    ("B109", ("o q1 A1 -s +6000 -r", "o q1 A1 -s")),
    ("B108", ("o q1 A1 E0*102 +9000 k Y", "o q1 A1 +9000 k Y", "o s1 P1 E0*102 +9000 P1 k Y")),
    ("B108", ("o q1 A1 e0*102 +6000 K y", "o q1 A1 e0*102 +600 K y")),
]  # fmt: skip
"""Rule, words of a fault, and words of near misses."""


@every(("at", "rule", "talks"), [(at, *case) for at, case in enumerate(CASES)],
       ids=lambda e: e[:2])  # fmt: skip
def test_faults_and_near_misses(at: int, rule: str, talks: tuple[str, ...]) -> None:
    """A rule names its fault; near misses stay silent."""
    del at
    fault, *near = talks
    assert f"RSK-{rule}" in found(play(fault))
    assert [words for words in near if f"RSK-{rule}" in found(play(words))] == []


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {f"RSK-{rule}" for rule, _ in CASES} == {rule.id for rule in PROGRAMS}
