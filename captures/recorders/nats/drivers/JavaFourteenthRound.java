// What nats.java is made to do in the fourteenth round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import io.nats.client.impl.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class JavaFourteenthRound {
    static final AtomicInteger published = new AtomicInteger(), duplicates = new AtomicInteger(), given_up = new AtomicInteger(), settled = new AtomicInteger(), failed = new AtomicInteger(), handled = new AtomicInteger();

    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).maxReconnects(-1).reconnectWait(Duration.ofMillis(300)).errorListener(new ErrorListener() {}).build());
    }
    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }

    /** Orders wait in an outbox until the till says that they are settled; the till is busy with every third one, and forgets it. */
    static void outbox(boolean ownId) throws Exception {
        try (Connection shop = connect("shop"); Connection till = connect("till")) {
            shop.jetStreamManagement().addStream(StreamConfiguration.builder().name("orders").subjects("orders.>").storageType(StorageType.Memory).duplicateWindow(60000).build());
            ConcurrentHashMap<Integer, Boolean> done = new ConcurrentHashMap<>();
            Map<String, Integer> seen = new HashMap<>();
            shop.createDispatcher(m -> { done.put(Integer.parseInt(new String(m.getData())), true); settled.incrementAndGet(); }).subscribe("settled.*");
            till.jetStreamManagement().addOrUpdateConsumer("orders", ConsumerConfiguration.builder().durable("till").ackWait(Duration.ofSeconds(20)).build());
            MessageConsumer consumer = till.getConsumerContext("orders", "till").consume(ConsumeOptions.builder().batchSize(20).expiresIn(4000).build(), m -> {
                handled.incrementAndGet();
                m.ack();
                String number = new String(m.getData(), StandardCharsets.UTF_8).split(" ")[1];
                if (Integer.parseInt(number) % 3 != 0 || seen.merge(number, 1, Integer::sum) > 1) till.publish("settled.shop", bytes(number));
            });
            for (int n = 0; n < 15; n++) {
                for (int attempt = 0; attempt < 4 && !done.containsKey(n); attempt++) {
                    PublishAck ack = shop.jetStream().publish("orders.shop", bytes("order " + n + " of customer " + n % 7 + ", 3 chairs"), PublishOptions.builder().messageId("order-" + n + (ownId ? "/" + attempt : "")).build());
                    published.incrementAndGet();
                    if (ack.isDuplicate()) duplicates.incrementAndGet();
                    Thread.sleep(350);
                }
                if (!done.containsKey(n)) given_up.incrementAndGet();
                Thread.sleep(100);
            }
            consumer.stop();
            Thread.sleep(400);
        }
    }

    /** Photographs of up to 200 kB are stored and looked at, over a restart of the server and an idle phase. */
    static void photographs() throws Exception {
        try (Connection camera = connect("camera"); Connection album = connect("album"); Connection wall = connect("wall")) {
            camera.jetStreamManagement().addStream(StreamConfiguration.builder().name("photos").subjects("photos.>").storageType(StorageType.File).build());
            camera.jetStreamManagement().addOrUpdateConsumer("photos", ConsumerConfiguration.builder().durable("album").ackWait(Duration.ofSeconds(6)).maxAckPending(8).build());
            long end = System.currentTimeMillis() + 17000;
            MessageConsumer consumer = album.getConsumerContext("photos", "album").consume(ConsumeOptions.builder().batchSize(6).expiresIn(4000).build(), m -> {
                try { Thread.sleep(60); } catch (InterruptedException e) { return; }
                handled.incrementAndGet();
                m.ack();
            });
            Dispatcher screens = wall.createDispatcher(m -> {});
            screens.subscribe("wall.shown", "screens");
            byte[] large = new byte[200000];
            Arrays.fill(large, (byte) 'x');
            for (int n = 0; System.currentTimeMillis() < end - 3500; n++) {
                byte[] data = n % 9 == 4 ? large : bytes("photo " + n + " of the garden");
                Headers headers = new Headers().add("Nats-Msg-Id", "photo-" + n).add("Camera", "garden");
                for (int attempt = 0; attempt < 12; attempt++) {
                    try { camera.jetStream().publish(NatsMessage.builder().subject("photos.garden").headers(headers).data(data).build()); published.incrementAndGet(); break; }
                    catch (Exception e) { failed.incrementAndGet(); Thread.sleep(600); }
                }
                if (n % 4 == 0) camera.publish("wall.shown", bytes("photo " + n));
                Thread.sleep(n == 12 ? 2600 : 230);
            }
            Thread.sleep(Math.max(1, end - System.currentTimeMillis()));
            consumer.stop();
            while (!consumer.isFinished() && System.currentTimeMillis() < end + 5000) Thread.sleep(100);
            album.drain(Duration.ofSeconds(3)).get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "sent_again_under_a_stored_id" -> outbox(false);
            case "sent_again_under_its_own_id" -> outbox(true);
            default -> photographs();
        }
        System.out.println("{\"published\": " + published + ", \"duplicates\": " + duplicates + ", \"given_up\": " + given_up + ", \"settled\": " + settled + ", \"failed\": " + failed + ", \"handled\": " + handled + "}");
        System.exit(0);
    }
}
