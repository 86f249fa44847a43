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
}
"""What is asked for, of the generated plugin and of the one by hand."""


def lua_rows(folder: Path, size: int, rounds: int) -> list[list[str]]:
    """Rows of the table: captures of many messages a frame, and of one, by what is asked for."""
    rows = []
    for kind, segment in (("messages", 1448), ("small frames", 0)):
        path = folder / f"lua-{segment}.pcap"
        generate(path, size, segment=segment)
        for asked, (own, hand) in ASKED.items():
            start = ["tshark", "-n", "-r", str(path), "-o", "tcp.reassemble_out_of_order:TRUE"]
            plain = own if "-V" in own else []
            commands = {
                "generated": [*start, "-X", f"lua_script:{PLUGIN}", *own],
                "by hand": [*start, "-X", f"lua_script:{BY_HAND}", *hand],
                "no plugin": [*start, *plain],
            }
            runs = interleaved(commands, rounds, folder)
            own_time = runs["generated"].wall
            rows.append(
                [
                    f"{kind}: {asked}",
                    *(f"{runs[name].wall:.2f} s" for name in commands),
                    f"{own_time / runs['by hand'].wall:.2f}",
                    f"{own_time / runs['no plugin'].wall:.2f}",
                ]
            )
        path.unlink()
    return rows


HEADS = ["what", "generated", "by hand", "no plugin", "times by hand", "times no plugin"]
