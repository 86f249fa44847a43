"""scapy packets of all protocols on TCP: dissected, shown, changed and built."""

import os

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.utils import rdpcap
from tests.failures import Failures
from tests.packets import recorded
from tests.protocols.test_vectors import cases
from tests.recorded import index

import streamshark
from streamshark.capture.scapy_layers import FrameLayer, Layers, load
from streamshark.errors import StreamsharkError
from streamshark.schema.value_checks import EncodingError

PROTOCOLS = ("nats", "pravega", "rabbitmq_stream", "rsocket")
(LOGIN,) = recorded("rabbitmq_stream/login_fails")


def comes_back(layers: Layers, data: bytes, sender: str | None) -> bool:
    """Whether a frame has a class, which builds it from its fields as it was read.

    The dissected packet is built byte by byte; from its fields alone, text lines may be spelt
    otherwise, and mean the same.
    """
    (packet,) = layers.dissect(data, sender)
    assert bytes(packet) == data
    if not isinstance(packet, FrameLayer) or packet.problems:
        return False
    anew = bytes(type(packet)(**packet.fields))
    assert anew == data or layers.dissect(anew, sender)[0].fields == packet.fields
    return True


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_command_comes_back(protocol: str) -> None:
    """A vector of each frame, read and built."""
    layers, seen = load(protocol), set()
    with Failures() as failures:
        for vector, layout, _ in cases(protocol):
            with failures.of(vector.name):
                if layers.size(vector.data) == len(vector.data):
                    sender = layout.decoder.schema.sender.value
                    if comes_back(layers, vector.data, sender):
                        seen.add(layers.class_of(vector.data, sender).__name__)
    assert seen == set(layers.classes)


@pytest.mark.sweep
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_recorded_frame_comes_back(protocol: str) -> None:
    """Of all captures of a protocol."""
    layers, count = load(protocol), 0
    with Failures() as failures:
        for line in index.of(protocol):
            with failures.of(line.capture):
                for frame in streamshark.open(str(line.path), show_secrets=True):
                    is_own = frame.protocol == protocol and not frame.carrier
                    if is_own and layers.size(frame.data) == len(frame.data):
                        count += comes_back(layers, frame.data, frame.sender)
    assert count > 100


def test_packets_are_those_of_scapy(capsys: pytest.CaptureFixture[str]) -> None:
    """On TCP of a capture; frames follow each other; secrets are not shown; values have names."""
    rabbitmq = load("rmqstream")
    found = [
        layer
        for each in rdpcap(LOGIN)
        for layer in each.iterpayloads()
        if isinstance(layer, FrameLayer)
    ]
    assert [each.name for each in found][:2] == [
        "rmqstream.peer_properties", "rmqstream.peer_properties_response",
    ]  # fmt: skip
    answer = next(each for each in found if each.name == "rmqstream.sasl_authenticate_response")
    answer.show()
    next(each for each in found if each.name == "rmqstream.sasl_authenticate").show()
    shown = capsys.readouterr().out
    assert "response_code= 8 (authentication_failure)" in shown
    assert "'***'" in shown
    assert Ether  # which reads the packets
    two = IP() / TCP(dport=5552) / rabbitmq.Open(correlation_id=1, virtual_host="/")
    two = IP(bytes(two / rabbitmq.Heartbeat()))
    assert isinstance(two[TCP].payload, rabbitmq.Open)
    assert two[rabbitmq.Open].payload.name == "rmqstream.heartbeat"
    assert "Raw" in repr(rabbitmq.dissect(b"\0\0\0\4\0\x17"))


def test_what_is_changed_is_built() -> None:
    """With lengths that follow; what does not fit is refused; some names have an underscore."""
    rabbitmq, nats = load("rabbitmq_stream"), load("nats")
    (packet,) = rabbitmq.dissect(bytes(rabbitmq.Open(correlation_id=1, virtual_host="/")))
    packet.virtual_host = "/longer"
    assert rabbitmq.dissect(bytes(packet))[0].virtual_host == "/longer"
    packet.virtual_host = 7
    with pytest.raises(EncodingError, match="virtual_host"):
        bytes(packet)
    (line,) = nats.dissect(b"PUB  a   5\r\nhello\r\n")
    line.subject = "longer"
    assert bytes(line) == b"PUB  longer   5\r\nhello\r\n"
    assert line.payload_ == b"hello"
    assert "Open" in dir(rabbitmq)
    with pytest.raises(AttributeError, match="Opened"):
        _ = rabbitmq.Opened


def test_what_cannot_be_loaded() -> None:
    """Embedded and unknown protocols are refused."""
    with pytest.raises(StreamsharkError, match=r"liftbridge has no frames on TCP .*known: nats"):
        load("liftbridge")
    with pytest.raises(StreamsharkError, match="dialect"):
        load("nats", "other")
    assert Raw is load("pravega").class_of(os.urandom(0))
