import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.KeyValueTableFactory;
import io.pravega.client.admin.KeyValueTableManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.control.impl.ControllerImpl;
import io.pravega.client.control.impl.ControllerImplConfig;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.ScalingPolicy;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamConfiguration;
import io.pravega.client.stream.impl.ByteArraySerializer;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import io.pravega.client.tables.Insert;
import io.pravega.client.tables.KeyValueTable;
import io.pravega.client.tables.KeyValueTableClientConfiguration;
import io.pravega.client.tables.KeyValueTableConfiguration;
import io.pravega.client.tables.Put;
import io.pravega.client.tables.Remove;
import io.pravega.client.tables.TableKey;
import io.pravega.client.tables.Version;
import io.pravega.shared.security.auth.DefaultCredentials;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** What only clients of release 0.13 do; prints what was written, as JSON. */
public class NewPlays {
    static final URI CONTROLLER = URI.create("tcp://127.0.0.1:9090");
    static final String SCOPE = "scope";
    static final String STREAM = "stream";
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static ClientConfig config = ClientConfig.builder().controllerURI(CONTROLLER).build();
    static int written;

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("token")) {
            config = ClientConfig.builder().controllerURI(CONTROLLER)
                    .credentials(new DefaultCredentials("throwaway", "user")).build();
        }
        if (arguments[0].equals("refused")) {
            refused();
        }
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope(SCOPE);
            if (!arguments[0].equals("table")) {
                manager.createStream(SCOPE, STREAM, StreamConfiguration.builder()
                        .scalingPolicy(ScalingPolicy.fixed(1)).build());
            }
            switch (arguments[0]) {
                case "batches": batches(); break;
                case "large": large(); break;
                case "table": table(); break;
                case "scale": scale(); break;
                case "idle": idle(); break;
                case "token": batches(); break;
                default: throw new IllegalArgumentException(arguments[0]);
            }
        }
        System.out.println("{\"written\": " + written + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** A scope that is asked for with a password that is not the user's. */
    static void refused() {
        config = ClientConfig.builder().controllerURI(CONTROLLER)
                .credentials(new DefaultCredentials("guessed", "user")).build();
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope(SCOPE);
            throw new IllegalStateException("the scope was made");
        } catch (RuntimeException expected) {
            System.err.println(expected);
        }
        System.out.println("{\"written\": 0}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static EventStreamClientFactory factory() {
        return EventStreamClientFactory.withScope(SCOPE, config);
    }

    static EventStreamWriter<String> writer(EventStreamClientFactory factory) {
        return factory.createEventWriter(STREAM, TEXT, EventWriterConfig.builder().build());
    }

    /** Events that are stored together, and a few after them. */
    static void batches() throws Exception {
        try (EventStreamClientFactory factory = factory();
             EventStreamWriter<String> writer = writer(factory)) {
            writer.writeEvents("key", Arrays.asList("a", "bb", "ccc")).get();
            for (int n = 0; n < 3; n++) {
                writer.writeEvent("key", "after " + n);
            }
            writer.flush();
            written = 6;
        }
    }

    /** An event of 9 MiB: a transient segment that is merged. */
    static void large() throws Exception {
        try (EventStreamClientFactory factory = factory();
             EventStreamWriter<byte[]> writer = factory.createEventWriter(STREAM,
                     new ByteArraySerializer(),
                     EventWriterConfig.builder().enableLargeEvents(true).build())) {
            writer.writeEvent("key", new byte[9 * 1024 * 1024]).get();
            written = 1;
        }
    }

    /** Entries are put, read, refused by their version, listed and removed. */
    static void table() throws Exception {
        try (KeyValueTableManager manager = KeyValueTableManager.create(config);
             KeyValueTableFactory factory = KeyValueTableFactory.withScope(SCOPE, config)) {
            manager.createKeyValueTable(SCOPE, "table", KeyValueTableConfiguration.builder()
                    .partitionCount(1).primaryKeyLength(2).secondaryKeyLength(0).build());
            try (KeyValueTable table = factory.forKeyValueTable("table",
                    KeyValueTableClientConfiguration.builder().build())) {
                Version one = table.update(new Insert(key("k1"), bytes("one"))).get();
                table.update(new Put(key("k2"), bytes("two"))).get();
                table.update(new Put(key("k3"), bytes(""))).get();
                table.update(new Put(key("k1"), bytes("uno"), one)).get();
                refused(() -> table.update(new Put(key("k1"), bytes("no"), one)).get());
                refused(() -> table.update(new Insert(key("k2"), bytes("no"))).get());
                refused(() -> table.update(new Put(key("k9"), bytes("no"), one)).get());
                written = 4;
                table.get(key("k1")).get();
                table.getAll(Arrays.asList(key("k2"), key("nk"))).get();
                table.exists(key("k3")).get();
                table.iterator().maxIterationSize(2).all().entries().getNext().get();
                table.iterator().maxIterationSize(2).all().keys().getNext().get();
                table.update(new Remove(key("k3"))).get();
            }
            manager.deleteKeyValueTable(SCOPE, "table");
        }
    }

    /** The segment is sealed under a writer, which goes on in the two that follow it. */
    static void scale() throws Exception {
        ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);
        try (EventStreamClientFactory factory = factory();
             EventStreamWriter<String> writer = writer(factory)) {
            writer.writeEvent("key", "before").get();
            ControllerImpl controller = new ControllerImpl(
                    ControllerImplConfig.builder().clientConfig(config).build(), executor);
            controller.scaleStream(Stream.of(SCOPE, STREAM), Collections.singletonList(0L),
                    Map.of(0.0, 0.5, 0.5, 1.0), executor).getFuture().get();
            for (int n = 0; n < 6; n++) {
                writer.writeEvent("key " + n, "after " + n);
            }
            writer.flush();
            written = 7;
        }
    }

    /** A connection without traffic, and an event when the time is over. */
    static void idle() throws Exception {
        try (EventStreamClientFactory factory = factory();
             EventStreamWriter<String> writer = writer(factory)) {
            writer.writeEvent("key", "before").get();
            Thread.sleep(45_000);
            writer.writeEvent("key", "after").get();
            written = 2;
        }
    }

    interface Attempt {
        void go() throws Exception;
    }

    static void refused(Attempt attempt) throws Exception {
        try {
            attempt.go();
        } catch (java.util.concurrent.ExecutionException expected) {
            return;
        }
        throw new IllegalStateException("was not refused");
    }

    static TableKey key(String name) {
        return new TableKey(bytes(name));
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes());
    }
}
