"""Throw-away plays."""
import threading, time, subprocess
from captures.recorders.rabbitmq_stream import wire

def made(stage):
    c = stage.client().login(); c.create(stage.scenario); c.close()

GO, PY, JS = "rules.go", "rstream_rules.py", "js_rules.mjs"
def old_singles(stage): stage.drive(PY, "fills", "singles", "1")
def old_batches(stage): stage.drive(PY, "fills", "batches", "10"); 
def after_a_minute(stage):
    for name, size in (("singles","1"),("batches","10")):
        print(stage.drive(PY, "fills", name, size))
    time.sleep(64)
def singles_go(stage): return stage.drive(GO, "reads", "singles")
def singles_py(stage): return stage.drive(PY, "reads", "singles")
def batches_go(stage): return stage.drive(GO, "reads", "batches")
def batches_py(stage): return stage.drive(PY, "reads", "batches")
def floods_go(stage): return stage.drive(GO, "floods", stage.scenario)
def floods_little_go(stage): return stage.drive(GO, "floods_little", stage.scenario)
def floods_py(stage): return stage.drive(PY, "floods", stage.scenario, "80000")
def deleting(stage, run):
    box = {}
    def work(): box.update(run() or {})
    t = threading.Thread(target=work); t.start()
    time.sleep(2.5)
    stage.ctl(f"delete_queue {stage.scenario}")
    t.join(30)
    return box
def fails_js(stage): return deleting(stage, lambda: stage.drive(JS, "fails", stage.scenario, wait=20))
def fails_go(stage): return deleting(stage, lambda: stage.drive(GO, "fails", stage.scenario, wait=20))
def keeps_js(stage):
    stage.ctl("add_user report report"); stage.ctl("set_permissions report '' '' '.*'")
    f = stage.drive(JS, "keeps", stage.scenario, "report"); stage.ctl("delete_user report"); return f
def heartbeats_rust(stage):
    for _ in range(3):
        subprocess.run(["/tmp/c/rust01/target/debug/r01"], timeout=90)
    return {}
def heartbeat_setup(stage):
    c = stage.client().login(); c.create("orders-rust"); c.close()
SETUP = {n: made for n in ("floods_go","floods_little_go","fails_js","fails_go")}
SETUP["heartbeats_rust"] = heartbeat_setup
def down(stage, run):
    """Two of three nodes stop."""
    rows = stage.broker.ctl("list_queues --no-table-headers name leader").splitlines()
    leader = next(int(r.split("\t")[1][len("rabbit")]) for r in rows if r.startswith(stage.scenario))
    print(rows, leader)
    box = {}
    def work(): box.update(run() or {})
    others = [n for n in (1,2)]
    for n in others: print(stage.ctl("stop_app", node=n))
    t = threading.Thread(target=work); t.start()
    t.join(90)
    for n in others: print(stage.ctl("start_app", node=n))
    return box
def unavailable_go(stage): return down(stage, lambda: stage.drive(GO, "tries", stage.scenario, wait=90))
def unavailable_py(stage): return down(stage, lambda: stage.drive(PY, "tries", stage.scenario, "60", wait=90))
def at_two(stage):
    c = stage.client(port=5554).login(); c.create(stage.scenario, **{}) ; c.close(); time.sleep(5)
def lost_go(stage): return down(stage, lambda: stage.drive(GO, "tries", stage.scenario, wait=90))
def lost_py(stage): return down(stage, lambda: stage.drive(PY, "tries", stage.scenario, "60", wait=90))
def publishes_go(stage): return down(stage, lambda: stage.drive(GO, "produces", stage.scenario, wait=90))
SETUP["lost_go"] = SETUP["lost_py"] = SETUP["publishes_go"] = at_two
SETUP["unavailable_go"] = SETUP["unavailable_py"] = lambda stage: (made(stage), time.sleep(4))

def fails_py(stage): return deleting(stage, lambda: stage.drive(PY, "fails", stage.scenario, wait=20))
SETUP["fails_py"] = made
