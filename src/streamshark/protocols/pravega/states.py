"""The states of connections, segments, writers, readers, tables and what the controller keeps."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

STATES: Final[tuple[ObjectStates, ...]] = (
    states("Connection", """
being made | another command than HELLO, or HELLO twice | PRV-P1 PRV-P62
being made | versions that do not overlap | PRV-P2 PRV-P61
idle | no KEEP_ALIVE, or a flood of them | PRV-P41 PRV-B3 PRV-B46
open | for one request each, or left | PRV-B13 PRV-B14 PRV-B77
open | a request id that is in use | PRV-B31 PRV-B19
ended | sends nevertheless | PRV-P60
"""),
    states("Writer", """
not set up | appends | PRV-P6 PRV-P6c
refused | appends | PRV-P6b
set up | again, or without an append | PRV-P32 PRV-P48
with events open | numbers that fall, and acks out of range | PRV-P10 PRV-P12
with events open | is lost, and does not send them again | PRV-P13 PRV-B29 PRV-B221
with events open | sends them under another id or number | PRV-B66 PRV-B66b
of a sealed segment | goes on | PRV-P19 PRV-B28
owned by another | two connections | PRV-B17 PRV-B18
appending on condition | several that refuse each other | PRV-B97 PRV-B2 PRV-B2b
"""),
    states("Segment", """
does not exist | is used repeatedly | PRV-B1 PRV-B88
sealed | is appended to | PRV-P19
truncated | is read before its start | PRV-B61 PRV-B61b
truncated | is not read any more | PRV-B236
read to its end | its connection stays open | PRV-B239
read by one reader | and by another of the group | PRV-B237
on another store | is asked for | PRV-P44 PRV-B22
made again | its offsets are of the former one | PRV-B78
at its end | is polled, or read beyond | PRV-B7 PRV-P18
"""),
    states("Transaction", """
open | is not ended, or pinged too often or too late | PRV-B26 PRV-B41 PRV-B43 PRV-B38b
open | is aborted within its lease | PRV-B235b
committed | is aborted | PRV-B235
ended | is pinged or ended again | PRV-B40 PRV-B56
ended | without an event | PRV-B63
"""),
    states("Reader group", """
being made | again, or never deleted | PRV-B36b PRV-B33
joined | is never left, or only for a moment | PRV-B64 PRV-B222 PRV-B79
joined | segments wait, or are released repeatedly | PRV-B89 PRV-B65 PRV-B90
reset | its readers stay | PRV-B93
of readers that have gone | is opened repeatedly | PRV-B94
with a checkpoint | is not completed | PRV-B48
subscriber | releases nothing, or goes back | PRV-B92 PRV-B52
subscriber | of another generation | PRV-B44b
"""),
    states("Table", """
key with another version | changed on condition, in a row | PRV-B96 PRV-P42
key that does not exist | removed on this condition | PRV-B95
key of another client | is overwritten | PRV-B50
being read | one by one, whole, or its first page | PRV-B24 PRV-B70 PRV-B8
"""),
    states("Stream of the controller", """
being made | policies that contradict themselves | PRV-P28 PRV-P70 PRV-P76
exists | is created again | PRV-B32 PRV-B36
changed | loses a policy, or in turn | PRV-P75 PRV-P75b PRV-B71
sealed | is written to | PRV-B88b
with times of writers | units that differ, or none any more | PRV-B87 PRV-B91 PRV-B49b
"""),
    states("Delegation token", """
expired | is used | PRV-P39 PRV-P22
refused | is used again | PRV-B230 PRV-P22
of another stream or right | is used | PRV-P79 PRV-P79b
on some requests | is left out on others | PRV-P21
valid | is asked for again | PRV-B55
in clear | crosses the network | PRV-P40
"""),
)  # fmt: skip
"""Read by the manual."""
