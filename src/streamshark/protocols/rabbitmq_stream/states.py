"""The states of connections, streams, publishers, subscriptions, offsets and groups."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

STATES: Final[tuple[ObjectStates, ...]] = (
    states("Connection", """
before it exists | connections are opened and left without use | RMQ-M4 RMQ-M4b RMQ-B5 RMQ-B5b
before it exists | connects again in a row | RMQ-B1
being made | steps of the handshake are skipped or early | RMQ-N1 RMQ-N1b RMQ-N4 RMQ-T1
being made | Heartbeat before Tune | RMQ-H6
being made | Close instead of the next step | RMQ-B141
being made | waits with its next step | RMQ-N5 RMQ-N5b RMQ-N16
being made | has its answer when the client has given up | RMQ-B223
being made | Tune twice, or the client leaves | RMQ-B162 RMQ-B174
being made | another mechanism than was offered | RMQ-N2 RMQ-N3
refused | the same login again | RMQ-N6 RMQ-X7 RMQ-X7b
open | a command that the broker's release or list lacks | RMQ-V5 RMQ-V5b RMQ-V8
open | renews with an expired or the same token | RMQ-N7 RMQ-N12 RMQ-N15 RMQ-B86
open | PeerProperties once more, which ends the connection | RMQ-K1
idle | ends at Heartbeat of the broker | RMQ-B92c
idle | is dropped after a subscription has received nothing | RMQ-B241
idle | no heartbeats, too many, or none agreed | RMQ-H1 RMQ-H3 RMQ-H4 RMQ-H5 RMQ-B80
idle | the peer is silent | RMQ-H2
at its limit | frames larger than agreed | RMQ-T2 RMQ-T3 RMQ-T4 RMQ-T6
closing | sends after Close, or does not answer it | RMQ-K4 RMQ-K6 RMQ-B70
closing | requests that have no answer yet; answers after CloseResponse | RMQ-B160 RMQ-B161
ended by the broker | does not notice it | RMQ-K7 RMQ-B94
after reconnect | restores only a part of what it had | RMQ-B18 RMQ-B18b
after reconnect | a secret that was replaced | RMQ-B220
owned by another | one program has the name of another | - Names of connections are free text.
"""),
    states("Stream", """
does not exist | is used, and the refusal is not handled | RMQ-X6 RMQ-X7 RMQ-X9 RMQ-M2b
being made | arguments of the wrong unit or name | RMQ-S4 RMQ-S6 RMQ-S7 RMQ-S10 RMQ-S11 RMQ-V6b
exists | is created again with other arguments | RMQ-M8b
exists | streams of one use are never deleted, or deleted at once | RMQ-B55 RMQ-B24
used | is deleted | RMQ-B40
deleted | its publishers and subscriptions are used | RMQ-M6 RMQ-M6c RMQ-I1
made again | unread messages are lost; offsets of the former one | RMQ-B43 RMQ-D13c RMQ-D12b
leader elsewhere | publishes or reads at the wrong node | RMQ-B49 RMQ-B49b RMQ-M5 RMQ-M7
asked for | the answer is about another one, or a node that cannot be | RMQ-B163 RMQ-B168 RMQ-B168b
asked for | the client never connects to the node | RMQ-M3 RMQ-B243
changing its leader | times or epochs of chunks fall | RMQ-B169 RMQ-B170
without a leader | every use is refused | RMQ-B246
truncated | reads what retention has removed | RMQ-B42 RMQ-B42b RMQ-D17
written by several | formats that differ | RMQ-B28 RMQ-B52
read elsewhere | bytes that are no messages of AMQP 1.0 | RMQ-B221
"""),
    states("Super stream", """
being made | keys and partitions that do not match | RMQ-S8 RMQ-S14
exists | is used as a stream | RMQ-B16
exists | a partition without a consumer, or with all messages | RMQ-B27 RMQ-B34 RMQ-B31b
exists | one key in several partitions | RMQ-B32 RMQ-B32b RMQ-B90
asked for a key | the answer is not used | RMQ-B31 RMQ-M9
asked for a key | the answer is no partition | RMQ-B176
used | is deleted | RMQ-B40b
"""),
    states("Publisher", """
not declared | Publish, or DeletePublisher | RMQ-I1 RMQ-B164
being declared | Publish before the answer | RMQ-I1c
being declared | confirms before the answer | RMQ-B166b
refused | Publish nevertheless | RMQ-I1 RMQ-U7
declared | an id that is in use | RMQ-I2 RMQ-I2b
declared | is never used, or for one message | RMQ-B2 RMQ-B4 RMQ-B19
declared | one message a frame or a round trip | RMQ-B7 RMQ-B23
with messages open | is deleted, or its connection ends | RMQ-I7 RMQ-I7b RMQ-I7d
with messages open | its stream becomes unavailable | RMQ-B178
with messages open | too many of them | RMQ-I9c
with messages refused | goes on | RMQ-U7
made again under the id of a deleted one | gets the confirms of that one | RMQ-B142 RMQ-B142b
ended | what is unconfirmed is not sent again, or under other ids | RMQ-B71 RMQ-B39 RMQ-B75 RMQ-B85
ended | its stored messages are sent again without a need | RMQ-B33b RMQ-B54
at its limit | more than 256 on a connection | RMQ-I3 RMQ-B98
"""),
    states("Publisher reference", """
new | another one for each connection | RMQ-B33
last id asked for | asked again for each message | RMQ-X8b
last id known | messages begin at it, not after it | RMQ-I6c RMQ-I6 RMQ-B73
last id known | all ids are below it | RMQ-I6b RMQ-I6
last id known | its sequence goes on under another name or none | RMQ-I13
open | ids repeat, fall or are out of order | RMQ-I11 RMQ-I12 RMQ-B72
owned by another | two publishers at once | RMQ-I10 RMQ-I2b
of sub-batches | ids count batches, not messages | RMQ-U18
"""),
    states("Subscription", """
does not exist | Credit or Unsubscribe | RMQ-I5
does not exist | Deliver or ConsumerUpdate | RMQ-B165
being made | Credit before the answer | RMQ-I5c
being made | Deliver or ConsumerUpdate before the answer | RMQ-B166
refused | Credit nevertheless | RMQ-I5 RMQ-C4
being made | an offset beyond the end, or of the wrong unit | RMQ-D13 RMQ-D13c RMQ-D14 RMQ-D15
open | an id that is in use | RMQ-I4
open | the same stream once more | RMQ-B6 RMQ-B6b RMQ-B20
open | credit runs out, or grows | RMQ-C2 RMQ-C2c RMQ-C3 RMQ-C5 RMQ-C7 RMQ-B9 RMQ-B74
open | does not read from its socket | RMQ-B81 RMQ-C3d
open | holds back the answers of its connection | RMQ-X8e
open | receives nothing, or chunks are left out | RMQ-B175 RMQ-B175b RMQ-B171 RMQ-B171b
open | receives chunks late, or no more, although it has credit | RMQ-B240 RMQ-B240b RMQ-B242
open | one message a chunk | RMQ-B248
brief | ends after each chunk | RMQ-B3 RMQ-B3b RMQ-B97
lost | is not made again, or loses messages | RMQ-B18 RMQ-B26 RMQ-B96 RMQ-B30
after reconnect | other properties than before | RMQ-B53 RMQ-B53b RMQ-B53c
after reconnect | begins at another place than it had reached | RMQ-B13 RMQ-B13f RMQ-B13g RMQ-B35
failing | stops at the same message each time | RMQ-B51 RMQ-B95 RMQ-B222
failing | the broker fails at the same message each time | RMQ-B140
at its limit | more than 256 on a connection | RMQ-I3b
processed | a chunk is credited before it is processed | - Processing is not on the wire.
"""),
    states("Stored offset", """
never stored | is asked for each time | RMQ-B46 RMQ-B13d
does not exist | the refusal is read as offset 0 | RMQ-B59
does not exist | the refusal ends the client | RMQ-X7c RMQ-B249
exists | is never asked for | RMQ-B44 RMQ-B37
answered | the subscription begins before it | RMQ-B57 RMQ-B13c RMQ-B13b
answered | the subscription begins after more messages | RMQ-B57b
answered | the subscription begins with new messages | RMQ-B57c
answered for another stream | is used | RMQ-B47
answered | was never stored | RMQ-B172
answered | was stored and is not kept | RMQ-B245
resolved | is no offset | RMQ-B173
being stored | back, repeatedly, often, or beyond what came | RMQ-B11 RMQ-B12 RMQ-B17 RMQ-B77
being stored | for each message | RMQ-B8 RMQ-B8b
being stored | under another name than it is asked for | RMQ-B25 RMQ-B60
being stored | without a name or a subscription | RMQ-S5 RMQ-B48
owned by another | two consumers store under one name | RMQ-B14 RMQ-B38
at the end of a program | is not stored | RMQ-B45
"""),
    states("Group of single active consumers", """
being joined | without a name, with a wrong value or super stream | RMQ-A2 RMQ-A2b RMQ-A8 RMQ-A12
being joined | a name of its own for each member | RMQ-A7 RMQ-B21
being joined | members that differ in filter or super stream | RMQ-A11 RMQ-A15
being joined | a member of its name without the property | RMQ-A16
becomes active | does not answer, late, or with an error | RMQ-A1 RMQ-A10 RMQ-B82
becomes active | a value that is neither active nor not | RMQ-B167
becomes active | begins before, at or after what is stored | RMQ-A6 RMQ-A6c RMQ-A6f RMQ-B57
inactive | stores its offset, or receives messages | RMQ-A9 RMQ-A3
without an active member | messages wait | RMQ-A13
changing | another member becomes active each time | RMQ-B83
after reconnect | is left | RMQ-A14
"""),
    states("Message batch", """
being made | contents that do not match their header | RMQ-U3 RMQ-U4 RMQ-D9
being made | one message each, or compression without gain | RMQ-B7b RMQ-U10
in AMQP 1.0 | properties of the wrong type, unit or name | RMQ-U8 RMQ-U11 RMQ-U13 RMQ-U19 RMQ-B88
in AMQP 1.0 | bodies that are not what is announced | RMQ-U9 RMQ-U12 RMQ-U21
read by the same program | is published again to its stream | RMQ-B76
"""),
    states("Filter", """
without publishers that set values | is asked for | RMQ-B15
with publishers of which some set none | is asked for | RMQ-B58
set for each message anew | has no effect | RMQ-B36 RMQ-B89
empty or without its other property | is asked for | RMQ-S12
after reconnect | is left out or another one | RMQ-B53 RMQ-B53b
in the client | is not applied to messages | - What a client drops is not on the wire.
"""),
)  # fmt: skip
"""Read by the manual."""
