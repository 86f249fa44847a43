"""A real RabbitMQ broker of a Debian package, in a folder made by debootstrap.

`bookworm` has 3.10.8; `sid` has a 4.x. The folders are kept in the cache and made once.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from captures.recorders import lab

SUITES = {"3.10": "bookworm", "4": "sid"}
NODE = f"rabbit@{lab.HOST}"
CONF = f"""\
listeners.tcp.1 = 127.0.0.1:5672
stream.listeners.tcp.1 = 0.0.0.0:5552
stream.listeners.tcp.2 = ::1:5552
stream.advertised_host = {lab.HOST}
stream.advertised_port = 5552
log.console = true
log.file = false
vm_memory_high_watermark.absolute = 400MB
disk_free_limit.absolute = 50MB
"""
PLUGINS = {"3.10": "[rabbitmq_stream].\n", "4": "[rabbitmq_stream].\n"}
ENVIRONMENT = (
    f"HOME=/var/lib/rabbitmq LANG=C.UTF-8 RABBITMQ_NODENAME={NODE} "
    "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+S 1:1 +sbwt none'"
)
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
    """One running broker, in the namespaces of `lab.enter`."""

    def __init__(self, release: str, log: Path, extra: str = "") -> None:
        self.release = release
        self.root = root(release)
        self.log = log
        self.extra = extra
        self.process: subprocess.Popen[bytes] | None = None
        if not os.path.ismount(self.root / "proc"):
            lab.run(f"mount --bind /dev {self.root}/dev; mount -t proc proc {self.root}/proc")

    def start(self) -> None:
        """Starts with an empty data folder in memory and waits for the stream port."""
        folder = self.root / "var/lib/rabbitmq"
        etc = self.root / "etc/rabbitmq"
        lab.run(f"mount -t tmpfs tmpfs {folder}; mount -t tmpfs tmpfs {etc}")
        lab.run(f"chroot {self.root} chown rabbitmq:rabbitmq /var/lib/rabbitmq /etc/rabbitmq")
        (etc / "rabbitmq.conf").write_text(CONF + self.extra)
        (etc / "enabled_plugins").write_text(PLUGINS[self.release])
        (self.root / "etc/hosts").write_text(lab.HOSTS)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self._command("exec /usr/lib/rabbitmq/bin/rabbitmq-server"), stdout=log, stderr=log
            )
        for _ in range(120):
            time.sleep(0.5)
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", 5552), 1).close()
                self.ctl("await_startup")
                time.sleep(1)
                return
            if self.process.poll() is not None:
                break
        raise SystemExit(f"the broker does not start: {self.log.read_text()[-2000:]}")

    def _command(self, command: str) -> list[str]:
        inner = f"cd /var/lib/rabbitmq; {ENVIRONMENT} {command}"
        return ["chroot", str(self.root), "su", "-s", "/bin/bash", "rabbitmq", "-c", inner]

    def ctl(self, command: str, tool: str = "rabbitmqctl") -> str:
        """Output of rabbitmqctl, or of another of the broker's tools."""
        inner = f"/usr/lib/rabbitmq/bin/{tool} -q {command}"
        done = subprocess.run(self._command(inner), capture_output=True, text=True, check=False)
        return (done.stdout + done.stderr).strip()

    def versions(self) -> str:
        """What is running, as packages."""
        query = "dpkg-query -W -f '${Package} ${Version}\n' rabbitmq-server erlang-base"
        packages = lab.run(f"chroot {self.root} {query}").splitlines()
        plugins = self.root / "usr/lib/rabbitmq/lib"
        osiris = sorted(p.name for p in plugins.glob("*/plugins/osiris-*"))
        return ", ".join([f"RabbitMQ {self.version()}", *packages, *osiris])

    def version(self) -> str:
        """The broker's own version."""
        return self.ctl("version").splitlines()[-1]

    def stop(self) -> None:
        """Stops it; whatever is left ends with the process namespace."""
        self.ctl("shutdown")
        if self.process:
            self.process.wait(30)
