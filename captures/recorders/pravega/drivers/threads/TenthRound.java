// Plays the tenth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.state.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;

public class TenthRound {
    static ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ExecutorService POOL = Executors.newCachedThreadPool();
    static final TreeMap<String, Long> counted = new TreeMap<>();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }

    /** Two recorders append to one index on condition; one reads where the index ends before it tries again, or keeps the revision that it has. */
    static void index(StreamManager manager, boolean reads) throws Exception {
        manager.createStream("scope", "index", fixed(1));
        List<Future<?>> parts = new ArrayList<>();
        for (int w = 0; w < 2; w++) {
            int which = w;
            parts.add(POOL.submit(() -> {
                try (SynchronizerClientFactory f = SynchronizerClientFactory.withScope("scope", config);
                     RevisionedStreamClient<String> client = f.createRevisionedStreamClient("index", TEXT, SynchronizerConfig.builder().build())) {
                    Revision at = client.fetchLatestRevision();
                    for (int n = 0; n < 26; n++) {
                        if (which == 0) at = client.fetchLatestRevision();
                        Revision next = client.writeConditionally(at, "camera-" + which + " frame " + n);
                        if (next != null) { at = next; count("written_by_" + which, 1); }
                        else { count("refused_" + which, 1); if (reads) at = client.fetchLatestRevision(); }
                        Thread.sleep(which == 0 ? 410 : 290);
                    }
                }
                return null;
            }));
        }
        parts.add(POOL.submit(() -> {
            try (EventStreamClientFactory f = EventStreamClientFactory.withScope("scope", config); EventStreamWriter<String> w = f.createEventWriter("frames", TEXT, EventWriterConfig.builder().build())) {
                for (int n = 0; n < 60; n++) { w.writeEvent("camera-" + n % 2, "frame " + n); count("frames", 1); Thread.sleep(120); }
                w.flush();
            }
            return null;
        }));
        for (Future<?> p : parts) p.get();
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("scope");
            manager.createStream("scope", "frames", fixed(2));
            index(manager, arguments[0].equals("revision_fetched_again"));
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.out.flush();
        System.exit(0);
    }
}
