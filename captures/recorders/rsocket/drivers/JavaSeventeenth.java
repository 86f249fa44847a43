// The server of rsocket-java in the seventeenth round of the blind test; prints what it counted as JSON.
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketServer;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

public class JavaSeventeenth {
  static final AtomicInteger requests = new AtomicInteger(), items = new AtomicInteger();

  static Payload text(String t) { return DefaultPayload.create(t); }

  static Payload item(String t) { items.incrementAndGet(); return text(t); }

  static class Responder implements RSocket {
    public Mono<Void> fireAndForget(Payload p) { p.release(); requests.incrementAndGet(); return Mono.empty(); }

    public Mono<Payload> requestResponse(Payload p) {
      String asked = p.getDataUtf8();
      p.release();
      requests.incrementAndGet();
      return Mono.delay(Duration.ofMillis(6)).map(x -> text("answer to " + asked));
    }

    // `every MS`: ticks without end; `rows N`: by two workers that share a counter, in whatever order, and complete when the first one is done; `pages N lost`: long ones, without their end.
    public Flux<Payload> requestStream(Payload p) {
      String[] asked = p.getDataUtf8().split(" ");
      p.release();
      requests.incrementAndGet();
      int n = Integer.parseInt(asked[1]);
      return switch (asked[0]) {
        case "rows" -> Flux.<Payload>create(sink -> {
          AtomicInteger next = new AtomicInteger();
          for (int worker = 0; worker < 2; worker++) {
            int own = worker;
            new Thread(() -> {
              for (int row; (row = next.getAndIncrement()) < n; ) {
                try { Thread.sleep(own == 0 ? 30 : 110); } catch (InterruptedException e) { return; }
                sink.next(item("{\"row\": " + row + ", \"of\": " + n + "}"));
              }
              sink.complete();
            }).start();
          }
        });
        case "sorted" -> Flux.range(0, n).delayElements(Duration.ofMillis(25)).map(row -> item("{\"row\": " + row + ", \"of\": " + n + "}"));
        case "pages" -> Flux.range(0, n).delayElements(Duration.ofMillis(60)).map(i -> item("{\"page\": " + i + ", \"of\": " + n + ", \"text\": \"" + "lorem ".repeat(40) + "\"}")).concatWith(asked[2].equals("lost") ? Flux.never() : Flux.empty());
        default -> Flux.interval(Duration.ofMillis(n)).onBackpressureBuffer(2000).map(i -> item("tick " + i));
      };
    }

    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).limitRate(8).map(each -> { String s = each.getDataUtf8(); each.release(); items.incrementAndGet(); return text("stored " + s); });
    }
  }

  public static void main(String[] a) throws Exception {
    Hooks.onErrorDropped(e -> {});
    RSocketServer how = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> Mono.just(new Responder()));
    if (a.length > 1 && a[1].equals("fragments")) how.fragment(128);
    how.bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{\"requests\": " + requests + ", \"sent\": " + items + "}");
    System.exit(0);
  }
}
