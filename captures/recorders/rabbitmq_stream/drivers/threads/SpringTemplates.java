import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.rabbit.stream.listener.StreamListenerContainer;
import org.springframework.rabbit.stream.producer.RabbitStreamTemplate;

/** Templates and a listener container of Spring: `SpringTemplates STREAM`. */
public final class SpringTemplates {

  static StreamListenerContainer container(Environment environment, String stream, String name, AtomicInteger got) {
    StreamListenerContainer container = new StreamListenerContainer(environment);
    container.setQueueNames(stream);
    container.setConsumerCustomizer(
        (id, builder) ->
            builder
                .name(name)
                .offset(OffsetSpecification.first())
                .autoTrackingStrategy()
                .messageCountBeforeStorage(25)
                .flushInterval(Duration.ofSeconds(2)));
    container.setupMessageListener(message -> got.incrementAndGet());
    return container;
  }

  public static void main(String[] arguments) throws Exception {
    String stream = arguments[0];
    AtomicInteger got = new AtomicInteger();
    int published = 0;
    int confirmed = 0;
    try (Environment environment =
        Environment.builder().host("broker").port(5552).username("guest").password("guest").id("spring").build()) {
      environment.streamCreator().stream(stream).maxAge(Duration.ofHours(1)).create();
      RabbitStreamTemplate template = new RabbitStreamTemplate(environment, stream);
      template.setProducerCustomizer((name, builder) -> builder.batchSize(20).batchPublishingDelay(Duration.ofMillis(50)));
      StreamListenerContainer audits = container(environment, stream, "audit", got);
      audits.start();
      for (int round = 0; round < 5; round++) {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int n = 0; n < 30; n++) {
          all.add(template.convertAndSend("event " + published++));
        }
        for (CompletableFuture<Boolean> each : all) {
          confirmed += each.get(5, TimeUnit.SECONDS) ? 1 : 0;
        }
        if (round == 2) {
          audits.stop();
          Thread.sleep(500);
          audits.start();
        }
        Thread.sleep(700);
      }
      Thread.sleep(1500);
      audits.stop();
      template.close();
    }
    System.out.printf("{\"published\": %d, \"confirmed\": %d, \"consumed\": %d}%n", published, confirmed, got.get());
    System.exit(0);
  }
}
