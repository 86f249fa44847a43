"""Trace contexts as text."""

from tests.failures import every

from streamshark.findings.trace_contexts import constant_context, context_fault, trace_context

TRACE, SPAN = b"0af7651916cd43dd8448eb211c80319c", b"b7ad6b7169203331"


@every(
    ("data", "found"),
    [
        (b"\x0btraceparent7" + b"00-" + TRACE + b"-" + SPAN + b"-01", True),
        (b"b3=" + TRACE + b"-" + SPAN + b"-1", True),
        (b"X-B3" + TRACE[:16] + b"-" + SPAN, True),
        (TRACE + b"-" + SPAN, False),
        (b"00-" + TRACE + b"-" + SPAN[:-1], False),
        (b"", False),
    ],
)
def test_contexts(data: bytes, *, found: bool) -> None:
    """W3C's anywhere, B3 where it is named."""
    assert (trace_context(data) is not None) is found


def test_constant_and_invalid_ones() -> None:
    """The last ones are compared; an id of zeros is invalid."""
    one, other = (TRACE, SPAN), (TRACE, SPAN[::-1])

    assert constant_context([other, one, one, one], 3).startswith("trace id 0af7")
    assert constant_context([one, one], 3) == ""
    assert constant_context([one, other, one], 3) == ""
    assert constant_context([None] * 3, 3) == ""
    assert context_fault((b"0" * 32, SPAN)) == "the trace id is zero"
    assert context_fault((TRACE, b"0" * 16)) == "the span id is zero"
    assert context_fault(one) == context_fault(None) == ""
