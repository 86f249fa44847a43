// Plays the ninth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.connection.impl.*;
import io.pravega.client.control.impl.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import io.pravega.client.tables.*;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;

public class NinthRound {
    static final URI WHERE = URI.create("tcp://127.0.0.1:9090");
    static ClientConfig config = ClientConfig.builder().controllerURI(WHERE).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(8);
    static final TreeMap<String, Long> counted = new TreeMap<>();
    static final EventWriterConfig PLAIN = EventWriterConfig.builder().build();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static EventStreamClientFactory events() { return EventStreamClientFactory.withScope("scope", config); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }
    static EventStreamReader<String> reader(EventStreamClientFactory f, String name, String group) { return f.createReader(name, group, TEXT, ReaderConfig.builder().build()); }

    static Future<?> writes(String stream, int number, long pause, String what) {
        return POOL.submit(() -> {
            try (EventStreamClientFactory f = events(); EventStreamWriter<String> w = f.createEventWriter(stream, TEXT, PLAIN)) {
                for (int n = 0; n < number; n++) { w.writeEvent("key-" + n * 5 % 9, what + " " + n); count("written", 1); Thread.sleep(pause); }
                w.flush();
            }
            return null;
        });
    }

    /** Reads until there has been nothing for some time; what it read so far. */
    static List<EventRead<String>> drains(EventStreamReader<String> reader, int most, int idle) {
        List<EventRead<String>> all = new ArrayList<>();
        for (int empty = 0; empty < idle && all.size() < most; ) {
            EventRead<String> e = reader.readNextEvent(400);
            if (e.getEvent() != null) { all.add(e); count("read", 1); } else if (!e.isCheckpoint()) empty++;
        }
        return all;
    }

    /** A worker reads some events, and its program is halted. */
    static void halts(StreamManager manager) throws Exception {
        manager.createStream("scope", "claims", fixed(2));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("handlers", ReaderGroupConfig.builder().stream(Stream.of("scope", "claims")).groupRefreshTimeMillis(1000).build());
            writes("claims", 40, 20, "claim").get();
            drains(reader(events(), "handler-0", "handlers"), 14, 6);
        }
        print();
        Runtime.getRuntime().halt(0);
    }

    /** The worker is started again under its name, after it was declared offline, or not. */
    static void joinsAgain(StreamManager manager, boolean offline) throws Exception {
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config); ReaderGroup group = groups.getReaderGroup("handlers"); EventStreamClientFactory f = events()) {
            if (offline) group.readerOffline("handler-0", null);
            Future<?> writing = writes("claims", 30, 250, "later claim");
            for (int attempt = 0; attempt < 12; attempt++) {
                try (EventStreamReader<String> r = reader(f, "handler-0", "handlers")) { drains(r, 90, 6); break; }
                catch (IllegalStateException e) { count("refused", 1); Thread.sleep(700); }
            }
            writing.get();
        }
    }

    /** Events are fetched by pointers that a program has kept, after their stream was truncated, or before. */
    static void fetches(StreamManager manager, boolean truncated) throws Exception {
        manager.createStream("scope", "letters", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("archive", ReaderGroupConfig.builder().stream(Stream.of("scope", "letters")).build());
            writes("letters", 36, 15, "letter").get();
            try (EventStreamClientFactory f = events(); EventStreamReader<String> r = reader(f, "archivist", "archive")) {
                List<EventRead<String>> all = drains(r, 36, 5);
                if (truncated) manager.truncateStream("scope", "letters", manager.fetchStreamInfo("scope", "letters").join().getTailStreamCut());
                Future<?> writing = writes("letters", 30, 180, "later letter");
                for (int n = 0; n < 9; n++) {
                    try { r.fetchEvent(all.get(n * 3).getEventPointer()); count("fetched", 1); } catch (Exception e) { count("failed", 1); }
                    r.readNextEvent(300);
                    Thread.sleep(300);
                }
                if (!truncated) manager.truncateStream("scope", "letters", manager.fetchStreamInfo("scope", "letters").join().getTailStreamCut());
                writing.get();
            }
        }
    }

    static ByteBuffer bytes(String text) { return ByteBuffer.wrap(text.getBytes()); }

    /** Looks whether keys of a table exist: by removing them on the condition that they do not, or by reading them. */
    static void exists(boolean removes) throws Exception {
        try (KeyValueTableManager m = KeyValueTableManager.create(config)) { m.createKeyValueTable("scope", "coupons", KeyValueTableConfiguration.builder().partitionCount(1).primaryKeyLength(8).secondaryKeyLength(0).build()); }
        try (KeyValueTableFactory f = KeyValueTableFactory.withScope("scope", config); KeyValueTable t = f.forKeyValueTable("coupons", KeyValueTableClientConfiguration.builder().build())) {
            for (int n = 0; n < 20; n++) t.update(new Put(new TableKey(bytes(String.format("code%04d", n))), bytes("ten per cent"))).join();
            for (int n = 0; n < 26; n++) {
                TableKey key = new TableKey(bytes(String.format("code%04d", n)));
                boolean there;
                if (removes) {
                    try { t.update(new Remove(key, Version.NOT_EXISTS)).join(); there = false; } catch (Exception e) { count("refused", 1); there = true; }
                } else there = t.get(key).join() != null;
                count(there ? "valid" : "invalid", 1);
                Thread.sleep(220);
            }
        }
    }

    /** A stream is deleted and made again under a writer that stays open, or is closed first. */
    static void madeAgain(StreamManager manager, boolean closes) throws Exception {
        manager.createStream("scope", "scores", fixed(2));
        EventStreamClientFactory f = events();
        EventStreamWriter<String> w = f.createEventWriter("scores", TEXT, EventWriterConfig.builder().retryAttempts(3).build());
        for (int n = 0; n < 30; n++) { w.writeEvent("key-" + n % 5, "score " + n).get(3, TimeUnit.SECONDS); count("written", 1); Thread.sleep(40); }
        if (closes) { w.close(); }
        manager.sealStream("scope", "scores");
        manager.deleteStream("scope", "scores");
        manager.createStream("scope", "scores", fixed(2));
        if (closes) w = f.createEventWriter("scores", TEXT, PLAIN);
        for (int n = 0; n < 22; n++) {
            EventStreamWriter<String> own = w;
            String event = "new score " + n;
            try { POOL.submit(() -> own.writeEvent("key-" + event.length(), event)).get(2, TimeUnit.SECONDS).get(2, TimeUnit.SECONDS); count("written_later", 1); } catch (Exception e) { count("failed", 1); }
            if (counted.getOrDefault("failed", 0L) > 6) break;
            Thread.sleep(120);
        }
    }

    /** A scope is to be deleted while it has a stream and a group, or after they are. */
    static void emptied(StreamManager manager, boolean inOrder) throws Exception {
        manager.createScope("tests");
        manager.createStream("tests", "run-17", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("tests", config)) {
            groups.createReaderGroup("asserts", ReaderGroupConfig.builder().stream(Stream.of("tests", "run-17")).build());
            try (EventStreamClientFactory f = EventStreamClientFactory.withScope("tests", config); EventStreamWriter<String> w = f.createEventWriter("run-17", TEXT, PLAIN)) {
                for (int n = 0; n < 12; n++) w.writeEvent("key", "step " + n);
                w.flush();
                try (EventStreamReader<String> r = reader(f, "assert", "asserts")) { drains(r, 12, 5); }
            }
            if (inOrder) groups.deleteReaderGroup("asserts");
        }
        if (inOrder) { manager.sealStream("tests", "run-17"); manager.deleteStream("tests", "run-17"); }
        for (int n = 0; n < 11; n++) {
            try { if (manager.deleteScope("tests")) { count("deleted", 1); break; } } catch (Exception e) { count("refused", 1); }
            Thread.sleep(600);
        }
    }

    /** Transactions with a lease that the controller allows, or not. */
    static void leases(StreamManager manager, long lease) throws Exception {
        manager.createStream("scope", "bookings", fixed(1));
        EventWriterConfig wanted = EventWriterConfig.builder().transactionTimeoutTime(lease).build();
        try (EventStreamClientFactory f = events(); TransactionalEventStreamWriter<String> w = f.createTransactionalEventWriter("booker", "bookings", TEXT, wanted)) {
            for (int n = 0; n < 10; n++) {
                try {
                    Transaction<String> t = POOL.submit(w::beginTxn).get(12, TimeUnit.SECONDS);
                    for (int k = 0; k < 4; k++) t.writeEvent("key", "leg " + n + "-" + k);
                    t.commit();
                    count("committed", 1);
                } catch (Exception e) { count("refused", 1); if (n == 1) break; }
                Thread.sleep(500);
            }
            if (lease > 600000) { print(); Runtime.getRuntime().halt(0); }
        }
    }

    /** A program scales by the list of segments that it read once, or reads again each time. */
    static void scales(StreamManager manager, boolean reads) throws Exception {
        manager.createStream("scope", "rides", fixed(1));
        Future<?> writing = writes("rides", 60, 150, "ride");
        ControllerImpl c = new ControllerImpl(ControllerImplConfig.builder().clientConfig(config).build(), POOL);
        List<Long> known = new ArrayList<>();
        for (int turn = 0; turn < (reads ? 3 : 9); turn++) {
            if (turn == 0 || reads) { known.clear(); c.getCurrentSegments("scope", "rides").get().getSegments().forEach(s -> known.add(s.getSegmentId())); }
            Map<Double, Double> ranges = new TreeMap<>();
            int parts = turn % 2 == 0 ? 2 : 3;
            for (int p = 0; p < parts; p++) ranges.put(1.0 * p / parts, 1.0 * (p + 1) / parts);
            try { count(c.scaleStream(Stream.of("scope", "rides"), new ArrayList<>(known), ranges, POOL).getFuture().get() ? "scaled" : "refused", 1); } catch (Exception e) { count("refused", 1); }
            Thread.sleep(reads ? 2600 : 900);
        }
        writing.get();
        c.close();
    }

    /** A group is reset under its reader, which goes on to read as it is, or is made again. */
    static void resets(StreamManager manager, boolean makes) throws Exception {
        manager.createStream("scope", "trades", fixed(2));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config); EventStreamClientFactory f = events()) {
            ReaderGroupConfig wanted = ReaderGroupConfig.builder().stream(Stream.of("scope", "trades")).groupRefreshTimeMillis(800).build();
            groups.createReaderGroup("auditors", wanted);
            Future<?> writing = writes("trades", 60, 180, "trade");
            ReaderGroup group = groups.getReaderGroup("auditors");
            EventStreamReader<String> r = reader(f, "auditor", "auditors");
            drains(r, 16, 8);
            group.resetReaderGroup(wanted);
            for (int n = 0; n < 60; n++) {
                try { if (r.readNextEvent(250).getEvent() != null) count("read_again", 1); }
                catch (Exception e) {
                    count("failed", 1);
                    if (makes) r = reader(f, "auditor", "auditors"); else Thread.sleep(150);
                }
            }
            writing.get();
        }
    }

    /** The transactions of a checkpoint are committed, all or only the newest one of each. */
    static void commits(StreamManager manager, boolean all) throws Exception {
        manager.createStream("scope", "sink", fixed(1));
        EventWriterConfig wanted = EventWriterConfig.builder().transactionTimeoutTime(10000).build();
        try (EventStreamClientFactory f = events(); TransactionalEventStreamWriter<String> w = f.createTransactionalEventWriter("sink-0", "sink", TEXT, wanted)) {
            List<UUID> open = new ArrayList<>();
            for (int n = 0; n < 12; n++) {
                Transaction<String> t = w.beginTxn();
                for (int k = 0; k < 5; k++) { t.writeEvent("key", "row " + n + "-" + k); Thread.sleep(30); }
                t.flush();
                open.add(t.getTxnId());
                if (n % 3 == 2) {
                    for (UUID id : all ? open : open.subList(2, 3)) { w.getTxn(id).commit(); count("committed", 1); }
                    count("forgotten", all ? 0 : 2);
                    open.clear();
                }
                Thread.sleep(200);
            }
        }
        Thread.sleep(all ? 500 : 6000);
    }

    static void print() {
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.out.flush();
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("scope");
            switch (arguments[0]) {
                case "halts": halts(manager); break;
                case "joins_again": joinsAgain(manager, false); break;
                case "joins_after_offline": joinsAgain(manager, true); break;
                case "pointers_to_truncated_events": fetches(manager, true); break;
                case "pointers_before_truncation": fetches(manager, false); break;
                case "existence_by_removal": exists(true); break;
                case "existence_by_reading": exists(false); break;
                case "writer_stays_over_a_new_stream": madeAgain(manager, false); break;
                case "writer_closed_before_a_new_stream": madeAgain(manager, true); break;
                case "scope_that_is_not_empty": emptied(manager, false); break;
                case "scope_emptied_in_order": emptied(manager, true); break;
                case "lease_of_twenty_minutes": leases(manager, 1200000); break;
                case "lease_of_a_minute": leases(manager, 60000); break;
                case "scaled_by_an_old_list": scales(manager, false); break;
                case "scaled_by_a_new_list": scales(manager, true); break;
                case "reader_of_a_reset_group_goes_on": resets(manager, false); break;
                case "reader_of_a_reset_group_made_again": resets(manager, true); break;
                case "transactions_forgotten_at_checkpoints": commits(manager, false); break;
                case "transactions_committed_at_checkpoints": commits(manager, true); break;
            }
        }
        print();
        System.exit(0);
    }
}
