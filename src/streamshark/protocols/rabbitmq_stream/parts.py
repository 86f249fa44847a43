"""The parts of programs that use RabbitMQ Streams, and how they fail."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

PARTS: Final[tuple[ObjectStates, ...]] = (
    states("Thread that reads the connection", """
blocked by a handler | TCP has no room, with subscriptions | RMQ-B81
waits for what it has to read | a request is answered, and then only heartbeats go on | RMQ-B100
dead | the broker's heartbeats have no answer | RMQ-H1
dead without closing | the broker has closed, and the client's half stays open | RMQ-B94 RMQ-B107
dead at a frame | each connection ends at the same frame of the broker | RMQ-B92
dead at Heartbeat or CreditResponse | each connection ends at it | RMQ-B92c
does not notice a silent broker | the client goes on without the broker's heartbeats | RMQ-H2
does not answer Close | the broker's Close has no answer | RMQ-K6
holds back answers | a query is repeated before its answer | RMQ-X8e
"""),
    states("Thread that writes", """
one message a frame | frames of one message while others wait | RMQ-B7
one at a time | each message waits for the confirm before it | RMQ-B23
never stopped | frames after the broker's Close | RMQ-B70
goes on at a dead publisher | Publish for a publisher that is not there | RMQ-I1
goes on after MetadataUpdate | Publish for a stream that has moved | RMQ-M6
several threads write | publishing ids out of order | RMQ-B72 RMQ-I6
blocked by the broker | many unconfirmed messages | - Brokers pause reading: TCP shows no room.
"""),
    states("Handler of messages", """
dead | a subscription is credited no more, while others are | RMQ-B101
waits | a subscription has no credit | RMQ-C2 RMQ-C2b RMQ-C2c
serial | subscriptions are credited in turn | RMQ-B103
slower and slower | Credit comes later each time | RMQ-B104
dead at one message | the client is lost at the same offset each time | RMQ-B51 RMQ-B51b RMQ-B222
ends at one message | the client leaves at the same offset each time | RMQ-B51b
starts again | the stream is consumed from its start after each loss | RMQ-B13
never stopped | Credit after Unsubscribe | RMQ-I5
works on | offsets are stored long after Unsubscribe | RMQ-B106
started twice | two subscriptions receive one stream | RMQ-B6 RMQ-B20
credits twice | credit grows | RMQ-C5
one chunk at a time | credit for one chunk at a time | RMQ-B9
brief | a subscription for each chunk | RMQ-B3
swallows its failure | it goes on with the next message | - Processing is not on the wire.
"""),
    states("Handler of confirms", """
treats errors as confirms | Publish goes on while each is refused | RMQ-U7
does not wait | the publisher ends before its confirms | RMQ-I7 RMQ-I7b
forgets what was open | unconfirmed messages are not sent again | RMQ-B71
dead after an error | the publisher is silent | - A publisher may have no more to send.
"""),
    states("Handler of single active consumers", """
dead | ConsumerUpdate has no answer | RMQ-A1
slow | ConsumerUpdate is answered late | RMQ-B82
fails | ConsumerUpdate is answered with an error | RMQ-A10
ends the client | each connection ends at ConsumerUpdate | RMQ-B92
"""),
    states("Heartbeat timer", """
dead | no frame in two intervals | RMQ-H1
starved | heartbeats come late | RMQ-B102
started twice | two heartbeats in each interval | RMQ-H4
busy | far more heartbeats than agreed | RMQ-H5
started too early | Heartbeat during the handshake | RMQ-H6
never stopped | frames after the broker closed the connection | RMQ-K7
"""),
    states("Timer of the token", """
renews with the same token | the token that is in use is sent again | RMQ-B86
renews open connections alone | the next connection has the former token | RMQ-B220
dead | the token expires | - Only the broker's end of the connection shows it: RMQ-N15.
"""),
    states("Caller that waits for an answer", """
gives up and asks again | a query is repeated before its answer | RMQ-X8e
retries without a pause | the same refused request again | RMQ-X7
retries slowly, without end | the same refused request again, with pauses | RMQ-X7b
retries on a new connection | the same refused request on each connection | RMQ-X7 RMQ-X7b
goes on after a refusal | Publish or Credit after a refused request | RMQ-I1
goes on after a refused subscription | Credit after it | RMQ-I5
polls | the same query repeatedly | RMQ-X8 RMQ-X8c
ends at a harmless answer | no stored offset ends the client | RMQ-X7c RMQ-B249
waits at a broker that dies | the broker ends the connection | RMQ-X2b RMQ-K2
waits at a broker that hangs | the handshake is answered when the client has left | RMQ-B223
dies of a late answer | the client ends at the answer | RMQ-X4 RMQ-B92b
"""),
    states("Pool of connections", """
one for each use | short connections in a row | RMQ-B1
left behind at each start | the stream has a subscription on each | RMQ-B20 RMQ-B50
publishers left behind | publishers stay open after one message | RMQ-B19
publishers for one message | publishers are deleted after it | RMQ-B2
look-ups left behind | connections used for Metadata alone stay open | RMQ-B5
opened for nothing | connections are opened and closed | RMQ-M4
cannot reach the node | connections only ask where a stream is | RMQ-B243
"""),
    states("Loop that connects again", """
forgets a subscription | one of several is not made again | RMQ-B18
forgets a publisher | one of several is not declared again | RMQ-B18b
forgets it after MetadataUpdate | nothing is made again | RMQ-B30
without a pause | short connections in a row | RMQ-B1
loses its place | messages are consumed again from the start | RMQ-B13
skips | the subscription goes on with new messages | RMQ-B26 RMQ-B26b
"""),
    states("Thread that shuts down", """
does not wait for confirms | the connection is closed with open messages | RMQ-I7 RMQ-B250
does not say so | the client ends TCP without Close | RMQ-K3
does not stop others | frames after the client's Close | RMQ-K4 RMQ-K4b
does not store the offset | the next run consumes messages again | RMQ-B45
never ends | the connection stays after Close | - The broker ends it after its answer.
"""),
    states("Store of offsets", """
dead | offsets are stored no more, and the consumer goes on | RMQ-B105
never started | the consumer asks for its offset and stores none | RMQ-B46
for each message | one offset for each message | RMQ-B8 RMQ-B8b
started twice | two consumers store under one name | RMQ-B14 RMQ-B38
stuck | the same offset repeatedly | RMQ-B12
goes back | the offset falls | RMQ-B11
is ahead | an offset beyond what came | RMQ-B17 RMQ-B77
never read | the next run does not ask for it | RMQ-B44
asks for each message | the last publishing id is asked for again | RMQ-X8 RMQ-X8b
shared by two publishers | one reference on two connections | RMQ-I10
"""),
)  # fmt: skip
"""Read by the manual."""
