"""Plays the second round of the blind test by python-liftbridge; prints what it counted as JSON."""

import json
import sys
import time

from python_liftbridge import Lift, Message, Stream

counted = {"published": 0}


def metadata_before_each_publish(client: Lift) -> None:
    client.create_stream(Stream(subject="metrics", name="metrics"))
    time.sleep(0.5)
    for n in range(25):
        client.fetch_metadata()
        client.publish(Message(value=f"metric {n}", stream="metrics"))
        counted["published"] += 1


globals()[sys.argv[1]](Lift(ip_address="127.0.0.1:9292", timeout=5))
print(json.dumps(counted))
