import io.pravega.client.ClientConfig;
import io.pravega.client.EventStreamClientFactory;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.control.impl.ControllerImpl;
import io.pravega.client.control.impl.ControllerImplConfig;
import io.pravega.client.stream.EventWriterConfig;
import io.pravega.client.stream.ScalingPolicy;
import io.pravega.client.stream.Stream;
import io.pravega.client.stream.StreamConfiguration;
import io.pravega.client.stream.Transaction;
import io.pravega.client.stream.TransactionalEventStreamWriter;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import java.net.URI;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A transaction that is left alone, kept alive, or pinged after its end: `Transactions PLAY`. */
public class Transactions {
    static final ClientConfig CONFIG =
            ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();

    public static void main(String[] arguments) throws Exception {
        int pings = 0;
        try (StreamManager manager = StreamManager.create(CONFIG);
             EventStreamClientFactory factory = EventStreamClientFactory.withScope("scope", CONFIG)) {
            manager.createScope("scope");
            manager.createStream("scope", "stream", StreamConfiguration.builder()
                    .scalingPolicy(ScalingPolicy.fixed(1)).build());
            TransactionalEventStreamWriter<String> writer = factory.createTransactionalEventWriter(
                    "stream", new UTF8StringSerializer(),
                    EventWriterConfig.builder().transactionTimeoutTime(10000).build());
            Transaction<String> one = writer.beginTxn();
            for (int n = 0; n < 3; n++) {
                one.writeEvent("key", "order " + n);
            }
            one.flush();
            switch (arguments[0]) {
                case "abandoned":
                    break;
                case "pinged":
                    Thread.sleep(25_000);
                    one.commit();
                    waitFor(one);
                    writer.close();
                    break;
                default:
                    one.commit();
                    waitFor(one);
                    writer.close();
                    ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);
                    ControllerImpl controller = new ControllerImpl(
                            ControllerImplConfig.builder().clientConfig(CONFIG).build(), executor);
                    for (; pings < 12; pings++) {
                        try {
                            controller.pingTransaction(
                                    Stream.of("scope", "stream"), one.getTxnId(), 10_000).get();
                        } catch (java.util.concurrent.ExecutionException expected) {
                            System.err.println(expected);
                        }
                        Thread.sleep(400);
                    }
            }
            System.out.println("{\"written\": 3, \"pings_after_the_end\": " + pings + "}");
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    static void waitFor(Transaction<String> one) throws Exception {
        while (one.checkStatus() != Transaction.Status.COMMITTED) {
            Thread.sleep(300);
        }
    }
}
