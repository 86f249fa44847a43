"""Throw-away."""
import os, signal, subprocess, threading, time
from pathlib import Path
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON
class P(dict):
    def get(self, n, d=None): return (6000, 9999, 9090)
PORTS = P()
def server_pid():
    for p in Path("/proc").glob("[0-9]*/cmdline"):
        try: t = p.read_bytes()
        except OSError: continue
        if b"LocalPravegaEmulator" in t and t.startswith(b"java"): return int(p.parent.name)
def hung(peer, main, name, after, time_):
    def play():
        with clients.server(NEW, auth=False):
            facts = {}
            t = threading.Thread(target=lambda: facts.update(clients.drive(peer, main, name)))
            t.start()
            time.sleep(after)
            pid = server_pid(); os.kill(pid, signal.SIGSTOP); print("stopped", pid, flush=True)
            time.sleep(time_); os.kill(pid, signal.SIGCONT)
            t.join()
            return facts
    return play
appends_java = hung(NEW, "Rules", "appends", 7, 14)
appends_short_java = hung(NEW, "Rules", "appends", 7, 3)
appends_py = hung(PYTHON, "rules.py", "appends", 3.5, 14)
reads_java = hung(NEW, "Rules", "reads", 9, 14)
reads_short_java = hung(NEW, "Rules", "reads", 9, 3)
