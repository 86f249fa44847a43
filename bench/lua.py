"""The generated Wireshark plugin beside one written by hand for the same fields, and no plugin."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from clock import errors_of, interleaved, run, written
from generator import generate

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "dissectors" / "rabbitmq_stream.lua"
BY_HAND = ROOT / "bench" / "handwritten.lua"
COUNTER = ROOT / "bench" / "instructions.lua"
"""Prints how many instructions Lua has executed."""
MOST_OF_HAND = 1.3
"""Aim: the generated plugin's time as times of that of the one by hand."""
MOST_OF_PLAIN = 2.0
"""Aim: its time as times of tshark without a plugin, while its fields are not requested."""
MOST_OF_LIST = 2.0
"""Aim: the time of a list of findings alone as times of that of all packets."""
FINDINGS = {
    "rabbitmq_stream": ("rmqstream", ("rabbitmq_stream",)),
    "rsocket": ("rsocket", ("rsocket",)),
    "pravega": ("pravega", ("pravega",)),
    "liftbridge": ("liftbridge", ("nats", "liftbridge")),
    "nats": ("nats", ("nats",)),
}
"""Protocol to its short name and the plugins that read its captures."""
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


def without(*names: str) -> list[str]:
    """Preferences of the generated plugin that are switched off."""
    return [part for each in names for part in ("-o", f"rmqstream.{each}:FALSE")]


FIELDS_ALONE = [*without("checksums", "links", "findings"), "-o", "rmqstream.text:0"]
"""Preferences with which it shows fields and does nothing else."""


class Worst(NamedTuple):
    """The worst ratios of all rows."""

    fields: float
    """Of the generated plugin with fields alone to the one by hand of the same fields."""
    full: float
    """Of it, with all that it does, to the one by hand that links and verifies checksums too."""
    bare: float
    """Of it, with all that it does, to the one by hand that does none of it."""
    idle: float
    """Of it with all to no plugin, while its fields are not requested."""


def lua_rows(folder: Path, size: int, rounds: int) -> tuple[Worst, list[list[str]]]:
    """The worst ratios, and the rows.

    Of captures of many messages a frame, and of one, by what is asked for; processor time.
    """
    ratios: list[tuple[float, float, float]] = []
    idle = []
    rows = []
    for kind, segment in (("messages", 1448), ("small frames", 0)):
        path = folder / f"lua-{segment}.pcap"
        generate(path, size, segment=segment)
        for asked, (own, hand) in ASKED.items():
            start = ["tshark", "-n", "-r", str(path), "-o", "tcp.reassemble_out_of_order:TRUE"]
            generated = [*start, "-X", f"lua_script:{PLUGIN}", *own]
            by_hand = [*start, "-X", f"lua_script:{BY_HAND}", *hand]
            commands = {
                "generated": generated,
                "fields alone": [*generated, *FIELDS_ALONE],
                "by hand": by_hand,
                "by hand, full": [*by_hand, "-X", "lua_script1:full"],
                "no plugin": [*start, *([] if "-T" in own else own)],
            }
            runs = interleaved(commands, rounds, folder)
            time = {name: each.cpu for name, each in runs.items()}
            ratios.append(
                (
                    time["fields alone"] / time["by hand"],
                    time["generated"] / time["by hand, full"],
                    time["generated"] / time["by hand"],
                )
            )
            plain = time["generated"] / time["no plugin"]
            if asked in IDLE:
                idle.append(plain)
            shown = [f"{time[name]:.2f} s" for name in commands]
            shown += [f"{each:.2f}" for each in (*ratios[-1], plain)]
            rows.append([f"{kind}: {asked}", *shown])
        path.unlink()
    fields, full, bare = (max(column) for column in zip(*ratios, strict=True))
    return Worst(fields, full, bare, max(idle)), rows


HEADS = [
    "what", "generated", "fields alone", "by hand", "by hand, full", "no plugin",
    "fields alone", "times by hand, full", "times by hand", "times no plugin",
]  # fmt: skip


def instructions_of(command: list[str], folder: Path) -> float:
    """Millions of instructions that Lua executes in a tshark with these plugins."""
    output = written("instructions", folder)
    run([*command[:1], f"-Xlua_script:{COUNTER}", *command[1:]], output)
    found = re.search(r"^(\d+) thousand instructions", errors_of(output).read_text(), re.MULTILINE)
    if found is None:
        raise RuntimeError("tshark printed no number of instructions")
    return int(found[1]) / 1000


def finding_rows(folder: Path, rounds: int) -> tuple[float, list[list[str]]]:
    """The worst ratio of processor times, and the rows.

    Of the long recorded captures of each protocol, one after the other in a file: the packets
    with findings, `-Y PROTOCOL.finding`, beside all packets; the best processor time of several
    runs in turn, and the instructions of Lua.
    """
    worst, rows = 0.0, []
    for protocol, (short, plugins) in FINDINGS.items():
        path = folder / f"findings-{protocol}.pcapng"
        members = sorted((ROOT / "captures" / protocol).glob("long_*/traffic.*"))
        subprocess.run(["mergecap", "-a", "-w", str(path), *map(str, members)], check=True)
        scripts = [f"-Xlua_script:{ROOT / 'dissectors' / each}.lua" for each in plugins]
        start = ["tshark", "-n", "-r", str(path), "-o", "tcp.reassemble_out_of_order:TRUE"]
        every = [*start, *scripts]
        commands = {"all packets": every, "findings": [*every, "-Y", f"{short}.finding"]}
        runs = interleaved(commands, rounds, folder, min)
        times = [runs[name].cpu for name in commands]
        counts = [instructions_of(command, folder) for command in commands.values()]
        worst = max(worst, times[1] / times[0])
        shown = [f"{each:.2f} s" for each in times] + [f"{times[1] / times[0]:.2f}"]
        shown += [f"{each:.1f}" for each in counts] + [f"{counts[1] / counts[0]:.2f}"]
        rows.append([protocol, *shown])
        path.unlink()
    return worst, rows


FINDING_HEADS = [
    "protocol", "all packets", "findings alone", "times all packets",
    "million instructions, all packets", "findings alone", "times all packets",
]  # fmt: skip
