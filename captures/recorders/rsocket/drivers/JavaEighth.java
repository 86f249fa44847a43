// Both sides of rsocket-java in the eighth round of the blind test; prints what it counted as JSON.
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketClient;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.core.Resume;
import io.rsocket.exceptions.RejectedSetupException;
import io.rsocket.loadbalance.LoadbalanceRSocketClient;
import io.rsocket.loadbalance.LoadbalanceTarget;
import io.rsocket.metadata.CompositeMetadata;
import io.rsocket.metadata.RoutingMetadata;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

public class JavaEighth {
  static final AtomicInteger items = new AtomicInteger();
  static volatile int answers = 0, errors = 0;

  static class Responder implements RSocket {
    final boolean routes;
    Responder(boolean routes) { this.routes = routes; }
    void route(Payload p, String model) {
      String route = "";
      if (p.hasMetadata() && p.sliceMetadata().readableBytes() > 0)
        for (CompositeMetadata.Entry entry : new CompositeMetadata(p.sliceMetadata(), false))
          if ("message/x.rsocket.routing.v0".equals(entry.getMimeType())) route = new RoutingMetadata(entry.getContent()).iterator().next();
      if (!route.startsWith("subscribe.") && !route.startsWith("find.")) throw new IllegalArgumentException("Destination '" + route + "' does not support " + model + ".");
    }
    public Mono<Payload> requestResponse(Payload p) {
      if (routes) try { route(p, "REQUEST_RESPONSE"); } catch (RuntimeException e) { return Mono.error(e); }
      return Mono.just(DefaultPayload.create("answer to " + p.getDataUtf8())).delayElement(Duration.ofMillis(4));
    }
    public Mono<Void> fireAndForget(Payload p) { p.release(); return Mono.empty(); }
    public Flux<Payload> requestStream(Payload p) {
      if (routes) try { route(p, "REQUEST_STREAM"); } catch (RuntimeException e) { return Flux.error(e); }
      String[] w = p.getDataUtf8().split(" ");
      if (w[0].equals("ticks")) return Flux.interval(Duration.ofMillis(Integer.parseInt(w[1]))).onBackpressureBuffer().map(i -> DefaultPayload.create(w[2] + " " + (100 + i % 17) + "." + (10 + i % 89)));
      return Flux.range(0, Integer.parseInt(w[1])).map(i -> DefaultPayload.create(w[2] + " row " + i));
    }
    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).map(each -> { String s = each.getDataUtf8(); each.release(); return DefaultPayload.create("stored " + s); });
    }
  }

  static boolean authenticated(ConnectionSetupPayload setup) {
    if (!setup.hasMetadata()) return false;
    for (CompositeMetadata.Entry entry : new CompositeMetadata(setup.sliceMetadata(), false))
      if ("message/x.rsocket.authentication.v0".equals(entry.getMimeType())) return true;
    return false;
  }

  static void serve(String mode, int port) throws Exception {
    RSocketServer how = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> {
      if (mode.equals("auth") && !authenticated(setup)) return Mono.error(new RejectedSetupException("Access Denied"));
      return Mono.just(new Responder(mode.equals("routes")));
    });
    if (mode.equals("resume")) how.resume(new Resume().sessionDuration(Duration.ofSeconds(60)));
    how.bindNow(TcpServerTransport.create("broker", port));
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
    return RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain").keepAlive(Duration.ofSeconds(3), Duration.ofSeconds(15));
  }

  // A display of temperatures that is to be resumed when its connection is lost; begins anew where that is refused.
  static void display() throws Exception {
    RSocketClient client = RSocketClient.from(plain()
        .resume(new Resume().sessionDuration(Duration.ofSeconds(60)).retry(Retry.fixedDelay(100, Duration.ofMillis(250))))
        .reconnect(Retry.fixedDelay(1000, Duration.ofMillis(400))).connect(TcpClientTransport.create("broker", 7000)));
    Flux.defer(() -> client.requestStream(Mono.fromSupplier(() -> text("ticks 140 HALL-3")))).retryWhen(Retry.fixedDelay(100, Duration.ofMillis(300)))
        .subscribe(p -> { items.incrementAndGet(); p.release(); });
    ask(client.requestResponse(Mono.fromSupplier(() -> text("humidity of yesterday"))));
    long end = System.currentTimeMillis() + 16_000;
    for (int n = 0; System.currentTimeMillis() < end; n++) {
      String t = "humidity " + n;
      ask(client.requestResponse(Mono.fromSupplier(() -> text(t))));
      Thread.sleep(310);
    }
    client.dispose();
  }

  // A pool of the library that balances its requests over three targets, one of which comes and goes.
  static void balanced() throws Exception {
    List<LoadbalanceTarget> all = IntStream.range(0, 3).mapToObj(n -> LoadbalanceTarget.from("target-" + n, TcpClientTransport.create("broker", 7000))).collect(Collectors.toList());
    Flux<List<LoadbalanceTarget>> known = Flux.interval(Duration.ZERO, Duration.ofMillis(1500)).map(i -> i % 2 == 0 ? all : all.subList(0, 2));
    LoadbalanceRSocketClient client = LoadbalanceRSocketClient.builder(known).connector(plain()).weightedLoadbalanceStrategy().build();
    for (int n = 0; n < 60; n++) {
      String t = "price of " + n;
      if (n % 4 == 3) client.requestStream(Mono.fromSupplier(() -> text("rows 5 " + t))).doOnNext(p -> { items.incrementAndGet(); p.release(); }).onErrorResume(e -> { errors++; return Mono.empty(); }).blockLast();
      else if (n % 7 == 5) client.fireAndForget(Mono.fromSupplier(() -> text(t))).block();
      else ask(client.requestResponse(Mono.fromSupplier(() -> text(t))));
      Thread.sleep(110);
    }
    client.dispose();
  }

  public static void main(String[] a) throws Exception {
    if (a[0].equals("tcp")) { serve(a.length > 1 ? a[1] : "plain", a.length > 2 ? Integer.parseInt(a[2]) : 7000); return; }
    switch (a[0]) {
      case "display": display(); break;
      case "balanced": balanced(); break;
    }
    Thread.sleep(300);
    System.out.println("{\"answers\": " + answers + ", \"errors\": " + errors + ", \"items\": " + items + "}");
    System.exit(0);
  }
}
