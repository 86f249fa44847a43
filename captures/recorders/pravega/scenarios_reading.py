"""Scenarios of classes of faults that many threads report: see docs/checking.md."""

import time

from captures.recorders.marks import Mark
from captures.recorders.pravega.setup import RAW, Facts, scenario
from captures.recorders.pravega.wire import connected, text

TOKEN = "eyJhbGciOiJIUzUxMiJ9.e30.c2lnbmVkYnlhbm90aGVya2V5"
SEGMENT = "library/books/0.#epoch.0"


@scenario(
    "A client shows a token again and again that the store refuses, by hand",
    peer=RAW,
    healthy=False,
    auth=True,
    category="security",
    thread="pravega/pravega#4463, #7188",
    fault="The store refuses the token, and the client asks for the length of its segment with the "
    "same token on four more connections: it has to ask the controller for a new one.",
    shows="Five questions for the length of a segment, each on a connection of its own.",
    marks=(Mark(2, "client", rb"^\x00\x00\x00\x0b"),),
)
def bug_refused_token_shown_again_by_hand() -> Facts:
    sent = received = 0
    for _ in range(5):
        with connected() as peer:
            peer.ask(11, text(SEGMENT) + text(TOKEN), 60)
            sent += len(peer.sent)
            received += len(peer.got)
        time.sleep(0.5)
    return {"sent": sent, "received": received}
