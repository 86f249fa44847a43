// Both sides of rsocket-java in the fifth round of the blind test; prints what it counted as JSON.
import io.netty.buffer.ByteBuf;
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketClient;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.core.Resume;
import io.rsocket.lease.Lease;
import io.rsocket.metadata.CompositeMetadata;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

public class JavaFifth {
  static final AtomicInteger items = new AtomicInteger();
  static volatile int answers = 0, errors = 0;
  static final Set<String> ROUTES = Set.of("orders.show", "orders.list", "orders.17", "orders.18", "on.message", "customers.3");
  static class Responder implements RSocket {
    final String mode, metadataType;
    Responder(String mode, String metadataType) { this.mode = mode; this.metadataType = metadataType; }
    String route(Payload p) {
      try {
        if (metadataType.equals("message/x.rsocket.composite-metadata.v0"))
          for (CompositeMetadata.Entry entry : new CompositeMetadata(p.sliceMetadata(), false))
            if ("message/x.rsocket.routing.v0".equals(entry.getMimeType())) return tag(entry.getContent());
        if (metadataType.equals("message/x.rsocket.routing.v0")) return tag(p.sliceMetadata());
      } catch (RuntimeException problem) { return ""; }
      return "";
    }
    static String tag(ByteBuf b) { return b.readCharSequence(b.readUnsignedByte(), StandardCharsets.UTF_8).toString(); }
    public Mono<Payload> requestResponse(Payload p) {
      String data = p.getDataUtf8();
      if (data.startsWith("reading") || data.startsWith("ping")) return Mono.just(DefaultPayload.create("answer to " + data));
      if (data.startsWith("slow ")) return Mono.delay(Duration.ofMillis(Integer.parseInt(data.split(" ")[1]))).map(i -> DefaultPayload.create("answer to " + data));
      if (mode.equals("routes")) {
        String r = route(p);
        if (!ROUTES.contains(r)) return Mono.error(new RuntimeException("No handler for destination '" + r + "'"));
      }
      if (mode.equals("json") && (!data.startsWith("{") || data.indexOf('\0') >= 0))
        return Mono.error(new RuntimeException("JSON decoding error: Illegal character ((CTRL-CHAR, code 0)): only regular white space (\\r, \\n, \\t) is allowed between tokens"));
      return Mono.just(DefaultPayload.create("answer to " + data));
    }
    public Mono<Void> fireAndForget(Payload p) { p.release(); return Mono.empty(); }
    public Flux<Payload> requestStream(Payload p) {
      String[] w = p.getDataUtf8().split(" ");
      if (w.length < 3) return Flux.error(new IllegalArgumentException("no symbol in '" + p.getDataUtf8() + "'"));
      if (mode.equals("routes")) { String r = route(p); if (!ROUTES.contains(r)) return Flux.error(new RuntimeException("No handler for destination '" + r + "'")); }
      long count = w.length > 3 ? Integer.parseInt(w[3]) : Long.MAX_VALUE;
      if (w[0].equals("rows")) return Flux.range(0, (int) count).map(i -> DefaultPayload.create(w[2] + " row " + i + " of " + count));
      Flux<Long> ticks = Flux.interval(Duration.ofMillis(Integer.parseInt(w[1])));
      if (w[0].equals("prices")) ticks = ticks.onBackpressureBuffer();
      return ticks.map(i -> DefaultPayload.create(w[2] + " " + (100 + i % 17) + "." + (10 + i % 89))).take(count);
    }
    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).map(each -> { String s = "stored " + each.getDataUtf8(); each.release(); return DefaultPayload.create(s); });
    }
  }

  static void serve(String mode) throws Exception {
    RSocketServer how = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> Mono.just(new Responder(mode, setup.metadataMimeType())));
    if (mode.equals("lease_storm")) how.lease(c -> c.sender(() -> Flux.interval(Duration.ofMillis(20)).onBackpressureDrop().map(i -> Lease.create(Duration.ofSeconds(30), 1000))));
    if (mode.equals("lease_calm")) how.lease(c -> c.sender(() -> Flux.interval(Duration.ZERO, Duration.ofMillis(900)).onBackpressureDrop().map(i -> Lease.create(Duration.ofMillis(1000), 10))));
    if (mode.equals("resume")) how.resume(new Resume().sessionDuration(Duration.ofSeconds(60)));
    how.bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{}");
    System.exit(0);
  }

  static void ask(RSocket client, String text) {
    try {
      Payload answer = client.requestResponse(DefaultPayload.create(text)).block(Duration.ofSeconds(9));
      if (answer != null) answer.release();
      answers++;
    } catch (RuntimeException refused) {
      errors++;
    }
  }

  static void end() throws Exception {
    Thread.sleep(300);
    System.out.println("{\"answers\": " + answers + ", \"errors\": " + errors + ", \"items\": " + items + "}");
    System.exit(0);
  }

  static void play(String name) throws Exception {
    boolean resume = name.equals("resumes_through_cuts");
    RSocketConnector how = RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain")
        .keepAlive(Duration.ofSeconds(2), Duration.ofSeconds(10));
    if (name.startsWith("lease")) how.lease(l -> l.maxPendingRequests(8));
    if (resume) how.resume(new Resume().sessionDuration(Duration.ofSeconds(60)).retry(Retry.fixedDelay(100, Duration.ofMillis(400))));
    if (name.equals("reconnects_through_restarts")) { reconnects(how); end(); }
    RSocket c = how.connect(TcpClientTransport.create("broker", resume ? 7001 : 7000)).block();
    switch (name) {
      case "each_request_sent_twice":
        for (int n = 0; n < 20; n++) {
          int order = n;
          Mono<Payload> answer = Mono.defer(() -> c.requestResponse(DefaultPayload.create("place order " + order + ": " + (order * 7 % 5 + 1) + " boxes")));
          answer.subscribe(Payload::release); // only for the log
          answer.block(Duration.ofSeconds(3)).release();
          answers++;
          Thread.sleep(90);
        }
        break;
      case "leases_every_moment":
      case "leases_when_needed":
        for (int n = 0; n < 45; n++) { ask(c, "report " + n); Thread.sleep(110); }
        break;
      case "resumes_through_cuts": {
        c.requestStream(DefaultPayload.create("prices 150 ACME")).limitRate(40)
            .subscribe(p -> { items.incrementAndGet(); p.release(); }, e -> errors++);
        long end = System.currentTimeMillis() + 58_000;
        int n = 0;
        while (System.currentTimeMillis() < end) {
          ask(c, "account " + n++);
          if (n % 10 == 0) c.fireAndForget(DefaultPayload.create("seen " + n)).block();
          Thread.sleep(230);
        }
        break;
      }
    }
    c.dispose();
    end();
  }

  static void reconnects(RSocketConnector how) throws Exception {
    RSocketClient client = RSocketClient.from(how.reconnect(Retry.backoff(1000, Duration.ofMillis(200)).maxBackoff(Duration.ofSeconds(2))).connect(TcpClientTransport.create("broker", 7000)));
    Flux.defer(() -> client.requestStream(Mono.fromSupplier(() -> DefaultPayload.create("prices 200 ACME"))))
        .retryWhen(Retry.backoff(1000, Duration.ofMillis(300)).maxBackoff(Duration.ofSeconds(2)).transientErrors(true))
        .subscribe(p -> { items.incrementAndGet(); p.release(); });
    long end = System.currentTimeMillis() + 62_000;
    int n = 0;
    while (System.currentTimeMillis() < end) {
      String text = "account " + n++;
      try {
        Payload p = client.requestResponse(Mono.fromSupplier(() -> DefaultPayload.create(text))).retryWhen(Retry.backoff(20, Duration.ofMillis(300)).maxBackoff(Duration.ofSeconds(1))).block(Duration.ofSeconds(12));
        p.release();
        answers++;
      } catch (RuntimeException e) { errors++; }
      if (n % 12 == 0) client.requestChannel(Flux.range(0, 5).map(i -> DefaultPayload.create("record " + i))).doOnNext(Payload::release).onErrorResume(e -> Mono.empty()).blockLast(Duration.ofSeconds(3));
      Thread.sleep(260);
    }
    client.dispose();
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("tcp")) serve(arguments.length > 1 ? arguments[1] : "plain");
    else play(arguments[0]);
  }
}
