import io.pravega.client.ByteStreamClientFactory;
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.KeyValueTableFactory;
import io.pravega.client.admin.KeyValueTableManager;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.byteStream.ByteStreamReader;
import io.pravega.client.byteStream.ByteStreamWriter;
import io.pravega.client.control.impl.ControllerImpl;
import io.pravega.client.control.impl.ControllerImplConfig;
import io.pravega.client.stream.EventRead;
import io.pravega.client.stream.EventStreamReader;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.ReaderConfig;
import io.pravega.client.stream.ReaderGroupConfig;
import io.pravega.client.stream.ReaderGroup;
import io.pravega.client.stream.ScalingPolicy;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamConfiguration;
import io.pravega.client.stream.Transaction;
import io.pravega.client.stream.TransactionalEventStreamWriter;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import io.pravega.client.tables.KeyValueTable;
import io.pravega.client.tables.KeyValueTableClientConfiguration;
import io.pravega.client.tables.KeyValueTableConfiguration;
import io.pravega.client.tables.Put;
import io.pravega.client.tables.TableKey;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A minute of an application: events, scaling, readers that come and go, transactions, a table. */
public class LongRun {
    static final ClientConfig CONFIG =
            ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static int written;
    static int read;

    public static void main(String[] arguments) throws Exception {
        ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);
        ControllerImpl controller = new ControllerImpl(
                ControllerImplConfig.builder().clientConfig(CONFIG).build(), executor);
        try (StreamManager manager = StreamManager.create(CONFIG);
             EventStreamClientFactory factory = EventStreamClientFactory.withScope("shop", CONFIG);
             ReaderGroupManager groups = ReaderGroupManager.withScope("shop", CONFIG)) {
            manager.createScope("shop");
            for (String stream : new String[] {"orders", "bytes"}) {
                manager.createStream("shop", stream, StreamConfiguration.builder()
                        .scalingPolicy(ScalingPolicy.fixed(1)).build());
            }
            groups.createReaderGroup("workers", ReaderGroupConfig.builder()
                    .stream(Stream.of("shop", "orders")).build());
            EventStreamWriter<String> writer = factory.createEventWriter(
                    "orders", TEXT, EventWriterConfig.builder().build());
            EventStreamReader<String> first = reader(factory, "first");
            rounds(writer, first, 4);
            controller.scaleStream(Stream.of("shop", "orders"), List.of(0L),
                    Map.of(0.0, 0.5, 0.5, 1.0), executor).getFuture().get();
            rounds(writer, first, 3);
            EventStreamReader<String> second = reader(factory, "second");
            for (int n = 0; n < 4; n++) {
                rounds(writer, first, 1);
                drain(second);
            }
            ReaderGroup group = groups.getReaderGroup("workers");
            group.initiateCheckpoint("checkpoint", executor);
            drain(first);
            drain(second);
            second.close();
            rounds(writer, first, 3);
            transactions(factory);
            drain(first);
            table();
            bytes();
            rounds(writer, first, 2);
            first.close();
            writer.close();
            groups.deleteReaderGroup("workers");
            manager.sealStream("shop", "bytes");
            manager.deleteStream("shop", "bytes");
        }
        System.out.println("{\"written\": " + written + ", \"read\": " + read + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static EventStreamReader<String> reader(EventStreamClientFactory factory, String name) {
        return factory.createReader(name, "workers", TEXT, ReaderConfig.builder().build());
    }

    static void rounds(EventStreamWriter<String> writer, EventStreamReader<String> reader, int many)
            throws Exception {
        for (int round = 0; round < many; round++) {
            for (int n = 0; n < 12; n++) {
                writer.writeEvent("key " + n % 6, "order " + written++);
            }
            writer.flush();
            drain(reader);
            Thread.sleep(400);
        }
    }

    static void drain(EventStreamReader<String> reader) {
        for (EventRead<String> event = reader.readNextEvent(600);
                event.getEvent() != null || event.isCheckpoint();
                event = reader.readNextEvent(600)) {
            read += event.getEvent() != null ? 1 : 0;
        }
    }

    static void transactions(EventStreamClientFactory factory) throws Exception {
        try (TransactionalEventStreamWriter<String> writer = factory.createTransactionalEventWriter(
                "orders", TEXT, EventWriterConfig.builder().transactionTimeoutTime(20000).build())) {
            for (int n = 0; n < 4; n++) {
                Transaction<String> one = writer.beginTxn();
                for (int m = 0; m < 5; m++) {
                    one.writeEvent("key " + m, "together " + n);
                }
                if (n == 2) {
                    one.abort();
                } else {
                    one.commit();
                    written += 5;
                }
                while (one.checkStatus() == Transaction.Status.COMMITTING
                        || one.checkStatus() == Transaction.Status.ABORTING) {
                    Thread.sleep(200);
                }
            }
        }
    }

    static void table() throws Exception {
        try (KeyValueTableManager manager = KeyValueTableManager.create(CONFIG);
             KeyValueTableFactory factory = KeyValueTableFactory.withScope("shop", CONFIG)) {
            manager.createKeyValueTable("shop", "stock", KeyValueTableConfiguration.builder()
                    .partitionCount(1).primaryKeyLength(3).secondaryKeyLength(0).build());
            try (KeyValueTable table = factory.forKeyValueTable(
                    "stock", KeyValueTableClientConfiguration.builder().build())) {
                for (int n = 0; n < 12; n++) {
                    TableKey key = new TableKey(ByteBuffer.wrap(String.format("k%02d", n % 4).getBytes()));
                    table.update(new Put(key, ByteBuffer.wrap(("left " + n).getBytes()))).get();
                    table.get(key).get();
                }
            }
        }
    }

    static void bytes() throws Exception {
        try (ByteStreamClientFactory factory = ByteStreamClientFactory.withScope("shop", CONFIG);
             ByteStreamWriter writer = factory.createByteStreamWriter("bytes")) {
            for (int n = 0; n < 5; n++) {
                writer.write("bytes without heads ".repeat(40).getBytes());
                writer.flush();
            }
            try (ByteStreamReader reader = factory.createByteStreamReader("bytes")) {
                byte[] some = new byte[500];
                for (int n = 0; n < 6; n++) {
                    reader.read(some);
                }
            }
        }
    }
}
