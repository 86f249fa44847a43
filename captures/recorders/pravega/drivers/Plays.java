import io.pravega.client.ByteStreamClientFactory;
import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.SynchronizerClientFactory;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.byteStream.ByteStreamReader;
import io.pravega.client.byteStream.ByteStreamWriter;
import io.pravega.client.segment.impl.Segment;
import io.pravega.client.state.Revision;
import io.pravega.client.state.RevisionedStreamClient;
import io.pravega.client.state.SynchronizerConfig;
import io.pravega.client.stream.EventRead;
import io.pravega.client.stream.EventStreamReader;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.ReaderConfig;
import io.pravega.client.stream.ReaderGroupConfig;
import io.pravega.client.stream.ScalingPolicy;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamConfiguration;
import io.pravega.client.stream.StreamCut;
import io.pravega.client.stream.Transaction;
import io.pravega.client.stream.TransactionalEventStreamWriter;
import io.pravega.client.stream.impl.StreamCutImpl;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import java.net.URI;
import java.util.Collections;
import java.util.Map;

/** What clients of releases 0.5 and 0.13 do alike; prints what was written and read, as JSON. */
public class Plays {
    static final ClientConfig CONFIG =
            ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final String SCOPE = "scope";
    static final String STREAM = "stream";
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static int written;
    static int read;

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(CONFIG)) {
            manager.createScope(SCOPE);
            manager.createStream(SCOPE, STREAM, StreamConfiguration.builder()
                    .scalingPolicy(ScalingPolicy.fixed(1)).build());
            switch (arguments[0]) {
                case "events": events(); remove(manager); break;
                case "transactions": transactions(); break;
                case "bytes": bytes(); break;
                case "revisions": revisions(); break;
                default: throw new IllegalArgumentException(arguments[0]);
            }
        }
        System.out.println("{\"written\": " + written + ", \"read\": " + read + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Events in bursts, of several sizes, read up to the tail and beyond. */
    static void events() throws Exception {
        try (EventStreamClientFactory factory = EventStreamClientFactory.withScope(SCOPE, CONFIG);
             EventStreamWriter<String> writer = factory.createEventWriter(
                     STREAM, TEXT, EventWriterConfig.builder().build())) {
            for (int n = 0; n < 5; n++) {
                write(writer, "one by one " + n).get();
            }
            for (int n = 0; n < 40; n++) {
                write(writer, "burst " + n);
            }
            writer.flush();
            write(writer, repeated("large ", 2000));
            write(writer, "");
            writer.flush();
            try (ReaderGroupManager groups = ReaderGroupManager.withScope(SCOPE, CONFIG)) {
                groups.createReaderGroup("group", ReaderGroupConfig.builder()
                        .stream(Stream.of(SCOPE, STREAM)).build());
            }
            try (EventStreamReader<String> reader = factory.createReader(
                    "reader", "group", TEXT, ReaderConfig.builder().build())) {
                readAll(reader);
                write(writer, "behind the tail");
                writer.flush();
                readAll(reader);
            }
        }
    }

    /** The stream is truncated, sealed and deleted. */
    static void remove(StreamManager manager) {
        Segment segment = new Segment(SCOPE, STREAM, 0);
        StreamCut cut = new StreamCutImpl(
                Stream.of(SCOPE, STREAM), Collections.singletonMap(segment, 36L));
        manager.truncateStream(SCOPE, STREAM, cut);
        manager.sealStream(SCOPE, STREAM);
        manager.deleteStream(SCOPE, STREAM);
    }

    /** One transaction is committed, one aborted, one is empty. */
    static void transactions() throws Exception {
        try (EventStreamClientFactory factory = EventStreamClientFactory.withScope(SCOPE, CONFIG);
             TransactionalEventStreamWriter<String> writer =
                     factory.createTransactionalEventWriter(STREAM, TEXT,
                             EventWriterConfig.builder().transactionTimeoutTime(10000).build())) {
            Transaction<String> kept = writer.beginTxn();
            for (int n = 0; n < 5; n++) {
                kept.writeEvent("key", "kept " + n);
                written++;
            }
            kept.flush();
            kept.commit();
            Transaction<String> dropped = writer.beginTxn();
            dropped.writeEvent("key", "dropped");
            written++;
            dropped.abort();
            Transaction<String> empty = writer.beginTxn();
            empty.commit();
            while (kept.checkStatus() != Transaction.Status.COMMITTED
                    || empty.checkStatus() != Transaction.Status.COMMITTED
                    || dropped.checkStatus() != Transaction.Status.ABORTED) {
                Thread.sleep(500);
            }
        }
    }

    /** A byte stream is written, read, and sealed. */
    static void bytes() throws Exception {
        byte[] some = repeated("bytes without heads ", 200).getBytes("UTF-8");
        try (ByteStreamClientFactory factory = ByteStreamClientFactory.withScope(SCOPE, CONFIG)) {
            try (ByteStreamWriter writer = factory.createByteStreamWriter(STREAM)) {
                for (int n = 0; n < 4; n++) {
                    writer.write(some);
                    writer.flush();
                }
                writer.closeAndSeal();
            }
            written = 4 * some.length;
            try (ByteStreamReader reader = factory.createByteStreamReader(STREAM)) {
                byte[] buffer = new byte[4096];
                int count;
                while ((count = reader.read(buffer)) > 0) {
                    read += count;
                }
            }
        }
    }

    /** Conditional writes, one that fails, and the mark of a revisioned stream. */
    static void revisions() throws Exception {
        try (SynchronizerClientFactory factory =
                     SynchronizerClientFactory.withScope(SCOPE, CONFIG);
             RevisionedStreamClient<String> client = factory.createRevisionedStreamClient(
                     STREAM, TEXT, SynchronizerConfig.builder().build())) {
            Revision first = client.fetchLatestRevision();
            Revision second = client.writeConditionally(first, "one");
            Revision none = client.writeConditionally(first, "too late");
            client.writeConditionally(second, "two");
            client.writeUnconditionally("three");
            written = none == null ? 3 : 4;
            client.compareAndSetMark(null, second);
            client.getMark();
            java.util.Iterator<Map.Entry<Revision, String>> all = client.readFrom(first);
            while (all.hasNext()) {
                all.next();
                read++;
            }
            client.truncateToRevision(second);
        }
    }

    static java.util.concurrent.CompletableFuture<Void> write(
            EventStreamWriter<String> writer, String event) {
        written++;
        return writer.writeEvent("key", event);
    }

    /** Reads until nothing comes for two seconds. */
    static void readAll(EventStreamReader<String> reader) {
        EventRead<String> event = reader.readNextEvent(2000);
        while (event.getEvent() != null) {
            read++;
            event = reader.readNextEvent(2000);
        }
    }

    static String repeated(String word, int count) {
        return String.join("", Collections.nCopies(count, word));
    }
}
