import com.rabbitmq.stream.*;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Plays the fourteenth round of the blind test by the Java client; prints what it counted. */
public class Fourteenth {
  static final AtomicInteger sent = new AtomicInteger(), confirmed = new AtomicInteger(), read = new AtomicInteger();

  static Environment environment(String id) {
    return Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id(id)
        .recoveryBackOffDelayPolicy(BackOffDelayPolicy.fixed(Duration.ofMillis(900))).topologyUpdateBackOffDelayPolicy(BackOffDelayPolicy.fixed(Duration.ofMillis(900))).build();
  }

  static Producer producer(Environment env, String stream) { return env.producerBuilder().stream(stream).batchPublishingDelay(Duration.ofMillis(40)).build(); }

  static void send(Producer p, String text) {
    try { p.send(p.messageBuilder().addData(text.getBytes()).build(), s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); }); sent.incrementAndGet(); }
    catch (StreamException away) { /* between two connections */ }
  }

  static final ConcurrentLinkedQueue<String> again = new ConcurrentLinkedQueue<>();

  /** Sends, and keeps for later what is not confirmed. */
  static void sure(Producer p, String text) {
    try { p.send(p.messageBuilder().addData(text.getBytes()).build(), s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); else again.add(text); }); sent.incrementAndGet(); }
    catch (StreamException away) { again.add(text); }
  }

  static void pause(long ms) { try { Thread.sleep(ms); } catch (InterruptedException e) { throw new RuntimeException(e); } }

  /** Two members of a group; the handler of the active one hangs at a message for the rest, or works slowly. */
  static void group(String stream, boolean hangs) throws Exception {
    try (Environment shop = environment("shop"); Environment a = environment("billing-a"); Environment b = environment("billing-b")) {
      shop.streamCreator().stream(stream).create();
      Producer p = producer(shop, stream);
      for (Environment each : new Environment[] {a, b}) {
        each.consumerBuilder().stream(stream).name("billing").singleActiveConsumer().offset(OffsetSpecification.first())
            .flow().initialCredits(4).strategy(ConsumerFlowStrategy.creditOnProcessedMessageCount(4, 0.5)).builder()
            .autoTrackingStrategy().messageCountBeforeStorage(20).flushInterval(Duration.ofSeconds(2)).builder()
            .messageHandler((c, m) -> {
              if (read.incrementAndGet() == 60 && hangs) pause(20_000);
              pause(25);
              c.processed();
            }).build();
        pause(300);
      }
      for (int n = 0; n < 70; n++) { for (int i = 0; i < 3; i++) send(p, "invoice " + n + "." + i); pause(150); }
      pause(1500);
      report();
      if (hangs) System.exit(0);
    }
  }

  /** A publisher and a reader while the broker's application is stopped and started again. */
  static void restart(String stream) throws Exception {
    try (Environment shop = environment("shop"); Environment archive = environment("archive")) {
      shop.streamCreator().stream(stream).create();
      Producer p = producer(shop, stream);
      archive.consumerBuilder().stream(stream).name("archive").offset(OffsetSpecification.first())
          .autoTrackingStrategy().messageCountBeforeStorage(20).flushInterval(Duration.ofSeconds(2)).builder().messageHandler((c, m) -> read.incrementAndGet()).build();
      for (int n = 0; n < 30; n++) { sure(p, "entry " + n); pause(100); }
      System.out.println("restart");
      Thread.sleep(100);
      System.in.read();
      for (int n = 30; n < 80; n++) { sure(p, "entry " + n); pause(140); for (String one = again.poll(); one != null; one = again.poll()) { sure(p, one); pause(140); } }
      pause(1500);
      p.close();
    }
    report();
  }

  /** An import that is run three times; each goes on after the last id that the broker has. */
  static void imports(String stream) throws Exception {
    for (int run = 0; run < 3; run++) {
      try (Environment env = environment("import")) {
        if (run == 0) env.streamCreator().stream(stream).create();
        Producer p = env.producerBuilder().stream(stream).name("import").batchPublishingDelay(Duration.ofMillis(40)).build();
        long next = p.getLastPublishingId() + 1;
        int until = 40 * (run + 1);
        CountDownLatch left = new CountDownLatch((int) (until - next));
        for (long n = next; n < until; n++) {
          p.send(p.messageBuilder().publishingId(n).addData(("row " + n + " of the register").getBytes()).build(), s -> { confirmed.incrementAndGet(); left.countDown(); });
          sent.incrementAndGet();
          if (n % 6 == 5) pause(60);
        }
        left.await(10, TimeUnit.SECONDS);
        AtomicInteger rows = new AtomicInteger();
        Set<String> different = ConcurrentHashMap.newKeySet();
        Consumer c = env.consumerBuilder().stream(stream).offset(OffsetSpecification.first()).messageHandler((x, m) -> { rows.incrementAndGet(); different.add(new String(m.getBodyAsBinary())); }).build();
        pause(800);
        read.set(different.size());
        c.close();
      }
      pause(500);
    }
    report();
  }

  static void report() { System.out.println("{\"published\": " + sent + ", \"confirmed\": " + confirmed + ", \"consumed\": " + read + "}"); }

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "hangs" -> group(args[1], true);
      case "works" -> group(args[1], false);
      case "restart" -> restart(args[1]);
      default -> imports(args[1]);
    }
    System.exit(0);
  }
}
