import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import java.time.Duration;

/** Two processes read one stream under one name, neither as single active consumer. */
public final class OneReference {

  public static void main(String[] arguments) throws Exception {
    String stream = arguments[0];
    Environment first = JavaPlays.environment("billing-a");
    Environment second = JavaPlays.environment("billing-b");
    first.streamCreator().stream(stream).create();
    JavaPlays.Sent sent = new JavaPlays.Sent();
    Producer producer = first.producerBuilder().stream(stream).build();
    JavaPlays.Count a = new JavaPlays.Count();
    JavaPlays.Count b = new JavaPlays.Count();
    reader(first, stream, a);
    sent.texts(producer, 0, 30);
    sent.until(30);
    a.until(30, 10);
    JavaPlays.sleep(500);
    reader(second, stream, b);
    for (int n = 30; n < 90; n += 20) {
      sent.texts(producer, n, n + 20);
      sent.until(n + 20);
      JavaPlays.sleep(700);
    }
    a.until(90, 5);
    JavaPlays.sleep(1500);
    second.close();
    first.close();
    sent.tell();
    a.tell("");
    b.tell("_by_the_other");
    System.out.println(JavaPlays.json(JavaPlays.FACTS));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static Consumer reader(Environment environment, String stream, JavaPlays.Count count) {
    return environment
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
}
