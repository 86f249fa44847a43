"""Runs one command and prints its wall time, processor time and largest resident set, as JSON.

`python -I -S starter.py OUTPUT ERRORS COMMAND...`. It imports little, for what the system calls the
largest resident set of a process counts that of the one which started it.
"""

import json
import os
import sys
import time


def main() -> None:
    """Seconds, seconds of user and system, and `ru_maxrss` as it stands; the exit code is its."""
    output, errors, *command = sys.argv[1:]
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, flags, 0o644),
        (os.POSIX_SPAWN_OPEN, 2, errors, flags, 0o644),
    ]
    start = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    sys.stdout.write(json.dumps([wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
    sys.exit(abs(os.waitstatus_to_exitcode(status)))


main()
