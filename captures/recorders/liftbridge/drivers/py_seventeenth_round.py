"""What gRPC for Python does to Liftbridge in the seventeenth round of the blind test."""

import contextlib
import json
import queue
import sys
import threading
import time

import grpc
import python_liftbridge.api_pb2 as api
from python_liftbridge.api_pb2_grpc import APIStub

SERVER = "127.0.0.1:9292"
counted: dict[str, int] = {}


def count(name: str) -> None:
    counted[name] = counted.get(name, 0) + 1


def creates(name: str) -> None:
    """A stream."""
    with grpc.insecure_channel(SERVER) as channel:
        APIStub(channel).CreateStream(
            api.CreateStreamRequest(subject=name, name=name, replicationFactor=1)
        )


def subscribed(channel: grpc.Channel, name: str, counts: str) -> None:
    """Counts the messages of a stream until the call ends."""
    request = api.SubscribeRequest(stream=name, startPosition=api.StartPosition.Value("NEW_ONLY"))
    with contextlib.suppress(grpc.RpcError):
        for message in APIStub(channel).Subscribe(request):
            if message.value:
                count(counts)


def pings() -> None:
    """A watcher with keepalive each half second waits for alarms, which come late."""
    creates("alarms")
    time.sleep(1)
    often = [("grpc.keepalive_time_ms", 500), ("grpc.keepalive_timeout_ms", 4000)]
    for options, name in ((often, "watched"), ([], "logged")):
        channel = grpc.insecure_channel(SERVER, options)
        threading.Thread(target=subscribed, args=(channel, "alarms", name), daemon=True).start()
    time.sleep(24)
    with grpc.insecure_channel(SERVER) as channel:
        for number in range(4):
            APIStub(channel).Publish(
                api.PublishRequest(value=b"alarm %d" % number, stream="alarms")
            )
            count("published")
            time.sleep(1)


def dead() -> None:
    """A machine writes measures on one call over a line that goes dead; a console is elsewhere."""
    creates("measures")
    time.sleep(1)
    channel, values = grpc.insecure_channel(SERVER), queue.Queue()
    call = channel.stream_stream(
        "/proto.API/PublishAsync",
        request_serializer=api.PublishRequest.SerializeToString,
        response_deserializer=api.PublishResponse.FromString,
    )(iter(values.get, None))

    def hears() -> None:
        with contextlib.suppress(grpc.RpcError):
            for _ in call:
                count("acked")

    threading.Thread(target=hears, daemon=True).start()
    for number in range(56):
        if number == 12:
            print("dead", flush=True)
            sys.stdin.readline()
            other = grpc.insecure_channel(SERVER, [("grpc.use_local_subchannel_pool", 1)])
            threading.Thread(
                target=subscribed, args=(other, "measures", "console"), daemon=True
            ).start()
        values.put(api.PublishRequest(value=b"measure %d" % number, stream="measures"))
        count("written")
        time.sleep(0.5)


def exchange() -> None:
    """An exchange: rates by two publishers, two readers, one of which leaves; all in order."""
    creates("rates")
    time.sleep(1)
    board, desk = grpc.insecure_channel(SERVER), grpc.insecure_channel(SERVER)
    calls = []

    def reads(channel: grpc.Channel, name: str) -> None:
        request = api.SubscribeRequest(
            stream="rates", startPosition=api.StartPosition.Value("EARLIEST")
        )
        calls.append(call := APIStub(channel).Subscribe(request))
        with contextlib.suppress(grpc.RpcError):
            for message in call:
                if message.value:
                    count(name)

    threads = [
        threading.Thread(target=reads, args=(channel, name))
        for channel, name in ((board, "board"), (desk, "desk"))
    ]
    for each in threads:
        each.start()
    time.sleep(0.5)

    def publishes(bank: str, pause: float) -> None:
        with grpc.insecure_channel(SERVER) as channel:
            for number in range(40):
                request = api.PublishRequest(
                    value=b"%s rate %d" % (bank.encode(), number), key=bank.encode(), stream="rates"
                )
                APIStub(channel).Publish(request, timeout=3)
                count("published")
                time.sleep(pause)

    banks = [threading.Thread(target=publishes, args=each) for each in (("b1", 0.2), ("b2", 0.27))]
    for each in banks:
        each.start()
    time.sleep(5)
    calls[1].cancel()
    desk.close()
    for each in banks:
        each.join()
    APIStub(board).FetchMetadata(api.FetchMetadataRequest(), timeout=3)
    time.sleep(0.5)
    calls[0].cancel()
    for each in threads:
        each.join()
    board.close()


{"pings_too_often_py": pings, "written_on_a_dead_line_py": dead, "exchange_py": exchange}[
    sys.argv[1]
]()
print(json.dumps(counted), flush=True)
