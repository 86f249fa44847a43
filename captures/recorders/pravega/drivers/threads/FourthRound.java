// Plays the fourth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.KeyValueTableFactory;
import io.pravega.client.admin.*;
import io.pravega.client.control.impl.ControllerImpl;
import io.pravega.client.control.impl.ControllerImplConfig;
import io.pravega.client.segment.impl.Segment;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import io.pravega.client.tables.*;
import io.pravega.shared.security.auth.DefaultCredentials;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;

public class FourthRound {
    static final URI WHERE = URI.create("tcp://127.0.0.1:9090");
    static ClientConfig config = ClientConfig.builder().controllerURI(WHERE).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final StreamConfiguration ONE = StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(1)).build();
    static final Stream STREAM = Stream.of("scope", "stream");
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(10);

    static int counted = 0;

    static ByteBuffer bytes(String text) { return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)); }

    static synchronized void conflict() { counted++; }

    // Two programs count a key down.
    static void stock(boolean versions) throws Exception {
        try (KeyValueTableManager manager = KeyValueTableManager.create(config)) {
            manager.createKeyValueTable("scope", "shop", KeyValueTableConfiguration.builder().partitionCount(1).primaryKeyLength(8).secondaryKeyLength(0).build());
        }
        List<Thread> programs = new ArrayList<>();
        CyclicBarrier both = new CyclicBarrier(2);
        for (int p = 0; p < 2; p++) {
            int which = p;
            Thread one = new Thread(() -> {
                try (KeyValueTableFactory factory = KeyValueTableFactory.withScope("scope", config);
                     KeyValueTable table = factory.forKeyValueTable("shop", KeyValueTableClientConfiguration.builder().build())) {
                    TableKey key = new TableKey(bytes("bolts   "));
                    if (which == 0) table.update(new Put(key, bytes("1000"))).join();
                    both.await();
                    Random random = new Random();
                    for (int n = 0; n < 20; n++)
                        for (;;) {
                            TableEntry entry = table.get(key).join();
                            int left = Integer.parseInt(StandardCharsets.UTF_8.decode(entry.getValue()).toString()) - 1;
                            Thread.sleep(50 + random.nextInt(60)); // the order is checked
                            try {
                                Put put = versions ? new Put(key, bytes("" + left), entry.getVersion()) : new Put(key, bytes("" + left));
                                table.update(put).join();
                                break;
                            } catch (CompletionException e) { conflict(); }
                        }
                } catch (InterruptedException | BrokenBarrierException ignored) { }
            });
            one.start(); programs.add(one);
        }
        for (Thread one : programs) one.join();
    }

    static void cuts(StreamManager manager, int each) throws Exception {
        try (EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", config);
             EventStreamWriter<String> writer = factory.createEventWriter("stream", TEXT, EventWriterConfig.builder().build());
             ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
            for (int n = 0; n < 30; n++) writer.writeEvent("key", String.format("order-%04d", n)).join();
            groups.createReaderGroup("billing", ReaderGroupConfig.builder().disableAutomaticCheckpoints().stream(STREAM).build());
            try (EventStreamReader<String> reader = factory.createReader("reader", "billing", TEXT, ReaderConfig.builder().build())) {
                for (int n = 1; n <= 30; n++) {
                    reader.readNextEvent(3000);
                    Thread.sleep(30);
                    StreamCut cut = new StreamCutImpl(STREAM, Map.of(new Segment("scope", "stream", 0), 18L * n));
                    if (n % each == 0 && manager.truncateStream("scope", "stream", cut)) counted++;
                }
            }
        }
    }

    static void scale() throws Exception {
        ControllerImpl controller = new ControllerImpl(ControllerImplConfig.builder().clientConfig(config).retryAttempts(1).build(), POOL);
        for (int turn = 0; turn < 3; turn++) {
            StreamSegments now = controller.getCurrentSegments("scope", "stream").get();
            List<Long> old = new ArrayList<>();
            now.getSegments().forEach(s -> old.add(s.getSegmentId()));
            Map<Double, Double> ranges = new TreeMap<>();
            if (turn % 2 == 0) { ranges.put(0.0, 0.5); ranges.put(0.5, 1.0); } else ranges.put(0.0, 1.0);
            controller.startScale(STREAM, old, ranges).get();
            for (; !controller.checkScaleStatus(STREAM, turn).get(); counted++) Thread.sleep(700);
            Thread.sleep(500);
        }
        controller.close();
    }

    static void notes(boolean sorted) throws Exception { // the time of each event is noted
        try (EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", config);
             EventStreamWriter<String> writer = factory.createEventWriter("sensor-writer", "stream", TEXT, EventWriterConfig.builder().automaticallyNoteTime(false).build())) {
            long base = System.currentTimeMillis() - 3600000, newest = 0;
            Random random = new Random(4);
            for (int n = 0; n < 24; n++) {
                long time = base + n * 1000L - (n % 4 == 3 ? 2500 + random.nextInt(3000) : 0); // some come late
                writer.writeEvent("sensor-" + n % 3, "reading " + n + " of " + time);
                writer.flush();
                if (!sorted || time > newest) writer.noteTime(time);
                newest = Math.max(newest, time);
                if (n == 0) Thread.sleep(1500);
                Thread.sleep(150);
            }
            Thread.sleep(1000);
        }
    }

    static void pings(long pause) throws Exception {
        ControllerImpl controller = new ControllerImpl(ControllerImplConfig.builder().clientConfig(config).retryAttempts(1).build(), POOL);
        TxnSegments txn = controller.createTransaction(STREAM, 30000).get();
        for (long end = System.currentTimeMillis() + 9000; System.currentTimeMillis() < end; Thread.sleep(pause), counted++)
            controller.pingTransaction(STREAM, txn.getTxnId(), 30000).get();
        controller.commitTransaction(STREAM, "writer", null, txn.getTxnId()).get();
        controller.close();
    }

    static void noCredentials(int times) throws Exception {
        ClientConfig bare = ClientConfig.builder().controllerURI(WHERE).build();
        ControllerImpl controller = new ControllerImpl(ControllerImplConfig.builder().clientConfig(bare).retryAttempts(1).build(), POOL);
        for (int n = 0; n < times; n++) {
            try { controller.createScope("metrics").get(); } catch (ExecutionException expected) { counted++; }
            Thread.sleep(300);
        }
        controller.close();
        if (times > 2) return;
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("metrics");
            manager.createStream("metrics", "stream", ONE);
        }
    }

    public static void main(String[] arguments) throws Exception {
        boolean secured = arguments[0].contains("credentials");
        if (secured) config = ClientConfig.builder().controllerURI(WHERE).credentials(new DefaultCredentials("throwaway", "user")).build();
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("scope");
            manager.createStream("scope", "stream", ONE);
            manager.createStream("scope", "other", ONE);
            switch (arguments[0]) {
                case "stock_put_without_version": stock(false); break;
                case "stock_put_by_version": stock(true); break;
                case "cut_after_each_event": cuts(manager, 1); break;
                case "cut_after_fifteen_events": cuts(manager, 15); break;
                case "scale_awaited": scale(); break;
                case "time_goes_back": notes(false); break;
                case "time_never_goes_back": notes(true); break;
                case "pings_every_moment": pings(60); break;
                case "calls_without_credentials": noCredentials(18); break;
                case "credentials_at_second_attempt": noCredentials(1); break;
                default: throw new Exception(arguments[0]);
            }
        }
        System.out.println("{\"counted\": " + counted + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
