"""Faults as text: what is done, when, and what is refused."""

import threading
import time

import pytest
from tests.failures import every

from streamshark.errors import StreamsharkError
from streamshark.proxy.faults import Fault, FaultAction

MSG = 'nats.command == "msg"'
GOOD = {
    "drop": (FaultAction("drop"), 1, 1 << 62),
    "delay 2s once": (FaultAction("delay", 2.0), 1, 1),
    "delay 50ms": (FaultAction("delay", 0.05), 1, 1 << 62),
    "delay 1.5 on call 3": (FaultAction("delay", 1.5), 3, 3),
    "error 17 times 2": (FaultAction("error", value=17), 1, 2),
    "error Permissions Violation every time": (
        FaultAction("error", value="Permissions Violation"), 1, 1 << 62,
    ),
    "corrupt nats.msg.payload": (FaultAction("corrupt", field="nats.msg.payload"), 1, 1 << 62),
    "set nats.msg.subject = 'a b' once": (
        FaultAction("set", field="nats.msg.subject", value="a b"), 1, 1,
    ),
    "set nats.msg.sid=0x10": (FaultAction("set", field="nats.msg.sid", value=16), 1, 1 << 62),
}  # fmt: skip
BAD = {
    "drop": "expected 'FILTER -> ACT",
    f"{MSG} -> explode": "expected delay SECONDS",
    f"{MSG} -> drop twice": "once, on call N",
    f"{MSG} -> delay 999999": "a delay is at most",
    "-> drop": "must test a frame by itself|one protocol",
    "tcp.stream == 1 -> drop": "fields of one protocol",
    "nats.command && rmqstream.command -> drop": "fields of one protocol",
    "pravega.command && liftbridge.command -> drop": "fields of one protocol",
    "grpc.method -> error busy": "error busy: expected 1 to 16, or one of cancelled",
    "grpc.method -> error 0": "error 0: expected 1 to 16",
    "nats.nosuch -> drop": "nats.nosuch",
    "nats.request_frame -> drop": "must test a frame by itself",
    "nats-lame-dukc": "the name of a fault; did you mean 'nats-lame-duck'",
}


@every("words, expected", GOOD.items())
def test_actions_and_triggers(words: str, expected: tuple[FaultAction, int, int]) -> None:
    """Each is read, with the frames to which it is done."""
    fault = Fault(f"{MSG} -> {words}")

    assert (fault.action, fault._first, fault._last) == expected
    assert fault.protocol.wire.id == "nats"


@every("text, sentence", BAD.items())
def test_other_text_is_refused(text: str, sentence: str) -> None:
    """In one sentence."""
    with pytest.raises(StreamsharkError, match=sentence) as refused:
        Fault(text)
    assert "\n" not in str(refused.value)


def test_a_test_waits_until_it_was_used() -> None:
    """Or fails."""
    fault = Fault(f"{MSG} -> drop")
    with pytest.raises(TimeoutError, match="used 0 times"):
        fault.wait(0.05)

    def use() -> None:
        time.sleep(0.05)
        with fault._condition:
            fault.used = 2
            fault._condition.notify_all()

    threading.Thread(target=use).start()
    fault.wait(5, times=2)
