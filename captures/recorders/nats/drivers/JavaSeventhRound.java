// What nats.java is made to do in the seventh round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class JavaSeventhRound {
    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).build());
    }
    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }
    static final TreeMap<String, Long> counted = new TreeMap<>();
    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }

    /** Publishes so many messages while the play goes on. */
    static Thread feeds(Connection nc, String subject, String what, int number, long pause) {
        Thread t = new Thread(() -> {
            try { for (int n = 0; n < number; n++) { nc.jetStream().publish(subject, bytes(what + " " + n)); count("published", 1); Thread.sleep(pause); } } catch (Exception e) { e.printStackTrace(); }
        });
        t.start();
        return t;
    }

    /** A route subscribes a pull consumer, and pulls or does not. */
    static void route(boolean pulls) throws Exception {
        try (Connection shop = connect("shop"); Connection camel = connect("camel-route")) {
            shop.jetStreamManagement().addStream(StreamConfiguration.builder().name("orders").subjects("orders.*").storageType(StorageType.Memory).build());
            Thread feeding = feeds(shop, "orders.new", "order", 40, 150);
            JetStreamSubscription sub = camel.jetStream().subscribe("orders.*", PullSubscribeOptions.builder().durable("route").build());
            long end = System.currentTimeMillis() + 7000;
            while (System.currentTimeMillis() < end) {
                if (pulls) for (Message m : sub.fetch(10, Duration.ofMillis(400))) { m.ack(); count("routed", 1); }
                else { Message m = sub.nextMessage(Duration.ofMillis(400)); if (m != null && m.isJetStream()) { m.ack(); count("routed", 1); } }
            }
            feeding.join();
        }
    }

    /** Two workers do work that takes longer than the ack wait of 1.5 s, and say that they are at it. */
    static void progress(long every) throws Exception {
        try (Connection shop = connect("studio")) {
            JetStreamManagement jsm = shop.jetStreamManagement();
            jsm.addStream(StreamConfiguration.builder().name("videos").subjects("videos.*").storageType(StorageType.Memory).build());
            jsm.addOrUpdateConsumer("videos", ConsumerConfiguration.builder().durable("encoder").filterSubject("videos.*").ackWait(1500).maxDeliver(6).build());
            Thread feeding = feeds(shop, "videos.raw", "video", 5, 600);
            Set<Long> different = ConcurrentHashMap.newKeySet();
            long end = System.currentTimeMillis() + 13500;
            Thread[] workers = new Thread[2];
            for (int w = 0; w < 2; w++) {
                int which = w;
                workers[w] = new Thread(() -> {
                    try (Connection nc = connect("encoder-" + which)) {
                        JetStreamSubscription sub = nc.jetStream().subscribe("videos.*", PullSubscribeOptions.bind("videos", "encoder"));
                        while (System.currentTimeMillis() < end) {
                            for (Message m : sub.fetch(1, Duration.ofMillis(500))) {
                                count("begun", 1); different.add(m.metaData().streamSequence());
                                for (long t = 0; t < 3600; t += every) { Thread.sleep(Math.min(every, 3600 - t)); if (t + every < 3600) m.inProgress(); }
                                m.ack();
                            }
                        }
                    } catch (Exception e) { e.printStackTrace(); }
                });
                workers[w].start();
            }
            for (Thread t : workers) t.join();
            feeding.join();
            count("different", different.size());
        }
    }

    /** A source acknowledges all that it has at each of its checkpoints. */
    static void checkpoints(int most) throws Exception {
        try (Connection shop = connect("sensors"); Connection flink = connect("flink-source")) {
            JetStreamManagement jsm = shop.jetStreamManagement();
            jsm.addStream(StreamConfiguration.builder().name("readings").subjects("readings.*").storageType(StorageType.Memory).build());
            jsm.addOrUpdateConsumer("readings", ConsumerConfiguration.builder().durable("job").filterSubject("readings.*").ackPolicy(AckPolicy.All).ackWait(20000).maxAckPending(most).build());
            Thread feeding = feeds(shop, "readings.t", "reading", 170, 40);
            JetStreamSubscription sub = flink.jetStream().subscribe("readings.*", PullSubscribeOptions.bind("readings", "job"));
            long start = System.currentTimeMillis(), last = start;
            Message newest = null;
            while (System.currentTimeMillis() < start + 9300) {
                for (Message m : sub.fetch(10, Duration.ofMillis(300))) { newest = m; count("read", 1); }
                if (System.currentTimeMillis() - last > 2500 && newest != null) { newest.ack(); newest = null; last = System.currentTimeMillis(); count("checkpoints", 1); }
            }
            feeding.join();
        }
    }

    /** Late acknowledgements of a worker that limits its own rate. */
    static void limited(long pause) throws Exception {
        try (Connection shop = connect("gate"); Connection nc = connect("crawler")) {
            JetStreamManagement jsm = shop.jetStreamManagement();
            jsm.addStream(StreamConfiguration.builder().name("pages").subjects("pages.*").storageType(StorageType.Memory).build());
            jsm.addOrUpdateConsumer("pages", ConsumerConfiguration.builder().durable("crawler").filterSubject("pages.*").ackWait(1000).build());
            Thread feeding = feeds(shop, "pages.found", "page", 14, 350);
            JetStreamSubscription sub = nc.jetStream().subscribe("pages.*", PullSubscribeOptions.bind("pages", "crawler"));
            Set<Long> different = new HashSet<>();
            for (long end = System.currentTimeMillis() + 10500; System.currentTimeMillis() < end; ) {
                for (Message m : sub.fetch(1, Duration.ofMillis(400))) { Thread.sleep(pause); m.ack(); count("crawled", 1); different.add(m.metaData().streamSequence()); }
            }
            feeding.join();
            count("different", different.size());
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "never_pulls": route(false); break;
            case "pulls_in_a_loop": route(true); break;
            case "progress_too_late": progress(1900); break;
            case "progress_in_time": progress(500); break;
            case "stalls_between_checkpoints": checkpoints(20); break;
            case "room_between_checkpoints": checkpoints(1000); break;
            case "acks_after_the_ack_wait": limited(1500); break;
            case "acks_within_the_ack_wait": limited(600); break;
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.exit(0);
    }
}
