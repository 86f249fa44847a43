"""Protocols of plants: small binary heads with lengths, counters and many zeros."""

import asyncio
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import snap7
from captures.recorders.foreign.setup import LOOPBACK, Scenario, add, client, program, wait
from pymodbus.client import ModbusTcpClient
from pymodbus.datastore import ModbusDeviceContext, ModbusSequentialDataBlock, ModbusServerContext
from pymodbus.server import StartAsyncTcpServer
from pyof.foundation.basic_types import DPID
from pyof.v0x01.asynchronous.packet_in import PacketIn, PacketInReason
from pyof.v0x01.common.flow_match import Match
from pyof.v0x01.controller2switch.features_reply import FeaturesReply
from pyof.v0x01.controller2switch.features_request import FeaturesRequest
from pyof.v0x01.controller2switch.flow_mod import FlowMod, FlowModCommand
from pyof.v0x01.controller2switch.packet_out import PacketOut
from pyof.v0x01.symmetric.echo_reply import EchoReply
from pyof.v0x01.symmetric.echo_request import EchoRequest
from pyof.v0x01.symmetric.hello import Hello
from snap7.type import SrvArea

DEVICE = 0


@contextmanager
def modbus(_work: Path) -> Iterator[None]:
    """Runs pymodbus's server, in a loop of its own."""
    blocks = [ModbusSequentialDataBlock(1, [(7 * n) & 0xFFFF for n in range(2000)])] * 2
    bits = [ModbusSequentialDataBlock(1, [n % 3 == 0 for n in range(2000)])] * 2
    device = ModbusDeviceContext(di=bits[0], co=bits[1], hr=blocks[0], ir=blocks[1])
    context = ModbusServerContext(devices=device, single=True)
    run = StartAsyncTcpServer(context, address=(LOOPBACK, 502))
    threading.Thread(target=asyncio.run, args=(run,), daemon=True).start()
    wait(502)
    yield


def plays_modbus(port: int, nth: int) -> None:
    """Polls registers and coils as a control room does, with writes between."""
    peer = ModbusTcpClient(LOOPBACK, port=port)
    assert peer.connect()
    for at in range(10 + 4 * nth):
        count = 1 + (at * 7 + nth) % 120
        unit = DEVICE + at % 3
        peer.read_holding_registers(at * 3, count=count, device_id=unit)
        peer.read_input_registers(at, count=2, device_id=unit)
        peer.read_coils(at, count=8 * (1 + at % 9), device_id=unit)
        peer.write_register(at, at * 257 & 0xFFFF, device_id=unit)
        if at % 5 == 0:
            peer.write_registers(at, [0] * count, device_id=unit)
    peer.close()


@contextmanager
def s7(_work: Path) -> Iterator[None]:
    """snap7's server with three areas."""
    server = snap7.server.Server()
    for index, size in ((1, 1024), (2, 4096), (3, 64)):
        server.register_area(SrvArea.DB, index, bytearray(n & 255 for n in range(size)))
    server.start(tcp_port=102)
    yield
    server.stop()


def plays_s7(port: int, nth: int) -> None:
    """Reads and writes data blocks."""
    peer = snap7.client.Client()
    peer.connect(LOOPBACK, 0, 1 + nth % 3, port)
    for at in range(10 + 6 * nth):
        peer.db_read(1, at, 1 + at * 3)
        peer.db_write(2, at * 4, bytearray([0] * (at % 50) + [at & 255]))
        peer.db_read(3, 0, 4)
    with suppress(Exception):
        peer.get_cpu_state()
    peer.disconnect()


@contextmanager
def enip(work: Path) -> Iterator[None]:
    """Runs cpppo's controller with some tags."""
    command = (
        "-m",
        "cpppo.server.enip",
        "-a",
        f"{LOOPBACK}:44818",
        "ONE=INT[1000]",
        "TWO=REAL[50]",
    )
    with program(sys.executable, *command, port=44818, cwd=work):
        yield


def plays_enip(port: int, nth: int) -> None:
    """Reads and writes tags."""
    tags = [f"ONE[{n}-{n + n % 40}]" for n in range(5, 60, 3 + nth % 4)]
    tags += [f"ONE[{n}-{n + 1}]=(INT){n},0" for n in range(0, 40, 4)] + ["TWO[0-9]"]
    client(sys.executable, "-m", "cpppo.server.enip.client", "-a", f"{LOOPBACK}:{port}", *tags)


class Switch:
    """Says what an OpenFlow switch says, as python-openflow packs it."""

    def __init__(self, port: int, nth: int) -> None:
        with socket.create_connection((LOOPBACK, port)) as self.line:
            self.say(Hello(xid=1))
            dpid = DPID("00:00:00:00:00:00:00:01")
            reply = FeaturesReply(2, dpid, n_buffers=256, n_tables=1, capabilities=1, actions=0xFFF)
            self.say(reply)
            for xid in range(3, 15 + 4 * nth):
                self.say(EchoRequest(xid=xid, data=bytes(xid % 9)))
                frame = bytes([2] * 14) + bytes(xid % 40)
                self.say(PacketIn(xid, xid, len(frame), 1, PacketInReason.OFPR_NO_MATCH, frame))

    def say(self, message: object) -> None:
        """Sends one message, and takes what comes."""
        self.line.sendall(message.pack())  # type: ignore[attr-defined]
        self.line.settimeout(0.01)
        with suppress(TimeoutError):
            self.line.recv(65536)


def controls(line: socket.socket) -> None:
    """Says what a controller says: to each packet a flow and the packet again."""
    with line, suppress(OSError):
        line.sendall(Hello(xid=1).pack() + FeaturesRequest(xid=2).pack())
        xid = 3
        while data := line.recv(65536):
            match = Match(in_port=1, dl_vlan=xid)
            flow = FlowMod(xid, match, xid, FlowModCommand.OFPFC_ADD, idle_timeout=10)
            parts = [flow.pack()]
            if len(data) > 40:
                parts.append(PacketOut(xid=xid, buffer_id=xid, in_port=1).pack())
            else:
                parts.append(EchoReply(xid=xid, data=bytes(xid % 9)).pack())
            line.sendall(b"".join(parts))
            xid += 1


@contextmanager
def openflow(_work: Path) -> Iterator[None]:
    """A controller that answers with python-openflow's messages."""
    with socket.create_server((LOOPBACK, 6653)) as listener:

        def run() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(
                        target=controls, args=(listener.accept()[0],), daemon=True
                    ).start()

        threading.Thread(target=run, daemon=True).start()
        yield


add(
    Scenario(
        name="modbus",
        title="Registers and coils over Modbus TCP",
        server="pymodbus 3.16.1 (PyPI)",
        client="pymodbus 3.16.1 (PyPI)",
        port=502,
        serve=modbus,
        play=plays_modbus,
    )
)
add(
    Scenario(
        name="s7",
        title="Data blocks of a controller over S7, COTP and TPKT",
        server="python-snap7 3.3.0 (PyPI)",
        client="python-snap7 3.3.0 (PyPI)",
        port=102,
        serve=s7,
        play=plays_s7,
    )
)
add(
    Scenario(
        name="ethernet_ip",
        title="Tags of a controller over EtherNet/IP and CIP",
        server="cpppo 5.2.5 (PyPI)",
        client="cpppo 5.2.5 (PyPI)",
        port=44818,
        serve=enip,
        play=plays_enip,
    )
)
add(
    Scenario(
        name="openflow",
        title="A switch and its controller over OpenFlow 1.0",
        server="python-openflow 2021.1 (PyPI), over sockets of this repository",
        client="python-openflow 2021.1 (PyPI), over sockets of this repository",
        port=6653,
        serve=openflow,
        play=Switch,
    )
)
