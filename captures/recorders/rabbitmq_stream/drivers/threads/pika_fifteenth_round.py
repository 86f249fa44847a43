"""A program of AMQP 0-9-1 in the fifteenth round: `reads STREAM` or `publishes STREAM`."""

import json
import sys
import time

import pika
from pika.exceptions import AMQPError

play, stream = sys.argv[1], sys.argv[2]
counted = {"amqp_read": 0, "amqp_published": 0, "amqp_ended": 0}
where = pika.ConnectionParameters("broker", credentials=pika.PlainCredentials("guest", "guest"))
channel = pika.BlockingConnection(where).channel()
if play == "publishes":
    kind = {"x-queue-type": "stream"}
    channel.queue_declare(stream, durable=True, arguments=kind)
    channel.confirm_delivery()
    for n in range(30):
        headers = {"x-stream-filter-value": "emea", "attempt": n % 3, "x-source": "legacy", "n": n}
        properties = pika.BasicProperties(
            content_type="application/json", delivery_mode=2, priority=3, headers=headers
        )
        channel.basic_publish("", stream, b'{"invoice": %d}' % n, properties)
        counted["amqp_published"] += 1
        time.sleep(0.2)
else:
    channel.basic_qos(prefetch_count=20)
    try:
        for method, _, _ in channel.consume(
            stream, arguments={"x-stream-offset": "first"}, inactivity_timeout=6
        ):
            if method is None:
                break
            channel.basic_ack(method.delivery_tag)
            counted["amqp_read"] += 1
    except AMQPError:
        counted["amqp_ended"] += 1
print(json.dumps(counted), flush=True)
