import com.rabbitmq.stream.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A producer of a super stream is restarted and goes on after getLastPublishingId; prints JSON. */
public class SuperStreamRestart {
  static Environment environment() {
    return Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").build();
  }

  static void run(String name, int count, String[] customers, boolean first) throws Exception {
    try (Environment env = environment()) {
      Producer p = env.producerBuilder().superStream(name).name("orders-writer").batchPublishingDelay(java.time.Duration.ofMillis(10))
          .routing(m -> m.getProperties().getMessageIdAsString()).producerBuilder().build();
      long id = first ? 0 : p.getLastPublishingId() + 1;
      CountDownLatch confirmed = new CountDownLatch(count);
      for (int n = 0; n < count; n++, id++) {
        String customer = first && n < 9 ? customers[n % customers.length] : customers[n % 2];
        p.send(p.messageBuilder().publishingId(id).properties().messageId(customer).messageBuilder().addData((customer + " order " + id + (first ? "" : " of the second run")).getBytes()).build(),
            s -> confirmed.countDown());
        Thread.sleep(20);
      }
      confirmed.await(5, TimeUnit.SECONDS);
      p.close();
    }
  }

  public static void main(String[] args) throws Exception {
    String name = args[0];
    try (Environment env = environment()) {
      env.streamCreator().name(name).superStream().partitions(3).creator().create();
    }
    String[] customers = {"acme", "globex", "initech", "umbrella", "hooli", "stark"};
    run(name, 40, customers, true);
    Thread.sleep(300);
    run(name, 20, customers, false);
    AtomicInteger read = new AtomicInteger();
    try (Environment env = environment()) {
      Consumer c = env.consumerBuilder().superStream(name).offset(OffsetSpecification.first()).messageHandler((context, m) -> read.incrementAndGet()).build();
      Thread.sleep(1500);
      c.close();
    }
    System.out.println("{\"published\": 60, \"read\": " + read.get() + "}");
  }
}
