"""Object stores and file systems of other projects, as programs on this machine, from Maven."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pyspark

JARS = Path(pyspark.__file__).parent / "jars"
PATIENCE = 120
"""Seconds until a server that does not answer is a failure."""
S3_SERVER = "org.gaul:s3proxy:3.1.0"
HDFS_SERVER = (
    "org.apache.hadoop:hadoop-client-minicluster:3.5.0",
    "org.junit.jupiter:junit-jupiter-api:5.13.4",
    "org.mockito:mockito-core:4.11.0",
)
"""A mini cluster, and what its class for tests imports."""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def jars(folder: Path, *coordinates: str) -> str:
    """A class path with artifacts of Maven and all that they need, by the Ivy that Spark brings."""
    (ivy,) = JARS.glob("ivy-*.jar")
    for each in coordinates:
        subprocess.run(
            ("java", "-jar", str(ivy), "-dependency", *each.split(":"), "-confs", "default",
             "-retrieve", f"{folder}/[artifact]-[revision](-[classifier]).[ext]"),
            check=True, capture_output=True, timeout=600,
        )  # fmt: skip
    return f"{folder}/*"


@contextmanager
def running(log: Path, port: int, *command: str) -> Iterator[None]:
    """A program that listens at a port, until it is ended."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=log.parent, stdout=out, stderr=out, start_new_session=True
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not _answers(port):
            lives = process.poll() is None and time.monotonic() < deadline
            assert lives, log.read_text("utf-8", "replace")[-3000:]
            time.sleep(0.1)
        yield
    finally:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


class Bucket(NamedTuple):
    """A bucket of a server of S3."""

    name: str
    folder: Path
    """Where its objects are files."""
    settings: Mapping[str, str]
    """What Spark has to know."""


@contextmanager
def s3(place: Path) -> Iterator[Bucket]:
    """A bucket of S3Proxy, whose objects are files of a folder."""
    port, key, secret = free_port(), "shark", "kept-by-the-shark"
    (place / "data" / "archive").mkdir(parents=True)
    conf = {
        "s3proxy.endpoint": f"http://127.0.0.1:{port}",
        "s3proxy.authorization": "aws-v2-or-v4",
        "s3proxy.identity": key,
        "s3proxy.credential": secret,
        "jclouds.provider": "filesystem-nio2",
        "jclouds.identity": "none",
        "jclouds.credential": "none",
        "jclouds.filesystem.basedir": str(place / "data"),
    }
    (place / "s3proxy.conf").write_text("".join(f"{k}={v}\n" for k, v in conf.items()))
    path = jars(place / "jars", S3_SERVER)
    command = ("java", "-cp", path, "org.gaul.s3proxy.Main", "--properties", "s3proxy.conf")
    with running(place / "log", port, *command):
        yield Bucket("archive", place / "data" / "archive", {
            "spark.hadoop.fs.s3a.endpoint": f"127.0.0.1:{port}",
            "spark.hadoop.fs.s3a.connection.ssl.enabled": "false",
            "spark.hadoop.fs.s3a.access.key": key,
            "spark.hadoop.fs.s3a.secret.key": secret,
        })  # fmt: skip


@contextmanager
def hdfs(place: Path) -> Iterator[str]:
    """The URL of an HDFS with one data node."""
    port, web = free_port(), free_port()
    path = f"{jars(place / 'jars', *HDFS_SERVER)}{os.pathsep}{JARS}/*"
    command = ("java", "-cp", path, "org.apache.hadoop.test.MiniDFSClusterManager", "-format",
               "-datanodes", "1", "-nnport", str(port), "-httpport", str(web))  # fmt: skip
    with running(place / "log", port, *command):
        yield f"hdfs://127.0.0.1:{port}"
