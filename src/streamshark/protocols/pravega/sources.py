"""Where the rules of Pravega come from: parts of its repository, named in each rule's `source`."""

from typing import Final

CLASSES: Final = "pravega/pravega v0.13.0, shared/protocol"
WIRE: Final = f"{CLASSES}, WireCommands.java"
DECODER: Final = f"{CLASSES}, AppendDecoder.java"
CLIENT: Final = "pravega/pravega v0.13.0, client"
STORE: Final = "pravega/pravega v0.13.0, segmentstore/server/host"
SERVER: Final = f"{STORE}, AppendProcessor.java"
CONTROLLER_API: Final = "pravega/pravega v0.13.0, shared/controller-api, Controller.proto"
