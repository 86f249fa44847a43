"""Types of operands: what goes together, and the errors of what does not."""

from tests.failures import every
from tests.filters.reading import PUBLISH, error_of, read


@every(
    ("text", "part", "message"),
    [
        ("rmqstream.publishes", "rmqstream.publishes",
         ('"rmqstream.publishes" is neither a field nor a protocol; did you mean '
         '"rmqstream.publish"?')),
        ("rmqstream.kommand == 5", "rmqstream.kommand",
         ('"rmqstream.kommand" is neither a field nor a protocol; did you mean '
         '"rmqstream.command"?')),
        ("tcp.port == tcp.prt", "tcp.prt",
         '"tcp.prt" is neither a field nor a protocol; did you mean "tcp.port"?'),
        ("tcp.payloda[0] == 1", "tcp.payloda",
         '"tcp.payloda" is neither a field nor a protocol; did you mean "tcp.payload"?'),
        ("5", "5", "5 is neither a field nor a test"),
        ('"a" == "b"', '"a" == "b"', "neither side is a field"),
        ("1 == ${tcp.port}", "1 == ${tcp.port}", "neither side is a field"),
        ("tcp.port == 70000", "70000", "70000 is too large: at most 65535"),
        ("tcp.port == ip.src", "tcp.port == ip.src",
         "an unsigned 16-bit number and an IPv4 address cannot be compared"),
        ("rmqstream.command contains tcp.payload", "rmqstream.command contains tcp.payload",
         "text and bytes cannot be compared"),
        ("tcp.port contains 5", "tcp.port",
         ("contains is for text and bytes, and tcp.port is an unsigned 16-bit number; did you "
         'mean "string(tcp.port)"?')),
        ('ip.src matches "1"', "ip.src", "matches is for text and bytes, not for an IPv4 address"),
        ("rmqstream.command matches publish", "publish", "matches needs a string on its right"),
        ('"a" contains tcp.payload', '"a"', "the left side of contains is a field or a function"),
        ('tcp.payload ~ "("', '"("', "the regular expression has a ( without a )"),
        ("tcp.port[0] == 1", "tcp.port[0]", "an unsigned 16-bit number has no slices"),
        ("tcp.flags.syn + 1", "tcp.flags.syn + 1", '"+" is not for a boolean'),
        ("tcp.port & 1.5", "1.5", "1.5 is not an unsigned 16-bit number"),
        ("-rmqstream.command == 1", "-rmqstream.command", "text has no sign"),
        ("frame.time_relative % 2", "frame.time_relative % 2", '"%" is not for a duration'),
        ("lenn(tcp) > 1", "lenn(tcp)", 'there is no function "lenn"; did you mean "len"?'),
        ("len(tcp.port) > 1", "len(tcp.port)", "len() is not for an unsigned 16-bit number"),
        ("count(tcp.port, udp) > 1", "count(tcp.port, udp)", "count() has one argument"),
        ("count(len(tcp)) > 1", "count(len(tcp))", "count() takes a field"),
        ('vals(tcp.port) == "a"', "vals(tcp.port)",
         "vals() takes a field whose numbers have names"),
        ("max(5, 6) == 5", "max(5, 6) == 5", "neither side is a field"),
        ("min(tcp.port, ip.src) == 5", "ip.src",
         "an unsigned 16-bit number and an IPv4 address cannot be compared"),
        ("tcp.payload[0:2] in {00:01}", "tcp.payload[0:2]", "only a field may be in a set"),
        ("frame.time_relative > .5", ".5", '"5" is neither a field nor a protocol'),
    ],
)  # fmt: skip
def test_errors(text: str, part: str, message: str) -> None:
    """One sentence, and the part that is wrong."""
    error = error_of(text)

    assert (text[error.start : error.end], str(error)) == (part, message)


@every(
    "text",
    [
        "1 + tcp.port > 5", 'frame.time - 5 > "2020-01-01"', 'frame.time - "2020-01-01" > 5',
        "frame.time_relative * 2 > 3.5", "tcp.payload[0] & 0f == 0f",
        "ip.src & 255.0.0.0 == 127.0.0.0",
        'rmqstream.command == upper("x")', "max(tcp.port, 5) == 5", "@tcp.port == 15:b0",
        "ip.proto == TCP", 'ip.proto in {"TCP", 17}', "tcp.flags.syn == True", "5 < tcp.port",
        'rmqstream.command in {publish, "open"}',
        "tcp.payload == :aa",
        "rmqstream == 00:01", 'frame contains "a"', "len(upper(rmqstream.command)) == 7",
        'request.rmqstream.open.virtual_host == "/"', 'conv.type == "call"',
        "rmqstream.publish && answer.missing", "any tcp.port != 5552", ".tcp.port == 80",
    ],
)  # fmt: skip
def test_what_goes_together(text: str) -> None:
    """As in Wireshark, and beyond."""
    read(PUBLISH).numbers(text)
