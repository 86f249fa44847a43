// The server of rsocket-java in the fifteenth round of the blind test, and its client; each prints what it counted as JSON.
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.core.Resume;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

public class JavaFifteenth {
  static final AtomicInteger requests = new AtomicInteger(), items = new AtomicInteger(), answers = new AtomicInteger(), failed = new AtomicInteger();

  static Payload text(String t) { return DefaultPayload.create(t); }

  static Payload word(int n) { items.incrementAndGet(); return text("word " + n + " of the dictionary"); }

  static class Responder implements RSocket {
    final String mode;
    Responder(String mode) { this.mode = mode; }

    public Mono<Void> fireAndForget(Payload p) { p.release(); requests.incrementAndGet(); return Mono.empty(); }

    public Mono<Payload> requestResponse(Payload p) {
      String asked = p.getDataUtf8();
      p.release();
      requests.incrementAndGet();
      if (!asked.startsWith("page")) return Mono.delay(Duration.ofMillis(8)).map(x -> text("answer to " + asked));
      StringBuilder page = new StringBuilder("{\"page\": \"" + asked + "\", \"lines\": [");
      for (int n = 0; page.length() < (asked.endsWith("short") ? 300 : 15000); n++) page.append(n == 0 ? "" : ", ").append("\"line ").append(n).append(" of the report of the month\"");
      return Mono.just(text(page.append("]}").toString()));
    }

    // Words as they are asked for; the source stops for good after sixty, or rests for six seconds.
    public Flux<Payload> requestStream(Payload p) {
      p.release();
      requests.incrementAndGet();
      Flux<Payload> first = Flux.range(0, 60).map(JavaFifteenth::word);
      return switch (mode) {
        case "stalls" -> first.concatWith(Flux.never());
        case "rests" -> first.concatWith(Mono.delay(Duration.ofSeconds(6)).thenMany(Flux.range(60, 90).map(JavaFifteenth::word)));
        default -> first;
      };
    }

    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).map(each -> { String s = each.getDataUtf8(); each.release(); items.incrementAndGet(); return text("stored " + s); });
    }
  }

  static void serve(String mode) throws Exception {
    RSocket questions = new RSocket() { // and nothing else
      public Mono<Payload> requestResponse(Payload p) { return new Responder(mode).requestResponse(p); }
    };
    RSocketServer how = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> Mono.just(mode.equals("questions") ? questions : new Responder(mode)));
    if (mode.equals("patient")) how.maxTimeToFirstFrame(Duration.ofHours(1));
    if (mode.equals("fragments")) how.fragment(4096);
    if (mode.equals("stalls") || mode.equals("rests")) how.resume(new Resume().sessionDuration(Duration.ofSeconds(30)));
    how.bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{\"requests\": " + requests + ", \"sent\": " + items + "}");
    System.exit(0);
  }

  static RSocketConnector connector(int every, int lifetime) {
    return RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain").keepAlive(Duration.ofMillis(every), Duration.ofMillis(lifetime));
  }

  static TcpClientTransport server() { return TcpClientTransport.create("broker", 7000); }

  // Asks again and again, over one connection for ever, or over a new one when it was lost.
  static void asks(boolean again, int times) throws Exception {
    RSocketConnector how = connector(500, 2500);
    Mono<RSocket> to = again ? how.reconnect(Retry.fixedDelay(30, Duration.ofMillis(700))).connect(server()) : Mono.just(how.connect(server()).block());
    for (int n = 0; n < times; n++) {
      int number = n;
      try {
        to.flatMap(socket -> socket.requestResponse(text("price of article " + number))).block(Duration.ofMillis(3500)).release();
        answers.incrementAndGet();
      } catch (RuntimeException e) { failed.incrementAndGet(); }
      Thread.sleep(220);
    }
    to.block().dispose();
  }

  // Reads words in a session that can be resumed, and asks something now and then.
  static void words() throws Exception {
    RSocket socket = connector(1000, 10000).resume(new Resume().sessionDuration(Duration.ofSeconds(30))).connect(server()).block();
    var reading = socket.requestStream(text("words")).limitRate(64).doOnNext(p -> { items.incrementAndGet(); p.release(); }).subscribe(p -> {}, e -> failed.incrementAndGet());
    for (int n = 0; n < 13; n++) {
      socket.requestResponse(text("meaning of word " + n)).block(Duration.ofSeconds(3)).release();
      answers.incrementAndGet();
      Thread.sleep(1000);
    }
    reading.dispose();
    Thread.sleep(200);
    socket.dispose();
  }

  public static void main(String[] a) throws Exception {
    Hooks.onErrorDropped(e -> {});
    switch (a[0]) {
      case "tcp" -> serve(a[1]);
      case "stays" -> asks(false, 45);
      case "returns" -> asks(true, 45);
      case "visits" -> asks(false, 8);
      default -> words();
    }
    Thread.sleep(200);
    System.out.println("{\"answers\": " + answers + ", \"items\": " + items + ", \"failed\": " + failed + "}");
    System.exit(0);
  }
}
