"""Plays the fourth round of the blind test by python-liftbridge; prints what it counted as JSON."""

import json
import sys
import time

import python_liftbridge.api_pb2 as api
from python_liftbridge import Lift, Message

client = Lift(ip_address="127.0.0.1:9292", timeout=5)
for n in range(60):
    customer = n % 7
    text = f"order {n} of customer {customer}"
    if sys.argv[1] == "partition_by_customer":
        request = api.PublishRequest(
            stream="orders",
            partition=customer % 4,
            key=b"customer-%d" % customer,
            value=text.encode(),
            ackPolicy=api.LEADER,
        )
        client.stub.Publish(request, timeout=5)
    else:
        client.publish(Message(value=text, stream="orders"))  # the library knows no partitions
    time.sleep(0.07)
print(json.dumps({"published": 60}))
