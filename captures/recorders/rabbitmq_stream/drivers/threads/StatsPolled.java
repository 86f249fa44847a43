import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Producer;

/** Asks for the statistics of a stream again and again: `StatsPolled STREAM TIMES PAUSE`. */
public final class StatsPolled {

  public static void main(String[] arguments) throws Exception {
    String stream = arguments[0];
    Environment environment = JavaPlays.environment("health-check");
    environment.streamCreator().stream(stream).create();
    JavaPlays.Sent sent = new JavaPlays.Sent();
    Producer producer = environment.producerBuilder().stream(stream).build();
    sent.texts(producer, 0, 10);
    sent.until(10);
    long last = 0;
    for (int n = 0; n < Integer.parseInt(arguments[1]); n++) {
      last = environment.queryStreamStats(stream).committedChunkId();
      JavaPlays.sleep(Long.parseLong(arguments[2]));
    }
    environment.close();
    sent.tell();
    JavaPlays.FACTS.put("asked", Integer.parseInt(arguments[1]));
    JavaPlays.FACTS.put("committed_chunk_id", last);
    System.out.println(JavaPlays.json(JavaPlays.FACTS));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
