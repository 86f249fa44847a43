"""How tasks reach object stores and HDFS: Spark's settings, as variables that tasks read.

Captures are read by Python (`splits.remote_files`), which knows nothing of Spark's configuration.
So what is set for `s3a://` there, or in the driver's environment, is given to the Python processes
of all tasks. They get it with their tasks: it is not shown among the properties of the application.
"""

from collections.abc import Mapping
from typing import Final

_S3A: Final = {
    "access.key": "AWS_ACCESS_KEY_ID",
    "secret.key": "AWS_SECRET_ACCESS_KEY",
    "session.token": "AWS_SESSION_TOKEN",
    "endpoint": "AWS_ENDPOINT_URL",
    "endpoint.region": "AWS_REGION",
}
"""Settings below `spark.hadoop.fs.s3a.`, and the variables that mean the same."""
_FORWARDED: Final = (
    *_S3A.values(),
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL_S3",
    "HADOOP_USER_NAME",
)
"""Variables of the driver that tasks get too, if Spark's configuration says nothing else."""


def variables(conf: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for tasks, by name."""
    out = {name: environment[name] for name in _FORWARDED if environment.get(name)}
    for key, name in _S3A.items():
        value = conf.get(f"spark.hadoop.fs.s3a.{key}")
        if value:
            out[name] = value
    endpoint = out.get("AWS_ENDPOINT_URL", "")
    if endpoint and "://" not in endpoint:
        is_plain = conf.get("spark.hadoop.fs.s3a.connection.ssl.enabled", "").lower() == "false"
        out["AWS_ENDPOINT_URL"] = f"{'http' if is_plain else 'https'}://{endpoint}"
    return out
