// What nats.java is made to do in the fifth round of the blind test; prints what it counted.
import io.nats.client.*;
import io.nats.client.api.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;

public class JavaFifthRound {
    static Connection connect(String name) throws Exception {
        return Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName(name).build());
    }
    static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }

    /** Two services share a stream; each declares it at its start with the subjects that it knows. */
    static void declares(boolean merges) throws Exception {
        int[] lost = {0, 0}, stored = {0, 0};
        String[] names = {"invoices", "payments"};
        Thread[] services = new Thread[2];
        for (int s = 0; s < 2; s++) {
            int which = s;
            services[s] = new Thread(() -> {
                try {
                    Thread.sleep(1500 * which);
                    for (int run = 0; run < 3; run++) {
                        try (Connection nc = connect(names[which] + "-service")) {
                            JetStreamManagement jsm = nc.jetStreamManagement();
                            Set<String> subjects = new LinkedHashSet<>(List.of(names[which] + ".*"));
                            StreamConfiguration.Builder b = StreamConfiguration.builder().name("billing").storageType(StorageType.Memory);
                            try {
                                StreamInfo now = jsm.getStreamInfo("billing");
                                if (merges) subjects.addAll(now.getConfiguration().getSubjects());
                                if (!merges || !now.getConfiguration().getSubjects().containsAll(subjects)) jsm.updateStream(b.subjects(subjects).build());
                            } catch (JetStreamApiException e) { jsm.addStream(b.subjects(subjects).build()); }
                            JetStream js = nc.jetStream();
                            for (int n = 0; n < 14; n++) {
                                try { js.publish(names[which] + ".new", bytes(names[which] + " " + run + "-" + n)); stored[which]++; } catch (Exception e) { lost[which]++; }
                                Thread.sleep(190);
                            }
                        }
                        Thread.sleep(300);
                    }
                } catch (Exception e) { e.printStackTrace(); }
            });
            services[s].start();
        }
        for (Thread t : services) t.join();
        System.out.println("{\"stored\": " + (stored[0] + stored[1]) + ", \"lost\": " + (lost[0] + lost[1]) + "}");
    }
    public static void main(String[] arguments) throws Exception { declares(arguments[0].equals("subjects_merged")); System.exit(0); }
}
