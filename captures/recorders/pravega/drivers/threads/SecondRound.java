// Plays the second round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.KeyValueTableFactory;
import io.pravega.client.admin.KeyValueTableManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.control.impl.ControllerImpl;
import io.pravega.client.control.impl.ControllerImplConfig;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import io.pravega.client.tables.*;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;

public class SecondRound {
    static final ClientConfig CONFIG = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static int counted = 0;
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final StreamConfiguration ONE = StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(1)).build();

    static void transactions(int number, int events) throws Exception {
        try (EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", CONFIG);
             TransactionalEventStreamWriter<String> writer = factory.createTransactionalEventWriter("stream", TEXT,
                     EventWriterConfig.builder().transactionTimeoutTime(10000).build())) {
            for (int t = 0; t < number; t++) {
                Transaction<String> one = writer.beginTxn();
                for (int n = 0; n < events; n++) one.writeEvent("key", "order " + t + "-" + n);
                one.commit();
                while (one.checkStatus() != Transaction.Status.COMMITTED) Thread.sleep(100);
                counted++;
            }
        }
    }

    static void controllerLoop() throws Exception {
        ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);
        ControllerImpl controller = new ControllerImpl(ControllerImplConfig.builder().clientConfig(CONFIG).retryAttempts(1).build(), executor);
        for (int n = 0; n < 60; n++) {
            try { controller.getCurrentSegments("scope", "gone").get(); } catch (ExecutionException expected) { counted++; }
        }
        controller.close();
    }

    static TableKey key(int n) { return new TableKey(ByteBuffer.wrap(String.format("k%03d", n).getBytes())); }

    static void keys(boolean all) throws Exception {
        try (KeyValueTableManager manager = KeyValueTableManager.create(CONFIG);
             KeyValueTableFactory factory = KeyValueTableFactory.withScope("scope", CONFIG)) {
            manager.createKeyValueTable("scope", "table", KeyValueTableConfiguration.builder()
                    .partitionCount(1).primaryKeyLength(4).secondaryKeyLength(0).build());
            try (KeyValueTable table = factory.forKeyValueTable("table", KeyValueTableClientConfiguration.builder().build())) {
                List<TableKey> wanted = new ArrayList<>();
                List<TableModification> puts = new ArrayList<>();
                for (int n = 0; n < 50; n++) wanted.add(key(n));
                List<CompletableFuture<Version>> done = new ArrayList<>();
                for (int n = 0; n < 50; n++) done.add(table.update(new Put(key(n), ByteBuffer.wrap(("price " + n).getBytes()))));
                for (CompletableFuture<Version> each : done) each.get();
                if (all) {
                    table.getAll(wanted).get();
                    table.get(key(7)).get();
                    Thread.sleep(300);
                    table.getAll(wanted).get();
                    table.get(key(9)).get();
                } else {
                    for (TableKey each : wanted) {
                        table.get(each).get();
                        counted++;
                    }
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(CONFIG)) {
            manager.createScope("scope");
            manager.createStream("scope", "stream", ONE);
            switch (arguments[0]) {
                case "transaction_per_event": transactions(12, 1); break;
                case "transactions_of_many_events": transactions(3, 25); break;
                case "controller_asked_in_a_loop": controllerLoop(); break;
                case "keys_one_by_one": keys(false); break;
                case "keys_all_at_once": keys(true); break;
            }
        }
        System.out.println("{\"counted\": " + counted + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
