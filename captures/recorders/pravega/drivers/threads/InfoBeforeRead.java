import io.pravega.client.ClientConfig;
import io.pravega.client.SynchronizerClientFactory;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.state.Revision;
import io.pravega.client.state.RevisionedStreamClient;
import io.pravega.client.state.SynchronizerConfig;
import io.pravega.client.stream.ScalingPolicy;
import io.pravega.client.stream.StreamConfiguration;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import java.net.URI;
import java.util.Iterator;
import java.util.Map;

/** Looks for updates of a revisioned stream without a pause. */
public class InfoBeforeRead {
    public static void main(String[] arguments) throws Exception {
        ClientConfig config = ClientConfig.builder()
                .controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
        int read = 0;
        try (StreamManager manager = StreamManager.create(config);
             SynchronizerClientFactory factory = SynchronizerClientFactory.withScope("scope", config)) {
            manager.createScope("scope");
            manager.createStream("scope", "state", StreamConfiguration.builder()
                    .scalingPolicy(ScalingPolicy.fixed(1)).build());
            RevisionedStreamClient<String> client = factory.createRevisionedStreamClient(
                    "state", new UTF8StringSerializer(), SynchronizerConfig.builder().build());
            Revision seen = client.fetchLatestRevision();
            for (int n = 0; n < 60; n++) {
                if (n % 20 == 10) {
                    client.writeUnconditionally("update " + n);
                }
                Iterator<Map.Entry<Revision, String>> news = client.readFrom(seen);
                while (news.hasNext()) {
                    seen = news.next().getKey();
                    read++;
                }
            }
            client.close();
        }
        System.out.println("{\"polled\": 60, \"written\": 3, \"read\": " + read + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
