import com.rabbitmq.stream.*;
import com.rabbitmq.stream.compression.Compression;
import java.util.concurrent.atomic.AtomicInteger;

/** Publishes in sub-batches of a size, beside a small producer; prints what it counted. */
public class LargeBatches {
  public static void main(String[] args) throws Exception {
    int size = Integer.parseInt(args[1]);
    AtomicInteger confirmed = new AtomicInteger(), failed = new AtomicInteger();
    try (Environment env = Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id("loader").requestedMaxFrameSize(16384)
        .recoveryBackOffDelayPolicy(BackOffDelayPolicy.fixed(java.time.Duration.ofMillis(700))).build()) {
      env.streamCreator().stream(args[0]).create();
      Producer small = env.producerBuilder().stream(args[0]).batchPublishingDelay(java.time.Duration.ofMillis(20)).build();
      for (int n = 0; n < 10; n++) small.send(small.messageBuilder().addData(("header " + n).getBytes()).build(), s -> confirmed.incrementAndGet());
      Thread.sleep(300);
      Producer p = env.producerBuilder().stream(args[0]).subEntrySize(size).compression(Compression.NONE).confirmTimeout(java.time.Duration.ofSeconds(2)).build();
      int sent = 10;
      for (int round = 0; round < 4; round++) {
        try {
          for (int n = 0; n < 64; n++) { sent++; p.send(p.messageBuilder().addData(new byte[700]).build(), s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); else failed.incrementAndGet(); }); }
        } catch (RuntimeException e) { failed.incrementAndGet(); }
        Thread.sleep(1300);
      }
      Thread.sleep(300);
      System.out.println("{\"published\": " + sent + ", \"confirmed\": " + confirmed.get() + ", \"failed\": " + failed.get() + "}");
      System.exit(0);
    }
  }
}
