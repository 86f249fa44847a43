// What rsocket-java 0.11 is made to do in the thirteenth round of the blind test; prints what it counted.
import io.rsocket.RSocket;
import io.rsocket.RSocketFactory;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;

public class OldJavaThirteenth {
  static int answers, items, failures, connections;

  static RSocket connect() {
    connections++;
    return RSocketFactory.connect().keepAlive(Duration.ofMillis(600), Duration.ofMillis(1500), 2).dataMimeType("text/plain").metadataMimeType("text/plain")
        .transport(TcpClientTransport.create("broker", 7000)).start().block(Duration.ofSeconds(5));
  }

  static void ask(RSocket client, String question) {
    try {
      client.requestResponse(DefaultPayload.create(question)).block(Duration.ofMillis(900)).release();
      answers++;
    } catch (RuntimeException e) { failures++; }
  }

  static void read(RSocket client, String asked) {
    try {
      client.requestStream(DefaultPayload.create(asked)).doOnNext(p -> { items++; p.release(); }).blockLast(Duration.ofSeconds(3));
    } catch (RuntimeException e) { failures++; }
  }

  /** Four lives of a client of an endpoint, each with some questions. */
  static void lives() throws Exception {
    for (int life = 0; life < 4; life++) {
      RSocket client = connect();
      for (int n = 0; n < 5; n++) { ask(client, "query " + n + " of life " + life); Thread.sleep(260); }
      client.dispose();
      Thread.sleep(400);
    }
  }

  /** Pages of a catalogue, each with a stream of rows; on a connection for each page, or on one for all. */
  static void pages(boolean each) throws Exception {
    RSocket one = each ? null : connect();
    for (int n = 0; n < 26; n++) {
      RSocket client = each ? connect() : one;
      ask(client, "title of page " + n);
      read(client, "rows " + (3 + n % 6) + " page-" + n);
      if (each) client.dispose();
      Thread.sleep(170);
    }
    if (!each) one.dispose();
  }

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "lives" -> lives();
      case "connection_for_each" -> pages(true);
      default -> pages(false);
    }
    Thread.sleep(300);
    System.out.println("{\"answers\": " + answers + ", \"items\": " + items + ", \"failures\": " + failures + ", \"connections\": " + connections + "}");
    System.exit(0);
  }
}
