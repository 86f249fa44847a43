"""Servers without a quorum, late acks, refused inboxes, advertised addresses: see docs/checking.md."""

import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

from captures.recorders import lab
from captures.recorders.nats import peers
from captures.recorders.nats.line import line
from captures.recorders.nats.scenarios_clients import PLAIN, STORED
from captures.recorders.nats.scenarios_stalls import node
from captures.recorders.nats.setup import OLD, Facts
from captures.recorders.nats.threads import restart

DRIVER = "rules"
PERMITTED = """\
listen: 127.0.0.1:4222
authorization { users: [ {
  user: app, password: throwaway,
  permissions: { publish: ["service", "_INBOX.>", "_INBOX_app.>"],
                 subscribe: ["service", "_INBOX_app.>"] }
} ] }
"""


def py(name, configuration=STORED, **kw):
    def play():
        with peers.servers(configuration, **kw):
            return peers.drive("py", name, driver=DRIVER)
    return play

def three(name, peer="py"):
    def play():
        with peers.servers(node(0), node(1), node(2), settle=3):
            return peers.drive(peer, name, driver=DRIVER)
    return play

fails_three_times = py("fails_three_times")
acked_at_last = py("acked_at_last")
deleted = py("deleted")
deleted_after = py("deleted_after")
steps_down = three("steps_down")
steps_down_twice = three("steps_down_twice")
does_not_pull = three("does_not_pull")
pulls_again = three("pulls_again")
inbox_refused = py("inbox_refused", PERMITTED)
inbox_permitted = py("inbox_permitted", PERMITTED)
similar_header = py("similar_header")
similar_header_old = py("similar_header", version=OLD)
similar_header_after_old = py("similar_header_after", version=OLD)
opens_tls = py("opens_tls")
opens_tls_first = py("opens_tls_first")
opens_wss = py("opens_wss")
opens_verbose = py("opens_verbose")

def quorum_lost():
    with peers.servers(node(0), node(1), node(2), settle=3) as running:
        def freeze():
            time.sleep(6)
            for each in running[1:]:
                each.send_signal(signal.SIGSTOP)
            time.sleep(33)
            for each in running[1:]:
                each.send_signal(signal.SIGCONT)
        t = threading.Thread(target=freeze); t.start()
        facts = peers.drive("py", "listens", driver=DRIVER)
        t.join()
    return facts

def late_ack():
    with peers.servers(STORED) as running:
        def freeze():
            time.sleep(2.5)
            running[0].send_signal(signal.SIGSTOP)
            time.sleep(3)
            running[0].send_signal(signal.SIGCONT)
        t = threading.Thread(target=freeze); t.start()
        facts = peers.drive("py", "publishes", driver=DRIVER)
        t.join()
    return facts

def public(advertise=""):
    def play():
        lab.run("ip addr add 203.0.113.10/32 dev lo; ip addr add 172.18.0.2/32 dev lo; ip addr add 172.18.0.3/32 dev lo", cwd=None)
        def conf(n, extra):
            return (f"listen: 0.0.0.0:{4222+n}\nserver_name: node-{n}\n"
              f"cluster {{ name: two, listen: 172.18.0.{2+n}:6222, routes: [nats://172.18.0.{3-n}:6222] {extra} }}\n")
        with peers.servers(f"listen: 0.0.0.0:4222\nserver_name: node-0\ncluster {{ name: two, listen: 172.18.0.2:6222, routes: [nats://172.18.0.3:6222], {advertise} }}\n",
                           f"listen: 172.18.0.3:4222\nserver_name: node-1\ncluster {{ name: two, listen: 172.18.0.3:6222, routes: [nats://172.18.0.2:6222], {advertise} }}\n", settle=1.5):
            facts = peers.drive("py", "opens_public", driver=DRIVER)
        lab.run("ip addr del 203.0.113.10/32 dev lo; ip addr del 172.18.0.2/32 dev lo; ip addr del 172.18.0.3/32 dev lo", cwd=None)
        return facts
    return play
advertised = public()
not_advertised = public("no_advertise: true")

def ends_before_connect():
    with peers.servers(PLAIN.replace("4222", "4223")) as running:
        with line(4222, 4223, delay=1.5):
            def stop():
                time.sleep(1.2); running[0].kill()
            t = threading.Thread(target=stop); t.start()
            return peers.drive("py", "opens", driver=DRIVER)
PORTS = {"ends_before_connect": (4223,)}

def ahead(version):
    def play():
        conf = STORED
        with peers.servers(conf, version=version) as running:
            peers.drive("py", "publishes", driver=DRIVER)
            peers.drive("py", "works_file", driver=DRIVER)
            running[0].terminate(); running[0].wait(5)
            for f in Path("js").glob("jetstream/*/streams/ORDERS/msgs/*"):
                f.unlink()
            running[0] = subprocess.Popen([str(peers.server_of(version)), "-c", "server-0.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1)
            return peers.drive("py", "looks", driver=DRIVER)
    return play
consumer_ahead = ahead(peers.NEW)
consumer_ahead_old = ahead(OLD)

import json
def verbose_pynats():
    with peers.servers(PLAIN):
        r = subprocess.run(["/tmp/c/pynats/bin/python", str(peers.DRIVERS/"py_pynats_rules.py"), "verbose"], capture_output=True, text=True)
        return r.stdout + r.stderr
def quiet_pynats():
    with peers.servers(PLAIN):
        r = subprocess.run(["/tmp/c/pynats/bin/python", str(peers.DRIVERS/"py_pynats_rules.py"), "quiet"], capture_output=True, text=True)
        return r.stdout + r.stderr
def verbose_js():
    with peers.servers(PLAIN):
        r = subprocess.run(["node", "/tmp/c/js_verbose.js"], capture_output=True, text=True)
        return r.stdout + r.stderr
def older(name):
    def play():
        saved = peers.server_of; peers.server_of = lambda v: Path("/tmp/c/ns28/nats-server")
        with peers.servers(STORED):
            return peers.drive("py", name, driver=DRIVER)
    return play
similar_header_older = older("similar_header")
def public2(advertise):
    def play():
        lab.run("ip addr add 203.0.113.10/32 dev lo; ip addr add 172.18.0.2/32 dev lo; ip addr add 172.18.0.3/32 dev lo", cwd=None)
        def conf(n):
            adv = f"client_advertise: 172.18.0.{2+n}:4222\n" if advertise else ""
            return (f"listen: {'203.0.113.10' if not n else '172.18.0.3'}:4222\nserver_name: node-{n}\n{adv}"
              f"cluster {{ name: two, listen: 172.18.0.{2+n}:6222, routes: [nats://172.18.0.{3-n}:6222], {'' if advertise else 'no_advertise: true'} }}\n")
        with peers.servers(conf(0), conf(1), settle=2.5):
            facts = peers.drive("py", "opens_public", driver=DRIVER)
            facts["log"]=Path("server-0.log").read_text()[-900:]
        lab.run("ip addr del 203.0.113.10/32 dev lo; ip addr del 172.18.0.2/32 dev lo; ip addr del 172.18.0.3/32 dev lo", cwd=None)
        return facts
    return play
advertised2 = public2(True)
not_advertised2 = public2(False)
def go(name, configuration=STORED):
    def play():
        with peers.servers(configuration):
            return peers.drive("go", name, driver=DRIVER)
    return play
does_not_pull_go = three("does_not_pull", "go")
pulls_again_go = three("pulls_again", "go")
inbox_refused_go = go("inbox_refused", PERMITTED)
inbox_permitted_go = go("inbox_permitted", PERMITTED)
paused_go = go("paused")
def withheld_py():
    with peers.servers(STORED):
        return peers.drive("py", "withheld", driver=DRIVER)
