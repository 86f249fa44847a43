// What nats.java is made to do in the twelfth round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

public class JavaTwelfthRound {
    static final AtomicInteger published = new AtomicInteger(), failed = new AtomicInteger(), handled = new AtomicInteger(), scanned = new AtomicInteger();

    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).maxReconnects(-1).reconnectWait(Duration.ofMillis(300)).errorListener(new ErrorListener() {}).build());
    }
    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }

    /** Tickets are sold and checked while the server restarts; their stream is in memory, or in a file. */
    static void tickets(StorageType storage) throws Exception {
        try (Connection desk = connect("desk"); Connection hall = connect("hall"); Connection gate = connect("gate")) {
            desk.jetStreamManagement().addStream(StreamConfiguration.builder().name("tickets").subjects("tickets.>").storageType(storage).build());
            desk.jetStreamManagement().addOrUpdateConsumer("tickets", ConsumerConfiguration.builder().durable("hall").ackWait(Duration.ofSeconds(5)).build());
            gate.createDispatcher(m -> scanned.incrementAndGet()).subscribe("gate.opened");
            long end = System.currentTimeMillis() + 17000;
            Thread sells = new Thread(() -> {
                while (System.currentTimeMillis() < end - 2000) {
                    try { desk.jetStream().publish("tickets.row" + published.get() % 4, bytes("ticket " + published.get() + ", seat " + published.get() * 7 % 40)); published.incrementAndGet(); }
                    catch (Exception e) { failed.incrementAndGet(); }
                    try { desk.publish("gate.opened", bytes("1")); Thread.sleep(270); } catch (Exception e) { return; }
                }
            });
            sells.start();
            MessageConsumer consumer = hall.getConsumerContext("tickets", "hall").consume(ConsumeOptions.builder().batchSize(12).expiresIn(3000).build(), m -> { m.ack(); handled.incrementAndGet(); });
            sells.join();
            Thread.sleep(Math.max(1, end - System.currentTimeMillis()));
            consumer.stop();
        }
    }

    public static void main(String[] arguments) throws Exception {
        tickets(arguments[0].equals("stream_in_memory_lost_at_a_restart") ? StorageType.Memory : StorageType.File);
        System.out.println("{\"published\": " + published + ", \"failed\": " + failed + ", \"handled\": " + handled + ", \"scanned\": " + scanned + "}");
        System.exit(0);
    }
}
