"""Plays the blind test by python-liftbridge; prints what it counted as JSON."""

import json
import time

from python_liftbridge import ErrStreamExists, Lift, Message, Stream

client = Lift(ip_address="127.0.0.1:9292", timeout=5)
counted = {"published": 0, "existed": 0}
for number in range(10):
    try:
        client.create_stream(Stream(subject="py", name="py-stream"))
        time.sleep(0.5)
    except ErrStreamExists:
        counted["existed"] += 1
    client.publish(Message(value=f"message {number}", stream="py-stream"))
    counted["published"] += 1
print(json.dumps(counted))
