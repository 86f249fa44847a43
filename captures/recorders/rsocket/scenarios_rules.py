"""Throw-away."""
import os, signal, threading, time
from captures.recorders.rsocket import clients
def lib(peer, name, driver="rules", mode="plain"):
    def play():
        with clients.serving("tcp", mode, driver="fifteenth") as served:
            return clients.drive(peer, name, "tcp", driver=driver) | served
    return play
def frozen(peer, name, driver="rules"):
    def play():
        facts = {}
        with clients.serving("tcp", "plain", driver="fifteenth") as served:
            t = threading.Thread(target=lambda: facts.update(clients.drive(peer, name, "tcp", driver=driver)))
            t.start(); time.sleep(4)
            s = clients.SERVING[0].pid
            os.kill(s, signal.SIGSTOP); time.sleep(6); os.kill(s, signal.SIGCONT)
            time.sleep(9); facts["visitor"] = clients.drive("py", "visits", "tcp", driver="rules")
            t.join()
        return facts
    return play
class P(dict):
    def get(self, n, d=None): return (7000,)
PORTS = P()
last_id_js00 = lib("js_0_0", "last_id")
ids_js00 = lib("js_0_0", "ids")
pushes_js00 = lib("js_0_0", "pushes")
pushes_slowly_js00 = lib("js_0_0", "pushes_slowly")
pushes_java = lib("java", "pushes")
pushes_few_java = lib("java", "few")
pushes_py = lib("py", "pushes")
pushes_slowly_py = lib("py", "pushes_slowly")
stays_java = frozen("java", "stays", "fifteenth")
returns_java = frozen("java", "returns", "fifteenth")
stays_js00 = frozen("js_0_0", "stays")
stays_py = frozen("py", "stays")
