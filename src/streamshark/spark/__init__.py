"""Captures on Spark: `pip install streamshark[spark]`, and a Java runtime (17).

    from streamshark.spark import register

    register(spark)
    frames = spark.read.format("streamshark").load("captures/**")

`load` takes a file, a folder, a pattern, a URL that pyarrow opens, or a list of them. A file that
cannot be read is a row of the table `bad_inputs`, and fails nothing else.

Tables, by `.option("table", NAME)`:

- `frames` (the default): every frame, and the events of connections beside them. With
  `.option("numbers", "true")` also running numbers, conversations and context, which only a reading
  of all connections in order of time can produce: then one task makes the table.
- `rmqstream.publish`, `rsocket.setup`, ...: the frames of one command, with all their fields.
- `messages`: the payloads in slots of frames, as far as `bodies` keeps them.
- `conversations`, `findings`, `flows`, `bad_inputs`: one task each.
- `packets`: as captured. A large file is read by several tasks, each a range of it (`split_size`).
- `files`: the captures themselves.

Options: `shares` (tasks that dissect the connections, by default one for 64 MB), `bodies` (`none`,
`hash`, `full`), `show_secrets`, `decode_as` (`15552=rabbitmq_stream`), `dialects`, `keylog`,
`protocol_path`, `site` (`folder`: each folder is a domain of its own, named in a column; or
networks: `east=10.1.0.0/16,10.2.0.0/16;west=10.3.0.0/16`, and `others`).

Only the columns of a given schema are made: `.schema("time timestamp, command string")` saves the
rest. Rows have no order.

Rows of `frames`, `messages` and of commands are complete across files: each task reads all
captures, and in them the connections of its partition from their beginnings, so no frame is lost or
cut where a file ends, whatever `shares` is. Nothing is joined there, and no file is divided: one
giant connection is the work of one task, and every task reads the addresses of all packets.
`streamshark spark run` puts packets together by connection instead, so that each byte is dissected
by one task, and is the way for large archives. It alone gives rows that only the end of the
captures completes (`partial`, and the events at the end) the time of the last row of all; here,
with several partitions, they have that of the last row of their partition.

`spark.readStream.format("streamshark")` follows a folder in which captures rotate, with the tables
`files` and `packets`; the offset is the last complete file. `streamshark.spark.pipeline` has `run`,
`stream` and `tables`, which the commands call.
"""

from streamshark.spark.source import register

__all__ = ["register"]
