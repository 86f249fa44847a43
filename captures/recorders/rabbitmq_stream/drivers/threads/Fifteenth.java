import com.rabbitmq.stream.*;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A busy day by the Java client in the fifteenth round of the blind test; prints what it counted. */
public class Fifteenth {
  static final AtomicInteger sent = new AtomicInteger(), confirmed = new AtomicInteger(), read = new AtomicInteger(), slow = new AtomicInteger();

  static void pause(long ms) { try { Thread.sleep(ms); } catch (InterruptedException e) { throw new RuntimeException(e); } }

  static Environment environment(String id) { return Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id(id).build(); }

  public static void main(String[] args) throws Exception {
    List<String> streams = List.of(args[1] + "-orders", args[1] + "-returns", args[1] + "-mails");
    try (Environment shop = environment("shop"); Environment office = environment("office")) {
      for (String each : streams) shop.streamCreator().stream(each).maxAge(Duration.ofHours(6)).create();
      List<Producer> producers = new ArrayList<>();
      for (String each : streams) producers.add(shop.producerBuilder().stream(each).name(each.endsWith("orders") ? "till" : null).batchPublishingDelay(Duration.ofMillis(50)).build());
      List<Consumer> consumers = new ArrayList<>();
      for (String each : streams) {
        consumers.add(office.consumerBuilder().stream(each).name("office").offset(OffsetSpecification.first())
            .autoTrackingStrategy().messageCountBeforeStorage(30).flushInterval(Duration.ofSeconds(2)).builder().messageHandler((c, m) -> read.incrementAndGet()).build());
      }
      Consumer careful = office.consumerBuilder().stream(streams.get(0)).name("careful").offset(OffsetSpecification.first())
          .flow().initialCredits(2).strategy(ConsumerFlowStrategy.creditWhenHalfMessagesProcessed(2)).builder()
          .manualTrackingStrategy().checkInterval(Duration.ofSeconds(3)).builder()
          .messageHandler((c, m) -> { pause(22); if (slow.incrementAndGet() % 20 == 0) c.storeOffset(); c.processed(); }).build();
      for (int n = 0; n < 60; n++) {
        for (int i = 0; i < 2 + n % 4; i++) {
          Producer p = producers.get((n + i) % 3);
          p.send(p.messageBuilder().addData(("entry " + n + "." + i).getBytes()).build(), s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); });
          sent.incrementAndGet();
        }
        pause(n % 20 == 19 ? 900 : 90);
      }
      pause(2500);
      for (Producer p : producers) p.close();
      for (Consumer c : consumers) c.close();
      careful.close();
    }
    System.out.println("{\"published\": " + sent + ", \"confirmed\": " + confirmed + ", \"consumed\": " + (read.get() + slow.get()) + ", \"careful\": " + slow + "}");
    System.exit(0);
  }
}
