// Plays the seventh round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;

public class SeventhRound {
    static final URI WHERE = URI.create("tcp://127.0.0.1:9090");
    static ClientConfig config = ClientConfig.builder().controllerURI(WHERE).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(8);
    static final TreeMap<String, Long> counted = new TreeMap<>();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static EventStreamClientFactory events() { return EventStreamClientFactory.withScope("scope", config); }

    /** Readers join a group one after the other, while events are written. */
    static void joins(StreamManager manager, boolean checkpoints) throws Exception {
        manager.createStream("scope", "calls", fixed(4));
        ReaderGroupConfig.ReaderGroupConfigBuilder b = ReaderGroupConfig.builder().groupRefreshTimeMillis(1000).stream(Stream.of("scope", "calls"));
        ReaderGroupConfig wanted = checkpoints ? b.automaticCheckpointIntervalMillis(1200).build() : b.disableAutomaticCheckpoints().build();
        long start = System.currentTimeMillis(), end = start + 12000;
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("analysts", wanted);
            List<Future<?>> parts = new ArrayList<>();
            parts.add(POOL.submit(() -> {
                try (EventStreamClientFactory f = events(); EventStreamWriter<String> w = f.createEventWriter("calls", TEXT, EventWriterConfig.builder().build())) {
                    for (int n = 0; System.currentTimeMillis() < end - 600; n++) { w.writeEvent("line-" + n * 7 % 13, "call " + n); count("written", 1); Thread.sleep(60); }
                    w.flush();
                }
                return null;
            }));
            for (int r = 1; r <= 3; r++) {
                int which = r;
                parts.add(POOL.submit(() -> {
                    Thread.sleep(which == 1 ? 300 : which * 1300);
                    try (EventStreamClientFactory f = events(); EventStreamReader<String> reader = f.createReader("reader-" + which, "analysts", TEXT, ReaderConfig.builder().build())) {
                        while (System.currentTimeMillis() < end) if (reader.readNextEvent(300).getEvent() != null) { count("read_by_" + which, 1); Thread.sleep(5); }
                    }
                    return null;
                }));
            }
            for (Future<?> p : parts) p.get();
        }
    }

    /** One program begins a transaction and ends, and another one goes on with it by its id. */
    static void takesOver(boolean late) throws Exception {
        UUID id;
        EventWriterConfig lease = EventWriterConfig.builder().transactionTimeoutTime(10000).build();
        try (EventStreamClientFactory f = events(); TransactionalEventStreamWriter<String> w = f.createTransactionalEventWriter("importer-1", "stream", TEXT, lease)) {
            Transaction<String> t = w.beginTxn();
            for (int n = 0; n < 12; n++) { t.writeEvent("key-" + n % 3, "row " + n); Thread.sleep(40); }
            t.flush();
            id = t.getTxnId();
        }
        Thread.sleep(late ? 13000 : 700);
        try (EventStreamClientFactory f = events(); TransactionalEventStreamWriter<String> w = f.createTransactionalEventWriter("importer-2", "stream", TEXT, lease);
             EventStreamWriter<String> log = f.createEventWriter("log", TEXT, EventWriterConfig.builder().build())) {
            Transaction<String> t = w.getTxn(id);
            long end = System.currentTimeMillis() + (late ? 2500 : 12000);
            try {
                for (int n = 12; n < 20; n++) { t.writeEvent("key-" + n % 3, "row " + n); Thread.sleep(60); }
                t.flush();
                while (System.currentTimeMillis() < end) { log.writeEvent("importer", "rows are checked"); Thread.sleep(400); }
                t.commit();
                for (int k = 0; k < 30 && t.checkStatus() != Transaction.Status.COMMITTED; k++) Thread.sleep(200);
                count("committed", 1);
            } catch (TxnFailedException e) { count("failed", 1); }
            count("status_" + t.checkStatus().toString().toLowerCase(), 1);
        }
    }

    /** A stream is deleted and made again under the same name; then events are written to it, or not. */
    static void recreated(StreamManager manager, boolean writes) throws Exception {
        for (int round = 0; round < 2; round++) {
            manager.createStream("scope", "orders", fixed(1));
            if (round == 0 || writes) {
                try (EventStreamClientFactory f = events(); EventStreamWriter<String> w = f.createEventWriter("orders", TEXT, EventWriterConfig.builder().build())) {
                    for (int n = 0; n < 12; n++) { w.writeEvent("k", "order " + round + "-" + n).join(); count("written", 1); Thread.sleep(90); }
                }
            }
            if (round == 0) { manager.sealStream("scope", "orders"); manager.deleteStream("scope", "orders"); }
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("scope");
            manager.createStream("scope", "stream", fixed(2));
            manager.createStream("scope", "log", fixed(1));
            switch (arguments[0]) {
                case "segments_never_released": joins(manager, false); break;
                case "segments_released_at_checkpoints": joins(manager, true); break;
                case "transaction_taken_over_late": takesOver(true); break;
                case "transaction_taken_over_in_time": takesOver(false); break;
                case "stream_made_again": recreated(manager, false); break;
                case "stream_made_again_and_written": recreated(manager, true); break;
            }
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.exit(0);
    }
}
