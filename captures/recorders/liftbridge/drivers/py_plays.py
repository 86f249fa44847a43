"""Plays a scenario by python-liftbridge: `py_plays.py SCENARIO`; prints what it counted as JSON."""

import json
import sys
import time

from python_liftbridge import ErrStreamExists, Lift, Message, Stream


def basics() -> dict[str, int]:
    """A stream is made, published to and read from its beginning."""
    client = Lift(ip_address="127.0.0.1:9292", timeout=5)
    client.create_stream(Stream(subject="py", name="py-stream"))
    refused = 0
    try:
        client.create_stream(Stream(subject="py", name="py-stream"))
    except ErrStreamExists:
        refused += 1
    time.sleep(0.5)
    for number in range(4):
        client.publish(Message(value=f"message {number}", stream="py-stream"))
    client.publish_to_subject(Message(value="by subject", subject="py"))
    client.fetch_metadata()
    time.sleep(0.5)
    messages = 0
    for _ in client.subscribe(Stream(subject="py", name="py-stream").start_at_earliest_received()):
        messages += 1
        if messages == 5:
            break
    return {"published": 5, "messages": messages, "refused": refused}


print(json.dumps({"basics": basics}[sys.argv[1]]()))
