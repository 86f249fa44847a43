// Plays the fourteenth round of the blind test by the Java client; prints what it counted as JSON.
import io.grpc.*;
import io.pravega.client.*;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.byteStream.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import io.pravega.controller.stream.api.grpc.v1.Controller.*;
import io.pravega.controller.stream.api.grpc.v1.ControllerServiceGrpc;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;

public class FourteenthRound {
    static ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(6, r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
    static final TreeMap<String, Long> counted = new TreeMap<>();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(io.pravega.client.stream.ScalingPolicy.fixed(n)).build(); }

    /** Two recorders write pictures to a byte stream: both at once, or the second after the first has closed. */
    static void video(StreamManager manager, boolean both) throws Exception {
        manager.createStream("studio", "video", fixed(1));
        try (ByteStreamClientFactory f = ByteStreamClientFactory.withScope("studio", config); ByteStreamClientFactory g = ByteStreamClientFactory.withScope("studio", config); EventStreamClientFactory e = EventStreamClientFactory.withScope("studio", config); EventStreamWriter<String> log = e.createEventWriter("log", TEXT, EventWriterConfig.builder().build())) {
            CountDownLatch closed = new CountDownLatch(1);
            Callable<Object> first = () -> {
                try (ByteStreamWriter w = f.createByteStreamWriter("video")) { pictures(w, "first", 14); }
                closed.countDown();
                return null;
            };
            Callable<Object> second = () -> {
                if (!both) closed.await();
                else Thread.sleep(900);
                try (ByteStreamWriter w = g.createByteStreamWriter("video")) { pictures(w, "standby", 14); }
                return null;
            };
            Future<Object> a = POOL.submit(first), b = POOL.submit(second);
            for (int n = 0; n < 12; n++) { log.writeEvent("studio", "minute " + n).get(); count("logged", 1); Thread.sleep(300); }
            a.get();
            b.get();
            try (ByteStreamReader r = f.createByteStreamReader("video")) {
                byte[] buffer = new byte[4096];
                long total = 0, all = r.fetchTailOffset();
                while (total < all) total += r.read(buffer);
                count("bytes_read", total);
            }
        }
    }
    static void pictures(ByteStreamWriter w, String who, int many) throws Exception {
        for (int n = 0; n < many; n++) {
            w.write((who + " picture " + n + " begins;").getBytes());
            w.flush();
            Thread.sleep(60);
            w.write(("x".repeat(180) + who + " picture " + n + " ends;").getBytes());
            w.flush();
            count("pictures", 1);
            Thread.sleep(160);
        }
    }

    static ManagedChannel channel() { return Grpc.newChannelBuilder("127.0.0.1:9090", InsecureChannelCredentials.create()).build(); }
    static StreamInfo of(String stream) { return StreamInfo.newBuilder().setScope("studio").setStream(stream).build(); }
    static TxnId id(UUID txn) { return TxnId.newBuilder().setHighBits(txn.getMostSignificantBits()).setLowBits(txn.getLeastSignificantBits()).build(); }

    /** Bookings are written in transactions that a pinger keeps alive; it forgets them when they are committed, or never. */
    static void bookings(StreamManager manager, boolean forgets) throws Exception {
        manager.createStream("studio", "bookings", fixed(1));
        ManagedChannel own = channel();
        ControllerServiceGrpc.ControllerServiceBlockingStub stub = ControllerServiceGrpc.newBlockingStub(own);
        Set<UUID> alive = ConcurrentHashMap.newKeySet();
        ScheduledFuture<?> pinger = POOL.scheduleAtFixedRate(() -> {
            for (UUID txn : alive) {
                try { stub.withDeadlineAfter(3, TimeUnit.SECONDS).pingTransaction(PingTxnRequest.newBuilder().setStreamInfo(of("bookings")).setTxnId(id(txn)).setLease(12000).build()); count("pings", 1); }
                catch (StatusRuntimeException x) { count("pings_failed", 1); }
            }
        }, 400, 800, TimeUnit.MILLISECONDS);
        try (EventStreamClientFactory f = EventStreamClientFactory.withScope("studio", config); TransactionalEventStreamWriter<String> w = f.createTransactionalEventWriter("desk", "bookings", TEXT, EventWriterConfig.builder().transactionTimeoutTime(12000).build()); EventStreamWriter<String> log = f.createEventWriter("log", TEXT, EventWriterConfig.builder().build())) {
            for (int n = 0; n < 6; n++) {
                Transaction<String> txn = w.beginTxn();
                alive.add(txn.getTxnId());
                for (int seat = 0; seat < 5; seat++) { txn.writeEvent("hall", "booking " + n + ", seat " + seat); Thread.sleep(200); }
                if (forgets) alive.remove(txn.getTxnId());
                txn.commit();
                count("committed", 1);
                log.writeEvent("studio", "booking " + n + " done").get();
                Thread.sleep(600);
            }
        }
        pinger.cancel(false);
        Thread.sleep(200);
        own.shutdown().awaitTermination(2, TimeUnit.SECONDS);
    }

    /** A worker handles orders; a watchdog takes it offline now and then, without a position while it works, or with its last one after it has stopped. */
    static void orders(StreamManager manager, boolean known) throws Exception {
        manager.createStream("studio", "orders", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("studio", config); EventStreamClientFactory f = EventStreamClientFactory.withScope("studio", config); EventStreamWriter<String> w = f.createEventWriter("orders", TEXT, EventWriterConfig.builder().build())) {
            groups.createReaderGroup("workers", ReaderGroupConfig.builder().stream("studio/orders").disableAutomaticCheckpoints().build());
            ReaderGroup group = groups.getReaderGroup("workers");
            Future<?> writing = POOL.submit(() -> { for (int n = 0; n < 40; n++) { w.writeEvent("shop", "order " + n + " of " + n % 9 + " chairs").get(); count("written", 1); Thread.sleep(230); } return null; });
            for (int run = 0; run < 5; run++) {
                EventStreamReader<String> r = f.createReader("worker-" + run, "workers", TEXT, ReaderConfig.builder().build());
                long end = System.currentTimeMillis() + 1900;
                Position last = null;
                boolean stopped = false;
                ScheduledFuture<?> watchdog = known || run == 4 ? null : POOL.schedule(() -> group.readerOffline("worker-" + which(), null), 1500, TimeUnit.MILLISECONDS);
                RUN = run;
                while (System.currentTimeMillis() < end) {
                    try {
                        EventRead<String> e = r.readNextEvent(400);
                        if (e.getEvent() != null) { count("handled", 1); last = e.getPosition(); Thread.sleep(60); }
                    } catch (ReinitializationRequiredException x) { count("declared_offline", 1); stopped = true; break; }
                }
                if (watchdog != null) watchdog.get();
                if (!stopped) { if (last != null && known) { r.close(); } else { r.close(); } }
                else try { r.close(); } catch (RuntimeException x) { count("not_closed", 1); }
                if (known) Thread.sleep(200);
            }
            writing.get();
        }
    }
    static volatile int RUN;
    static int which() { return RUN; }

    /** A program begins transactions by itself, with as much patience as `millis`. */
    static void begins(StreamManager manager, int millis) throws Exception {
        manager.createStream("studio", "deliveries", fixed(2));
        ManagedChannel own = channel();
        ControllerServiceGrpc.ControllerServiceBlockingStub stub = ControllerServiceGrpc.newBlockingStub(own);
        stub.withDeadlineAfter(5, TimeUnit.SECONDS).getCurrentSegments(of("deliveries"));
        try (EventStreamClientFactory f = EventStreamClientFactory.withScope("studio", config); EventStreamWriter<String> log = f.createEventWriter("log", TEXT, EventWriterConfig.builder().build())) {
            for (int n = 0; n < 9; n++) {
                CreateTxnResponse made = null;
                for (int attempt = 0; attempt < 8 && made == null; attempt++) {
                    try { made = stub.withDeadlineAfter(millis, TimeUnit.MILLISECONDS).createTransaction(CreateTxnRequest.newBuilder().setStreamInfo(of("deliveries")).setLease(20000).build()); count("begun", 1); }
                    catch (StatusRuntimeException x) { count("given_up_" + x.getStatus().getCode().name().toLowerCase(), 1); Thread.sleep(60); }
                }
                if (made != null) {
                    TxnState state = stub.withDeadlineAfter(5, TimeUnit.SECONDS).checkTransactionState(TxnRequest.newBuilder().setStreamInfo(of("deliveries")).setTxnId(made.getTxnId()).build());
                    TxnStatus ended = stub.withDeadlineAfter(5, TimeUnit.SECONDS).commitTransaction(TxnRequest.newBuilder().setStreamInfo(of("deliveries")).setTxnId(made.getTxnId()).build());
                    count("committed", 1);
                }
                log.writeEvent("studio", "delivery " + n).get();
                Thread.sleep(300);
            }
        }
        own.shutdown().awaitTermination(2, TimeUnit.SECONDS);
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("studio");
            manager.createStream("studio", "log", fixed(1));
            switch (arguments[0]) {
                case "both_write_bytes" -> video(manager, true);
                case "bytes_handed_over" -> video(manager, false);
                case "committed_and_pinged" -> bookings(manager, false);
                case "pinged_until_committed" -> bookings(manager, true);
                case "alive_and_offline" -> orders(manager, false);
                case "closed_one_after_another" -> orders(manager, true);
                case "begun_with_little_patience" -> begins(manager, 3);
                default -> begins(manager, 5000);
            }
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.out.flush();
        System.exit(0);
    }
}
