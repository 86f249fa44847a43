import com.rabbitmq.stream.*;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Publishes the invoices of an outbox at each start, under the numbers of the invoices; prints what it counted. */
public class Outbox {
  public static void main(String[] args) throws Exception {
    int sent = 0;
    for (int run = 0; run < 4; run++) {
      try (Environment env = Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id("invoicing").build()) {
        if (run == 0) env.streamCreator().stream(args[0]).create();
        String name = args[1].equals("new") ? "invoicing-" + new UUID(0x51f3a77b1d4c559eL * (run + 1), 0x82f3a77b1d4c559eL + run) : "invoicing";
        Producer p = env.producerBuilder().stream(args[0]).name(name).batchPublishingDelay(java.time.Duration.ofMillis(30)).build();
        int count = 20 + 5 * run;
        CountDownLatch confirmed = new CountDownLatch(count);
        sent += count;
        for (int n = 0; n < count; n++) {
          p.send(p.messageBuilder().publishingId(n).addData(("invoice " + n).getBytes()).build(), s -> confirmed.countDown());
          if (n % 5 == 4) Thread.sleep(35);
        }
        confirmed.await(5, TimeUnit.SECONDS);
        Thread.sleep(200);
      }
      Thread.sleep(250);
    }
    try (Environment env = Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id("ledger").build()) {
      var read = new java.util.concurrent.atomic.AtomicInteger();
      env.consumerBuilder().stream(args[0]).offset(OffsetSpecification.first()).messageHandler((c, m) -> read.incrementAndGet()).build();
      Thread.sleep(900);
      System.out.println("{\"published\": " + sent + ", \"consumed\": " + read.get() + "}");
    }
  }
}
