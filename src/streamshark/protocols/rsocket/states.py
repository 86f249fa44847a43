"""The states of connections, streams, leases, sessions, fragments and metadata."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

STATES: Final[tuple[ObjectStates, ...]] = (
    states("Connection", """
before it exists | one for each request, or many left | RSK-B3 RSK-B3c RSK-B6 RSK-B89 RSK-B247
being made | another first frame than SETUP, or SETUP twice | RSK-C1 RSK-C3 RSK-C4
being made | times or MIME types that contradict each other | RSK-C7 RSK-C7e RSK-C33 RSK-C35 RSK-C37
refused | the same SETUP again | RSK-C22 RSK-B2
open | ends by CONNECTION_ERROR in a row | RSK-B2b RSK-B2c
open | does not read | RSK-B79 RSK-B76
ended by ERROR | goes on sending, or stays open | RSK-C34 RSK-C36 RSK-C21
ended by the peer | does not notice it | RSK-C32 RSK-B82
silent beyond the lifetime | goes on | RSK-B80 RSK-C24
ended by the server | is not made again | RSK-B240 RSK-B240b RSK-B222
idle | ends after the same time | RSK-B241
after reconnect | another SETUP, or streams that are not requested again | RSK-B29 RSK-B70 RSK-B28
after reconnect | repeats what was not answered | RSK-B90 RSK-B90b
"""),
    states("KEEPALIVE", """
due | late, rare, or never | RSK-K1 RSK-K8
due | far more often than announced | RSK-B4 RSK-B4b RSK-B5
asked for | is not answered, late, or with other data | RSK-K2 RSK-K9 RSK-K3
with a position | falls, stays, or is beyond what was sent | RSK-K5 RSK-B27 RSK-R12
"""),
    states("REQUEST_RESPONSE", """
before it exists | an id that is in use or of the wrong side | RSK-S1 RSK-S2 RSK-S3
before it exists | the last id | RSK-B242
open | is given up without CANCEL | RSK-B8 RSK-B8b
open | is cancelled and sent again | RSK-B13 RSK-B54
open | is not answered, although others are | RSK-B54b
open | waits for the one before it | RSK-B54d
open on a lost connection | is not noticed | RSK-B54c
open | the same one at once | RSK-B45 RSK-B59
answered | a second answer, or one without its end | RSK-S5 RSK-S5b
refused | the same one again, at once or slowly | RSK-B1 RSK-B1c RSK-B91
rejected | the next one at once | RSK-B93
refused | of another model, or without its metadata | RSK-M19 RSK-M17 RSK-M23
refused | others all the same, as there is no handler | RSK-B141 RSK-B221
answered | is polled, or sent one by one | RSK-B14 RSK-B20 RSK-B74
"""),
    states("REQUEST_FNF", """
sent | an answer, or CANCEL | RSK-S6 RSK-S28
sent | the same one again | RSK-B15
of a route that is answered | is used instead of a request with an answer | RSK-B92
not handled by the responder | is lost | - It has no answer.
"""),
    states("REQUEST_STREAM", """
being made | a demand of 0 | RSK-S7
open | more payloads than requested | RSK-S8
open | demand is not renewed, late, or without a limit | RSK-S19 RSK-B11 RSK-B11c RSK-B35 RSK-B24
open | frames of the wrong side | RSK-S21 RSK-S21b
open | is requested once more | RSK-B18 RSK-B18c RSK-B77
idle | falls silent without an end | RSK-B86 RSK-B224 RSK-B87 RSK-B71
full | is cancelled, and the next page requested as a stream | RSK-B94 RSK-B31
ended | REQUEST_N, CANCEL or payloads after it | RSK-S22 RSK-B12 RSK-B150 RSK-B47 RSK-S11
ended for want of demand | ERROR of the responder | RSK-B57
after reconnect | begins anew | RSK-B43 RSK-B50
"""),
    states("REQUEST_CHANNEL", """
being made | metadata in the second payload | RSK-M26
being made | the first item twice | RSK-B42
open | the responder requests nothing, or gets too much | RSK-S10 RSK-S9
open | is left half open | RSK-B23 RSK-B23b RSK-B23c
open | carries one payload each way | RSK-B33 RSK-B33c
cancelled by the responder | payloads of the requester | RSK-S22c RSK-B47
completed by one side | payloads of this side | RSK-S11
ended by ERROR or CANCEL of the requester | the whole connection ends | RSK-B83c
"""),
    states("Lease", """
asked for, not granted yet | requests | RSK-C10 RSK-C11 RSK-C26
not asked for | LEASE | RSK-C12
granted | more requests than it allows | RSK-L1 RSK-L3
granted | is not used: requests are rejected | RSK-L7
ended | requests | RSK-L2
used up | is not renewed | RSK-L10
being granted | nothing, too little, too short, or too early | RSK-L4 RSK-L5 RSK-L6 RSK-L8
"""),
    states("Session and resumption", """
does not exist | RESUME | RSK-R1 RSK-R5
refused | RESUME again | RSK-R4
being resumed | frames before RESUME_OK | RSK-R2
lost | SETUP instead of RESUME | RSK-B19
resumed | frames that the peer has, or others than before | RSK-B40 RSK-B41 RSK-B18b
resumed | requests have no answer any more | RSK-B140
resumed | positions beyond, below or inside a frame | RSK-R8 RSK-R9 RSK-R13 RSK-R15
open on another connection | RESUME or SETUP with its token | RSK-B10 RSK-R11 RSK-R11b
ended by ERROR | RESUME | RSK-R16
"""),
    states("Fragments", """
being sent | the last one does not come | RSK-F1
being sent | without NEXT, too small, metadata after data | RSK-F2 RSK-F3 RSK-F4
being sent | many small ones | RSK-B21 RSK-B21b
being sent | another stream of the side waits | - Streams may take turns at any fragment.
"""),
    states("Metadata", """
composite | entries that do not divide, or of unknown types | RSK-M2 RSK-M3 RSK-M9 RSK-M10
route | without its length, misspelt, or a placeholder | RSK-M4 RSK-B52 RSK-M14
authentication | unusable, in clear, expired or repeated | RSK-M8 RSK-M18 RSK-M11 RSK-B51
trace context | one for different requests | RSK-B49
present in others | is left out | RSK-M24 RSK-M25
accepted types | the answer has another one | RSK-M28
pushed | nothing, or the same repeatedly | RSK-M27 RSK-B16 RSK-B75
"""),
)  # fmt: skip
"""Read by the manual."""
