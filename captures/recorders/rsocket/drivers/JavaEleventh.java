// Both sides of rsocket-java in the eleventh round of the blind test; prints what it counted as JSON.
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.core.Resume;
import io.rsocket.exceptions.RejectedSetupException;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

public class JavaEleventh {
  static final AtomicInteger served = new AtomicInteger(), answers = new AtomicInteger(), items = new AtomicInteger(), errors = new AtomicInteger();

  static Payload text(String t) { return DefaultPayload.create(t); }

  static class Responder implements RSocket {
    final List<String> modes;
    Responder(List<String> modes) { this.modes = modes; }
    public Mono<Payload> requestResponse(Payload p) {
      served.incrementAndGet();
      String asked = p.getDataUtf8();
      p.release();
      if (modes.contains("silent") && asked.startsWith("stock ")) return Mono.never();
      return Mono.just(text("answer to " + asked)).delayElement(Duration.ofMillis(6));
    }
    public Mono<Void> fireAndForget(Payload p) { served.incrementAndGet(); p.release(); return Mono.empty(); }
    public Flux<Payload> requestStream(Payload p) {
      served.incrementAndGet();
      String[] w = p.getDataUtf8().split(" ");
      p.release();
      if (w[0].equals("ticks")) return Flux.interval(Duration.ofMillis(Integer.parseInt(w[1]))).onBackpressureDrop().map(i -> text(w[2] + " " + i));
      return Flux.range(0, Integer.parseInt(w[1])).map(i -> text(w[2] + " row " + i));
    }
    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      served.incrementAndGet();
      Flux<Payload> in = Flux.from(payloads);
      if (!modes.contains("cancels")) return in.map(each -> { String s = each.getDataUtf8(); each.release(); return text("stored " + s); });
      in.take(3).subscribe(Payload::release);
      return Flux.interval(Duration.ofMillis(150)).onBackpressureDrop().map(i -> text("progress " + i)).take(20);
    }
  }

  static void serve(List<String> modes) throws Exception {
    RSocketServer how = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) ->
        modes.contains("refuses") && !setup.getDataUtf8().equals("token-2")
            ? Mono.error(new RejectedSetupException("ACCESS_DENIED")) : Mono.just(new Responder(modes)));
    if (modes.contains("resume")) how.resume(new Resume().sessionDuration(Duration.ofSeconds(30)));
    how.bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{\"served\": " + served + "}");
    System.exit(0);
  }

  static RSocket connect() {
    return RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain").keepAlive(Duration.ofSeconds(3), Duration.ofSeconds(15))
        .setupPayload(text("importer")).connect(TcpClientTransport.create("broker", 7000)).block(Duration.ofSeconds(5));
  }

  // Files that are sent on channels, beside requests and a stream; the source of each third file fails, or none does.
  static void files(boolean fails) throws Exception {
    for (int life = 0; life < 3; life++) {
      RSocket client = connect();
      int of = life;
      client.requestStream(text("ticks 90 LINE-" + life)).subscribe(p -> { items.incrementAndGet(); p.release(); }, e -> errors.incrementAndGet());
      for (int n = 0; n < 6 && !client.isDisposed(); n++) {
        int file = n;
        Flux<Payload> parts = Flux.range(0, 7).delayElements(Duration.ofMillis(40)).map(i -> text("file " + of + "." + file + " part " + i));
        if (fails && n % 3 == 2) parts = parts.take(4).concatWith(Flux.error(new IllegalStateException("disk of the client")));
        try { items.addAndGet(client.requestChannel(parts).doOnNext(Payload::release).count().block(Duration.ofSeconds(3)).intValue()); } catch (RuntimeException e) { errors.incrementAndGet(); }
        try { client.requestResponse(text("size of file " + n)).doOnNext(Payload::release).block(Duration.ofSeconds(2)); answers.incrementAndGet(); } catch (RuntimeException e) { errors.incrementAndGet(); }
      }
      client.dispose();
      Thread.sleep(900);
    }
  }

  public static void main(String[] a) throws Exception {
    Hooks.onErrorDropped(e -> {});
    if (a[0].equals("tcp")) { serve(List.of(a).subList(1, a.length)); return; }
    files(a[0].equals("fails"));
    System.out.println("{\"answers\": " + answers + ", \"errors\": " + errors + ", \"items\": " + items + "}");
    System.exit(0);
  }
}
