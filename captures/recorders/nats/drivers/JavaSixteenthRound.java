// What nats.java is made to do in the sixteenth round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;

public class JavaSixteenthRound {
    static final TreeMap<String, Integer> counted = new TreeMap<>();

    static synchronized void count(String what) { counted.merge(what, 1, Integer::sum); }
    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }
    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).maxReconnects(-1).reconnectWait(Duration.ofMillis(300)).pingInterval(Duration.ofSeconds(3)).build());
    }

    /** Bridges tell their state when they are started and what they have stored; from its 14th message on the handler of bridge-1 waits for ever. */
    static void bridges() throws Exception {
        Connection manager = connect("manager"), other = connect("screen");
        Connection[] bridges = {connect("bridge-0"), connect("bridge-1")};
        CountDownLatch never = new CountDownLatch(1);
        for (int b = 0; b < 2; b++) {
            Connection bridge = bridges[b];
            int number = b;
            int[] handled = {0};
            bridge.createDispatcher(m -> {
                if (number == 1 && ++handled[0] > 13) never.await();
                count("handled_" + number);
                String subject = m.getSubject();
                if (subject.endsWith(".start")) bridge.publish("family.bridge." + number + ".state", bytes("{\"bridge\": " + number + ", \"state\": \"up\"}"));
                else bridge.publish("family.bridge." + number + ".stored", m.getData());
            }).subscribe("node." + b + ".>");
        }
        other.createDispatcher(m -> count("shown")).subscribe("family.>");
        Thread.sleep(300);
        for (int n = 0; n < 50; n++) {
            for (int b = 0; b < 2; b++) manager.publish("node." + b + (n % 4 == 0 ? ".start" : ".data"), bytes("{\"n\": " + n + "}"));
            count("rounds");
            Thread.sleep(300);
        }
        Thread.sleep(300);
        for (Connection each : List.of(manager, bridges[0], other)) each.close();
    }

    /** A clinic: a queue of samples with ids, two laboratories that consume, one of which is closed in order half way; results on request, a watched bucket. */
    static void clinic() throws Exception {
        Connection ward = connect("ward"), desk = connect("desk");
        ward.jetStreamManagement().addStream(StreamConfiguration.builder().name("SAMPLES").subjects("samples.>").storageType(StorageType.File).retentionPolicy(RetentionPolicy.WorkQueue).build());
        ward.jetStreamManagement().addOrUpdateConsumer("SAMPLES", ConsumerConfiguration.builder().durable("laboratory").ackPolicy(AckPolicy.Explicit).ackWait(Duration.ofSeconds(6)).maxDeliver(5).build());
        ward.keyValueManagement().create(KeyValueConfiguration.builder().name("results").maxHistoryPerKey(2).storageType(StorageType.File).build());
        KeyValue results = ward.keyValue("results");
        Connection[] labs = {connect("laboratory-0"), connect("laboratory-1")};
        MessageConsumer[] consumers = new MessageConsumer[2];
        for (int n = 0; n < 2; n++) {
            int number = n;
            KeyValue own = labs[n].keyValue("results");
            consumers[n] = labs[n].getStreamContext("SAMPLES").getConsumerContext("laboratory").consume(ConsumeOptions.builder().batchSize(8).expiresIn(3000).build(), m -> {
                String sample = new String(m.getData(), StandardCharsets.UTF_8);
                int id = Integer.parseInt(sample.split(" ")[1]);
                if (id % 9 == 4) { m.inProgress(); Thread.sleep(700); }
                Thread.sleep(40 + 25 * number);
                try { own.put("patient-" + id % 6, bytes("sample " + id + ": " + (4 + id % 3) + " mmol/l")); } catch (Exception x) { count("not_put"); }
                m.ack();
                count("examined");
            });
        }
        desk.createDispatcher(m -> {
            try { KeyValueEntry entry = desk.keyValue("results").get(new String(m.getData(), StandardCharsets.UTF_8)); desk.publish(m.getReplyTo(), entry == null ? bytes("none yet") : entry.getValue()); count("told"); } catch (Exception x) { desk.publish(m.getReplyTo(), bytes("later")); }
        }).subscribe("result.of", "desks");
        io.nats.client.impl.NatsKeyValueWatchSubscription watch = desk.keyValue("results").watchAll(new KeyValueWatcher() {
            public void watch(KeyValueEntry entry) { count("watched"); }
            public void endOfData() { }
        });
        JetStream js = ward.jetStream();
        for (int n = 0; n < 56; n++) {
            for (;;) {
                try { js.publish("samples.blood", bytes("sample " + n + " of ward 3"), PublishOptions.builder().messageId("sample-" + n).streamTimeout(Duration.ofSeconds(2)).build()); count("taken"); break; } catch (Exception x) { count("again"); Thread.sleep(400); }
            }
            if (n % 6 == 5) { Message m = ward.request("result.of", bytes("patient-" + n % 6), Duration.ofSeconds(2)); count(m == null ? "no_result" : "asked"); }
            if (n == 28) { consumers[1].stop(); Thread.sleep(1200); labs[1].drain(Duration.ofSeconds(2)).get(3, TimeUnit.SECONDS); }
            Thread.sleep(130);
        }
        Thread.sleep(3500);
        consumers[0].stop();
        Thread.sleep(500);
        watch.unsubscribe();
        for (Connection each : List.of(labs[0], desk, ward)) each.drain(Duration.ofSeconds(2)).get(3, TimeUnit.SECONDS);
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("clinic_day")) clinic(); else bridges();
        StringBuilder text = new StringBuilder();
        counted.forEach((k, v) -> text.append(text.length() == 0 ? "{" : ", ").append('"').append(k).append("\": ").append(v));
        System.out.println(text + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
