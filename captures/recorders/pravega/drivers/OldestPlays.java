import io.pravega.client.ClientConfig;
import io.pravega.client.ClientFactory;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.stream.EventRead;
import io.pravega.client.stream.EventStreamReader;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.ReaderConfig;
import io.pravega.client.stream.ReaderGroupConfig;
import io.pravega.client.stream.ScalingPolicy;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamConfiguration;
import io.pravega.client.stream.Transaction;
import io.pravega.client.stream.impl.ByteBufferSerializer;
import io.pravega.client.stream.impl.JavaSerializer;
import java.net.URI;
import java.nio.ByteBuffer;

/** What a client of release 0.4 does; prints what was written and read, as JSON. */
public class OldestPlays {
    static final String SCOPE = "scope";
    static final String STREAM = "stream";

    public static void main(String[] arguments) throws Exception {
        ClientConfig config = ClientConfig.builder()
                .controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
        JavaSerializer<String> text = new JavaSerializer<>();
        int read = 0;
        if (arguments[0].equals("mebibyte")) {
            mebibyte(config);
        }
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope(SCOPE);
            manager.createStream(SCOPE, STREAM, StreamConfiguration.builder()
                    .scope(SCOPE).streamName(STREAM)
                    .scalingPolicy(ScalingPolicy.fixed(1)).build());
            try (ClientFactory factory = ClientFactory.withScope(SCOPE, config);
                 EventStreamWriter<String> writer = factory.createEventWriter(
                         STREAM, text, EventWriterConfig.builder().build())) {
                for (int n = 0; n < 20; n++) {
                    writer.writeEvent("key", "event " + n);
                }
                writer.flush();
                Transaction<String> transaction = writer.beginTxn();
                transaction.writeEvent("key", "in a transaction");
                transaction.commit();
                while (transaction.checkStatus() != Transaction.Status.COMMITTED) {
                    Thread.sleep(500);
                }
                try (ReaderGroupManager groups = ReaderGroupManager.withScope(SCOPE, config)) {
                    groups.createReaderGroup("group", ReaderGroupConfig.builder()
                            .stream(Stream.of(SCOPE, STREAM)).build());
                }
                try (EventStreamReader<String> reader = factory.createReader(
                        "reader", "group", text, ReaderConfig.builder().build())) {
                    EventRead<String> event = reader.readNextEvent(3000);
                    while (event.getEvent() != null) {
                        read++;
                        event = reader.readNextEvent(3000);
                    }
                }
            }
            manager.sealStream(SCOPE, STREAM);
            manager.deleteStream(SCOPE, STREAM);
        }
        end("{\"written\": 21, \"read\": " + read + "}");
    }

    /** An event of 1 MiB without the 8 bytes of its head, and one of 1 MiB, which is refused. */
    static void mebibyte(ClientConfig config) throws Exception {
        int refused = 0;
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope(SCOPE);
            manager.createStream(SCOPE, STREAM, StreamConfiguration.builder()
                    .scope(SCOPE).streamName(STREAM)
                    .scalingPolicy(ScalingPolicy.fixed(1)).build());
            try (ClientFactory factory = ClientFactory.withScope(SCOPE, config);
                 EventStreamWriter<ByteBuffer> writer = factory.createEventWriter(
                         STREAM, new ByteBufferSerializer(), EventWriterConfig.builder().build())) {
                writer.writeEvent("key", ByteBuffer.allocate((1 << 20) - 8)).get();
                try {
                    writer.writeEvent("key", ByteBuffer.allocate(1 << 20)).get();
                } catch (IllegalArgumentException expected) {
                    refused++;
                }
            }
        }
        end("{\"written\": 1, \"refused\": " + refused + "}");
    }

    /** Prints what was counted and ends at once: threads linger. */
    static void end(String counted) {
        System.out.println(counted);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
