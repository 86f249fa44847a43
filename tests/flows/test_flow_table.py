"""A retired flow has the same values as before, and takes few bytes."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamshark.flows.flow_table import FlowTable, SparseFlowTable
from streamshark.flows.segment import Flow
from streamshark.flows.trouble import Trouble

COUNTS = st.integers(0, 2**63)
TROUBLES = st.builds(Trouble, COUNTS, COUNTS, COUNTS)
FLOWS = st.builds(
    Flow,
    number=st.just(0),
    addresses=st.just(("[fd00::1]:40000", "10.0.0.2:5552")),
    ports=st.just((40_000, 5552)),
    client=st.none() | st.integers(0, 1),
    first_packet=COUNTS,
    packets=COUNTS,
    payload=COUNTS,
    repeated=COUNTS,
    copies=COUNTS,
    copied=COUNTS,
    encrypted=COUNTS,
    decrypted=COUNTS,
    ignored=COUNTS,
    trouble=st.tuples(TROUBLES, TROUBLES),
    handshake_ns=st.none() | st.tuples(st.integers(-(2**40), 2**40), st.integers()),
)


def flow(number: int) -> Flow:
    """A flow with its own address."""
    ends = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}:40000", "10.0.0.2:5552"
    return Flow(number, ends, (40_000, 5552), 0, number, 30, 3000, handshake_ns=(70_000, 9000))


@given(FLOWS)
def test_nothing_is_forgotten(one: Flow) -> None:
    """All counters of a flow are kept."""
    flows = FlowTable()
    flows.append(one)
    flows.let_go(0)

    assert (flows[0], flows[-1], flows.live) == (one, one, 0)
    assert flows[0] is not one


def test_flows_have_numbers() -> None:
    """Those that are followed are the same objects."""
    flows, made = FlowTable(), [flow(number) for number in range(5)]
    for each in made:
        flows.append(each)
    for number in (1, 3, 3):
        flows.let_go(number)

    assert list(flows) == flows[:] == made
    assert [flows[number] is made[number] for number in range(5)] == [True, False] * 2 + [True]
    with pytest.raises(IndexError):
        flows[5]


def test_flows_of_some_connections() -> None:
    """They have the numbers that they are given, and are forgotten once they are not followed."""
    flows = SparseFlowTable(lambda count: 100 + count)
    for _ in range(3):
        flows.append(flow(flows.following))
    flows.let_go(101)
    assert ([each.number for each in flows], len(flows)) == ([100, 101, 102], 3)
    assert flows[101] == flow(101)
    flows.continue_with(lambda count: 200 + count)
    assert (flows.following, len(flows), flows.followed) == (200, 0, [100, 102])
    assert [each.number for each in flows] == [100, 102]


def test_a_flow_that_was_let_go_takes_a_hundred_bytes() -> None:
    """Of thousands, each."""
    flows, count = FlowTable(), 5000
    tracemalloc.start()
    for number in range(count):
        flows.append(flow(number))
        flows.let_go(number)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size / count < 110  # an eighth of it is room for more
