// The server of rsocket-java in the fourteenth round of the blind test; prints what it counted as JSON.
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketServer;
import io.rsocket.exceptions.RejectedException;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.transport.netty.server.WebsocketServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

public class JavaFourteenth {
  static final AtomicInteger requests = new AtomicInteger(), items = new AtomicInteger(), refused = new AtomicInteger();
  static volatile int current;
  static final Sinks.Many<String> hub = Sinks.many().multicast().directBestEffort();
  static final Map<String, Sinks.Many<String>> boards = new ConcurrentHashMap<>();

  static int number(String text) {
    Matcher found = Pattern.compile("\\d+").matcher(text);
    return found.find() ? Integer.parseInt(found.group()) : 0;
  }

  static Payload text(String t) { return DefaultPayload.create(t); }

  static class Responder implements RSocket {
    final String mode, who;
    final long begin = System.currentTimeMillis();
    Responder(String mode, String who) { this.mode = mode; this.who = who; }

    boolean expired() { return mode.equals("tokens") && System.currentTimeMillis() - begin > 2500; }

    public Mono<Void> fireAndForget(Payload p) { p.release(); requests.incrementAndGet(); return Mono.empty(); }

    public Mono<Payload> requestResponse(Payload p) {
      String asked = p.getDataUtf8();
      p.release();
      requests.incrementAndGet();
      if (expired()) { refused.incrementAndGet(); return Mono.error(new RejectedException("Access Denied: the token has expired")); }
      if (asked.contains("unknown")) return Mono.error(new IllegalArgumentException("no such account"));
      int id = number(asked);
      current = id; // what belongs to one request lies where all requests share it
      return Mono.delay(Duration.ofMillis(6 + id % 3 * 4)).map(x -> {
        int of = mode.equals("shared") ? current : id;
        return text("{\"id\": " + of + ", \"balance\": " + (100 + of * 7 % 90) + "}");
      });
    }

    public Flux<Payload> requestStream(Payload p) {
      String asked = p.getDataUtf8();
      p.release();
      requests.incrementAndGet();
      String[] w = asked.split(" ");
      if (w[0].equals("board")) return board();
      if (w[0].equals("rows")) return Flux.range(0, Integer.parseInt(w[1])).map(n -> { items.incrementAndGet(); return text("row " + n + " of " + w[2] + ": " + "lorem ipsum dolor ".repeat(w.length > 3 ? Integer.parseInt(w[3]) : 1)); });
      int from = Integer.parseInt(w[1]); // TOPIC FROM EVERY
      return Flux.interval(Duration.ofMillis(Integer.parseInt(w[2]))).onBackpressureBuffer()
          .map(n -> { items.incrementAndGet(); return text("{\"topic\": \"" + w[0] + "\", \"n\": " + (from + n) + "}"); });
    }

    // Departures for a board; the listener is removed when the stream ends, or stays and writes to the board of that name.
    Flux<Payload> board() {
      Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
      boards.put(who, sink);
      var listener = hub.asFlux().subscribe(each -> boards.get(who).tryEmitNext(each));
      return sink.asFlux().map(each -> { items.incrementAndGet(); return text(each); }).doFinally(how -> { if (!mode.equals("leaks")) listener.dispose(); });
    }

    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).map(each -> { String s = each.getDataUtf8(); each.release(); items.incrementAndGet(); return text("stored " + s); });
    }
  }

  public static void main(String[] a) throws Exception {
    Hooks.onErrorDropped(e -> {});
    String mode = a[1];
    RSocketServer how = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> Mono.just(new Responder(mode, setup.getDataUtf8())));
    if (mode.equals("fragments")) how.fragment(512);
    if (a[0].equals("websocket")) how.bindNow(WebsocketServerTransport.create("broker", 7000)); else how.bindNow(TcpServerTransport.create("broker", 7000));
    Flux.interval(Duration.ofMillis(260)).subscribe(n -> hub.tryEmitNext("{\"departure\": " + n + ", \"line\": " + n * 7 % 23 + "}"));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{\"requests\": " + requests + ", \"sent\": " + items + ", \"refused\": " + refused + "}");
    System.exit(0);
  }
}
