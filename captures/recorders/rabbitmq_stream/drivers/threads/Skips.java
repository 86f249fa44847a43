import com.rabbitmq.stream.*;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A consumer that skips the rest of the stream at a message, at three starts; prints what it counted. */
public class Skips {
  static int published = 0;

  static void publish(Environment env, String stream, int count) throws Exception {
    Producer p = env.producerBuilder().stream(stream).build();
    CountDownLatch confirmed = new CountDownLatch(count);
    for (int n = 0; n < count; n++) p.send(p.messageBuilder().addData(("bid " + published++).getBytes()).build(), s -> confirmed.countDown());
    confirmed.await(5, TimeUnit.SECONDS);
    p.close();
  }

  public static void main(String[] args) throws Exception {
    String stream = args[0];
    AtomicInteger consumed = new AtomicInteger();
    for (int start = 0; start < 3; start++) {
      try (Environment env = Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id("auction").build()) {
        if (start == 0) env.streamCreator().stream(stream).create();
        publish(env, stream, 30);
        AtomicInteger handled = new AtomicInteger();
        AtomicBoolean skipping = new AtomicBoolean();
        env.consumerBuilder().stream(stream).name("bidder").manualTrackingStrategy().checkInterval(Duration.ofSeconds(2)).builder()
            .offset(OffsetSpecification.first())
            .messageHandler((context, message) -> {
              if (skipping.get()) return;
              consumed.incrementAndGet();
              if (handled.incrementAndGet() == 12) {
                skipping.set(true);
                if (args[1].equals("specification")) context.consumer().store(OffsetSpecification.next().getOffset());
                else context.consumer().store(context.offset());
              }
            }).build();
        Thread.sleep(3600);
      }
      Thread.sleep(300);
    }
    System.out.println("{\"published\": " + published + ", \"handled\": " + consumed.get() + "}");
  }
}
