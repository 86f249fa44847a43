import com.rabbitmq.stream.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Producers and consumers beyond a load balancer, with the standard settings of the Java client: `Healthy STREAM`. */
public class Healthy {
  static final AtomicInteger sent = new AtomicInteger(), confirmed = new AtomicInteger(), read = new AtomicInteger();

  static byte[] text(String t) { return t.getBytes(StandardCharsets.UTF_8); }

  static void says() {
    System.out.println("{\"published\": " + sent + ", \"confirmed\": " + confirmed + ", \"read\": " + read + "}");
    System.out.flush();
  }

  static void pause(long millis) {
    try { Thread.sleep(millis); } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
  }

  /** The documentation's way through a load balancer: an address resolver; a cluster; standard settings. */
  static void balanced(String stream) throws Exception {
    Address entry = new Address("broker", 5560);
    try (Environment env = Environment.builder().host("broker").port(5560).addressResolver(a -> entry).build()) {
      List<Producer> producers = new ArrayList<>();
      for (int n = 0; n < 3; n++) {
        String name = stream + "-" + n;
        env.streamCreator().stream(name).create();
        pause(1500);
        producers.add(env.producerBuilder().stream(name).build());
        env.consumerBuilder().stream(name).name("reader").autoTrackingStrategy().builder().messageHandler((c, m) -> read.incrementAndGet()).build();
      }
      for (int n = 0; n < 300; n++) {
        Producer p = producers.get(n % 3);
        p.send(p.messageBuilder().addData(text("event " + n)).build(), s -> confirmed.incrementAndGet());
        sent.incrementAndGet();
        Thread.sleep(20);
      }
      Thread.sleep(1500);
      for (Producer p : producers) p.close();
    }
    says();
  }

  public static void main(String[] a) throws Exception {
    balanced(a[0]);
    System.exit(0);
  }
}
