// What nats.java is made to do in the ninth round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;

public class JavaNinthRound {
    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).build());
    }
    static final TreeMap<String, Long> counted = new TreeMap<>();
    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }

    static Thread feeds(Connection nc, String subject, int number, long pause) {
        Thread t = new Thread(() -> {
            try { for (int n = 0; n < number; n++) { nc.jetStream().publish(subject, (subject + " " + n).getBytes(StandardCharsets.UTF_8)); count("published", 1); Thread.sleep(pause); } } catch (Exception e) { e.printStackTrace(); }
        });
        t.start();
        return t;
    }

    /** Works on a batch for longer than its consumer may be inactive. */
    static void slow(long threshold) throws Exception {
        try (Connection shop = connect("bank"); Connection nc = connect("reports")) {
            shop.jetStreamManagement().addStream(StreamConfiguration.builder().name("bookings").subjects("bookings.*").storageType(StorageType.Memory).build());
            Thread feeding = feeds(shop, "bookings.new", 50, 120);
            JetStreamSubscription sub = nc.jetStream().subscribe("bookings.*", PullSubscribeOptions.builder().stream("bookings")
                .configuration(ConsumerConfiguration.builder().ackWait(Duration.ofSeconds(10)).inactiveThreshold(threshold).build()).build());
            long start = System.currentTimeMillis();
            while (System.currentTimeMillis() < start + 9500) {
                sub.pull(3);
                Message m;
                boolean any = false;
                while ((m = sub.nextMessage(Duration.ofMillis(500))) != null) { if (m.isJetStream()) { m.ack(); any = true; count("reported", 1); } if (counted.getOrDefault("reported", 0L) % 3 == 0 && any) break; }
                if (!any) { count("empty", 1); Thread.sleep(400); }
                if (any && System.currentTimeMillis() > start + 2500 && System.currentTimeMillis() < start + 5000) Thread.sleep(2600);
            }
            feeding.join();
        }
    }

    /** Goes back to a sequence with a consumer that there is: by the same name, or after it is deleted. */
    static void rewinds(boolean deletes) throws Exception {
        try (Connection shop = connect("till"); Connection nc = connect("accounting")) {
            JetStreamManagement jsm = shop.jetStreamManagement();
            jsm.addStream(StreamConfiguration.builder().name("sales").subjects("sales.*").storageType(StorageType.Memory).build());
            ConsumerConfiguration first = ConsumerConfiguration.builder().durable("accounting").ackWait(Duration.ofSeconds(5)).build();
            jsm.addOrUpdateConsumer("sales", first);
            Thread feeding = feeds(shop, "sales.new", 55, 150);
            JetStreamManagement own = nc.jetStreamManagement();
            ConsumerConfiguration again = ConsumerConfiguration.builder().durable("accounting").ackWait(Duration.ofSeconds(5)).deliverPolicy(DeliverPolicy.ByStartSequence).startSequence(1).build();
            boolean moved = false;
            long start = System.currentTimeMillis();
            JetStreamSubscription sub = nc.jetStream().subscribe(null, PullSubscribeOptions.bind("sales", "accounting"));
            for (int turn = 0; System.currentTimeMillis() < start + 9000; turn++) {
                for (Message m : sub.fetch(4, Duration.ofMillis(500))) { m.ack(); count("booked", 1); }
                if (turn >= 6 && !moved) {
                    if (deletes) { own.deleteConsumer("sales", "accounting"); }
                    try { own.addOrUpdateConsumer("sales", again); moved = true; sub = nc.jetStream().subscribe(null, PullSubscribeOptions.bind("sales", "accounting")); }
                    catch (JetStreamApiException e) { count("refused", 1); }
                }
            }
            feeding.join();
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "inactive_while_it_works": slow(1000); break;
            case "active_while_it_works": slow(20000); break;
            case "rewound_by_an_update": rewinds(false); break;
            case "rewound_by_a_new_one": rewinds(true); break;
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.exit(0);
    }
}
