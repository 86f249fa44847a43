"""The parts of programs that use RSocket, and how they fail."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

PARTS: Final[tuple[ObjectStates, ...]] = (
    states("Thread that reads the connection", """
blocked by a handler | KEEPALIVE is answered together with a slow request | RSK-B100
slow | KEEPALIVE is answered late | RSK-K9
waits for what it has to read | an answer comes, and its requester gives up long after it | RSK-B101
waits, and its request fails | its own request fails long after the answer | RSK-B101b
blocked by its subscribers | TCP has no room although the demand is unlimited | RSK-B35c RSK-B246
blocked while it requests | TCP has no room, and its own requests go on | RSK-B79
dead, KEEPALIVE unanswered | no frame comes, and the peer's KEEPALIVE has no answer | RSK-K2
dead at a frame | the client ends each connection at the same frame | RSK-B48 RSK-B48b
dead without closing | the server has closed, and the client's half stays open | RSK-B82 RSK-B109
"""),
    states("Thread that writes", """
starved by data | requests go out, and KEEPALIVE does not | RSK-K1
blocked by a large message | one frame of megabytes, for which all others wait | RSK-B56
small writes | a frame comes in several packets | RSK-B34
several threads write | stream ids are out of order | RSK-S2 RSK-S2c
one at a time | each request waits for the answer to the one before | RSK-B20 RSK-B74
blocked by the peer | requests go on while the peer has no room | RSK-B76
"""),
    states("Handler of requests", """
dead | requests of a route have no answer any more, and other frames come | RSK-B102
never answers some | requests are given up, while others are answered soon | RSK-B54b RSK-B54f
does not release | requests have neither an answer nor CANCEL | RSK-B8
serial | requests sent together are answered at equal distances | RSK-B103
serial, and given up | a request is given up in such a queue | RSK-B54d
slower and slower | each answer takes longer than the one before | RSK-B104
dead at one request | the server ends each connection with it | RSK-B90b RSK-B83b
fails at one request | it is refused repeatedly | RSK-B1 RSK-B1b RSK-B1d RSK-B91
ends the connection instead of the stream | CONNECTION_ERROR after each failure | RSK-B2b
ends the connection at the peer's ERROR | the connection ends at ERROR or CANCEL | RSK-B83c
answers twice | a second answer to one request | RSK-S5b RSK-S11
swallows its failure | requests of a route are completed without an answer | RSK-B53
overloaded | requests are rejected in a row | RSK-B93
missing for one kind of request | it is answered by Not implemented | RSK-B221
processes REQUEST_FNF | it fails | - REQUEST_FNF has no answer.
"""),
    states("Publisher of a stream", """
never stopped | payloads after CANCEL | RSK-S22b RSK-B47
started twice | each item comes twice | RSK-B72
stuck at one item | the same item over and over | RSK-B73
swallows its failure | items without content | RSK-B78
serial | streams begin when the one before ends | RSK-B106
dies silently | a stream that flowed falls silent | RSK-B86 RSK-B224
never begins | a stream has no payload and no end | RSK-B71
never completes | unlike others of its route, it has no end | RSK-B87
fails for want of demand | ERROR when nothing is requested | RSK-B57 RSK-B57b
ignores demand | more payloads than requested | RSK-S8
restarted | the stream is requested from its start after each lost connection | RSK-B43
"""),
    states("Subscriber of a stream", """
dead | demand is used up and not renewed | RSK-S19
serial | demand is renewed for each item, or when it is used up | RSK-B11 RSK-B11c
grows behind | demand grows beyond what comes | RSK-B35
never stopped | REQUEST_N after the end | RSK-B12 RSK-B150 RSK-S22
leaves streams | a stream is requested again, and the former one stays open | RSK-B18 RSK-B18c
runs on several connections | one stream is open on two connections | RSK-B77
pages | a stream for each page | RSK-B94
brief | streams are cancelled after their first payload | RSK-B17
"""),
    states("Both halves of a channel", """
responder never begins | it requests nothing | RSK-S10
responder stops | its demand is used up and not renewed | RSK-S19b
both wait | no answer and no COMPLETE | RSK-B23b
requester never completes | the channel stays half open | RSK-B23 RSK-B23c
requester never stopped | payloads after CANCEL of the responder | RSK-S22c
requester sends its first item twice | REQUEST_CHANNEL and PAYLOAD have the same data | RSK-B42
"""),
    states("Caller that waits for an answer", """
gives up too early | requests are cancelled and sent again | RSK-B13
gives up in a row | requests are cancelled before their answers | RSK-B54
never gives up | a silent peer, and no KEEPALIVE that shows it | RSK-B54c
gives up at once | requests are cancelled immediately | RSK-B7
polls | the same request has the same answer | RSK-B14
retries without a pause | the same request after the same ERROR | RSK-B1
asks twice | each request is sent twice | RSK-B59
two callers | the same requests on two connections | RSK-B60
treats an ERROR as fatal | the client ends the connection when a stream fails | RSK-B84b
repeats on the next connection | an unanswered request is sent again | RSK-B90
retries at another server | a refused request goes to each server | - They may serve other routes.
"""),
    states("KEEPALIVE timer", """
dead | no KEEPALIVE for several intervals | RSK-K1
slow | less often than announced | RSK-K8
started twice | two KEEPALIVEs in each interval | RSK-B4b
busy | far more often than announced | RSK-B4
never stopped | KEEPALIVE after the end of the connection | RSK-C32 RSK-C34
hasty | the connection ends long before the max lifetime | RSK-K10
too slow for what is between | idle connections end before the next one | RSK-B241
never ends the connection | the client goes on beyond its max lifetime | RSK-B80
with a stuck position | positions stay although payloads come | RSK-B27
"""),
    states("Lease timer", """
dead | a lease is used up and not renewed | RSK-L10
never started | SETUP asks for leases, and none comes | RSK-C26
busy | leases are replaced long before they are needed | RSK-L8
serial | leases of one request each | RSK-L6
ignored by the requester | more requests than the lease allows, or after its end | RSK-L1 RSK-L2
"""),
    states("Pool of connections", """
one for each request | connections of one request each | RSK-B3 RSK-B3c
left behind | connections stay open after their requests | RSK-B6b RSK-B81
never used | a connection carries no request | RSK-B89
one is never served | its requests have no answers, unlike those of others | RSK-B105
"""),
    states("Loop that connects again", """
missing | the client gives up a silent server and stays away | RSK-B222
not started when the server leaves | the client stays away | RSK-B240 RSK-B240b
without a pause | the same refused SETUP again | RSK-B2
at a server that fails at SETUP | the server ends the connection without ERROR | RSK-B107
forgets streams | streams are not requested again | RSK-B28
multiplies streams | the same stream more often on each connection | RSK-B50
forgets SETUP's payload | SETUP without what it had | RSK-B29
with other settings | SETUP unlike the lost one | RSK-B70
forgets its session | SETUP instead of RESUME | RSK-B19
resumes in a loop | the session is resumed on short connections | RSK-B3b
after a refusal | RESUME again after it was refused | RSK-R4
"""),
    states("Thread that shuts down", """
does not wait for answers | the connection is closed during requests | RSK-B30
does not wait for its request | connections are closed right after SETUP | RSK-B245
does not wait for streams | streams are open at CONNECTION_CLOSE, and the connection ends | RSK-C30
says nothing | the server ends the connection with open streams | RSK-B55
does not stop others | requests after CONNECTION_CLOSE | RSK-C21
never closes after ERROR | the connection stays open | RSK-C36b RSK-C31
never closes after CONNECTION_CLOSE | KEEPALIVE goes on without streams | RSK-B108
goes on after its own ERROR | frames after it | RSK-C36
"""),
    states("Store of a session", """
loses frames | the peer continues with another frame | RSK-B41 RSK-B41b
loses its place | what was received is sent again | RSK-B40
goes back | the position falls | RSK-K5
is ahead | a position beyond what was sent | RSK-R12 RSK-R8
is shared | one token for two sessions | RSK-B10 RSK-R11b
outlives its session | RESUME after ERROR | RSK-R16
"""),
)  # fmt: skip
"""Read by the manual."""
