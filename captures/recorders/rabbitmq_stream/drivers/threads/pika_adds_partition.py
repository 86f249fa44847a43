"""Adds a partition to a super stream by AMQP 0-9-1: `pika_adds_partition.py STREAM NUMBER`."""

import json
import sys

import pika

super_stream, number = sys.argv[1], sys.argv[2]
where = pika.ConnectionParameters("broker", credentials=pika.PlainCredentials("guest", "guest"))
connection = pika.BlockingConnection(where)
channel, name = connection.channel(), f"{super_stream}-{number}"
channel.queue_declare(name, durable=True, arguments={"x-queue-type": "stream"})
order = {"x-stream-partition-order": int(number)}
channel.queue_bind(name, super_stream, number, arguments=order)
connection.close()
print(json.dumps({"partitions_added": 1}))
