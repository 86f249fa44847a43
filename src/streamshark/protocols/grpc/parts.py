"""The parts of programs that call services by gRPC, and how they fail."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

PARTS: Final[tuple[ObjectStates, ...]] = (
    states("Thread that reads the connection", """
blocked by a call | the window of a call is used up | GRPC-B16
blocked for all | the window of the connection is used up | GRPC-B16b
slow by its settings | the window is small | GRPC-B23
takes a failure for the end | connections end, each just after the same failure | GRPC-B32
does not notice GOAWAY | calls on a connection that is being shut down | GRPC-B15
"""),
    states("Caller that waits", """
without a deadline | a call stays open without an answer | GRPC-B9 GRPC-B9b GRPC-B91
on a dead line | TCP sends the same bytes repeatedly | GRPC-B92
waits on a dead connection | an equal call is answered on another one | GRPC-B90
gives up early | calls past their deadline, without an answer | GRPC-B12
gives up | calls are cancelled before any answer | GRPC-B12b
a deadline that nothing meets | a deadline of a few milliseconds | GRPC-B2
cancels and calls again | the same call is cancelled repeatedly | GRPC-B4
repeats the same failure | the same call fails alike in a row | GRPC-B1
repeats other failures | a method fails in a row | GRPC-B8
asks in a loop | the same call without a pause | GRPC-B3
asks at an interval | the same call with the same answer | GRPC-B3b
asks twice | each call is made twice | GRPC-B25
started twice | identical calls are open at once | GRPC-B6
started in two programs | two connections make the same calls at once | GRPC-B26
one at a time | each call waits for the answer to the one before | GRPC-B19
too many at once | as many calls as the server allows | GRPC-B22
does not finish its request | its half of the call stays open | GRPC-B24
two parts end it | a call is cancelled twice | GRPC-B74
sends two requests in one call | a second message of a call that has one | GRPC-B70b
swallows a failure | it goes on as after a success | - What it does then is no part of gRPC.
"""),
    states("Receiver of a stream of answers", """
dead after a failure | the call ends with a failure and is not made again | GRPC-B33
cancels each as soon as it is answered | calls are cancelled after an answer | GRPC-B20
fails at an answer | it ends there | - A client may take as many answers as it likes.
"""),
    states("Handler of calls", """
never stopped | answers long after the client has cancelled | GRPC-B31
answers before the request | a reply before the message of the client | GRPC-B71
answers twice | a second reply of a call that has one | GRPC-B70
forgets the status | the connection ends after the reply | GRPC-B72
works on after its reply | the status comes long after the reply | GRPC-B73
fails without a text | its failure shows a stack trace | GRPC-B29
answers in an unknown encoding | the call does not accept it | GRPC-B30
serial | calls are answered one after the other | - One client does not show the others.
"""),
    states("Timers", """
PING too often | PINGs without calls | GRPC-B13
PING of a server too often | PINGs of a server without calls | GRPC-B13b
PING without an answer | PINGs are not answered | GRPC-B14
token not renewed | a token that is not valid at this time | GRPC-B28
"""),
    states("Pool of connections", """
a connection for each task | short connections in a row | GRPC-B5
left behind | connections stay open after a call or two | GRPC-B21
credentials on some only | calls without authorization beside others | GRPC-B10
one for all | as many calls as servers allow by default | GRPC-B7
"""),
)  # fmt: skip
"""Read by the manual."""
