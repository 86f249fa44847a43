// Plays the eighth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.batch.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;

public class EighthRound {
    static final URI WHERE = URI.create("tcp://127.0.0.1:9090");
    static ClientConfig config = ClientConfig.builder().controllerURI(WHERE).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(8);
    static final TreeMap<String, Long> counted = new TreeMap<>();
    static final EventWriterConfig PLAIN = EventWriterConfig.builder().build();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static EventStreamClientFactory events() { return EventStreamClientFactory.withScope("scope", config); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }

    static Future<?> writes(String stream, int number, long pause, String what) {
        return POOL.submit(() -> {
            try (EventStreamClientFactory f = events(); EventStreamWriter<String> w = f.createEventWriter(stream, TEXT, PLAIN)) {
                for (int n = 0; n < number; n++) { w.writeEvent("key-" + n * 5 % 9, what + " " + n); count("written", 1); Thread.sleep(pause); }
                w.flush();
            }
            return null;
        });
    }

    /** A stream keeps what its subscriber has not released, and the subscriber releases what it has read, or nothing. */
    static void retains(StreamManager manager, boolean releases) throws Exception {
        manager.createStream("scope", "jobs", StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(2)).retentionPolicy(RetentionPolicy.bySizeBytes(400, 4000000)).build());
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("workers", ReaderGroupConfig.builder().stream(Stream.of("scope", "jobs")).groupRefreshTimeMillis(500).automaticCheckpointIntervalMillis(1000)
                .retentionType(ReaderGroupConfig.StreamDataRetention.MANUAL_RELEASE_AT_USER_STREAMCUT).build());
            Future<?> writing = writes("jobs", 110, 90, "job");
            try (ReaderGroup group = groups.getReaderGroup("workers"); EventStreamClientFactory f = events();
                 EventStreamReader<String> reader = f.createReader("worker", "workers", TEXT, ReaderConfig.builder().build())) {
                for (int read = 0, empty = 0; read < 110 && empty < 8; ) {
                    EventRead<String> e = reader.readNextEvent(700);
                    if (e.isCheckpoint()) continue;
                    if (e.getEvent() == null) { empty++; continue; }
                    count("read", 1);
                    if (++read % 25 == 0 && releases) { group.updateRetentionStreamCut(group.getStreamCuts()); count("released", 1); }
                }
            }
            writing.get();
        }
    }

    /** Two writers note the time of their events; the second one goes on to, or ceases to. */
    static void times(StreamManager manager, boolean both) throws Exception {
        manager.createStream("scope", "heat", StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(1)).timestampAggregationTimeout(600000).build());
        long start = System.currentTimeMillis(), end = start + 24000;
        List<Future<?>> parts = new ArrayList<>();
        for (int each = 1; each <= 2; each++) {
            int which = each;
            parts.add(POOL.submit(() -> {
                try (EventStreamClientFactory f = events(); EventStreamWriter<String> w = f.createEventWriter("thermometer-" + which, "heat", TEXT, PLAIN)) {
                    for (int n = 0; System.currentTimeMillis() < end; n++) {
                        w.writeEvent("room-" + which, "reading " + n);
                        if (n % 10 == 9 && (which == 1 || both || n == 9)) { w.noteTime(System.currentTimeMillis()); count("noted_by_" + which, 1); }
                        Thread.sleep(120);
                    }
                }
                return null;
            }));
        }
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("windows", ReaderGroupConfig.builder().stream(Stream.of("scope", "heat")).groupRefreshTimeMillis(1000).build());
            Set<Long> bounds = new TreeSet<>();
            try (EventStreamClientFactory f = events(); EventStreamReader<String> reader = f.createReader("r", "windows", TEXT, ReaderConfig.builder().build())) {
                while (System.currentTimeMillis() < end) {
                    if (reader.readNextEvent(400).getEvent() != null) count("read", 1);
                    Long bound = reader.getCurrentTimeWindow(Stream.of("scope", "heat")).getLowerTimeBound();
                    if (bound != null) bounds.add(bound);
                }
            }
            count("lower_bounds", bounds.size());
        }
        for (Future<?> p : parts) p.get();
    }

    /** A reader asks for the cuts of its group after thirty events each. */
    static void cuts(StreamManager manager) throws Exception {
        manager.createStream("scope", "clicks", fixed(2));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("clicks-group", ReaderGroupConfig.builder().stream(Stream.of("scope", "clicks")).groupRefreshTimeMillis(500).build());
            Future<?> writing = writes("clicks", 90, 100, "click");
            List<CompletableFuture<?>> asked = new ArrayList<>();
            try (ReaderGroup group = groups.getReaderGroup("clicks-group"); EventStreamClientFactory f = events();
                 EventStreamReader<String> reader = f.createReader("r", "clicks-group", TEXT, ReaderConfig.builder().build())) {
                for (int read = 0, empty = 0; read < 90 && empty < 6; ) {
                    EventRead<String> e = reader.readNextEvent(800);
                    if (e.getEvent() == null) { empty++; continue; }
                    count("read", 1);
                    if (++read % 30 == 0) { asked.add(group.generateStreamCuts(POOL)); count("asked", 1); }
                }
                for (int k = 0; k < 12; k++) reader.readNextEvent(200);
            }
            count("answered", asked.stream().filter(a -> a.isDone() && !a.isCompletedExceptionally()).count());
            writing.get();
        }
    }

    /** A job reads all that was written since it ran last, segment by segment. */
    static void batches(StreamManager manager) throws Exception {
        manager.createStream("scope", "sales", fixed(3));
        StreamCut from = manager.fetchStreamInfo("scope", "sales").join().getHeadStreamCut();
        for (int run = 0; run < 3; run++) {
            writes("sales", 40, 15, "sale of day " + run).get();
            StreamCut to = manager.fetchStreamInfo("scope", "sales").join().getTailStreamCut();
            try (BatchClientFactory batch = BatchClientFactory.withScope("scope", config)) {
                Iterator<SegmentRange> ranges = batch.getSegments(Stream.of("scope", "sales"), from, to).getIterator();
                while (ranges.hasNext()) {
                    try (SegmentIterator<String> each = batch.readSegment(ranges.next(), TEXT)) {
                        while (each.hasNext()) { each.next(); count("read", 1); }
                    }
                }
            }
            from = to;
            Thread.sleep(600);
        }
    }

    /** Writes and reads for some time, while connections are lost. */
    static void survives(StreamManager manager) throws Exception {
        manager.createStream("scope", "mails", fixed(2));
        System.out.println("READY");
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("senders", ReaderGroupConfig.builder().stream(Stream.of("scope", "mails")).build());
            Future<?> writing = writes("mails", 100, 130, "mail");
            try (EventStreamClientFactory f = events(); EventStreamReader<String> reader = f.createReader("sender", "senders", TEXT, ReaderConfig.builder().build())) {
                for (int read = 0, empty = 0; read < 100 && empty < 12; ) {
                    try {
                        EventRead<String> e = reader.readNextEvent(1000);
                        if (e.getEvent() == null) { empty++; continue; }
                        read++; count("read", 1);
                    } catch (Exception e) { count("failed", 1); empty++; Thread.sleep(300); }
                }
            }
            writing.get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("scope");
            switch (arguments[0]) {
                case "retention_cut_never_published": retains(manager, false); break;
                case "retention_cut_published": retains(manager, true); break;
                case "one_writer_ceases_to_note_times": times(manager, false); break;
                case "both_writers_note_times": times(manager, true); break;
                case "cuts_for_thirty_events": cuts(manager); break;
                case "batch_job": batches(manager); break;
                case "connections_lost": survives(manager); break;
            }
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.exit(0);
    }
}
