// Plays the fifteenth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.connection.impl.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import io.pravega.shared.protocol.netty.*;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

public class FifteenthRound {
    static ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(6, r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
    static final TreeMap<String, Long> counted = new TreeMap<>();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(io.pravega.client.stream.ScalingPolicy.fixed(n)).build(); }

    /** An inspector asks for the length of segments again and again: over a connection for each question that it never closes, or over one that it shares. */
    static void inspections(StreamManager manager, boolean shared) throws Exception {
        manager.createStream("depot", "pallets", fixed(2));
        SocketConnectionFactoryImpl factory = new SocketConnectionFactoryImpl(config, POOL);
        ConnectionPoolImpl pool = new ConnectionPoolImpl(config, factory);
        List<Object> kept = new ArrayList<>();
        AtomicLong ids = new AtomicLong();
        try (EventStreamClientFactory f = EventStreamClientFactory.withScope("depot", config); EventStreamWriter<String> w = f.createEventWriter("pallets", TEXT, EventWriterConfig.builder().build())) {
            for (int n = 0; n < 30; n++) {
                w.writeEvent("hall-" + n % 3, "pallet " + n + " of " + (20 + n % 7) + " boxes").get();
                count("written", 1);
                ConnectionPoolImpl own = shared ? pool : new ConnectionPoolImpl(config, factory);
                RawClient raw = new RawClient(new PravegaNodeUri("127.0.0.1", 6000), own);
                long id = shared ? raw.getFlow().getNextSequenceNumber() : raw.getFlow().getNextSequenceNumber();
                Reply reply = raw.sendRequest(id, new WireCommands.GetStreamSegmentInfo(id, "depot/pallets/" + n % 2 + ".#epoch.0", "")).get(5, TimeUnit.SECONDS);
                if (reply instanceof WireCommands.StreamSegmentInfo) count("answered", 1);
                if (shared) raw.close(); else { kept.add(raw); kept.add(own); }
                Thread.sleep(160);
            }
        }
        count("connections", factory.getOpenSocketCount());
        if (shared) pool.close();
    }

    /** Trams report by key and by transactions; two readers of a group share four segments, one is closed in order, and a checkpoint is made. */
    static void trams(StreamManager manager) throws Exception {
        manager.createStream("city", "trams", fixed(4));
        manager.createStream("city", "trips", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("city", config); EventStreamClientFactory f = EventStreamClientFactory.withScope("city", config); EventStreamWriter<String> w = f.createEventWriter("trams", TEXT, EventWriterConfig.builder().build()); TransactionalEventStreamWriter<String> trips = f.createTransactionalEventWriter("dispatch", "trips", TEXT, EventWriterConfig.builder().transactionTimeoutTime(20000).build())) {
            groups.createReaderGroup("maps", ReaderGroupConfig.builder().stream("city/trams").disableAutomaticCheckpoints().build());
            ReaderGroup group = groups.getReaderGroup("maps");
            AtomicLong read = new AtomicLong();
            CountDownLatch over = new CountDownLatch(1);
            List<Future<Object>> maps = new ArrayList<>();
            for (int n = 0; n < 2; n++) {
                String id = "map-" + n;
                int most = n == 0 ? Integer.MAX_VALUE : 40;
                maps.add(POOL.submit(() -> {
                    int own = 0;
                    try (EventStreamReader<String> r = f.createReader(id, "maps", TEXT, ReaderConfig.builder().build())) {
                        while (own < most) {
                            EventRead<String> e = r.readNextEvent(700);
                            if (e.isCheckpoint()) continue;
                            if (e.getEvent() == null) { if (over.getCount() == 0) break; continue; }
                            own++;
                            read.incrementAndGet();
                            Thread.sleep(15);
                        }
                    }
                    return null;
                }));
            }
            for (int n = 0; n < 76; n++) {
                w.writeEvent("tram-" + n % 11, "tram " + n % 11 + " at stop " + n).get();
                count("written", 1);
                if (n % 20 == 12) {
                    Transaction<String> trip = trips.beginTxn();
                    for (int stop = 0; stop < 4; stop++) trip.writeEvent("line-" + n % 3, "trip " + n + ", stop " + stop);
                    if (n == 72) { trip.abort(); count("aborted", 1); } else { trip.commit(); count("committed", 1); }
                }
                if (n == 40) { group.initiateCheckpoint("noon", POOL).get(15, TimeUnit.SECONDS); count("checkpoints", 1); }
                Thread.sleep(60);
            }
            Thread.sleep(1500);
            over.countDown();
            for (Future<Object> each : maps) each.get(20, TimeUnit.SECONDS);
            count("read", read.get());
            groups.deleteReaderGroup("maps");
        }
    }

    /** A reader of parcels is halted for good when its retries are exhausted; it counts what it has read by then. */
    static void halted(StreamManager manager) throws Exception {
        manager.createStream("post", "parcels", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("post", config)) {
            groups.createReaderGroup("sorters", ReaderGroupConfig.builder().stream("post/parcels").disableAutomaticCheckpoints().build());
            EventStreamClientFactory f = EventStreamClientFactory.withScope("post", config);
            EventStreamWriter<String> w = f.createEventWriter("parcels", TEXT, EventWriterConfig.builder().retryAttempts(2).build());
            EventStreamReader<String> r = f.createReader("sorter-1", "sorters", TEXT, ReaderConfig.builder().build());
            for (int n = 0; n < 20; n++) { w.writeEvent("street", "parcel " + n).get(); count("written", 1); }
            long begun = System.currentTimeMillis();
            try {
                while (true) {
                    EventRead<String> e = r.readNextEvent(500);
                    if (e.getEvent() != null) count("read", 1);
                    if (System.currentTimeMillis() - begun > 170000) break;
                }
            } catch (Exception x) {
                count("halted_after_s", (System.currentTimeMillis() - begun) / 1000);
                System.err.println(x);
            }
            Thread.sleep(15000);
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            for (String scope : List.of("depot", "city", "post")) if ("depot city post".split(" ")[arguments[0].startsWith("trams") ? 1 : arguments[0].startsWith("halted") ? 2 : 0].equals(scope)) manager.createScope(scope);
            switch (arguments[0]) {
                case "connection_for_each_question" -> inspections(manager, false);
                case "one_connection_for_questions" -> inspections(manager, true);
                case "trams_day" -> trams(manager);
                default -> halted(manager);
            }
        }
        StringBuilder text = new StringBuilder();
        counted.forEach((k, v) -> text.append(text.length() == 0 ? "{" : ", ").append('"').append(k).append("\": ").append(v));
        System.out.println(text + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
