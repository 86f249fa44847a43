// The server of rsocket-java in the sixteenth round of the blind test, and its client; each prints what it counted as JSON.
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.transport.netty.server.WebsocketServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

public class JavaSixteenth {
  static final AtomicInteger requests = new AtomicInteger(), items = new AtomicInteger(), answers = new AtomicInteger(), failed = new AtomicInteger();

  static Payload text(String t) { return DefaultPayload.create(t); }

  static Payload item(String of, long n) { items.incrementAndGet(); return text(of + " item " + n); }

  static class Responder implements RSocket {
    final String mode;
    Responder(String mode) { this.mode = mode; }

    public Mono<Void> fireAndForget(Payload p) { p.release(); requests.incrementAndGet(); return Mono.empty(); }

    public Mono<Void> metadataPush(Payload p) { p.release(); requests.incrementAndGet(); return Mono.empty(); }

    public Mono<Payload> requestResponse(Payload p) {
      String asked = p.getDataUtf8();
      p.release();
      requests.incrementAndGet();
      return Mono.delay(Duration.ofMillis(6)).map(x -> text("answer to " + asked));
    }

    // `every MS`, `groups N MS`: items that are collected until N are there; `pump`: without end; `token T`: refused unless it is valid.
    public Flux<Payload> requestStream(Payload p) {
      String[] asked = p.getDataUtf8().split(" ");
      p.release();
      requests.incrementAndGet();
      return switch (asked[0]) {
        case "groups" -> Flux.interval(Duration.ofMillis(Long.parseLong(asked[2]))).take(144).buffer(Integer.parseInt(asked[1])).concatMapIterable(all -> all).map(n -> item("sensor", n));
        case "bursts" -> Flux.interval(Duration.ofSeconds(2)).take(7).concatMapIterable(n -> java.util.stream.LongStream.range(0, 3 + n % 4).boxed().toList()).map(n -> item("report", n));
        case "pump" -> Flux.interval(Duration.ofMillis(2)).onBackpressureDrop().concatMapIterable(n -> java.util.List.of(2 * n, 2 * n + 1), 1).map(n -> item("sample " + "of a signal ".repeat(6), n));
        case "token" -> asked[1].equals("expired") ? Flux.error(new RuntimeException("token expired")) : Flux.interval(Duration.ofMillis(250)).take(20).map(n -> item("change", n));
        default -> Flux.interval(Duration.ofMillis(Long.parseLong(asked[1]))).onBackpressureBuffer(500).map(n -> item("tick", n));
      };
    }

    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).limitRate(8).map(each -> { String s = each.getDataUtf8(); each.release(); items.incrementAndGet(); return text("stored " + s); });
    }
  }

  static void serve(String carrier, String mode) throws Exception {
    RSocketServer how = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> Mono.just(new Responder(mode)));
    if (carrier.equals("websocket")) how.bindNow(WebsocketServerTransport.create("broker", 7000)); else how.bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{\"requests\": " + requests + ", \"sent\": " + items + "}");
    System.exit(0);
  }

  // A desk that asks, reads prices and uploads orders, on connections that come back when the server does.
  static void desk(int number, int seconds) throws Exception {
    Mono<RSocket> to = RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain").keepAlive(Duration.ofSeconds(2), Duration.ofSeconds(9))
        .setupPayload(text("desk " + number)).reconnect(Retry.backoff(20, Duration.ofMillis(400)).maxBackoff(Duration.ofSeconds(2))).connect(TcpClientTransport.create("broker", 7000));
    Disposable prices = to.flatMapMany(s -> s.requestStream(text("every " + (180 + 90 * number)))).limitRate(16).doOnNext(p -> { items.incrementAndGet(); p.release(); })
        .doOnError(e -> failed.incrementAndGet()).retryWhen(Retry.backoff(20, Duration.ofMillis(700)).maxBackoff(Duration.ofSeconds(2))).subscribe();
    long end = System.currentTimeMillis() + seconds * 1000L;
    for (int n = 0; System.currentTimeMillis() < end; n++) {
      int round = n;
      try {
        to.flatMap(s -> s.requestResponse(text("limit " + round))).block(Duration.ofSeconds(4)).release();
        answers.incrementAndGet();
        if (n % 4 == 1) to.flatMap(s -> s.fireAndForget(text("seen " + round))).block(Duration.ofSeconds(4));
        if (n % 9 == 5) to.flatMapMany(s -> s.requestChannel(Flux.range(0, 12).map(i -> text("order " + round + "." + i)).delayElements(Duration.ofMillis(15)))).doOnNext(p -> { answers.incrementAndGet(); p.release(); }).blockLast(Duration.ofSeconds(4));
      } catch (RuntimeException e) { failed.incrementAndGet(); Thread.sleep(500); }
      Thread.sleep(260 + 70 * number);
    }
    prices.dispose();
    Thread.sleep(200);
    to.block().dispose();
  }

  // A program that connects anew for each try, and closes no connection that has failed.
  static void leaves() throws Exception {
    for (int n = 0; n < 9; n++) {
      RSocket socket = RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain").keepAlive(Duration.ofSeconds(3), Duration.ofSeconds(20)).connect(TcpClientTransport.create("broker", 7000)).block();
      try { socket.requestStream(text(n == 8 ? "token fresh" : "token expired")).doOnNext(p -> { items.incrementAndGet(); p.release(); }).blockLast(Duration.ofSeconds(8)); } catch (RuntimeException e) { failed.incrementAndGet(); }
      Thread.sleep(900);
    }
  }

  public static void main(String[] a) throws Exception {
    Hooks.onErrorDropped(e -> {});
    if (a[0].equals("leaves")) {
      leaves();
      System.out.println("{\"items\": " + items + ", \"failed\": " + failed + "}");
      System.exit(0);
    }
    if (a[0].equals("tcp") || a[0].equals("websocket")) serve(a[0], a.length > 1 ? a[1] : "");
    Thread[] all = new Thread[3];
    for (int n = 0; n < 3; n++) {
      int number = n;
      all[n] = new Thread(() -> { try { Thread.sleep(300 * number); desk(number, 17); } catch (Exception e) { failed.incrementAndGet(); } });
      all[n].start();
    }
    for (Thread each : all) each.join();
    Thread.sleep(300);
    System.out.println("{\"answers\": " + answers + ", \"items\": " + items + ", \"failed\": " + failed + "}");
    System.exit(0);
  }
}
