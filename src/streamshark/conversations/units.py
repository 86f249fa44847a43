"""Numbers as text for people: counts with their noun, times, sizes, rates."""

import math

from streamshark.schema.info_template import KIB, binary_size

_TIMES = ((1, "ns"), (1_000, "us"), (1_000_000, "ms"), (1_000_000_000, "s"))
_MINUTE = 60_000_000_000
_DIGITS = 3
"""Significant digits of times and sizes."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "frame"), counted(2_000, "frame"), counted(2, "entry", "entries")
    ('1 frame', '2,000 frames', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def shortened(text: str, most: int) -> str:
    """Return a text of `most` characters at most, with `...` for the rest.

    >>> shortened("subscription", 12), shortened("subscription", 10)
    ('subscription', 'subscri...')
    """
    return text if len(text) <= most else f"{text[: max(most - 3, 0)]}..."[:most]


def duration(ns: float | None) -> str:
    """Return a time in ns with three digits at most, as all outputs show times; `-` for None.

    >>> duration(0), duration(3_140_000), duration(59_990_000_000), duration(75_000_000_000)
    ('0 s', '3.14 ms', '60 s', '1 min 15 s')
    """
    if ns is None:
        return "-"
    if ns < 0:
        return f"-{duration(-ns)}"
    if ns >= _MINUTE:
        minutes, rest = divmod(round(ns / 1e9), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
    # A time that three digits round up to the next unit is shown in that unit.
    factor, unit = next((each for each in reversed(_TIMES) if ns >= 0.9995 * each[0]), _TIMES[0])
    number = digits(ns / factor)
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return f"{number} {unit}" if ns else "0 s"


def size(count: float | None) -> str:
    """Return a number of bytes with three digits, in powers of 1000 as in Wireshark; `-` for None.

    A power of two, as limits are, is exact in binary units.

    >>> size(0), size(999), size(83_203), size(5e9), size(1 << 20)
    ('0 B', '999 B', '83.2 kB', '5.00 GB', '1 MiB')
    """
    if count is None:
        return "-"
    if count >= KIB and int(count) == count and not int(count) & (int(count) - 1):
        return binary_size(int(count))
    factor = 1
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 999.5 * factor or unit == "TB":
            break
        factor *= 1000
    return f"{digits(count / factor) if factor > 1 else f'{count:.0f}'} {unit}"


def rate(number: float, ns: int) -> float | None:
    """Return a number per second; None for no time."""
    return number * 1e9 / ns if ns > 0 else None


def digits(value: float | None) -> str:
    """Return a number with three digits, more before the point; `-` for None.

    >>> digits(0), digits(0.012345), digits(3.14159), digits(42.0), digits(12_345.6)
    ('0', '0.0123', '3.14', '42.0', '12,346')
    """
    if value is None:
        return "-"
    if not value:
        return "0"
    places = _DIGITS - 1 - math.floor(math.log10(abs(value)))
    return f"{value:,.{min(max(places, 0), 9)}f}"
