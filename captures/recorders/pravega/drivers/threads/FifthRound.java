// Plays the fifth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.control.impl.*;
import io.pravega.client.segment.impl.Segment;
import io.pravega.client.state.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import io.pravega.client.tables.*;
import java.io.Serializable;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class FifthRound {
    static final URI WHERE = URI.create("tcp://127.0.0.1:9090");
    static ClientConfig config = ClientConfig.builder().controllerURI(WHERE).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }
    static final Stream STREAM = Stream.of("scope", "stream");
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(12);
    static final TreeMap<String, Long> counted = new TreeMap<>();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }

    static ByteBuffer bytes(String text) { return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)); }
    static EventStreamClientFactory events() { return EventStreamClientFactory.withScope("scope", config); }
    static ControllerImpl controller() { return new ControllerImpl(ControllerImplConfig.builder().clientConfig(config).retryAttempts(1).build(), POOL); }

    static void keys(StreamManager manager, boolean constant) throws Exception {
        manager.createStream("scope", "calls", fixed(4));
        try (EventStreamClientFactory factory = events();
             EventStreamWriter<String> writer = factory.createEventWriter("calls", TEXT, EventWriterConfig.builder().build())) {
            for (int n = 0; n < 90; n++) { writer.writeEvent(constant ? "calls" : "line-" + n * 7 % 13, "call " + n + " of line-" + n * 7 % 13); Thread.sleep(60); }
            writer.flush();
        }
    }

    static void transactions(boolean onlyWithEvents) throws Exception { // a sink with a checkpoint every moment
        try (EventStreamClientFactory factory = events();
             TransactionalEventStreamWriter<String> writer = factory.createTransactionalEventWriter("sink", "stream", TEXT, EventWriterConfig.builder().transactionTimeoutTime(20000).build())) {
            Transaction<String> txn = null;
            for (int n = 0; n < 16; n++) {
                boolean data = n % 7 == 1;
                if (txn == null && (data || !onlyWithEvents)) txn = writer.beginTxn();
                if (data) for (int k = 0; k < 6; k++) txn.writeEvent("key", "row " + n + "-" + k);
                Thread.sleep(350);
                if (txn != null) { txn.commit(); txn = null; }
            }
            Thread.sleep(700);
        }
    }

    static void scales(int turns, long pause) throws Exception {
        ControllerImpl controller = controller();
        for (int turn = 0; turn < turns; turn++) {
            List<Long> old = new ArrayList<>();
            controller.getCurrentSegments("scope", "stream").get().getSegments().forEach(s -> old.add(s.getSegmentId()));
            Map<Double, Double> ranges = new TreeMap<>();
            if (turn % 2 == 0) { ranges.put(0.0, 0.5); ranges.put(0.5, 1.0); } else ranges.put(0.0, 1.0);
            if (controller.scaleStream(STREAM, old, ranges, POOL).getFuture().get()) count("scaled", 1);
            Thread.sleep(pause);
        }
        controller.close();
    }

    static void scans(boolean whole) throws Exception {
        try (KeyValueTableManager manager = KeyValueTableManager.create(config)) {
            manager.createKeyValueTable("scope", "users", KeyValueTableConfiguration.builder().partitionCount(1).primaryKeyLength(8).secondaryKeyLength(0).build());
        }
        try (KeyValueTableFactory factory = KeyValueTableFactory.withScope("scope", config);
             KeyValueTable table = factory.forKeyValueTable("users", KeyValueTableClientConfiguration.builder().build())) {
            for (int n = 0; n < 80; n += 20) for (int k = 0; k < 20; k++) table.update(new Put(new TableKey(bytes(String.format("user%04d", n + k))), bytes("name of user " + (n + k)))).join();
            int found = 0;
            for (int n = 0; n < 15; n++) {
                String wanted = String.format("user%04d", n * 5);
                if (whole) {
                    AtomicInteger hits = new AtomicInteger();
                    table.iterator().maxIterationSize(100).all().entries().forEachRemaining(i -> i.getItems().forEach(e -> { if (StandardCharsets.UTF_8.decode(e.getKey().getPrimaryKey().duplicate()).toString().equals(wanted)) hits.incrementAndGet(); }), POOL).join();
                    found += hits.get();
                } else if (table.get(new TableKey(bytes(wanted))).join() != null) found++;
                Thread.sleep(220);
            }
            count("found", found);
        }
    }

    static void truncates(StreamManager manager, boolean unread) throws Exception {
        manager.createStream("scope", "orders", fixed(1));
        Stream orders = Stream.of("scope", "orders");
        try (EventStreamClientFactory factory = events(); ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config);
             EventStreamWriter<String> writer = factory.createEventWriter("orders", TEXT, EventWriterConfig.builder().build())) {
            groups.createReaderGroup("billing", ReaderGroupConfig.builder().disableAutomaticCheckpoints().stream(orders).build());
            int written = 0, read = 0, truncated = 0; long at = 0;
            for (int round = 0; round < 7; round++) {
                for (int n = 0; n < 20; n++) { writer.writeEvent("key", String.format("order-%04d", written++)).join(); Thread.sleep(20); }
                try (EventStreamReader<String> reader = factory.createReader("biller-" + round, "billing", TEXT, ReaderConfig.builder().build())) {
                    for (int n = 0; n < 9; n++) {
                        try {
                            EventRead<String> e = reader.readNextEvent(1500);
                            if (e.getEvent() == null) break;
                            read++; at = 18L * (Integer.parseInt(e.getEvent().substring(6)) + 1);
                            Thread.sleep(25);
                        } catch (TruncatedDataException e) { truncated++; }
                    }
                }
                long cut = unread ? 18L * written : at;
                if (manager.truncateStream("scope", "orders", new StreamCutImpl(orders, Map.of(new Segment("scope", "orders", 0), cut)))) count("cuts", 1);
                Thread.sleep(150);
            }
            count("written", written);
            count("read", read);
            count("truncated", truncated);
        }
    }

    static void flips(boolean differ) throws Exception { // two programs state the configuration at each start
        for (int start = 0; start < (differ ? 8 : 3); start++) {
            try (StreamManager manager = StreamManager.create(config)) { if (manager.updateStream("scope", "stream", fixed(differ && start % 2 == 0 ? 3 : 1))) count("updated", 1); }
            Thread.sleep(differ ? 1000 : 2500);
        }
    }


    static class Table implements Revisioned, Serializable {
        final Revision revision; final TreeMap<String, String> values;
        Table(Revision revision, TreeMap<String, String> values) { this.revision = revision; this.values = values; }
        public String getScopedStreamName() { return "scope/leases"; }
        public Revision getRevision() { return revision; }
    }
    static class Start implements InitialUpdate<Table>, Serializable {
        final TreeMap<String, String> values;
        Start(TreeMap<String, String> values) { this.values = values; }
        public Table create(String scoped, Revision revision) { return new Table(revision, new TreeMap<>(values)); }
    }
    static class Set implements Update<Table>, Serializable {
        final String key, value;
        Set(String key, String value) { this.key = key; this.value = value; }
        public Table applyTo(Table old, Revision revision) { TreeMap<String, String> v = new TreeMap<>(old.values); v.put(key, value); return new Table(revision, v); }
    }
    static void leases(StreamManager manager, boolean compacts) throws Exception {
        manager.createStream("scope", "leases", fixed(1));
        for (int run = 0; run < 8; run++) { // each start reads the state
            try (SynchronizerClientFactory factory = SynchronizerClientFactory.withScope("scope", config);
                 StateSynchronizer<Table> state = factory.createStateSynchronizer("leases", new JavaSerializer<Set>(), new JavaSerializer<Start>(), SynchronizerConfig.builder().build())) {
                state.initialize(new Start(new TreeMap<>()));
                state.fetchUpdates();
                for (int n = 0; n < 18; n++) {
                    int k = n, r = run;
                    state.updateState((Table s, List<Update<Table>> updates) -> { updates.add(new Set("worker-" + k % 3, "renewed " + r + "-" + k)); });
                    Thread.sleep(40);
                }
                if (compacts) state.compact(s -> new Start(s.values));
            }
            Thread.sleep(150);
        }
    }

    static void longDay(StreamManager manager) throws Exception {
        manager.createStream("scope", "trips", fixed(2));
        Stream trips = Stream.of("scope", "trips");
        AtomicInteger sent = new AtomicInteger(), read = new AtomicInteger();
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("dash", ReaderGroupConfig.builder().groupRefreshTimeMillis(1500).automaticCheckpointIntervalMillis(4000).stream(trips).build());
            List<Future<?>> parts = new ArrayList<>();
            long end = System.currentTimeMillis() + 33000;
            parts.add(POOL.submit(() -> { // the program is started again after half of the time
                for (int run = 0; run < 2; run++) {
                    try (EventStreamClientFactory f = events(); EventStreamWriter<String> w = f.createEventWriter("trips", TEXT, EventWriterConfig.builder().build())) {
                        for (int n = 0; n < 180; n++) { w.writeEvent("taxi-" + n % 11, "trip " + run + "-" + n); sent.incrementAndGet(); Thread.sleep(75); }
                        w.flush();
                    }
                    Thread.sleep(500);
                }
                return null;
            }));
            parts.add(POOL.submit(() -> {
                try (EventStreamClientFactory f = events(); TransactionalEventStreamWriter<String> w = f.createTransactionalEventWriter("settle", "trips", TEXT, EventWriterConfig.builder().transactionTimeoutTime(15000).build())) {
                    for (int n = 0; n < 5; n++) {
                        Transaction<String> t = w.beginTxn();
                        for (int k = 0; k < 12; k++) { t.writeEvent("taxi-" + k, "settlement " + n + "-" + k); Thread.sleep(150); }
                        if (n == 2) t.abort(); else { t.commit(); sent.addAndGet(12); }
                        Thread.sleep(2500);
                    }
                }
                return null;
            }));
            int[][] shifts = {{0, 33}, {4, 12}, {9, 20}, {22, 31}};
            for (int s = 0; s < shifts.length; s++) {
                int which = s;
                parts.add(POOL.submit(() -> {
                    Thread.sleep(shifts[which][0] * 1000);
                    long until = end - 33000 + shifts[which][1] * 1000L;
                    try (EventStreamClientFactory f = events(); EventStreamReader<String> r = f.createReader("reader-" + which, "dash", TEXT, ReaderConfig.builder().build())) {
                        while (System.currentTimeMillis() < until) if (r.readNextEvent(400).getEvent() != null) read.incrementAndGet();
                    }
                    return null;
                }));
            }
            parts.add(POOL.submit(() -> {
                ControllerImpl controller = controller();
                for (int turn = 0; turn < 2; turn++) {
                    Thread.sleep(11000);
                    List<Long> old = new ArrayList<>();
                    controller.getCurrentSegments("scope", "trips").get().getSegments().forEach(x -> old.add(x.getSegmentId()));
                    Map<Double, Double> ranges = new TreeMap<>();
                    int wanted = turn == 0 ? 3 : 2;
                    for (int p = 0; p < wanted; p++) ranges.put((double) p / wanted, (double) (p + 1) / wanted);
                    if (controller.scaleStream(trips, old, ranges, POOL).getFuture().get()) count("scaled", 1);
                }
                controller.close();
                return null;
            }));
            parts.add(POOL.submit(() -> {
                try (KeyValueTableManager m = KeyValueTableManager.create(config)) { m.createKeyValueTable("scope", "taxis", KeyValueTableConfiguration.builder().partitionCount(2).primaryKeyLength(8).secondaryKeyLength(0).build()); }
                try (KeyValueTableFactory f = KeyValueTableFactory.withScope("scope", config); KeyValueTable t = f.forKeyValueTable("taxis", KeyValueTableClientConfiguration.builder().build())) {
                    for (int n = 0; n < 60; n++) {
                        t.update(new Put(new TableKey(bytes(String.format("taxi%04d", n % 9))), bytes("at " + n))).join();
                        if (n % 3 == 0) t.get(new TableKey(bytes(String.format("taxi%04d", n % 9)))).join();
                        Thread.sleep(400);
                    }
                }
                return null;
            }));
            for (Future<?> p : parts) p.get();
        }
        count("sent", sent.get());
        count("read", read.get());
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("scope");
            manager.createStream("scope", "stream", fixed(1));
            switch (arguments[0]) {
                case "routing_key_constant": keys(manager, true); break;
                case "routing_key_per_line": keys(manager, false); break;
                case "empty_transactions": transactions(false); break;
                case "transactions_with_events": transactions(true); break;
                case "scaled_to_and_fro": scales(8, 400); break;
                case "scaled_twice": scales(2, 3500); break;
                case "table_scanned_for_one_key": scans(true); break;
                case "table_key_asked": scans(false); break;
                case "truncates_unread_events": truncates(manager, true); break;
                case "truncates_read_events": truncates(manager, false); break;
                case "segments_flip": flips(true); break;
                case "configuration_stated_again": flips(false); break;
                case "state_never_compacted": leases(manager, false); break;
                case "state_compacted": leases(manager, true); break;
                case "long_day_java": longDay(manager); break;
                default: throw new Exception(arguments[0]);
            }
        }
        List<String> parts = new ArrayList<>();
        counted.forEach((name, n) -> parts.add("\"" + name + "\": " + n));
        System.out.println("{" + String.join(", ", parts) + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
