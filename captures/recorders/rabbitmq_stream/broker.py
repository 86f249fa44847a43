"""A real RabbitMQ broker of a Debian package, in a folder made by debootstrap.

`bookworm` has 3.10.8, `trixie` 4.0, `sid` a newer 4.x. The folders are kept in the cache and made
once.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from captures.recorders import lab

SUITES = {"3.10": "bookworm", "4.0": "trixie", "4": "sid"}
CONF = """\
listeners.tcp.1 = 127.0.0.1:{amqp}
stream.listeners.tcp.1 = 0.0.0.0:{stream}
stream.listeners.tcp.2 = ::1:{stream}
stream.advertised_host = {host}
stream.advertised_port = {stream}
log.console = true
log.file = false
vm_memory_high_watermark.absolute = 400MB
disk_free_limit.absolute = 50MB
"""
TLS = f"""\
stream.listeners.ssl.1 = 127.0.0.1:5551
stream.advertised_tls_host = {lab.HOST}
stream.advertised_tls_port = 5551
ssl_options.cacertfile = /etc/rabbitmq/cert.pem
ssl_options.certfile = /etc/rabbitmq/cert.pem
ssl_options.keyfile = /etc/rabbitmq/key.pem
ssl_options.verify = verify_none
"""
CLUSTER = """\
cluster_formation.peer_discovery_backend = classic_config
cluster_formation.classic_config.nodes.1 = rabbit0@broker
cluster_formation.classic_config.nodes.2 = rabbit1@broker
cluster_formation.classic_config.nodes.3 = rabbit2@broker
"""
SOURCES = ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")


def root(release: str) -> Path:
    """The folder of a release, in the cache."""
    return lab.CACHE / "rabbitmq" / SUITES[release]


def mirror() -> str:
    """The package mirror this machine is set up with."""
    for name in SOURCES:
        with contextlib.suppress(OSError):
            for line in Path(name).read_text().splitlines():
                words = line.split()
                if words[:1] == ["URIs:"]:
                    return words[1]
                if words[:1] == ["deb"]:
                    return next(w for w in words if "://" in w)
    raise SystemExit("no Debian mirror configured")


def prepare(release: str) -> None:
    """Makes the folder of a release unless it is there."""
    folder = root(release)
    if (folder / "ready").exists():
        return
    lab.require("debootstrap")
    if not (folder / "usr/bin/apt-get").exists():
        print(f"debootstrap {SUITES[release]}")
        folder.parent.mkdir(parents=True, exist_ok=True)
        lab.run(
            "debootstrap --variant=minbase --include=ca-certificates "
            f"{SUITES[release]} {folder} {mirror()}"
        )
    (folder / "etc/hosts").write_text(lab.HOSTS)
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    (folder / "etc/apt/apt.conf.d/99recorder").write_text(
        'Acquire::Check-Valid-Until "false";\nAcquire::Check-Date "false";\n'
    )
    policy = folder / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    certificates = Path("/etc/ssl/certs/ca-certificates.crt")
    if certificates.exists():
        shutil.copy(certificates, folder / "etc/ssl/certs/ca-certificates.crt")
    print(f"installing rabbitmq-server of {SUITES[release]}")
    lab.run(
        "unshare --mount --uts bash -ec '"
        f"hostname {lab.HOST}; mount --bind /dev {folder}/dev; mount -t proc proc {folder}/proc; "
        f"chroot {folder} apt-get update; DEBIAN_FRONTEND=noninteractive "
        f"chroot {folder} apt-get install -y --no-install-recommends rabbitmq-server'"
    )
    (folder / "ready").touch()


class Broker:
    """One running broker, of one node or of three, in the namespaces of `lab.enter`.

    Lines of `extra` are configuration, arguments of Erlang (`-`), or more plugins (`+`).
    """

    def __init__(self, release: str, log: Path, extra: str = "", nodes: int = 1) -> None:
        settings = extra.splitlines()
        self.arguments = " ".join(s for s in settings if s.startswith("-"))
        self.release = release
        self.root = root(release)
        self.log = log
        self.plugins = ["rabbitmq_stream", *(s[1:] for s in settings if s.startswith("+"))]
        self.extra = "\n".join(s for s in settings if not s.startswith(("-", "+")))
        self.nodes = nodes
        self.processes: list[subprocess.Popen[bytes]] = []
        if not os.path.ismount(self.root / "proc"):
            lab.run(f"mount --bind /dev {self.root}/dev; mount -t proc proc {self.root}/proc")

    def start(self) -> None:
        """Starts with an empty data folder in memory and waits for the stream ports."""
        folder = self.root / "var/lib/rabbitmq"
        etc = self.root / "etc/rabbitmq"
        lab.run(f"mount -t tmpfs tmpfs {folder}; mount -t tmpfs tmpfs {etc}")
        (etc / "enabled_plugins").write_text(f"[{','.join(self.plugins)}].\n")
        (self.root / "etc/hosts").write_text(lab.HOSTS)
        lab.run(
            f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={lab.HOST} "
            f"-addext subjectAltName=DNS:{lab.HOST} -keyout {etc}/key.pem -out {etc}/cert.pem"
        )
        for node in range(self.nodes):
            conf = CONF.format(host=lab.HOST, amqp=5672 + node, stream=5552 + node)
            (etc / f"node{node}.conf").write_text(conf + self.extra)
        lab.run(f"chroot {self.root} chown -R rabbitmq:rabbitmq /var/lib/rabbitmq /etc/rabbitmq")
        with self.log.open("ab") as log:
            for node in range(self.nodes):
                command = self._command("exec /usr/lib/rabbitmq/bin/rabbitmq-server", node)
                self.processes.append(subprocess.Popen(command, stdout=log, stderr=log))
                time.sleep(2 if self.nodes > 1 else 0)  # together they race for epmd
        for node in range(self.nodes):
            self._await(node)

    def _await(self, node: int) -> None:
        for _ in range(120):
            time.sleep(0.5)
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", 5552 + node), 1).close()
                self.ctl("await_startup", node=node)
                time.sleep(1)
                return
            if self.processes[node].poll() is not None:
                break
        raise SystemExit(f"the broker does not start: {self.log.read_bytes()[-2000:]!r}")

    def name(self, node: int = 0) -> str:
        """The name of a node."""
        return f"rabbit{node if self.nodes > 1 else ''}@{lab.HOST}"

    def _command(self, command: str, node: int = 0) -> list[str]:
        environment = (
            f"HOME=/var/lib/rabbitmq LANG=C.UTF-8 RABBITMQ_NODENAME={self.name(node)} "
            f"RABBITMQ_DIST_PORT={25672 + node} "
            f"RABBITMQ_CONFIG_FILE=/etc/rabbitmq/node{node}.conf "
            f"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+S 1:1 +sbwt none {self.arguments}'"
        )
        inner = f"cd /var/lib/rabbitmq; {environment} {command}"
        return ["chroot", str(self.root), "su", "-s", "/bin/bash", "rabbitmq", "-c", inner]

    def ctl(self, command: str, tool: str = "rabbitmqctl", node: int = 0) -> str:
        """Output of rabbitmqctl, or of another of the broker's tools."""
        inner = f"/usr/lib/rabbitmq/bin/{tool} -q {command}"
        full = self._command(inner, node)
        done = subprocess.run(full, capture_output=True, text=True, check=False)
        return (done.stdout + done.stderr).strip()

    def certificate(self) -> Path:
        """The certificate of its TLS listener."""
        return self.root / "etc/rabbitmq/cert.pem"

    def versions(self) -> str:
        """What is running, as packages."""
        query = "dpkg-query -W -f '${Package} ${Version}\n' rabbitmq-server erlang-base"
        packages = lab.run(f"chroot {self.root} {query}").splitlines()
        plugins = self.root / "usr/lib/rabbitmq/lib"
        osiris = sorted(p.name for p in plugins.glob("*/plugins/osiris-*"))
        cluster = [f"cluster of {self.nodes} nodes"] if self.nodes > 1 else []
        return ", ".join([f"RabbitMQ {self.version()}", *packages, *osiris, *cluster])

    def version(self) -> str:
        """The broker's own version."""
        return self.ctl("version").splitlines()[-1]

    def stop(self) -> None:
        """Stops it; whatever is left ends with the process namespace."""
        for node in reversed(range(self.nodes)):
            self.ctl("shutdown", node=node)
        for process in self.processes:
            process.wait(60)
