"""The states of connections, subscriptions, streams, consumers, keys and objects."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

STATES: Final[tuple[ObjectStates, ...]] = (
    states("Connection", """
being made | commands before CONNECT, or CONNECT twice | NATS-N1b NATS-N17
being made | credentials in clear or without a signature | NATS-N13 NATS-N18 NATS-N32
refused | the same again | NATS-N9c NATS-B3
open | a connection for a few messages | NATS-B9 NATS-B84 NATS-B88
being made | lines before INFO or CONNECT | NATS-N1 NATS-B221 NATS-B222
being made | is ended by the server | NATS-B334
being made | a version, or TLS, that the server does not have | NATS-B248 NATS-B247 NATS-B332
open | lines of another connection | NATS-B246
open | a PING that is passed over | NATS-B220 NATS-B220b NATS-B220c
open | headers, or a status, that were not agreed | NATS-B249 NATS-B249b NATS-B250
idle | PING without PONG, or too often | NATS-N7 NATS-N7b NATS-B63 NATS-B23
idle | is ended between the client and the server | NATS-B329
dead | is kept | NATS-B339
at its limit | payloads and lines that are too long | NATS-N5 NATS-N10
full | does not read | NATS-N21 NATS-N21b
in lame duck mode | stays to the end | NATS-B42
ended | sends nevertheless, or does not come back | NATS-N31 NATS-B128 NATS-B302
after reconnect | subscriptions are missing or doubled | NATS-B33 NATS-B34 NATS-B101 NATS-B120
"""),
    states("Subscription", """
does not exist | UNSUB, or messages | NATS-N19 NATS-N6
open | twice, or inside another | NATS-B12 NATS-B102 NATS-B135
open | more and more of them | NATS-B11 NATS-B117
of a queue group | some without, or of similar groups | NATS-B43 NATS-B44 NATS-B55
not there yet | messages for it | NATS-B64 NATS-B153 NATS-B21
open | messages that its client does not react to any more | NATS-B340
open | messages twice, out of order or left out | NATS-B231 NATS-B231b NATS-B231c NATS-B232
ended | requests that wait on it | NATS-B134
ended | UNSUB again, or more messages than max_msgs | NATS-B223 NATS-B224
"""),
    states("Request", """
without a responder | again | NATS-N14 NATS-B2
open | is repeated, or its inbox is shared | NATS-B114 NATS-B124 NATS-B66
without an inbox | waits | NATS-B27 NATS-B331
given up | is answered | NATS-B20
open | is sent again with its reply subject | NATS-B225
answered | once more | NATS-B118 NATS-B38
answered | with the same again | NATS-B226 NATS-B226b NATS-B226c NATS-B228 NATS-B228b NATS-B236
does not exist | is answered | NATS-B227 NATS-B227b NATS-B227c NATS-B237
open | the connection is ended while its answer comes | NATS-B341
open | the answer is that of another one | NATS-B240 NATS-B240b NATS-B241 NATS-B241b NATS-B245
"""),
    states("Stream", """
does not exist | messages for it | NATS-B127 NATS-N24 NATS-B327
without a quorum | is in use | NATS-B323 NATS-B326
being made | names, units and members that were not meant | NATS-N27 NATS-N38 NATS-N68 NATS-B93
being made | a wildcard inside a token | NATS-N34b
exists | another configuration by each program | NATS-B90 NATS-B106
full, sealed | messages for it | NATS-N24i NATS-N24d
being made | other names or settings than were asked for | NATS-B243 NATS-B243b NATS-B252
exists | sequences that fall, or are those of other messages | NATS-B230 NATS-B230b NATS-B254
exists | stores a message elsewhere, or under another subject | NATS-B242 NATS-B254b
with interest | messages that no consumer wants | NATS-B77 NATS-B139 NATS-B139b
received by another | is deleted or purged | NATS-B119
source of another | is made again, or is a work queue | NATS-B137 NATS-B138
mirror | becomes a stream of its own beside its origin | - The server refuses equal subjects.
"""),
    states("Consumer", """
does not exist | pull requests | NATS-N25b NATS-B122b
being made | starts where nothing is | NATS-B35 NATS-B140 NATS-N67
being made | a new name each time | NATS-B7 NATS-B13
being made | without the settings of the former one | NATS-B301
open | pull requests that overlap | NATS-B300
exists | no pull request, or small ones | NATS-B131 NATS-B345 NATS-B22 NATS-B4
at its limit | waits at max_ack_pending | NATS-B32 NATS-B15 NATS-B141
open | acks late, twice, or never | NATS-B14 NATS-B26 NATS-B30 NATS-B29 NATS-B78
open | deliveries twice, out of order or left out | NATS-B229 NATS-B229b NATS-B229c
open | messages of another consumer, or outside its filter | NATS-B244 NATS-B244b NATS-B253
open | one message is left out, or acknowledged again | NATS-B233 NATS-B235
open | acks of what was not delivered | NATS-B234
owned by another | two programs pull from it | NATS-B95 NATS-B19
deleted | nothing is done | NATS-B122
paused | pull requests | NATS-B152
without a leader | delivers nothing, and sends no heartbeat | NATS-B320 NATS-B321 NATS-B333
ahead of its stream | delivers nothing | NATS-B337 NATS-B343
given another leader | no pull request follows | NATS-B322
open | a message is given up, or deleted before its ack | NATS-B324 NATS-B325
"""),
    states("Key and object", """
changed by another | is overwritten or removed | NATS-B86 NATS-B89 NATS-B136
refused | with the revision of the refusal | NATS-B142 NATS-B142b
deleted | with a value, or leaves markers | NATS-N54 NATS-B133
object being read | the read ends before the last chunk | NATS-B330 NATS-B344
object being stored | chunks or metadata that do not match | NATS-B45 NATS-B56 NATS-N55
object replaced | its chunks stay | NATS-B57 NATS-B57b
"""),
)  # fmt: skip
"""Read by the manual."""
