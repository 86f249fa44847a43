// Plays the eleventh round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;

public class EleventhRound {
    static ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ExecutorService POOL = Executors.newCachedThreadPool();
    static final TreeMap<String, Long> counted = new TreeMap<>();
    static final EventWriterConfig PLAIN = EventWriterConfig.builder().build();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static EventStreamClientFactory events() { return EventStreamClientFactory.withScope("scope", config); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }

    static Future<?> writes(String stream, int number, long pause, java.util.function.IntFunction<String> key) {
        return POOL.submit(() -> {
            try (EventStreamClientFactory f = events(); EventStreamWriter<String> w = f.createEventWriter(stream, TEXT, PLAIN)) {
                for (int n = 0; n < number; n++) { w.writeEvent(key.apply(n), stream + " event " + n); count("written", 1); Thread.sleep(pause); }
                w.flush();
            }
            return null;
        });
    }

    static void reads(String group, String reader, int wanted, int patience) throws Exception {
        try (EventStreamClientFactory f = events(); EventStreamReader<String> r = f.createReader(reader, group, TEXT, ReaderConfig.builder().build())) {
            for (int read = 0, empty = 0; read < wanted && empty < patience; ) {
                try {
                    EventRead<String> e = r.readNextEvent(600);
                    if (e.isCheckpoint()) continue;
                    if (e.getEvent() == null) { empty++; continue; }
                    read++;
                    count("read", 1);
                } catch (RuntimeException e) { empty++; count("failed", 1); Thread.sleep(200); }
            }
        }
    }

    /** A nightly job deletes a stream and makes it again; the group of its readers is made again with it, or is kept. */
    static void recreated(StreamManager manager, boolean groupToo) throws Exception {
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            ReaderGroupConfig wanted = ReaderGroupConfig.builder().stream(Stream.of("scope", "nightly")).groupRefreshTimeMillis(500).build();
            manager.createStream("scope", "nightly", fixed(2));
            groups.createReaderGroup("reporters", wanted);
            writes("nightly", 25, 20, n -> "key-" + n % 6).get();
            reads("reporters", "reporter-1", 25, 5);
            if (groupToo) groups.deleteReaderGroup("reporters");
            manager.sealStream("scope", "nightly");
            manager.deleteStream("scope", "nightly");
            manager.createStream("scope", "nightly", fixed(2));
            if (groupToo) groups.createReaderGroup("reporters", wanted);
            Future<?> writing = writes("nightly", 50, 60, n -> "key-" + n % 6);
            for (int run = 2; run < (groupToo ? 3 : 6); run++) reads("reporters", "reporter-" + run, 50, 4);
            writing.get();
        }
    }

    /** A writer uses three keys for sixteen segments, or a key for each of its machines. */
    static void keys(StreamManager manager, int keys) throws Exception {
        manager.createStream("scope", "telemetry", fixed(16));
        Future<?> other = writes("heartbeats", 40, 100, n -> "host-" + n % 9);
        writes("telemetry", 170, 25, n -> keys > 0 ? "line-" + n % keys : "machine-" + n * 31 % 97).get();
        other.get();
    }

    /** A reader fails at an event and is closed; the group goes on after that event, or at the position that was handled last. */
    static void failing(StreamManager manager, boolean offline) throws Exception {
        manager.createStream("scope", "payments", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            groups.createReaderGroup("bank", ReaderGroupConfig.builder().stream(Stream.of("scope", "payments")).groupRefreshTimeMillis(500).build());
            Future<?> writing = writes("payments", 60, 70, n -> "account-" + n % 4);
            try (ReaderGroup group = groups.getReaderGroup("bank")) {
                for (int run = 0; run < 4; run++) {
                    try (EventStreamClientFactory f = events(); EventStreamReader<String> r = f.createReader("teller-" + run, "bank", TEXT, ReaderConfig.builder().build())) {
                        Position last = null;
                        for (int n = 0, empty = 0; n < 17 && empty < 4; ) {
                            EventRead<String> e = r.readNextEvent(600);
                            if (e.getEvent() == null) { empty++; continue; }
                            if (++n == 12 && run < 3) { count("failed", 1); break; }
                            last = e.getPosition();
                            count("handled", 1);
                        }
                        if (offline) group.readerOffline("teller-" + run, last);
                    }
                }
            }
            writing.get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("scope");
            manager.createStream("scope", "heartbeats", fixed(3));
            switch (arguments[0]) {
                case "group_of_the_stream_before" -> recreated(manager, false);
                case "group_made_again_with_its_stream" -> recreated(manager, true);
                case "three_keys_for_sixteen_segments" -> keys(manager, 3);
                case "keys_of_all_machines" -> keys(manager, 0);
                case "closed_after_a_failure" -> failing(manager, false);
                default -> failing(manager, true);
            }
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.out.flush();
        System.exit(0);
    }
}
