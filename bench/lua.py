"""The generated Wireshark plugin beside one written by hand for the same fields, and no plugin."""

from pathlib import Path

from clock import interleaved
from generator import generate

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "dissectors" / "rabbitmq_stream.lua"
BY_HAND = ROOT / "bench" / "handwritten.lua"
MOST_OF_HAND = 1.3
"""Aim: the generated plugin's time as times of that of the one by hand."""
MOST_OF_PLAIN = 2.0
"""Aim: its time as times of tshark without a plugin, while nobody asks for its fields."""
ASKED = {
    "one line per packet": ([], []),
    "one field, -T fields": (
        ["-T", "fields", "-e", "rmqstream.deliver.chunk.chunk_id"],
        ["-T", "fields", "-e", "rmqh.chunk.chunk_id"],
    ),
    "the whole tree, -V": (["-V"], ["-V"]),
    "two passes, -2": (["-2"], ["-2"]),
}
"""What is asked for, of the generated plugin and of the one by hand.

Nobody asks for its fields in lines and in two passes; on the first of two, links and findings are
worked out, for the second may show them.
"""
IDLE = ("one line per packet", "two passes, -2")


def lua_rows(folder: Path, size: int, rounds: int) -> tuple[float, float, list[list[str]]]:
    """The worst ratio to the one by hand, the worst to no plugin while nobody asks, and the rows.

    Of captures of many messages a frame, and of one, by what is asked for; processor time.
    """
    by_hand, idle = [], []
    rows = []
    for kind, segment in (("messages", 1448), ("small frames", 0)):
        path = folder / f"lua-{segment}.pcap"
        generate(path, size, segment=segment)
        for asked, (own, hand) in ASKED.items():
            start = ["tshark", "-n", "-r", str(path), "-o", "tcp.reassemble_out_of_order:TRUE"]
            plain = [] if "-T" in own else own
            commands = {
                "generated": [*start, "-X", f"lua_script:{PLUGIN}", *own],
                "by hand": [*start, "-X", f"lua_script:{BY_HAND}", *hand],
                "no plugin": [*start, *plain],
            }
            runs = interleaved(commands, rounds, folder)
            own_time = runs["generated"].cpu
            by_hand.append(own_time / runs["by hand"].cpu)
            if asked in IDLE:
                idle.append(own_time / runs["no plugin"].cpu)
            rows.append(
                [
                    f"{kind}: {asked}",
                    *(f"{runs[name].cpu:.2f} s" for name in commands),
                    f"{by_hand[-1]:.2f}",
                    f"{own_time / runs['no plugin'].cpu:.2f}",
                ]
            )
        path.unlink()
    return max(by_hand), max(idle), rows


HEADS = ["what", "generated", "by hand", "no plugin", "times by hand", "times no plugin"]
