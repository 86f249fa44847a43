// What nats.java is made to do in the fourth round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import io.nats.client.impl.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;

public class JavaFourthRound {
    static int counted = 0;

    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).build());
    }

    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }

    static void stream(Connection nc, String name, String subject) throws Exception {
        nc.jetStreamManagement().addStream(StreamConfiguration.builder().name(name).subjects(subject).storageType(StorageType.Memory).build());
    }

    static void subscribesForEachFetch() throws Exception {
        try (Connection shop = connect("shop"); Connection nc = connect("mailer")) {
            stream(shop, "mails", "mails.*");
            for (int n = 0; n < 30; n++) shop.jetStream().publish("mails.new", bytes("mail " + n));
            nc.jetStreamManagement().addOrUpdateConsumer("mails", ConsumerConfiguration.builder().durable("mailer").build());
            JetStream js = nc.jetStream();
            while (counted < 30) { // each turn of the scheduler
                JetStreamSubscription sub = js.subscribe(null, PullSubscribeOptions.bind("mails", "mailer"));
                for (Message m : sub.fetch(1, Duration.ofSeconds(1))) { m.ack(); counted++; }
                sub.unsubscribe();
                Thread.sleep(40);
            }
        }
    }

    static void connectionPerChannel() throws Exception {
        try (Connection setup = connect("installer")) { stream(setup, "orders", "orders.*"); }
        List<Connection> left = new ArrayList<>();
        for (int restart = 0; restart < 6; restart++) { // the channels are started again, e.g. after a failure
            Connection out = connect("orders-app"), in = connect("orders-app");
            left.add(out); left.add(in);
            Subscription sub = in.subscribe("prices." + restart);
            for (int n = 0; n < 5; n++) { out.jetStream().publish("orders.new", bytes("order " + restart + "-" + n)); Thread.sleep(100); }
            sub.unsubscribe();
            Thread.sleep(400);
        }
        Thread.sleep(3000);
        counted = left.size();
        for (Connection one : left) one.close();
    }

    static void manyParts() throws Exception {
        try (Connection nc = connect("orders-app"); Connection other = connect("warehouse")) {
            stream(nc, "orders", "orders.>");
            JetStream js = nc.jetStream();
            Dispatcher d = other.createDispatcher(m -> other.publish(m.getReplyTo(), bytes("in stock")));
            d.subscribe("stock.get", "warehouse");
            KeyValueManagement kvm = nc.keyValueManagement();
            kvm.create(KeyValueConfiguration.builder().name("settings").maxHistoryPerKey(3).storageType(StorageType.Memory).build());
            KeyValue kv = nc.keyValue("settings");
            NatsKeyValueWatchSubscription watch = other.keyValue("settings").watchAll(new io.nats.client.api.KeyValueWatcher() {
                public void watch(KeyValueEntry e) { }
                public void endOfData() { }
            });
            List<CompletableFuture<PublishAck>> acks = new ArrayList<>();
            for (int n = 0; n < 60; n++) acks.add(js.publishAsync("orders.new", bytes("order " + n), PublishOptions.builder().messageId("o" + n).build()));
            for (CompletableFuture<PublishAck> a : acks) a.get(3, TimeUnit.SECONDS);
            other.jetStreamManagement().addOrUpdateConsumer("orders", ConsumerConfiguration.builder().durable("warehouse").ackWait(Duration.ofSeconds(5)).build());
            CountDownLatch all = new CountDownLatch(80);
            MessageConsumer consumer = other.getStreamContext("orders").getConsumerContext("warehouse").consume(m -> { m.ack(); all.countDown(); });
            for (int n = 0; n < 20; n++) {
                nc.request("stock.get", bytes("item " + n), Duration.ofSeconds(2));
                kv.put("item." + n % 4, bytes("price " + n));
                if (n % 5 == 0) kv.delete("item.3");
                js.publish("orders.late", bytes("late order " + n));
                Thread.sleep(60);
            }
            all.await(5, TimeUnit.SECONDS);
            consumer.stop();
            Thread.sleep(300);
            watch.unsubscribe();
            OrderedConsumerContext ordered = nc.getStreamContext("orders").createOrderedConsumer(new OrderedConsumerConfiguration().filterSubject("orders.late"));
            try (FetchConsumer f = ordered.fetchMessages(20)) { while (counted < 20 && f.nextMessage() != null) counted++; }
            other.drain(Duration.ofSeconds(2)).get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "subscribes_for_each_fetch": subscribesForEachFetch(); break;
            case "connections_left_at_restart": connectionPerChannel(); break;
            default: manyParts();
        }
        System.out.println("{\"counted\": " + counted + "}");
        System.exit(0);
    }
}
