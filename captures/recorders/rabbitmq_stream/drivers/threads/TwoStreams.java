import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import java.time.Duration;

/** One name on two streams: publishers and consumers, each with ids and offsets of its own. */
public final class TwoStreams {

  public static void main(String[] arguments) throws Exception {
    String[] streams = {arguments[0] + "-orders", arguments[0] + "-refunds"};
    Environment environment = JavaPlays.environment("billing");
    JavaPlays.Sent sent = new JavaPlays.Sent();
    JavaPlays.Count count = new JavaPlays.Count();
    for (String stream : streams) {
      environment.streamCreator().stream(stream).create();
    }
    for (int round = 0; round < 2; round++) {
      for (int s = 0; s < 2; s++) {
        Producer producer =
            environment.producerBuilder().stream(streams[s]).name("billing-" + round).build();
        sent.texts(producer, 0, 20 + 10 * s);
        sent.until(50L * round + 20 + 30L * s);
      }
    }
    for (String stream : streams) {
      environment
          .consumerBuilder()
          .stream(stream)
          .name("billing")
          .offset(OffsetSpecification.first())
          .autoTrackingStrategy()
          .messageCountBeforeStorage(10)
          .flushInterval(Duration.ofSeconds(2))
          .builder()
          .messageHandler(count)
          .build();
    }
    count.until(100, 10);
    JavaPlays.sleep(2500);
    environment.close();
    sent.tell();
    JavaPlays.FACTS.put("by_stream", count.streams());
    System.out.println(JavaPlays.json(JavaPlays.FACTS));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
