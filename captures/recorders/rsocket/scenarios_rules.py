"""A flood of METADATA_PUSH."""

from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.threads import Mark, fault, frames, library

fault(
    "flood_of_pushes_js_0_0",
    library("js_0_0", "pushes", "rules", "plain", responder="fifteenth"),
    "A client floods its server with METADATA_PUSH",
    peer="js_0_0",
    kind="storms and loops",
    thread="rsocket/rsocket-java#865",
    shows="A gauge that pushes its level 400 times within half a second, fifty at once.",
    says="Nothing limits METADATA_PUSH: the client sends 400 of them as fast as it can, and the "
    "server has to handle each. The client has to send fewer, or a channel with demand.",
    marks=(Mark(0, "client", frames(w.METADATA_PUSH), skip=199),),
)
