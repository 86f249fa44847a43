// What nats.java is made to do in the seventeenth round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

public class JavaSeventeenthRound {
    static final TreeMap<String, Integer> counted = new TreeMap<>();

    static synchronized void count(String what) { counted.merge(what, 1, Integer::sum); }
    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }
    static Options.Builder options(String name, long wait) {
        return new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).maxReconnects(-1).reconnectWait(Duration.ofMillis(wait)).pingInterval(Duration.ofSeconds(3));
    }

    /** A desk of an inbox whose connection is lost for five seconds; it makes its consumer again for new notices, or from where it was. */
    static void inbox(boolean news) throws Exception {
        Connection app = Nats.connect(options("app", 300).build());
        app.jetStreamManagement().addStream(StreamConfiguration.builder().name("NOTICES").subjects("notices.>").storageType(StorageType.File).build());
        AtomicLong last = new AtomicLong();
        JetStreamSubscription[] own = {null};
        Connection[] desk = {null};
        Dispatcher[] dispatcher = {null};
        Runnable subscribe = () -> {
            try {
                ConsumerConfiguration.Builder how = ConsumerConfiguration.builder().ackPolicy(AckPolicy.Explicit).deliverPolicy(DeliverPolicy.New);
                if (!news && last.get() > 0) how.deliverPolicy(DeliverPolicy.ByStartSequence).startSequence(last.get() + 1);
                dispatcher[0] = desk[0].createDispatcher();
                own[0] = desk[0].jetStream().subscribe("notices.>", dispatcher[0], m -> { last.set(m.metaData().streamSequence()); count("read"); m.ack(); }, false, PushSubscribeOptions.builder().configuration(how.build()).build());
                count("subscribed");
            } catch (Exception x) { count("failed"); }
        };
        desk[0] = Nats.connect(options("desk", 300).build());
        subscribe.run();
        for (int n = 0; n < 50; n++) {
            app.jetStream().publish("notices.user" + n % 3, bytes("notice " + n));
            count("published");
            if (n == 16) desk[0].close();
            if (n == 32) { desk[0] = Nats.connect(options("desk", 300).build()); subscribe.run(); }
            Thread.sleep(300);
        }
        Thread.sleep(500);
        desk[0].close();
        app.close();
    }

    public static void main(String[] arguments) throws Exception {
        inbox(arguments[0].equals("new_only_after_reconnect"));
        StringBuilder text = new StringBuilder();
        counted.forEach((k, v) -> text.append(text.length() == 0 ? "{" : ", ").append('"').append(k).append("\": ").append(v));
        System.out.println(text + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
