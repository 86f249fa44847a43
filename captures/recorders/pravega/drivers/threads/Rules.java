// What the Java client is made to do while a store hangs; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import java.net.URI;
import java.util.concurrent.*;

public class Rules {
    static final ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static int written, unacknowledged, read;

    /** Writes orders, one each 100 ms, until one is not stored in eight seconds; then it ends. */
    static void appends(StreamManager manager) throws Exception {
        manager.createStream("shop", "orders", StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(1)).build());
        EventStreamClientFactory f = EventStreamClientFactory.withScope("shop", config);
        EventStreamWriter<String> w = f.createEventWriter("orders", TEXT, EventWriterConfig.builder().build());
        System.err.println("ready");
        for (int n = 0; n < 60; n++) {
            try { w.writeEvent("order", "order " + n).get(8, TimeUnit.SECONDS); written++; }
            catch (TimeoutException e) { unacknowledged++; return; }
            Thread.sleep(100);
        }
    }

    /** Reads a backlog slowly, until nothing comes for eight seconds. */
    static void reads(StreamManager manager) throws Exception {
        manager.createStream("shop", "orders", StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(1)).build());
        EventStreamClientFactory f = EventStreamClientFactory.withScope("shop", config);
        EventStreamWriter<String> w = f.createEventWriter("orders", TEXT, EventWriterConfig.builder().build());
        for (int n = 0; n < 300; n++) w.writeEvent("order", "order " + n + "-".repeat(20000));
        w.flush();
        ReaderGroupManager groups = ReaderGroupManager.withScope("shop", config);
        groups.createReaderGroup("desk", ReaderGroupConfig.builder().stream("shop/orders").disableAutomaticCheckpoints().build());
        EventStreamReader<String> r = f.createReader("reader-1", "desk", TEXT, ReaderConfig.builder().build());
        System.err.println("ready");
        for (int empty = 0; empty < 5;) {
            EventRead<String> e = r.readNextEvent(2000);
            if (e.getEvent() != null) { read++; empty = 0; Thread.sleep(20); } else empty++;
        }
    }

    public static void main(String[] a) throws Exception {
        StreamManager manager = StreamManager.create(config);
        manager.createScope("shop");
        if (a[0].startsWith("appends")) appends(manager); else reads(manager);
        System.out.println("{\"written\": " + written + ", \"unacknowledged\": " + unacknowledged + ", \"read\": " + read + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
