// Plays the third round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.control.impl.ControllerImpl;
import io.pravega.client.control.impl.ControllerImplConfig;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.TxnSegments;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;

public class ThirdRound {
    static final ClientConfig CONFIG = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final StreamConfiguration ONE = StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(1)).build();
    static final Stream STREAM = Stream.of("scope", "stream");
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(20);

    static int counted = 0;

    static void managerPerCall() throws Exception {
        for (int n = 0; n < 15; n++) {
            try (StreamManager manager = StreamManager.create(CONFIG)) {
                if (manager.checkStreamExists("scope", n % 3 == 0 ? "stream" : "other")) counted++;
            }
            Thread.sleep(100);
        }
    }

    static void managerPerProgram() throws Exception {
        List<Thread> programs = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            Thread one = new Thread(() -> {
                try (StreamManager manager = StreamManager.create(CONFIG)) {
                    for (int n = 0; n < 8; n++) { manager.checkStreamExists("scope", n % 2 == 0 ? "stream" : "other"); Thread.sleep(150); }
                } catch (InterruptedException ignored) { }
            });
            one.start(); programs.add(one); Thread.sleep(300);
        }
        for (Thread one : programs) one.join();
    }

    static void commitsAfterLease() throws Exception {
        try (EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", CONFIG)) {
            EventWriterConfig how = EventWriterConfig.builder().transactionTimeoutTime(10000).retryAttempts(2).build();
            List<Transaction<String>> open = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                try (TransactionalEventStreamWriter<String> writer = factory.createTransactionalEventWriter("writer-" + t, "stream", TEXT, how)) {
                    Transaction<String> one = writer.beginTxn();
                    for (int n = 0; n < 3; n++) one.writeEvent("key", "order " + t + "-" + n);
                    one.flush();
                    open.add(one);
                }
            }
            Thread.sleep(16000);
            for (Transaction<String> one : open)
                for (int n = 0; n < 3; n++) {
                    try { one.commit(); } catch (Exception expected) { counted++; }
                    Thread.sleep(200);
                }
        }
    }

    static void pingedInTime() throws Exception {
        try (EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", CONFIG);
             TransactionalEventStreamWriter<String> writer = factory.createTransactionalEventWriter("writer", "stream", TEXT,
                     EventWriterConfig.builder().transactionTimeoutTime(10000).build())) {
            Transaction<String> one = writer.beginTxn();
            for (int n = 0; n < 7; n++) { one.writeEvent("key", "order " + n); Thread.sleep(2000); }
            one.commit();
            while (one.checkStatus() != Transaction.Status.COMMITTED) Thread.sleep(200);
            counted++;
        }
    }

    static void leaseTooLarge() throws Exception {
        ControllerImpl controller = new ControllerImpl(ControllerImplConfig.builder().clientConfig(CONFIG).retryAttempts(1).build(), POOL);
        TxnSegments txn = controller.createTransaction(STREAM, 30000).get();
        for (int n = 0; n < 12; n++) {
            try { controller.pingTransaction(STREAM, txn.getTxnId(), 86400000L).get(); } catch (ExecutionException expected) { counted++; }
            Thread.sleep(300);
        }
        try { controller.commitTransaction(STREAM, "writer", null, txn.getTxnId()).get(); } catch (Exception expected) { counted++; }
        controller.close();
    }

    static void checkpoints(boolean reads) throws Exception {
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", CONFIG);
             EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", CONFIG)) {
            groups.createReaderGroup("group", ReaderGroupConfig.builder().disableAutomaticCheckpoints().maxOutstandingCheckpointRequest(100).stream(STREAM).build());
            try (ReaderGroup group = groups.getReaderGroup("group");
                 EventStreamReader<String> reader = factory.createReader("reader", "group", TEXT, ReaderConfig.builder().build())) {
                reader.readNextEvent(500);
                if (!reads) {
                    for (int n = 0; n < 15; n++) {
                        groups.getReaderGroup("group").initiateCheckpoint("checkpoint-" + n, POOL);
                        counted++;
                        Thread.sleep(250);
                    }
                    end();
                }
                boolean[] over = {false};
                Thread loop = new Thread(() -> { while (!over[0]) reader.readNextEvent(100); });
                loop.start();
                for (int n = 0; n < 5; n++) {
                    group.initiateCheckpoint("checkpoint-" + n, POOL).get(20, TimeUnit.SECONDS);
                    counted++;
                    Thread.sleep(200);
                }
                over[0] = true;
                loop.join();
            }
        }
    }

    static void recreated(StreamManager manager) throws Exception {
        for (int time = 0; time < 2; time++) {
            if (time == 1) { manager.sealStream("scope", "stream"); manager.deleteStream("scope", "stream"); manager.createStream("scope", "stream", ONE); }
            try (EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", CONFIG);
                 EventStreamWriter<String> writer = factory.createEventWriter("stream", TEXT, EventWriterConfig.builder().build())) {
                for (int n = 0; n < 6; n++) writer.writeEvent("key", "event " + time + "-" + n).get();
            }
        }
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", CONFIG);
             EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", CONFIG)) {
            groups.createReaderGroup("fresh", ReaderGroupConfig.builder().disableAutomaticCheckpoints().stream(STREAM).build());
            try (EventStreamReader<String> reader = factory.createReader("reader", "fresh", TEXT, ReaderConfig.builder().build())) {
                for (int n = 0; n < 6; n++) if (reader.readNextEvent(2000).getEvent() != null) counted++;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(CONFIG)) {
            manager.createScope("scope");
            manager.createStream("scope", "stream", ONE);
            manager.createStream("scope", "other", ONE);
            switch (arguments[0]) {
                case "manager_per_call": managerPerCall(); break;
                case "manager_per_program": managerPerProgram(); break;
                case "commits_after_lease": commitsAfterLease(); break;
                case "pinged_in_time": pingedInTime(); break;
                case "lease_too_large": leaseTooLarge(); break;
                case "checkpoints_pile_up": checkpoints(false); break;
                case "checkpoints_completed": checkpoints(true); break;
                case "recreated": recreated(manager); break;
            }
        }
        end();
    }

    static void end() {
        System.out.println("{\"counted\": " + counted + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
