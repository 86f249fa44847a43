// Plays the twelfth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.byteStream.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import io.pravega.client.tables.*;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;

public class TwelfthRound {
    static ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(6, r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
    static final TreeMap<String, Long> counted = new TreeMap<>();
    static volatile boolean over = false;

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static EventStreamClientFactory events() { return EventStreamClientFactory.withScope("plant", config); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }
    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }

    static Future<?> writes(String stream, int number, long pause) {
        return POOL.submit(() -> {
            try (EventStreamClientFactory f = events(); EventStreamWriter<String> w = f.createEventWriter(stream, TEXT, EventWriterConfig.builder().build())) {
                for (int n = 0; n < number; n++) { w.writeEvent("machine-" + n % 7, stream + " event " + n); count("written", 1); Thread.sleep(pause); }
                w.flush();
            }
            return null;
        });
    }

    /** A job has two readers and makes a checkpoint now and then; one of them goes on to read, or works on something else. */
    static void checkpoints(StreamManager manager, boolean reads) throws Exception {
        manager.createStream("plant", "sensors", fixed(2));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("plant", config)) {
            groups.createReaderGroup("job", ReaderGroupConfig.builder().stream(Stream.of("plant", "sensors")).disableAutomaticCheckpoints().groupRefreshTimeMillis(500).build());
            Future<?> writing = writes("sensors", 90, 130);
            List<Future<?>> reading = new ArrayList<>();
            for (int r = 0; r < 2; r++) {
                int which = r;
                reading.add(POOL.submit(() -> {
                    try (EventStreamClientFactory f = events(); EventStreamReader<String> reader = f.createReader("source-" + which, "job", TEXT, ReaderConfig.builder().build())) {
                        for (int n = 0; !over; n++) {
                            if (which == 1 && n == 8 && !reads) { while (!over) Thread.sleep(100); break; }
                            EventRead<String> e = reader.readNextEvent(400);
                            if (e.getEvent() != null) count("read_" + which, 1);
                            if (e.isCheckpoint()) count("seen_by_" + which, 1);
                        }
                    }
                    return null;
                }));
            }
            try (ReaderGroup group = groups.getReaderGroup("job")) {
                Thread.sleep(3500);
                for (int n = 0; n < 4; n++) {
                    CompletableFuture<Checkpoint> made = group.initiateCheckpoint("job-" + n, POOL);
                    count("asked_for", 1);
                    try { made.get(2200, TimeUnit.MILLISECONDS); count("completed", 1); Thread.sleep(900); } catch (TimeoutException e) { count("in_vain", 1); } catch (ExecutionException e) { count("too_many", 1); Thread.sleep(900); }
                }
            }
            writing.get();
            over = true;
            for (Future<?> each : reading) each.get();
        }
    }

    /** A recorder truncates its byte stream; a player begins at offset 0 each time, or at the head. */
    static void footage(StreamManager manager, boolean fromHead) throws Exception {
        manager.createStream("plant", "camera", fixed(1));
        Future<?> other = writes("heartbeats", 60, 150);
        Future<?> recording = POOL.submit(() -> {
            try (ByteStreamClientFactory f = ByteStreamClientFactory.withScope("plant", config); ByteStreamWriter w = f.createByteStreamWriter("camera")) {
                for (int n = 0; n < 90; n++) {
                    w.write(bytes(String.format("frame %04d %s\n", n, "=".repeat(180 + n % 9))));
                    w.flush();
                    count("frames", 1);
                    if (n % 12 == 11) w.truncateDataBefore(w.fetchTailOffset() * 3 / 4);
                    Thread.sleep(95);
                }
            }
            return null;
        });
        Thread.sleep(700);
        try (ByteStreamClientFactory f = ByteStreamClientFactory.withScope("plant", config)) {
            for (int n = 0; n < 11; n++) {
                try (ByteStreamReader r = f.createByteStreamReader("camera")) {
                    r.seekToOffset(fromHead ? r.fetchHeadOffset() : 0);
                    byte[] part = new byte[700];
                    count("bytes", r.read(part));
                    count("played", 1);
                } catch (Exception e) { count("failed", 1); }
                Thread.sleep(650);
            }
        }
        recording.get();
        other.get();
    }

    static TableKey key(String name) { return new TableKey(ByteBuffer.wrap(bytes("store-07")), ByteBuffer.wrap(bytes(String.format("%-12s", name)))); }
    static ByteBuffer value(String text) { return ByteBuffer.wrap(bytes(text)); }

    /** An importer writes batches of prices, and inserts their stamp on condition that there is none, or puts it. */
    static void prices(StreamManager manager, boolean puts) throws Exception {
        try (KeyValueTableManager tables = KeyValueTableManager.create(config)) {
            tables.createKeyValueTable("plant", "prices", KeyValueTableConfiguration.builder().partitionCount(1).primaryKeyLength(8).secondaryKeyLength(12).build());
            Future<?> other = writes("heartbeats", 50, 150);
            try (KeyValueTableFactory f = KeyValueTableFactory.withScope("plant", config); KeyValueTable table = f.forKeyValueTable("prices", KeyValueTableClientConfiguration.builder().build())) {
                for (int batch = 0; batch < 13; batch++) {
                    List<TableModification> all = new ArrayList<>();
                    for (int n = 0; n < 9; n++) all.add(new Put(key("item-" + (batch * 5 + n) % 40), value(batch + ".50 EUR")));
                    all.add(puts ? new Put(key("stamp"), value("batch " + batch)) : new Insert(key("stamp"), value("batch " + batch)));
                    try { table.update(all).get(5, TimeUnit.SECONDS); count("stored", all.size()); } catch (ExecutionException e) { count("refused", all.size()); }
                    for (int n = 0; n < 3; n++) if (table.get(key("item-" + (batch * 5 + n) % 40)).get(5, TimeUnit.SECONDS) != null) count("found", 1);
                    Thread.sleep(480);
                }
            }
            other.get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("plant");
            manager.createStream("plant", "heartbeats", fixed(2));
            switch (arguments[0]) {
                case "checkpoints_never_complete" -> checkpoints(manager, false);
                case "checkpoints_of_two_readers" -> checkpoints(manager, true);
                case "played_from_offset_zero" -> footage(manager, false);
                case "played_from_the_head" -> footage(manager, true);
                case "batch_with_one_condition" -> prices(manager, false);
                default -> prices(manager, true);
            }
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.out.flush();
        System.exit(0);
    }
}
