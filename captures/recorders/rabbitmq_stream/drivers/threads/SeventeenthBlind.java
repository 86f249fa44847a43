import com.rabbitmq.stream.*;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A publisher whose broker hangs for a while, in the seventeenth round of the blind test; prints what it counted. */
public class SeventeenthBlind {
  static final AtomicInteger sent = new AtomicInteger(), confirmed = new AtomicInteger(), failed = new AtomicInteger(), read = new AtomicInteger();

  static void pause(long ms) { try { Thread.sleep(ms); } catch (InterruptedException e) { throw new RuntimeException(e); } }

  static void ask(String what) throws Exception { System.out.println(what); System.in.read(); }

  public static void main(String[] args) throws Exception {
    boolean again = args[0].equals("again");
    String stream = args[1];
    try (Environment e = Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id("pipeline").requestedHeartbeat(Duration.ofSeconds(3)).rpcTimeout(Duration.ofSeconds(6))
        .recoveryBackOffDelayPolicy(BackOffDelayPolicy.fixed(Duration.ofMillis(800))).build()) {
      e.streamCreator().stream(stream).maxLengthBytes(ByteCapacity.MB(20)).maxSegmentSizeBytes(ByteCapacity.MB(1)).create();
      Producer p = e.producerBuilder().stream(stream).retryOnRecovery(again).confirmTimeout(Duration.ofSeconds(60)).enqueueTimeout(Duration.ofSeconds(30)).batchSize(5).batchPublishingDelay(Duration.ofMillis(30)).build();
      Consumer c = e.consumerBuilder().stream(stream).offset(OffsetSpecification.first()).messageHandler((x, m) -> read.incrementAndGet()).build();
      for (int n = 0; n < 300; n++) {
        if (n == 110) {
          Thread t = new Thread(() -> { try { ask("hang"); } catch (Exception x) { throw new RuntimeException(x); } });
          t.start();
        }
        try {
          p.send(p.messageBuilder().addData((n + " 1700000" + n + " reading").getBytes()).build(), s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); else failed.incrementAndGet(); });
          sent.incrementAndGet();
        } catch (StreamException x) { failed.incrementAndGet(); }
        pause(80);
      }
      pause(4000);
      p.close();
      c.close();
    }
    System.out.println("{\"published\": " + (again ? sent.get() : sent.get()) + ", \"confirmed\": " + confirmed + ", \"consumed\": " + read + ", \"failed\": " + failed + "}");
    System.exit(0);
  }
}
