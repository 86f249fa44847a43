// What nats.java is made to do in the eleventh round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;

public class JavaEleventhRound {
    static final AtomicInteger published = new AtomicInteger(), failed = new AtomicInteger(), handled = new AtomicInteger(), empty = new AtomicInteger(), pulls = new AtomicInteger();

    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).maxReconnects(-1).reconnectWait(Duration.ofMillis(400)).errorListener(new ErrorListener() {}).build());
    }
    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }

    /** A clerk asks for ten orders, and for more when it has got ten; or for as many as come within two seconds. */
    static void orders(boolean expires) throws Exception {
        try (Connection shop = connect("shop"); Connection clerk = connect("clerk")) {
            shop.jetStreamManagement().addStream(StreamConfiguration.builder().name("orders").subjects("orders.>").storageType(StorageType.File).build());
            JetStreamSubscription sub = clerk.jetStream().subscribe("orders.>", PullSubscribeOptions.builder().durable("clerk").build());
            long end = System.currentTimeMillis() + 26000;
            Thread feeds = new Thread(() -> {
                while (System.currentTimeMillis() < end - 2500) {
                    try { shop.jetStream().publish("orders.desk" + published.get() % 3, bytes("order " + published.get() + " of three shelves")); published.incrementAndGet(); }
                    catch (Exception e) { failed.incrementAndGet(); }
                    try { Thread.sleep(230); } catch (InterruptedException e) { return; }
                }
            });
            feeds.start();
            int open = 0;
            while (System.currentTimeMillis() < end) {
                if (expires) {
                    pulls.incrementAndGet();
                    for (Message m : sub.fetch(10, Duration.ofSeconds(2))) { m.ack(); handled.incrementAndGet(); }
                    continue;
                }
                if (open == 0) { sub.pull(10); pulls.incrementAndGet(); open = 10; }
                Message m = sub.nextMessage(Duration.ofMillis(800));
                if (m != null && m.isJetStream()) { open--; m.ack(); handled.incrementAndGet(); }
            }
            feeds.join();
        }
    }

    /** Two workers ask for one job each, for ten milliseconds each time or for one second. */
    static void jobs(int milliseconds) throws Exception {
        Connection boss = connect("boss");
        boss.jetStreamManagement().addStream(StreamConfiguration.builder().name("jobs").subjects("jobs.*").storageType(StorageType.Memory).build());
        boss.jetStreamManagement().addOrUpdateConsumer("jobs", ConsumerConfiguration.builder().durable("crew").ackWait(Duration.ofSeconds(2)).build());
        long end = System.currentTimeMillis() + 3200;
        List<Thread> crew = new ArrayList<>();
        for (int w = 0; w < 2; w++) {
            int which = w;
            Thread t = new Thread(() -> {
                try (Connection nc = connect("worker-" + which)) {
                    JetStreamSubscription sub = nc.jetStream().subscribe(null, PullSubscribeOptions.bind("jobs", "crew"));
                    while (System.currentTimeMillis() < end) {
                        sub.pullExpiresIn(1, milliseconds);
                        pulls.incrementAndGet();
                        Message m = sub.nextMessage(Duration.ofMillis(2 * milliseconds));
                        if (m == null) { empty.incrementAndGet(); continue; }
                        Thread.sleep(25);
                        m.ack();
                        handled.incrementAndGet();
                    }
                } catch (Exception e) { e.printStackTrace(); }
            });
            t.start();
            crew.add(t);
        }
        for (int n = 0; n < 5; n++) { boss.jetStream().publish("jobs.cut", bytes("job " + n)); published.incrementAndGet(); Thread.sleep(550); }
        for (Thread t : crew) t.join();
        boss.close();
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "pull_lost_at_a_restart" -> orders(false);
            case "fetches_over_a_restart" -> orders(true);
            case "pulls_of_ten_milliseconds" -> jobs(10);
            default -> jobs(1000);
        }
        System.out.println("{\"published\": " + published + ", \"failed\": " + failed + ", \"handled\": " + handled + ", \"pulls\": " + pulls + ", \"empty\": " + empty + "}");
        System.exit(0);
    }
}
