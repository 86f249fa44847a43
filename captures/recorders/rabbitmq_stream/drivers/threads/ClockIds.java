import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;

/** Publishing ids that are the seconds of a clock: `ClockIds STREAM`. */
public final class ClockIds {

  public static void main(String[] arguments) throws Exception {
    String stream = arguments[0];
    Environment environment = JavaPlays.environment("sensor");
    environment.streamCreator().stream(stream).create();
    JavaPlays.Sent sent = new JavaPlays.Sent();
    Producer producer = environment.producerBuilder().stream(stream).name("sensor").build();
    for (int n = 0; n < 40; n++) {
      sent.send(
          producer,
          producer
              .messageBuilder()
              .publishingId(System.currentTimeMillis() / 1000)
              .addData(JavaPlays.bytes("reading " + n))
              .build());
      JavaPlays.sleep(100);
    }
    sent.until(40);
    JavaPlays.Count count = new JavaPlays.Count();
    JavaPlays.reader(environment, stream, count);
    JavaPlays.sleep(1500);
    environment.close();
    sent.tell();
    count.tell("");
    System.out.println(JavaPlays.json(JavaPlays.FACTS));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
