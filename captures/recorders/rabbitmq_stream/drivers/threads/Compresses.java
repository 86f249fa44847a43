import com.rabbitmq.stream.*;
import com.rabbitmq.stream.compression.Compression;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Publishes sub-batches that are compressed, and reads them; prints what it counted as JSON. */
public class Compresses {
  public static void main(String[] args) throws Exception {
    boolean random = args[1].equals("random");
    try (Environment env = Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").build()) {
      env.streamCreator().stream(args[0]).create();
      int count = random ? 240 : 1500;
      Producer p = env.producerBuilder().stream(args[0]).subEntrySize(random ? 2 : 50).compression(random ? Compression.GZIP : Compression.ZSTD)
          .batchPublishingDelay(java.time.Duration.ofMillis(20)).build();
      CountDownLatch confirmed = new CountDownLatch(count);
      Random dice = new Random(7);
      for (int n = 0; n < count; n++) {
        byte[] body = new byte[24];
        if (random) dice.nextBytes(body);
        else body = ("{\"sensor\": \"hall-" + n % 4 + "\", \"temperature\": 21." + n % 10 + ", \"humidity\": 40, \"status\": \"regular\"}").getBytes();
        p.send(p.messageBuilder().addData(body).build(), s -> confirmed.countDown());
        if (n % (random ? 8 : 100) == 7) Thread.sleep(30);
      }
      confirmed.await(8, TimeUnit.SECONDS);
      AtomicInteger read = new AtomicInteger();
      Consumer c = env.consumerBuilder().stream(args[0]).offset(OffsetSpecification.first()).messageHandler((context, m) -> read.incrementAndGet()).build();
      Thread.sleep(1200);
      c.close();
      p.close();
      System.out.println("{\"published\": " + count + ", \"consumed\": " + read.get() + "}");
    }
  }
}
