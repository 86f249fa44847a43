"""Captures on Spark: `pip install streamshark[spark]`, and a Java runtime (17).

    from streamshark.spark import register

    register(spark)
    frames = spark.read.format("streamshark").load("captures/**")

`load` takes a file, a folder, a pattern, a URL that pyarrow opens, or a list of them. What cannot
be read is in the table `bad_inputs`, and fails nothing else.

Tables, by `.option("table", NAME)`:

- `frames` (the default): every frame, and the events of connections beside them. With
  `.option("numbers", "true")` also running numbers, conversations and context, which only a reading
  of all connections in the order of time knows: then one task makes the table.
- `rmqstream.publish`, `rsocket.setup`, ...: the frames of one command, with all their fields.
- `messages`: what stands in message bodies, as far as `bodies` keeps it.
- `conversations`, `findings`, `flows`, `bad_inputs`: one task each.
- `packets`: as captured. A large file is read by several tasks, each a range of it (`split_size`).
- `files`: the captures themselves.

Options: `shares` (tasks that dissect the connections, by default one for 64 MB), `bodies` (`none`,
`hash`, `full`), `show_secrets`, `decode_as` (`15552=rabbitmq_stream`), `dialects`, `keylog`,
`protocol_path`, `site` (`folder`: each folder is a site of its own, and a column says which; or
networks: `east=10.1.0.0/16,10.2.0.0/16;west=10.3.0.0/16`, and `others`).

Only the columns of a schema that is given are made: `.schema("time timestamp, command string")`
spares the rest. Rows have no order.

Rows of `frames`, `messages` and of commands are whole over files: each task reads all captures, and
of them the connections of its share from their beginnings, so no frame is lost or cut where a file
ends, whatever `shares` is. Nothing is stitched there, and no file is divided: one giant connection
is the work of one task, and every task looks at the addresses of all packets. `streamshark spark
run` reads stretches instead, each byte by one task, and is the way for large archives. It alone
gives the rows that only the end of the captures tells (`partial`, and what it cuts) the time of the
last row of all; here, with several shares, they have that of the last row of their share.

`spark.readStream.format("streamshark")` follows a folder in which captures rotate, by the tables
`files` and `packets`; the offset is the last file that was whole. `streamshark.spark.pipeline` has
`run`, `stream` and `tables`, which are the commands' insides.
"""

from streamshark.spark.source import register

__all__ = ["register"]
