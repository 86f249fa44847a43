"""Databases, brokers and directories: real servers of Debian with their own clients."""

import base64
import os
import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import paho.mqtt.client as paho
import pika
from captures.recorders import lab
from captures.recorders.foreign.setup import LOOPBACK, Scenario, add, client, program, wait

LDIF = (
    "dn: dc=example,dc=org\nobjectClass: dcObject\nobjectClass: organization\n"
    "o: Example\ndc: example\n"
)


def noise(nth: int, size: int) -> bytes:
    """Bytes that are the same in each recording."""
    return random.Random(nth).randbytes(size)  # noqa: S311


@contextmanager
def redis(work: Path) -> Iterator[None]:
    """redis-server in memory."""
    with program("redis-server", "--port", 6379, "--save", "", "--dir", work, port=6379):
        yield


def plays_redis(port: int, nth: int) -> None:
    """Commands of RESP 2 and 3, with binary values."""
    told = []
    for at in range(nth, 20):
        value = "".join(f"\\x{byte:02x}" for byte in noise(at, 4 * at))
        told.append(f'SET key{at} "{value}"')
    told += [f"LPUSH list {n} {n * n}" for n in range(20)] + [
        "LRANGE list 0 -1",
        "GET key9",
        "INFO",
    ]
    told += ["HSET hash a 1 b 2", "HGETALL hash", "GET nothing", "EVAL 'return {1,2,3}' 0", "PING"]
    client("redis-cli", *(["-3"] if nth % 2 else []), "-p", port, give="\n".join(told))


@contextmanager
def memcached(_work: Path) -> Iterator[None]:
    """Runs memcached as it is."""
    with program("memcached", "-u", "nobody", "-p", 11211, "-l", LOOPBACK, port=11211):
        yield


def plays_memcached(port: int, nth: int) -> None:
    """Text commands, or binary ones, of a socket of this repository."""
    with socket.create_connection((LOOPBACK, port)) as line:
        for at in range(1, 40):
            value = noise(at, at * 5)
            key = b"key%d" % at
            if nth % 2:
                line.sendall(b"set %b 0 0 %d\r\n%b\r\nget %b\r\n" % (key, len(value), value, key))
            else:
                size = len(key) + 8 + len(value)
                head = b"\x80\x01" + len(key).to_bytes(2) + b"\x08\0\0\0" + size.to_bytes(4)
                line.sendall(head + at.to_bytes(4) + bytes(8) + bytes(8) + key + value)
                head = b"\x80\x00" + len(key).to_bytes(2) + bytes(4) + len(key).to_bytes(4)
                line.sendall(head + at.to_bytes(4) + bytes(8) + key)
            line.recv(65536)


@contextmanager
def postgres(work: Path) -> Iterator[None]:
    """PostgreSQL with a cluster of its own."""
    data = work / "data"
    data.mkdir()
    os.chown(data, 65534, 65534)
    (bins,) = Path("/usr/lib/postgresql").glob("*/bin")
    as_nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    client(*as_nobody, f"{bins}/initdb", "-D", data, "-U", "app", "--auth=trust", "--no-sync")
    (data / "pg_hba.conf").write_text("host all all 127.0.0.0/8 trust\n")
    options = ("-D", data, "-h", LOOPBACK, "-k", data, "-p", 5432)
    with program(*as_nobody, f"{bins}/postgres", *options, port=5432):
        yield


def plays_postgres(port: int, nth: int) -> None:
    """Queries, a table, an error, and COPY."""
    told = "select g, repeat('x', g), g * 1.5 from generate_series(1, 60) g;"
    told += "create temp table t(a int);"
    told += (
        f"insert into t select generate_series(0, {200 * (1 + nth)}); copy t to stdout; select 1/0;"
    )
    address = f"host={LOOPBACK} port={port} user=app dbname=postgres sslmode=disable"
    client("psql", "-X", address, give=told)


@contextmanager
def mysql(work: Path) -> Iterator[None]:
    """MariaDB with a folder of its own."""
    data = work / "data"
    as_root = ("--no-defaults", f"--datadir={data}", "--user=root")
    client(
        "mariadb-install-db", *as_root, "--skip-test-db", "--auth-root-authentication-method=normal"
    )
    more = ("--skip-grant-tables", f"--bind-address={LOOPBACK}", "--port=3306")
    with program("mariadbd", *as_root, *more, f"--socket={work}/socket", port=3306):
        yield


def plays_mysql(port: int, nth: int) -> None:
    """Queries, a table and an error."""
    rows = ",".join(f"({n}, repeat(char({n % 256}), {n}))" for n in range(60 + nth))
    told = "create or replace table mysql.t(a int, b blob);" if nth == 0 else ""
    told += f"insert into mysql.t values {rows};"  # noqa: S608
    told += "select a, b from mysql.t limit 80; select wrong;"
    options = ("--no-defaults", "--force", "-h", LOOPBACK, "-P", port, "-u", "root", "--skip-ssl")
    client("bash", "-c", 'mariadb "$@" || true', "mariadb", *options, give=told)


@contextmanager
def ldap(work: Path) -> Iterator[None]:
    """Runs slapd with one organisation."""
    lines = [
        "include /etc/ldap/schema/core.schema",
        "modulepath /usr/lib/ldap",
        "moduleload back_mdb",
    ]
    lines += ["database mdb", 'suffix "dc=example,dc=org"', 'rootdn "cn=app,dc=example,dc=org"']
    lines += ["rootpw throwaway", f"directory {work}"]
    (work / "slapd.conf").write_text("\n".join(lines) + "\n")
    options = ("-f", work / "slapd.conf", "-h", f"ldap://{LOOPBACK}:389/", "-d", "0")
    with program("slapd", *options, port=389):
        yield


def plays_ldap(port: int, nth: int) -> None:
    """Entries with values of many sizes, and a search."""
    who = (
        "-x",
        "-H",
        f"ldap://{LOOPBACK}:{port}",
        "-D",
        "cn=app,dc=example,dc=org",
        "-w",
        "throwaway",
    )
    told = LDIF + "\n" if nth == 0 else ""
    for at in range(8):
        value = base64.b64encode(noise(at, 150 * at + 10)).decode()
        told += f"dn: cn=n{nth}-{at},dc=example,dc=org\nobjectClass: person\ncn: n{nth}-{at}\n"
        told += f"sn: {'s' * (at * 20 + 1)}\nuserPassword:: {value}\n\n"
    client("ldapadd", *who, give=told)
    client("ldapsearch", *who, "-b", "dc=example,dc=org", f"(cn=n{nth}-*)")


@contextmanager
def dns(_work: Path) -> Iterator[None]:
    """Runs dnsmasq with names of its own."""
    names = [f"--txt-record=t{n}.example.org,{'x' * (n * 5)}" for n in range(1, 40)]
    names += [f"--address=/a{n}.example.org/192.0.2.{n}" for n in range(1, 40)]
    options = ("-k", "-C", "/dev/null", "-R", "-h", "-p", 53, "-a", LOOPBACK, "-z", "-u", "root")
    with program("dnsmasq", *options, *names, port=53):
        yield


def plays_dns(port: int, nth: int) -> None:
    """Many questions on one connection."""
    asked = [f"t{n}.example.org TXT" for n in range(1, 40)] + [
        f"a{n}.example.org A" for n in range(30)
    ]
    words = " ".join(asked[nth:]).split()
    client("dig", f"@{LOOPBACK}", "-p", port, "+tcp", "+keepopen", "+tries=1", *words)


@contextmanager
def mqtt(work: Path) -> Iterator[None]:
    """mosquitto, on TCP and on WebSocket."""
    (work / "conf").write_text(
        f"allow_anonymous true\nlistener 1883 {LOOPBACK}\nlistener 8083 {LOOPBACK}\n"
        "protocol websockets\n"
    )
    with program("mosquitto", "-c", work / "conf", port=1883):
        yield


def plays_mqtt(port: int, nth: int, transport: str = "tcp") -> None:
    """Publishes with all qualities to itself, as MQTT 3.1.1 or 5."""
    version = paho.MQTTv5 if nth % 2 else paho.MQTTv311
    peer = paho.Client(
        paho.CallbackAPIVersion.VERSION2, f"c{port}-{nth}", transport=transport, protocol=version
    )
    peer.connect(LOOPBACK, port)
    peer.loop_start()
    peer.subscribe("a/#", 2)
    for at in range(30):
        size = at * 9 if at % 2 else 0
        peer.publish(f"a/{at}", noise(at, size), at % 3).wait_for_publish(10)
    peer.disconnect()
    peer.loop_stop()


def plays_mqtt_websocket(port: int, nth: int) -> None:
    """The same over WebSocket."""
    plays_mqtt(port, nth, "websockets")


@contextmanager
def rabbit(work: Path) -> Iterator[None]:
    """RabbitMQ's server without plugins."""
    own = {"MNESIA_BASE": work, "LOG_BASE": work, "NODENAME": f"rabbit@{lab.HOST}"}
    os.environ.update({f"RABBITMQ_{key}": str(value) for key, value in own.items()})
    os.environ |= {"HOME": str(work), "RABBITMQ_ENABLED_PLUGINS_FILE": "/dev/null"}
    with program("/usr/lib/rabbitmq/bin/rabbitmq-server", port=5672):
        wait(25672)
        yield


def plays_amqp(port: int, nth: int) -> None:
    """Publishes to a queue, consumes from it, and is refused a wrong queue."""
    line = pika.BlockingConnection(pika.ConnectionParameters(LOOPBACK, port, heartbeat=30 + nth))
    channel = line.channel()
    channel.queue_declare(f"q{nth}", auto_delete=True)
    for at in range(25):
        about = pika.BasicProperties(headers={"n": at, "s": "x" * at}, delivery_mode=1)
        channel.basic_publish("", f"q{nth}", noise(at, at * at), about)
    for at, (_, _, _) in enumerate(channel.consume(f"q{nth}", auto_ack=True, inactivity_timeout=5)):
        if at == 24:
            break
    line.close()


PLAYS = {
    "redis": ("Commands of RESP 2 and 3", "redis-server 7.0.15", "redis-cli 7.0.15", 6379),
    "memcached": ("Values, by text and by binary commands", "memcached 1.6.18", "by hand", 11211),
    "postgresql": ("Queries and COPY", "PostgreSQL 15", "psql 15", 5432),
    "mysql": ("Queries over MySQL's protocol", "MariaDB 10.11", "mariadb 10.11", 3306),
    "ldap": ("Entries and searches", "slapd 2.5.13", "ldapadd and ldapsearch 2.5.13", 389),
    "dns": ("Questions over TCP", "dnsmasq 2.90", "dig 9.18", 53),
    "mqtt": ("All qualities of service", "mosquitto 2.0.11", "paho-mqtt 2.2.0 (PyPI)", 1883),
    "mqtt_over_websocket": (
        "MQTT in WebSocket",
        "mosquitto 2.0.11",
        "paho-mqtt 2.2.0 (PyPI)",
        8083,
    ),
    "amqp_0_9_1": ("A queue of AMQP 0-9-1", "RabbitMQ 3.10.8", "pika 1.4.4 (PyPI)", 5672),
}
SERVES = {
    "redis": (redis, plays_redis),
    "memcached": (memcached, plays_memcached),
    "postgresql": (postgres, plays_postgres),
    "mysql": (mysql, plays_mysql),
    "ldap": (ldap, plays_ldap),
    "dns": (dns, plays_dns),
    "mqtt": (mqtt, plays_mqtt),
    "mqtt_over_websocket": (mqtt, plays_mqtt_websocket),
    "amqp_0_9_1": (rabbit, plays_amqp),
}
for name, (title, server, peer, port) in PLAYS.items():
    serve, plays = SERVES[name]
    add(
        Scenario(
            name=name,
            title=title,
            server=f"{server} (Debian)",
            client=peer if "(" in peer or peer == "by hand" else f"{peer} (Debian)",
            port=port,
            serve=serve,
            play=plays,
        )
    )
