"""tshark's packets are those of our readers, and it reads formats that they cannot."""

import datetime as dt
import ssl
import struct
import subprocess
import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.builders import Conversation
from tests.failures import Failures
from tests.packets import Packet, packets, recorded, write
from tests.tls import CLIENT, SERVER, TlsTalk

import streamshark
from streamshark.capture import CaptureError
from streamshark.capture.tshark_engine import TsharkEngine, raw_ip
from streamshark.dissection.row import Frame
from streamshark.session import Session

pytestmark = pytest.mark.process
INFO = b'INFO {"server_id":"A","version":"2.9.10","max_payload":1048576}\r\n'
CONNECT = b'CONNECT {"verbose":false,"lang":"c","version":"1","name":"shop"}\r\nPUB a 2\r\nhi\r\n'
WEP = b"12345"
WLAN, WEP_IV = 105, b"\1\2\3\0"


def frames(path: str, *preferences: str) -> list[Frame]:
    """Return the frames of tshark's packets, after which tshark has ended."""
    source = TsharkEngine(path, preferences)
    with Session([source], preferences=preferences) as session:
        found = list(session)
    assert source.damage is None, source.damage
    return found


def without_files(rows: Iterable[Frame]) -> list[object]:
    """Rows as they are compared."""
    return [repr(each) for each in rows]


def rc4(key: bytes, data: bytes) -> bytes:
    """Encrypt, as WEP does."""
    state, j, i, out = list(range(256)), 0, 0, bytearray()
    for at in range(256):
        j = (j + state[at] + key[at % len(key)]) & 255
        state[at], state[j] = state[j], state[at]
    j = 0
    for byte in data:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) & 255])
    return bytes(out)


def wep(packet: Packet) -> Packet:
    """A packet of Ethernet as it is on a wireless network with WEP."""
    llc = b"\xaa\xaa\3\0\0\0" + packet.data[12:]
    secret = rc4(WEP_IV[:3] + WEP, llc + struct.pack("<I", zlib.crc32(llc)))
    head = b"\x08\x41\0\0" + b"\2\0\0\0\0\1" + packet.data[6:12] + packet.data[:6] + b"\0\0"
    data = head + WEP_IV + secret
    return packet._replace(data=data, link=WLAN, original=len(data))


def identity() -> str:
    """A key of RSA and its certificate."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "broker")])
    begin, end = (dt.datetime(year, 1, 1, tzinfo=dt.UTC) for year in (2026, 2050))
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(begin)
        .not_valid_after(end)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    return (private + made.public_bytes(pem)).decode()


def test_the_same_rows(tmp_path: Path) -> None:
    """Of a pcapng with keys, and of packets cut short in a format that only tshark reads."""
    bug, keys = recorded("nats/bug_fetch_one_by_one", "rabbitmq_stream/tls_with_secrets")
    snoop = tmp_path / "snoop"
    found = [each._replace(data=each.data[:200]) for each in packets(bug)]
    cut = write(tmp_path / "cut.pcap", found)
    subprocess.run(["editcap", "-F", "snoop", cut, str(snoop)], check=True)
    with pytest.raises(CaptureError):
        list(streamshark.open(str(snoop)))
    with Failures() as failures:
        for path, same in ((keys, keys), (str(snoop), cut)):
            with failures.of(path):
                assert without_files(frames(path)) == without_files(streamshark.open(same))


def test_encrypted_wireless_packets(tmp_path: Path) -> None:
    """Are decrypted by a key in tshark's preferences; packet numbers are those of the file."""
    talk = Conversation().handshake().send(SERVER, INFO).send(CLIENT, CONNECT)
    plain = [Packet(each.time_ns, each.data, 1, each.original) for each in talk.packets]
    path = write(tmp_path / "wep.pcap", list(map(wep, plain)))
    key = f'uat:80211_keys:"wep","{WEP.hex()}"'
    got = frames(path, "wlan.enable_decryption:TRUE", key)
    assert [each.command for each in got if not each.is_event] == ["info", "connect", "pub"]
    assert without_files(got) == without_files(
        streamshark.open(write(tmp_path / "plain.pcap", plain))
    )


@pytest.mark.sweep
def test_tls_by_the_key_of_the_server(tmp_path: Path) -> None:
    """Where no client has left a key log."""
    words = {"identity": identity(), "ciphers": "AES128-GCM-SHA256"}
    talk = TlsTalk(tmp_path, ssl.TLSVersion.TLSv1_2, Conversation().handshake(), **words)  # type: ignore[arg-type]
    talk.handshake().send(SERVER, INFO).send(CLIENT, CONNECT)
    found = [
        Packet(each.time_ns, each.data, 1, each.original) for each in talk.conversation.packets
    ]
    path = write(tmp_path / "tls.pcap", found)
    key = f'uat:rsa_keys:"{tmp_path / "identity.pem"}",""'
    got = [each.command for each in frames(path, key) if not each.is_event]
    assert got == ["info", "connect", "pub"]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """An error before the first packet, or a sentence at the end."""
    (bug,) = recorded("nats/bug_fetch_one_by_one")
    noise, cut = tmp_path / "noise", tmp_path / "cut.pcap"
    noise.write_bytes(b"\xfe\1\xff" * 500)
    write(cut, packets(bug))
    cut.write_bytes(cut.read_bytes()[:-3])
    for path, preferences, reason in (
        (str(tmp_path / "none"), [], "no such file"),
        (str(noise), [], "isn't a capture file"),
        (bug, ["nats.nothing:1"], "unknown preference"),
    ):
        with pytest.raises(CaptureError, match=reason):
            TsharkEngine(path, preferences)
    with Session([TsharkEngine(str(cut))]) as session:
        assert len(list(session)) > 100
        assert "cut short" in (session.captures[0].damage or "")


class Layer:
    """A layer as pyshark has it."""

    def __init__(self, layer_name: str, **shown: str) -> None:
        self.layer_name = layer_name
        self._shown = shown

    def get_field(self, name: str) -> "Layer | None":
        """The field of a name."""
        text = self._shown.get(name.rpartition(".")[2])
        if text is None:
            return None
        field = Layer("")
        field.show = field.raw_value = text  # type: ignore[attr-defined]
        return field


def test_layers() -> None:
    """The innermost TCP counts; quoted headers do not; offloaded segments have no length."""
    ip = Layer("IP", src="10.0.0.1", dst="10.0.0.2")
    inner = Layer("IPV6", src="fd00::1", dst="fd00::2")
    tcp = Layer(
        "TCP", srcport="1", dstport="2", seq_raw="7", flags="0x0018", payload="6869", len="2"
    )
    huge = Layer("TCP", srcport="1", dstport="2", payload="00" * 66_000, len="66000")
    data, original = raw_ip([ip, inner, tcp])
    assert (data[0] >> 4, data[-2:], original) == (6, b"hi", 62)
    assert raw_ip([ip, Layer("ICMP"), inner, tcp]) == (b"", 0)
    assert raw_ip([ip, tcp, inner]) == (b"", 0)
    assert raw_ip([ip]) == (b"", 0)
    data, original = raw_ip([ip, huge])
    assert (data[2:4], len(data), original) == (b"\0\0", 66_040, 66_040)
