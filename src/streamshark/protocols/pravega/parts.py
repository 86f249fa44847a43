"""The parts of programs that use Pravega, and how they fail."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

PARTS: Final[tuple[ObjectStates, ...]] = (
    states("Thread that reads a connection", """
dead without closing | commands after the store has closed the connection | PRV-P60
blocked | TCP has no room | - TCP's zero windows of a client are no rows of Pravega's rules.
waits for what it has to read | it sends nothing until a timeout | - No answer is due to the store.
"""),
    states("Writer", """
one event at a time | each append waits for the acknowledgement of the one before | PRV-B11 PRV-B11b
one event an append | appends of one event, or of a few bytes | PRV-B12 PRV-B57
floods | many appends without an acknowledgement | PRV-B86
waits | an append has no acknowledgement for long | PRV-B76
slower and slower | acknowledgements take longer each time | PRV-B101
started twice | each event is written twice | PRV-B75
stuck at one event | the same event over and over | PRV-B82
runs on two connections | its id is used by both, or in turn | PRV-B17 PRV-B18
new for each event | a writer is set up for each event | PRV-B15
goes on at a sealed segment | SETUP_APPEND for it again | PRV-B28 PRV-B28b
does not handle a failed condition | the same stale offset again | PRV-B2
waits at a sealed segment | it writes to no other segment | PRV-B232
keeps a refused token | the token is shown again | PRV-B230
"""),
    states("Reader of a segment", """
polls | the tail is read without a pause | PRV-B7
reads again | the same bytes repeatedly | PRV-B9
in small pieces | a few bytes by each read | PRV-B10
asks while it waits | the same read is sent again | PRV-B45
skips | bytes are left out between reads | PRV-B60
forgets a segment | one of several segments is not read | PRV-B81
stops at a segment | one of several is no longer read | PRV-B81b
ignores truncation | reads before the start of the segment | PRV-B1
too slow | events are truncated before they are read | PRV-B61
ends at a cut | nothing reads the segment any more | PRV-B236
keeps what it has read | connections of segments read to their end stay open | PRV-B239
reads what another one owns | two readers of a group read a segment | PRV-B237
waits for bytes that are there | a read has no answer | PRV-B234
writes what it reads | events go back to their stream | PRV-B84
"""),
    states("Reader of a group", """
takes all segments | other readers get none | PRV-B89
releases repeatedly | segments are released repeatedly | PRV-B65
joins and leaves | readers join and leave in a row | PRV-B79
leaves without saying so | the reader is still in the group | PRV-B64 PRV-B222
goes on after a reset | it does not join again | PRV-B93
loses its position | the next reader begins the segment again | PRV-B90
fails at one event | each reader begins the segment again | PRV-B90b
waits in vain | the group is opened repeatedly | PRV-B94
"""),
    states("Timer of a transaction", """
dead | no ping within the lease | PRV-B38b
busy | pings far more often than the lease needs | PRV-B43
never stopped | pings after the end of the transaction | PRV-B40
pings what is over | the ping fails | PRV-B39
"""),
    states("Handler of a transaction", """
forgets it | it is neither committed nor aborted | PRV-B26 PRV-B41
ends it twice | commit or abort fails | PRV-B38
one event each | a transaction for each event | PRV-B34
aborts what was written | it is aborted with events | PRV-B16
"""),
    states("KEEP_ALIVE timer", """
busy | KEEP_ALIVE without a pause | PRV-B3
started twice | two KEEP_ALIVEs in each interval | PRV-B100
after each append | KEEP_ALIVE after each append | PRV-B46
dead | the store closes an idle connection | PRV-P41
"""),
    states("Timers of the controller's clients", """
token renewed too often | a delegation token is asked for repeatedly | PRV-B55
times noted for each event | the time of a writer comes with each event | PRV-B54
times noted backwards | the time of a writer goes back | PRV-B49b
times no longer noted | one writer of a stream notes none, others do | PRV-B91
checkpoints never completed | they are initiated, and none is completed | PRV-B48
never releases | a subscriber releases nothing | PRV-B92
truncates in small steps | the stream is cut repeatedly | PRV-B20c
"""),
    states("Caller that waits for an answer", """
never answered | a request has no answer | PRV-B21
uses one id twice | a request has the id of one that waits | PRV-B31 PRV-B19
retries unchanged | the same refused request again | PRV-B1
retries at the wrong store | requests go to it despite WRONG_HOST | PRV-B22
retries without a pause | WRONG_HOST repeatedly | PRV-B22b
creates again | what exists is created again | PRV-B32 PRV-B36
ignores a refusal | the controller refuses the same change again | PRV-B44c
polls | the same question repeatedly | PRV-B6 PRV-B6b PRV-B6c
ignores the continuation token | the first page of a table again | PRV-B8
reads everything again | the whole table repeatedly | PRV-B70
one at a time | keys are asked for one by one | PRV-B24
"""),
    states("Pool of connections", """
one for each request | short connections in a row | PRV-B13 PRV-B77
left behind | connections stay open after a request | PRV-B14 PRV-B14b
closed at the end alone | all connections for one request each are closed at once | PRV-B220
broken off by the store | the store ends each after a few commands | PRV-B25
"""),
    states("Loop that connects again", """
forgets a writer | it is not set up again, with events open | PRV-B102
drops what was open | unacknowledged events are not sent again | PRV-B29 PRV-B221
under another id | they are sent by another writer | PRV-B66
under other numbers | stored events are appended again | PRV-B66b PRV-B66c
loses its place | the segment is read from an old offset | PRV-B27
"""),
    states("Thread that shuts down", """
leaves groups behind | reader groups are never deleted | PRV-B33
leaves segments behind | a transient segment is never merged | PRV-B68
does not wait | events are not acknowledged when it ends | PRV-P13
"""),
    states("Store of progress", """
never compacted | a state grows | PRV-B69
goes back | the position of a subscriber falls | PRV-B52
written by several | changes of one key undo each other | PRV-B50
refused repeatedly | updates of an attribute or key fail | PRV-B4 PRV-B96
contended | writers refuse each other's state | PRV-B2b PRV-B97
dead | no position is stored any more | - Readers keep positions, and store them when asked to.
"""),
)  # fmt: skip
"""Read by the manual."""
