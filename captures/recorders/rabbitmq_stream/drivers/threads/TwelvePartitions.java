import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;

/** A super stream of twelve partitions, all of them used: `TwelvePartitions STREAM`. */
public final class TwelvePartitions {

  public static void main(String[] arguments) throws Exception {
    String stream = arguments[0];
    Environment environment = JavaPlays.environment("shop");
    environment.streamCreator().name(stream).superStream().partitions(12).creator().create();
    JavaPlays.Sent sent = new JavaPlays.Sent();
    Producer producer =
        environment
            .producerBuilder()
            .superStream(stream)
            .routing(message -> message.getProperties().getMessageIdAsString())
            .producerBuilder()
            .build();
    for (int n = 0; n < 120; n++) {
      sent.send(
          producer,
          producer
              .messageBuilder()
              .properties()
              .messageId("order-" + n)
              .messageBuilder()
              .addData(JavaPlays.bytes("order " + n))
              .build());
    }
    sent.until(120);
    JavaPlays.Count count = new JavaPlays.Count();
    environment
        .consumerBuilder()
        .superStream(stream)
        .offset(OffsetSpecification.first())
        .messageHandler(count)
        .build();
    count.until(120, 10);
    JavaPlays.sleep(500);
    environment.close();
    sent.tell();
    JavaPlays.FACTS.put("by_stream", count.streams());
    System.out.println(JavaPlays.json(JavaPlays.FACTS));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
