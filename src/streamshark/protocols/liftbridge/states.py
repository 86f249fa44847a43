"""The states of streams, subscriptions, cursors, groups, messages and replicas."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

STATES: Final[tuple[ObjectStates, ...]] = (
    states("Stream", """
does not exist | is used under a similar name | LFB-B52 LFB-B52b
being made | settings that contradict each other | LFB-B58 LFB-B31 LFB-B32 LFB-B16
being made | more replicas than there are servers | LFB-B80
exists | many are created, or for one subject | LFB-B14 LFB-B14b
asked for | the answer is about another one, or a server that cannot be | LFB-B165 LFB-B166
paused | is paused repeatedly, or woken by a message | LFB-B33 LFB-B33b LFB-B51 LFB-B56
read-only | is published to | LFB-B27
compacted | messages without a key, or with new ones each | LFB-B28 LFB-B28b
received by another client | is deleted | LFB-B75
deleted | is used, or offsets of it | LFB-B15 LFB-B60
encrypted | has no key on its server | - Encryption is inside the server.
"""),
    states("Partition", """
does not exist | is used | LFB-B41
exists | has no reader, or all messages | LFB-B42 LFB-B29
exists | all but the first are archived | LFB-B83
exists | one key in several of them | LFB-B46
of another leader | is read there | GRPC-G1 LFB-B1
"""),
    states("Subscription", """
being made | a place or time that cannot be meant | LFB-B21 LFB-B22 LFB-B63 LFB-B70 LFB-B73
being made | an offset beyond the end | LFB-B62
being made | of a group, and a field is missing | LFB-B77
refused | again | LFB-B1 GRPC-B1
open | its first empty message is not expected | LFB-L19 LFB-B1
open | for a few messages each | LFB-B2 LFB-B49
open | messages of another stream, or none in between | LFB-B160 LFB-B161 LFB-B163
open | messages before its start or after its end | LFB-B162 LFB-B164
lost | is not made again | LFB-B37 LFB-B38 LFB-B212 LFB-B213
after reconnect | skips messages, or repeats them | LFB-B5 LFB-B3b LFB-B20 LFB-L22
after reconnect | at the place of another partition | LFB-B45
after reconnect | without its group | LFB-B53b
"""),
    states("Cursor", """
does not exist | its answer -1 is an offset | LFB-B73 LFB-B73b LFB-B39
exists | is not fetched, or not used | LFB-B8 LFB-B23
exists | is answered as it was before, or as it never was | LFB-B72 LFB-B159
never set | is fetched at each start | LFB-B8b
being set | back, ahead, below 0, or too often | LFB-B6 LFB-B24 LFB-B76 LFB-B64 LFB-B9
being set | under another name than it is fetched | LFB-B40
being set | of what is not read | LFB-B65 LFB-B54
owned by another | is set by two clients | LFB-B7
"""),
    states("Consumer group", """
being joined | without streams, repeatedly, or renamed | LFB-B78 LFB-B36 LFB-B44 LFB-B71
joined | assignments are not fetched, or too often | LFB-L21 LFB-B18
joined | an old epoch | LFB-L21b LFB-B74 LFB-B170
joined | is assigned other streams | LFB-B169
joined | partitions that are not assigned, or none | LFB-B34 LFB-B35
joined | is read without it | LFB-B53
owned by another | one id on two connections | LFB-B17
left | goes on, or does not leave | LFB-B19 LFB-B4
with a coordinator | another server is asked | LFB-B81 GRPC-G1
"""),
    states("Message and ack", """
being published | no inbox or id for its ack | LFB-L6 LFB-B55
being published | an id that several have | LFB-B11 LFB-B11b
being published | an expected offset that is not checked | LFB-B30 LFB-B79 LFB-L10
being published | too large, or close to it | LFB-L11 LFB-B13
being published | one by one, or twice | LFB-B12 LFB-B25 LFB-B69
refused | again, or by several clients in turn | LFB-L8 LFB-B26b LFB-B82
not acknowledged | the connection ends | LFB-B10 LFB-B10b LFB-L7
acknowledged | as another message, or to another inbox | LFB-B150 LFB-B151 LFB-B152
acknowledged | before it came | LFB-B153 LFB-B153b
answered | for another message, again, or without an ack | LFB-B154 LFB-B155 LFB-B156 LFB-B157
read by the same program | is published again | LFB-B61
"""),
    states("Replication", """
leading | two leaders, or an old epoch | LFB-L12 LFB-L12b
in sync | falls behind | LFB-L15 LFB-L15b
committed | is truncated | LFB-L16
out of sync | is removed repeatedly | LFB-L17b
not in sync, not asked | does not report it | - A follower is silent inside the server.
"""),
)  # fmt: skip
"""Read by the manual."""
