import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
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
import io.pravega.client.stream.impl.UTF8StringSerializer;
import java.net.URI;

/** Two reader groups read the same stream, each all of it. */
public class TwoGroups {
    public static void main(String[] arguments) throws Exception {
        ClientConfig config = ClientConfig.builder()
                .controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
        UTF8StringSerializer text = new UTF8StringSerializer();
        int read = 0;
        try (StreamManager manager = StreamManager.create(config);
             EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", config)) {
            manager.createScope("scope");
            manager.createStream("scope", "stream", StreamConfiguration.builder()
                    .scalingPolicy(ScalingPolicy.fixed(2)).build());
            EventStreamWriter<String> writer = factory.createEventWriter(
                    "stream", text, EventWriterConfig.builder().build());
            for (int n = 0; n < 30; n++) {
                writer.writeEvent("key " + n % 5, "event " + n);
            }
            writer.flush();
            try (ReaderGroupManager groups = ReaderGroupManager.withScope("scope", config)) {
                for (String group : new String[] {"audit", "export"}) {
                    groups.createReaderGroup(group, ReaderGroupConfig.builder()
                            .stream(Stream.of("scope", "stream")).build());
                    EventStreamReader<String> reader = factory.createReader(
                            "reader", group, text, ReaderConfig.builder().build());
                    for (int quiet = 0; quiet < 2; ) {
                        EventRead<String> event = reader.readNextEvent(1000);
                        if (event.getEvent() == null) {
                            quiet++;
                        } else {
                            read++;
                        }
                    }
                    reader.close();
                }
            }
            writer.close();
        }
        System.out.println("{\"written\": 30, \"read\": " + read + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
