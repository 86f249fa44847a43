"""What Spark knows of a store is given to the processes that read captures."""

from tests.failures import every

from streamshark.spark.storage_settings import variables

S3A = "spark.hadoop.fs.s3a."
KEYS = {f"{S3A}access.key": "k", f"{S3A}secret.key": "s"}
NAMED = {"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"}


@every(
    ("conf", "environment", "wanted"),
    [
        ({}, {}, {}),
        (KEYS, {}, NAMED),
        ({}, {**NAMED, "HOME": "/root"}, NAMED),
        (KEYS, {"AWS_ACCESS_KEY_ID": "another", "AWS_REGION": "r"}, {**NAMED, "AWS_REGION": "r"}),
        ({f"{S3A}endpoint": "store:9000"}, {}, {"AWS_ENDPOINT_URL": "https://store:9000"}),
        (
            {f"{S3A}endpoint": "store:9000", f"{S3A}connection.ssl.enabled": "false"},
            {},
            {"AWS_ENDPOINT_URL": "http://store:9000"},
        ),
        ({f"{S3A}endpoint": "http://store"}, {}, {"AWS_ENDPOINT_URL": "http://store"}),
        ({}, {"HADOOP_USER_NAME": "hdfs"}, {"HADOOP_USER_NAME": "hdfs"}),
    ],
)
def test_variables_of_tasks(
    conf: dict[str, str], environment: dict[str, str], wanted: dict[str, str]
) -> None:
    """Spark's settings come first; nothing else of the driver's environment is given away."""
    assert variables(conf, environment) == wanted
