"""What nats-python is made to do with +OK; prints what it counted as JSON."""

import json
import sys

from pynats import NATSClient
from pynats.exceptions import NATSUnexpectedResponse

counted = {"refused": 0, "published": 0}


def opens(*, verbose: bool) -> None:
    """A probe that connects twice and asks whether the server answers."""
    for _ in range(2):
        try:
            with NATSClient("nats://127.0.0.1:4222", verbose=verbose, socket_timeout=2) as client:
                client.ping()
                client.publish("probe", payload=b"up")
                counted["published"] += 1
        except NATSUnexpectedResponse:
            counted["refused"] += 1


opens(verbose=sys.argv[1] == "verbose")
print(json.dumps(counted))
