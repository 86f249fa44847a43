// What nats.java is made to do in the fifteenth round of the blind test; prints what it counted.
import io.nats.client.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

public class JavaFifteenthRound {
    static final AtomicInteger published = new AtomicInteger(), received = new AtomicInteger();

    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).maxReconnects(-1).reconnectWait(Duration.ofMillis(300)).build());
    }

    /** A robot tells its position and hears what others tell; it has two connections, as there were once two servers. */
    static void robot(boolean both) throws Exception {
        try (Connection first = connect("robot-eth0"); Connection second = connect("robot-wlan0"); Connection screen = connect("screen")) {
            Connection[] all = {first, second};
            for (Connection each : both ? all : new Connection[] {second}) {
                each.createDispatcher(m -> received.incrementAndGet()).subscribe("robots.position");
            }
            screen.createDispatcher(m -> received.incrementAndGet()).subscribe("robots.>");
            for (int n = 0; n < 40; n++) {
                byte[] position = ("{\"robot\": 7, \"step\": " + n + ", \"x\": " + (3 * n % 17) + ", \"y\": " + (5 * n % 23) + "}").getBytes(StandardCharsets.UTF_8);
                for (Connection each : both ? all : new Connection[] {first}) {
                    each.publish("robots.position", position);
                    published.incrementAndGet();
                }
                Thread.sleep(150);
            }
            Thread.sleep(300);
        }
    }

    public static void main(String[] arguments) throws Exception {
        robot(arguments[0].equals("published_by_both"));
        System.out.println("{\"published\": " + published + ", \"received\": " + received + "}");
        System.exit(0);
    }
}
