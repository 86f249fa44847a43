import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketServer;
import io.rsocket.exceptions.ApplicationErrorException;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.transport.netty.server.WebsocketServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A server whose reports take their time at first: `JavaHealthy CARRIER`; prints what it counted as JSON. */
public class JavaHealthy {
  static final Map<String, AtomicInteger> counted = new ConcurrentHashMap<>();

  static void count(String name) { counted.computeIfAbsent(name, n -> new AtomicInteger()).incrementAndGet(); }

  static void says() {
    StringBuilder text = new StringBuilder();
    counted.forEach((k, v) -> text.append(text.isEmpty() ? "" : ", ").append('"').append(k).append("\": ").append(v));
    System.out.println("{" + text + "}");
    System.out.flush();
  }

  static Payload text(String t) { return DefaultPayload.create(t); }

  /** Answers; what is asked for first is made in 1.4 s and kept; rows and prices as they are requested. */
  static class Desk implements RSocket {
    final Set<String> kept = ConcurrentHashMap.newKeySet();

    @Override public Mono<Payload> requestResponse(Payload p) {
      String asked = p.getDataUtf8();
      p.release();
      count("served");
      if (asked.startsWith("report")) {
        Duration takes = kept.add(asked) ? Duration.ofMillis(1400) : Duration.ofMillis(20);
        return Mono.delay(takes).map(n -> text(asked + " is ready: " + "row ".repeat(200)));
      }
      if (asked.startsWith("missing")) return Mono.error(new ApplicationErrorException("no such thing"));
      if (asked.startsWith("large")) return Mono.just(text("x".repeat(60_000)));
      return Mono.just(text("answer to " + asked));
    }

    @Override public Flux<Payload> requestStream(Payload p) {
      String[] asked = p.getDataUtf8().split(" ");
      p.release();
      int n = Integer.parseInt(asked[1]);
      return asked[0].equals("rows") ? Flux.range(0, n).map(k -> text("row " + k))
          : Flux.interval(Duration.ofMillis(30)).onBackpressureDrop().take(n).map(k -> text("price " + k));
    }

    @Override public Flux<Payload> requestChannel(Publisher<Payload> parts) {
      return Flux.from(parts).doOnNext(p -> count("parts")).concatMap(p -> Mono.delay(Duration.ofMillis(4)).thenReturn(p), 8).buffer(25)
          .map(all -> { all.forEach(Payload::release); return text("stored " + all.size()); });
    }

    @Override public Mono<Void> fireAndForget(Payload p) { count("fired"); p.release(); return Mono.empty(); }
  }

  static void serve(String carrier) throws Exception {
    RSocketServer how = RSocketServer.create((setup, client) -> Mono.just(new Desk()));
    Disposable bound = carrier.equals("tcp") ? how.bindNow(TcpServerTransport.create("broker", 7000)) : how.bindNow(WebsocketServerTransport.create("broker", 7000));
    System.out.println("ready");
    System.out.flush();
    while (System.in.read() >= 0) { }
    bound.dispose();
    says();
    System.exit(0);
  }

  public static void main(String[] a) throws Exception {
    serve(a[0]);
  }
}
