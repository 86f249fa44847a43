"""The parts of programs that use NATS, and how they fail."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

PARTS: Final[tuple[ObjectStates, ...]] = (
    states("Thread that reads the connection", """
blocked by a handler | PONG comes late, just after the reply of a handler | NATS-B160
hands messages to a handler that stands still | no publish follows any more | NATS-B340
stopped for a while | PONG comes late, and nothing before it | NATS-B160
blocked for good | PINGs of the server have no PONG | NATS-N7 NATS-N7b
slow | the client's window closes, and the server ends the connection | NATS-N21b
waits for what it has to read | the client goes on a timeout after the answer | NATS-B170
fails at a message | connections end, each just after an equal message | NATS-B164
fails at a kind of line | connections end, each just after PING, INFO or the like | NATS-B167
takes a status for the end | connections end, each after one error of a request | NATS-B167
does not notice the end | lines are sent after the server has closed | NATS-N31
loses what it has read | its buffer overflows | - The messages have arrived; core NATS has no acks.
"""),
    states("Thread that writes", """
blocks the reader | PONG comes late, after many lines of the client | NATS-B160
flushes after each message | PING follows each message | NATS-B23
does not flush | each reply comes just after the next request | NATS-B171
writes in pieces | small messages come in several packets | NATS-B41
waits for each ack | each message is published after the ack of the one before | NATS-B25
started twice | each message comes twice in a row | NATS-B112
started in two programs | two connections publish the same at once | NATS-B113
goes on after an error | the same -ERR comes repeatedly | NATS-B3
fed by its own messages | each message causes the next one | NATS-B8 NATS-B273
without a lock | lines inside other lines | NATS-N2b
dead | nothing is published | - A program that has nothing to publish looks the same.
"""),
    states("Handler of requests", """
dead | requests have no reply any more, and the connection stays open | NATS-B161 NATS-B346
never replies | requests of one subject have no reply, unlike others | NATS-B161b
serial | requests that came together have their replies one after the other | NATS-B162
slow | more and more requests wait, and replies take longer | NATS-B163
fails at a request | connections end with an equal request in hand | NATS-B164
too late | it replies to clients that have given up | NATS-B20
works for clients that are gone | it replies to ended connections | NATS-B172
never stopped | messages to an inbox that is unsubscribed | NATS-B173
replies twice | requests have two replies of one client | NATS-B118
started twice | two instances reply to each request | NATS-B38
left in hand | the connection ends before the reply | NATS-B74b
fails without saying why | an error reply lacks its text or code | NATS-N50
handles messages without a reply subject | it fails or stops | - Such messages have no answer.
"""),
    states("Handler of JetStream messages", """
dead | acks stop, and the connection stays open | NATS-B169
never acknowledges | no message has an ack | NATS-B30
stopped at the limit | max_ack_pending is reached, and messages wait | NATS-B32
serial | one message holds up those after it | NATS-B168
slow | acks come after ack_wait, or after the redelivery | NATS-B14 NATS-B14b
fails at a message | one message is delivered repeatedly | NATS-B6
given up at a message | a message reaches max_deliver without an ack | NATS-B29
rejects all | each message has -NAK or +TERM | NATS-B80
acknowledges twice | two acks for one message | NATS-B26
swallows an error | an ack follows the refusal of what was published meanwhile | NATS-B166
works out of order | a message is delivered again after later ones had acks | NATS-B129
puts messages back | it publishes what it has received | NATS-B126
waits for ever | progress (+WPI) without an ack | NATS-B78
started twice | two consumers of a program get each message | NATS-B123
acknowledges before the work | the ack comes at once | - Packets do not show the work.
"""),
    states("Loop that pulls", """
dead | pull requests stop while messages wait | NATS-B165 NATS-B347
ends at an error | pull requests stop after a status, while messages wait | NATS-B165 NATS-B347
ends with its consumer | no pull request after the consumer is gone | NATS-B122
never begun | a consumer is created, and nothing pulls | NATS-B131 NATS-B345
busy | empty pull requests without a pause | NATS-B4
one at a time | each pull request is for one message | NATS-B22
gives up early | pull requests are given up before they expire | NATS-B99
never stopped | pull requests to an inbox that is unsubscribed | NATS-B27 NATS-B134
goes on in vain | pull requests to a consumer that does not exist | NATS-N25b
takes one answer for another | a fetch begins while an earlier request is open | NATS-B300
started twice | two programs pull from one consumer | NATS-B95
piles up | pull requests that never expire | NATS-B81
forgotten after a reconnect | no pull request on the next connection | NATS-B48b
makes a consumer each time | a new consumer for each read | NATS-B7
forgets one of several consumers | it is not pulled from | - Another program may pull from it.
"""),
    states("Subscription", """
forgotten after a reconnect | SUB is missing on the next connection | NATS-B33
without its group | SUB lacks its queue group after a reconnect | NATS-B120
without its limit | UNSUB is sent with the whole number again | NATS-B34
started twice | one subject has two subscriptions | NATS-B12
doubled by each reconnect | more equal subscriptions each time | NATS-B101
push consumer not made again | the deliver subject is silent after a reconnect | NATS-B48
misses messages | a gap in the sequence of a consumer | NATS-B16
does not watch heartbeats | they stop, and nothing happens | NATS-B28
does not answer flow control | the consumer is stalled | NATS-B17
left behind | inboxes stay subscribed | NATS-B11
ended too early | the deliver subject is unsubscribed, the consumer stays | NATS-B36
begun too late | it comes just after the message | NATS-B153
"""),
    states("Timers", """
PING too often | an idle client sends PING repeatedly | NATS-B63
progress too late | +WPI comes after ack_wait | NATS-B14d
progress too often | +WPI far more often than ack_wait needs | NATS-B79
progress never stopped | +WPI for messages that have acks | NATS-B78c
token not renewed | CONNECT with a token that is not valid at this time | NATS-N65
dead connection not noticed | others receive what the client does not | NATS-B339
PING not sent | a client sends no PING | - Clients need not send PING.
two timers of one interval | PINGs come in pairs | - The interval is a setting of the client.
"""),
    states("Connections and reconnect loop", """
a connection for each task | short connections in a row | NATS-B9
busy | connections that are refused, without a pause | NATS-B3 NATS-N9c
does not come back | a program stays away after its connection was lost | NATS-B128
gives up | requests to what it was subscribed to find no responder | NATS-B302
comes back twice | two connections subscribe where there was one | NATS-B55
left behind | connections stay open without use | NATS-B88 NATS-B348
one of several unused | connections without any message | NATS-B84
stays to the end | a server in lame duck mode ends the connection | NATS-B42
at the wrong server | its cluster has the stream elsewhere | - Any server passes requests on.
"""),
    states("Shutdown", """
with unacknowledged messages | the connection ends before the acks | NATS-B74c
with publishes open | the connection ends before acks of a stream arrive | NATS-N14b
with an object unfinished | chunks without metadata | NATS-B45
with a batch unfinished | an atomic batch is never committed | NATS-B100b
drains without end | UNSUB, and the connection stays open | - A drained client may be kept.
"""),
    states("Caller that waits", """
without a timeout | a request stays without a reply for a long time | NATS-N14c
repeats before the answer | equal requests, the first one still open | NATS-B124
repeats without an answer | requests of one subject without a reply | NATS-B37
repeats the same failure | the same error of JetStream in a row | NATS-B1
repeats what a service refuses | the same error of a service in a row | NATS-B111
asks where nothing listens | 503 repeatedly | NATS-B2
asks in a loop | one query without a pause | NATS-B5
unsubscribes its inbox | requests whose inbox is unsubscribed | NATS-B134
subscribes too late | the inbox is subscribed after the request | NATS-B21
shares an inbox | two open requests with one inbox | NATS-B66
an inbox for each request | a subscription for each request | NATS-B10
"""),
    states("Store of progress", """
begins after what is not received | a new consumer skips messages | NATS-B35
begins anew | a new consumer begins before what was received | NATS-B35b NATS-B342
under a new name each time | a durable consumer for each start | NATS-B13
overwritten by another | a key is set back | NATS-B86
written blindly | a key is written with the revision of a refusal | NATS-B142
read repeatedly | the same key in a loop | NATS-B46
"""),
)  # fmt: skip
"""Read by the manual."""
