// Both sides of rsocket-java in the seventh round of the blind test; prints what it counted as JSON.
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketClient;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.core.Resume;
import io.rsocket.exceptions.RejectedSetupException;
import io.rsocket.metadata.CompositeMetadata;
import io.rsocket.metadata.RoutingMetadata;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.client.WebsocketClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.transport.netty.server.WebsocketServerTransport;
import io.rsocket.util.DefaultPayload;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

public class JavaSeventh {
  static final AtomicInteger items = new AtomicInteger();
  static volatile int answers = 0, errors = 0, connections = 0;
  static final Set<String> ROUTES = Set.of("invoices.find.all", "invoices.find", "invoices.count", "radars.find.nearest", "radars.list");
  static class Responder implements RSocket {
    final String mode, metadataType;
    Responder(String mode, String metadataType) { this.mode = mode; this.metadataType = metadataType; }
    void route(Payload p) {
      String route = "";
      if (metadataType.equals("message/x.rsocket.composite-metadata.v0")) {
        try {
          for (CompositeMetadata.Entry entry : new CompositeMetadata(p.sliceMetadata(), false))
            if ("message/x.rsocket.routing.v0".equals(entry.getMimeType())) route = new RoutingMetadata(entry.getContent()).iterator().next();
        } catch (IllegalStateException | IllegalArgumentException e) { throw new IllegalArgumentException("metadata is malformed"); }
      } else route = p.getMetadataUtf8().replaceAll(".*\"route\": ?\"([^\"]*)\".*", "$1");
      if (!ROUTES.contains(route)) throw new IllegalArgumentException("No handler for destination '" + route + "'");
    }
    public Mono<Payload> requestResponse(Payload p) {
      String data = p.getDataUtf8();
      if (mode.equals("routes") || mode.equals("json_routes"))
        try { route(p); } catch (RuntimeException e) { return Mono.error(e); }
      if (mode.equals("json_routes")) return Mono.just(DefaultPayload.create("{\"radars\": [\"LFLL\", \"LFLY\"]}"));
      if (data.startsWith("export ")) return Mono.just(DefaultPayload.create(new byte[Integer.parseInt(data.split(" ")[1])]));
      return Mono.just(DefaultPayload.create("answer to " + data)).delayElement(Duration.ofMillis(3));
    }
    public Mono<Void> fireAndForget(Payload p) { p.release(); return Mono.empty(); }
    public Flux<Payload> requestStream(Payload p) {
      String[] w = p.getDataUtf8().split(" ");
      if (w[0].equals("ticks")) return Flux.interval(Duration.ofMillis(Integer.parseInt(w[1]))).onBackpressureBuffer().map(i -> DefaultPayload.create(w[2] + " " + (100 + i % 17) + "." + (10 + i % 89)));
      return Flux.range(0, Integer.parseInt(w[1])).map(i -> DefaultPayload.create(w[2] + " row " + i));
    }
    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).map(each -> {
        String s = each.getDataUtf8();
        each.release();
        if (s.contains("broken")) throw new IllegalStateException("checksum of '" + s + "' is wrong");
        return DefaultPayload.create("stored " + s);
      });
    }
  }

  static void serve(String carrier, String mode) throws Exception {
    RSocketServer how = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> {
      if (mode.equals("reject") && !setup.getDataUtf8().equals("token 2026-12")) return Mono.error(new RejectedSetupException("token expired at 2026-11-01T00:00:00Z"));
      return Mono.just(new Responder(mode, setup.metadataMimeType()));
    });
    if (mode.equals("fragments")) how.fragment(1400);
    if (mode.equals("resume")) how.resume(new Resume().sessionDuration(Duration.ofSeconds(60)));
    if (carrier.equals("websocket")) how.bindNow(WebsocketServerTransport.create("broker", 7000));
    else how.bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{}");
    System.exit(0);
  }

  static void ask(Mono<Payload> answer) {
    try {
      Payload p = answer.block(Duration.ofSeconds(6));
      if (p != null) p.release();
      answers++;
    } catch (RuntimeException refused) { errors++; }
  }
  static Payload text(String t) { return DefaultPayload.create(t); }

  static RSocketConnector plain() {
    return RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain").keepAlive(Duration.ofSeconds(4), Duration.ofSeconds(20));
  }

  // A subscription to the source of the connection for each call, as the requester is built for each.
  static void perCall() throws Exception {
    Mono<RSocket> source = plain().connect(TcpClientTransport.create("broker", 7000)).doOnNext(r -> connections++);
    for (int n = 0; n < 19; n++) {
      int number = n;
      ask(source.flatMap(r -> r.requestResponse(text("rate of EUR at hour " + number))));
      Thread.sleep(70 + 23 * (n % 4));
    }
    Thread.sleep(1500);
  }

  static void pool() throws Exception {
    List<RSocket> pool = new ArrayList<>();
    for (int n = 0; n < 4; n++) { pool.add(plain().connect(TcpClientTransport.create("broker", 7000)).block()); connections++; }
    for (int n = 0; n < 36; n++) { ask(pool.get(n % 4).requestResponse(text("rate of EUR at hour " + n))); Thread.sleep(45); }
    for (RSocket each : pool) each.dispose();
  }

  // Connects to a service of quotes which is no RSocket server.
  static void quotes() throws Exception {
    for (int n = 0; n < 5; n++) {
      try {
        RSocket r = RSocketConnector.create().dataMimeType("application/json").metadataMimeType("application/json").keepAlive(Duration.ofSeconds(1), Duration.ofSeconds(9)).connect(WebsocketClientTransport.create(URI.create("ws://broker:7000/"))).block(Duration.ofSeconds(3));
        connections++;
        r.requestStream(text("{\"event\":\"subscribe\",\"pair\":[\"XBT/USD\"]}")).take(Duration.ofMillis(900)).doOnNext(p -> items.incrementAndGet()).onErrorResume(e -> { errors++; return Mono.empty(); }).blockLast();
        r.dispose();
      } catch (RuntimeException e) { errors++; }
      Thread.sleep(350);
    }
  }

  static void overWebsocket() throws Exception {
    RSocket r = RSocketConnector.create().dataMimeType("application/json").metadataMimeType("application/json").keepAlive(Duration.ofSeconds(1), Duration.ofSeconds(9)).connect(WebsocketClientTransport.create(URI.create("ws://broker:7000/"))).block();
    for (int n = 0; n < 12; n++) {
      ask(r.requestResponse(text("{\"event\":\"quote\",\"pair\":[\"XBT/USD\"],\"reqid\":" + n + "}")));
      r.requestStream(text("rows 7 {\"a\":[\"5541.3\"]}")).limitRate(4).doOnNext(p -> { items.incrementAndGet(); p.release(); }).blockLast();
      Thread.sleep(190);
    }
    r.dispose();
  }

  // A session that is to be resumed, and streams that are requested again when it is lost.
  static void resumes(boolean resume) throws Exception {
    RSocketConnector how = plain();
    if (resume) how.resume(new Resume().sessionDuration(Duration.ofSeconds(90)).retry(Retry.fixedDelay(200, Duration.ofMillis(350))));
    RSocketClient client = RSocketClient.from(how.reconnect(Retry.fixedDelay(1000, Duration.ofMillis(500))).connect(TcpClientTransport.create("broker", 7000)));
    Flux.defer(() -> client.requestStream(Mono.fromSupplier(() -> text("ticks 180 ACME")))).retryWhen(Retry.fixedDelay(100, Duration.ofMillis(600)))
        .subscribe(p -> { items.incrementAndGet(); p.release(); });
    long end = System.currentTimeMillis() + 15_000;
    for (int n = 0; System.currentTimeMillis() < end; n++) {
      String t = "account " + n;
      ask(client.requestResponse(Mono.fromSupplier(() -> text(t))));
      Thread.sleep(240);
    }
    client.dispose();
  }

  static void exports(String bytes) throws Exception {
    RSocket r = plain().connect(TcpClientTransport.create("broker", 7000)).block();
    for (int n = 0; n < 21; n++) {
      ask(r.requestResponse(text(n % 3 == 2 ? "export " + bytes + " customers" : "account " + n)));
      Thread.sleep(130);
    }
    r.dispose();
  }

  public static void main(String[] a) throws Exception {
    if (a[0].equals("tcp") || a[0].equals("websocket")) { serve(a[0], a.length > 1 ? a[1] : "plain"); return; }
    switch (a[0]) {
      case "connection_per_call": perCall(); break;
      case "pool_of_connections": pool(); break;
      case "no_rsocket_server": quotes(); break;
      case "json_over_websocket": overWebsocket(); break;
      case "resume_after_restart": resumes(true); break;
      case "session_anew_after_restart": resumes(false); break;
      case "answer_too_large": exports("17000000"); break;
      case "large_answers": exports("7000"); break;
    }
    Thread.sleep(300);
    System.out.println("{\"answers\": " + answers + ", \"errors\": " + errors + ", \"items\": " + items + ", \"connections\": " + connections + "}");
    System.exit(0);
  }
}
