import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.stream.EventStreamWriter;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.ScalingPolicy;
import io.pravega.client.stream.StreamConfiguration;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import java.net.URI;

/** A writer is made and closed for each event. */
public class WriterPerEvent {
    public static void main(String[] arguments) throws Exception {
        ClientConfig config = ClientConfig.builder()
                .controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
        try (StreamManager manager = StreamManager.create(config);
             EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", config)) {
            manager.createScope("scope");
            manager.createStream("scope", "stream", StreamConfiguration.builder()
                    .scalingPolicy(ScalingPolicy.fixed(1)).build());
            for (int n = 0; n < 20; n++) {
                try (EventStreamWriter<String> writer = factory.createEventWriter(
                        "stream", new UTF8StringSerializer(), EventWriterConfig.builder().build())) {
                    writer.writeEvent("key", "event " + n).get();
                }
            }
        }
        System.out.println("{\"written\": 20, \"writers\": 20}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
