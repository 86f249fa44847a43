"""How to mend what each rule finds: for `check --explain-rule` and the page of rules."""

from typing import Final

_FIXES: Final = {
    "GRPC-G1": "Read the status and its message; retry only what the status allows.",
    "GRPC-G1b": "Send valid credentials, or give the caller the permission.",
    "GRPC-G2": "Give the call more time, or find out what the service waits for.",
    "GRPC-G4": "Call again if the code allows it; look at the log of the server.",
    "GRPC-B1": "Correct the call as its status says; wait longer before each retry of UNAVAILABLE.",
    "GRPC-B1b": "Wait longer before each retry, and look at the log of the server.",
    "GRPC-B1c": "Create once, and take the answer that it exists for success.",
    "GRPC-B30": "Compress with an encoding of grpc-accept-encoding, or not at all.",
    "GRPC-B31": "Let the service end its work when the call is cancelled.",
    "GRPC-B30b": "Compress with an encoding that the server accepts, or not at all.",
    "GRPC-B2": "Give the call a longer deadline, and check the unit in grpc-timeout (m is "
    "milliseconds, M minutes).",
    "GRPC-B3": "Wait longer between calls, or use a server-streaming method that reports changes.",
    "GRPC-B3b": "Read the answer; stop asking, or wait longer, once it says what is wanted.",
    "GRPC-B4": "Keep the stream open and read further messages from it; read the status before "
    "cancelling.",
    "GRPC-B5": "Keep one channel open, and make all calls over it.",
    "GRPC-B6": "Cancel the earlier call before calling again.",
    "GRPC-B7": "Cancel calls that are no longer needed, or use another channel for long streams.",
    "GRPC-B50": "Set a deadline for the call, and find out what the service waits for.",
    "GRPC-B9": "Set a deadline for each call, and cancel calls that are given up.",
    "GRPC-B10": "Add the credentials to the channel instead of to single calls.",
    "GRPC-B11": "Write the deadline as a number and a unit: 5S, 500m.",
    "GRPC-B12": "Give the calls more time, or find out what the service waits for.",
    "GRPC-B13": "Set the keepalive time to some minutes, and send none without calls.",
    "GRPC-B14": "Set a keepalive timeout, and connect again when it has passed.",
    "GRPC-B15": "Make a new connection as soon as GOAWAY arrives, and call again there.",
    "GRPC-B13b": "Set the keepalive time of the server to some minutes.",
    "GRPC-B17": "Write the scheme once, a blank, and the value that the scheme defines.",
    "GRPC-B18": "Send only the headers that the service needs, or raise the server's limit.",
    "GRPC-B19": "Begin several calls before the first one is answered, or use a streaming method.",
    "GRPC-B20": "Read the stream to its status, and keep it open for further messages.",
    "GRPC-B21": "Make one channel for each server, share it, and shut it down at the end.",
    "GRPC-B22": "End calls that are no longer needed, or use a second channel.",
    "GRPC-B23": "Leave the window at its default of 64 KiB, or set a larger one.",
    "GRPC-B24": "End the client's half of each call: CloseSend, onCompleted, or cancel.",
    "GRPC-G5": "Change what the error and its text name; raise the keepalive time for "
    "too_many_pings.",
    "GRPC-G6": "Correct the address of the channel, or the route of the proxy.",
    "GRPC-G7": "Let the proxy pass trailers, or correct the address of the channel.",
    "GRPC-G8": "Split the message, or raise the largest size that the receiver takes.",
    "GRPC-G9": "Send te: trailers with each call.",
    "GRPC-B8": "Check the status of each call before the next one, and remove what its message "
    "names.",
    "GRPC-B8b": "Wait longer each time, and set a deadline that the service can keep.",
    "GRPC-B25": "Call in one place, and again only what has failed.",
    "GRPC-B26": "Let instances agree on which of them does the work.",
    "GRPC-B27": "Make a span for each call.",
    "GRPC-B28": "Get a new token before the old one expires, and compare the clocks.",
    "GRPC-B29": "Map exceptions to a status with a text of its own.",
    "GRPC-B32": "Handle the status of the call, and keep the connection.",
    "GRPC-B33": "Make the call again after a pause when it ends by an error.",
}

FIXES: Final = tuple(_FIXES.items())
"""Rule and what to change."""
