"""Values of operands: slices, arithmetic, functions, as Wireshark computes them."""

from tests.failures import every
from tests.filters.reading import PUBLISH, read

ALL = list(range(1, 37))


@every(
    ("text", "expected"),
    [
        ("tcp.payload[3] == 10", [11, 19, 31, 33]),
        ("tcp.payload[-2:] == 00:01", [11, 19, 31, 33]),
        ("tcp.payload[-4--2] == 00:00:00", [8, 12, 14, 21, 23, 27, 28]),
        ("tcp.payload[2,3] == 00:0a", [11, 19, 31, 33]),
        ("tcp.payload[2,9999] != 00", [22]),
        ("tcp.payload[9999:2]", []),
        ("len(tcp.payload[20:9999]) > 3", []),
        ('rmqstream.command[2:] == "blish"', [20, 22, 24, 25]),
        ('rmqstream.command[0:3,6] == "pubh"', [20, 21, 22, 23, 24, 25, 27, 28]),
        ('rmqstream.command[3:999] == "lish"', []),
        ('tcp.flags.str[0:2] == "··"', ALL),
        ("len(tcp.flags.str) == 12", ALL),
        ("frame.number - 5 == -4", [1]),
        ("frame.number / 4 == 2", [8, 9, 10, 11]),
        ("-frame.number / 16 == -2", [32, 33, 34, 35, 36]),
        ("-frame.number % 16 == -1", [1, 17, 33]),
        ("frame.number / 0 == 1", []),
        ("frame.number * -1 < 0", []),
        ("frame.number & 3 == 0", [4, 8, 12, 16, 20, 24, 28, 32, 36]),
        ("tcp.payload[2:2] & 00:40 == 00:40", [4, 6, 23]),
        ("frame.number + 0 == {2 + 3} * 2", [10]),
        ("max(tcp.port) == 5552", []),
        ("min(tcp.port) == 5552", ALL),
        ("max(udp.port, 5) == 5", ALL),
        ("max(frame.number, 5) == 5", [1, 2, 3, 4, 5]),
        ("abs(-frame.number) == 5", [5]),
        ("count(rmqstream) == 3", [25]),
        ("count(udp.port) == 0", ALL),
        ('upper(rmqstream.command) == "PUBLISH"', [20, 22, 24, 25]),
        ('string(frame.number) matches "^[13]$"', [1, 3]),
        ('string(ip.src) == "127.0.0.1"', ALL),
        ('hex(frame.number) == "0x0000000a"', [10]),
        ('dec(frame.number) == "7"', [7]),
        ('vals(ip.proto) == "TCP"', ALL),
        ("float(frame.number) == 2", [2]),
        ("frame.time_relative * 2 > 0.0096", [35, 36]),
        ("frame.time - frame.time_relative < frame.time", ALL[1:]),
        ("-frame.time_relative < -0.0048", [35, 36]),
        ("@tcp.srcport == 15:b0 and frame.number < 6", [2, 5]),
        ("@frame.number == 00:00:00:07", [7]),
    ],
)
def test_values(text: str, expected: list[int]) -> None:
    """The packets that tshark selects."""
    assert read(PUBLISH).numbers(text) == expected
