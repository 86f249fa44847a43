"""The parts of programs that use Liftbridge, and how they fail.

Those of the calls themselves are the table of gRPC.
"""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

PARTS: Final[tuple[ObjectStates, ...]] = (
    states("Subscription and its handler", """
takes its first message for a failure | it subscribes repeatedly, and gets nothing | LFB-B1
ends after a few messages | a subscription for a few messages each | LFB-B2
misses what comes between | repeated subscriptions for new messages only | LFB-B49
fails at a message | connections begin at one offset, and end soon | LFB-B100
started twice | two subscriptions receive each message | LFB-B107
forgets one of several partitions | a partition has messages, and nothing reads it | LFB-B42
forgotten after a reconnect | the stream is not subscribed to again | LFB-B38
one of several forgotten after a reconnect | a partition is not subscribed to again | LFB-B37
gives up after a reconnect | only metadata are asked for | LFB-B212
one of several gives up | fewer subscriptions than before | LFB-B213
begins too late | the messages before are left out | LFB-B210
reads another partition's place | it begins at the offset of another partition | LFB-B45
publishes what it reads | each message causes the next one | LFB-B61
reads what does not exist | an offset beyond the end | LFB-B62
expects offset 1 of nothing | it subscribes again at 1 | LFB-B39
leaves the group | after a reconnect it reads without it | LFB-B53b
blocked | the window of its call is used up | - It is in the table of gRPC.
one slow message | it holds up the others | - Messages are not acknowledged one by one.
drops messages | its buffer overflows | - The messages have arrived.
"""),
    states("Store of progress", """
dead | cursors stop, while messages arrive | LFB-B101
never sets | the cursor does not exist at each start | LFB-B8b
never fetches | the stream is read from its beginning, although a cursor was set | LFB-B8
fetches and forgets | the subscription begins elsewhere | LFB-B23
stores too often | a cursor after each message | LFB-B9
timer that stores the same | a cursor is set to one offset repeatedly | LFB-B64
runs ahead | a cursor beyond the last message | LFB-B24
set back | cursors decrease | LFB-B6
started twice | two connections set one cursor | LFB-B7
under a new name each time | the cursor is fetched under another id | LFB-B40
swallows an error | a cursor is set after a message was refused | LFB-B104
of the wrong place | a cursor of a stream that is not read | LFB-B65
takes no cursor for a place | a negative offset is stored | LFB-B76
restarts at the last message | the first message comes twice | LFB-B3 LFB-B250
"""),
    states("Member of a consumer group", """
dead timer | assignments are not fetched any more | LFB-L21
starved timer | assignments are fetched too late | LFB-B105
busy | a flood of fetches | LFB-B18
never stopped | it fetches after it has left | LFB-B19
does not leave | the connection ends without LeaveConsumerGroup | LFB-B4
started twice | two connections with one consumer id | LFB-B17
joins repeatedly | JoinConsumerGroup in a row | LFB-B36
restarted under another name | a new consumer id each time | LFB-B44
ignores what it got | assigned partitions without a subscription | LFB-B35
ignores what it lost | messages of a partition that is assigned to another | LFB-B106
takes what it did not get | a partition that is not assigned | LFB-B34
makes its id anew | requests of a consumer that has not joined | LFB-B230
keeps an old epoch | fetches with the epoch of before | LFB-B74
asks another server | assignments are not fetched from the coordinator | LFB-B81
"""),
    states("Publisher", """
one at a time | each message waits for the ack of the one before | LFB-B12
a call for each message | PublishAsync is called for each | LFB-B25
started twice | each message comes twice | LFB-B69
gives up at the end | the connection ends before the acks | LFB-B10
ends before its acks | the connection is closed while an ack is awaited | LFB-B221
retries too early | the same message again before its ack | LFB-B223
does not wait for acks | messages without a correlation id want acks | LFB-B55
goes on after refusals | messages are refused in a row | LFB-B26b
goes on although the stream is read-only | publishes to it repeatedly | LFB-B27
shares an id | messages with one correlation id | LFB-B11
contends with others | most expected offsets are wrong | LFB-B82
wakes a stream first | a message before each subscription | LFB-B51
ends with its call | it is connected again, and does not publish | LFB-B211
dead | nothing is published | - A program that has nothing to publish looks the same.
"""),
    states("What administers streams", """
makes a stream each time | many streams in a row | LFB-B14
made under new names | streams with similar names for one subject | LFB-B14b
asks in a loop | FetchMetadata repeatedly | LFB-B43
pauses what is in use | a stream is paused just after messages | LFB-B33b
uses what is deleted | a stream that was deleted | LFB-B15
deletes what others read | a stream that another client receives | LFB-B75
has lost a name | requests without a name that they need | LFB-B229
forgets a resume | a paused stream is subscribed to | LFB-B56
"""),
)  # fmt: skip
"""Read by the manual."""
