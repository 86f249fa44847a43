"""Addresses: prefixes, lengths and special ranges stay, and text agrees with bytes."""

from ipaddress import ip_address

from tests.failures import every

from streamshark.sharing.redaction_addresses import Addresses
from streamshark.sharing.redaction_ciphers import Permutations

ADDRESSES = Addresses(Permutations(b"key"))


def text(address: str) -> str:
    """Return the replacement of an address in text."""
    return ADDRESSES.ipv4_text(address) or ADDRESSES.ipv6_text(address) or ""


@every(
    "address",
    [
        "127.0.0.1",
        "0.0.0.0",  # noqa: S104 - an address
        "224.0.0.251",
        "255.255.255.255",
        "::1",
        "::",
        "ff02::1",
        "::ffff:127.0.0.1",
    ],
)
def test_addresses_that_name_nobody_stay(address: str) -> None:
    """Loopback, unspecified, multicast, broadcast."""
    assert text(address) == address


@every(
    "address",
    ["10.1.2.3", "192.168.0.1", "172.16.9.200", "8.8.8.8", "100.64.1.1", "93.184.216.34",
     "fe80::a:1", "fd00:1234::99", "2a02:8109:9a40:1::1f", "::ffff:10.1.2.3"],
)  # fmt: skip
def test_others_change_within_their_range(address: str) -> None:
    """Text keeps its length; it says what the bytes say; a private address stays private."""
    made = text(address)
    assert made != address
    assert len(made) == len(address)
    old, new = ip_address(address), ip_address(made)
    change = ADDRESSES.ipv4 if old.version == 4 else ADDRESSES.ipv6
    assert change(old.packed) == new.packed
    assert (old.is_private, old.is_link_local) == (new.is_private, new.is_link_local)


def test_prefixes_stay_prefixes() -> None:
    """As many leading octets are equal after as before."""
    every_one = [bytes([23, a, b, c]) for a in (1, 2) for b in (0, 200) for c in range(20)]
    made = [ADDRESSES.ipv4(each) for each in every_one]
    assert len(set(made)) == len(made)
    for at in (1, 2, 3):
        assert len({each[:at] for each in made}) == len({each[:at] for each in every_one})


def test_ethernet_keeps_its_bits() -> None:
    """Groups, zero and broadcast stay; who assigned it, too."""
    for kept in (bytes(6), b"\xff" * 6, b"\1\0\x5e\0\0\1"):
        assert ADDRESSES.ethernet(kept) == kept
    one, other = ADDRESSES.ethernet(b"\2\1\1\1\1\1"), ADDRESSES.ethernet(b"\2\1\1\1\1\2")
    assert one != other
    assert one[:5] == other[:5]
    assert one[0] & 3 == 2
