// The server of rsocket-java in the tenth round of the blind test; prints what it counted as JSON.
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketServer;
import io.rsocket.exceptions.RejectedSetupException;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** A gateway that registers each client under the id in the data of its SETUP, once. */
public class JavaTenth {
  static final Set<String> registered = ConcurrentHashMap.newKeySet();
  static final AtomicInteger refused = new AtomicInteger(), served = new AtomicInteger();

  static class Gateway implements RSocket {
    public Mono<Payload> requestResponse(Payload p) {
      served.incrementAndGet();
      return Mono.just(DefaultPayload.create("routed " + p.getDataUtf8())).delayElement(Duration.ofMillis(9));
    }
    public Mono<Void> fireAndForget(Payload p) { served.incrementAndGet(); return Mono.empty(); }
  }

  public static void main(String[] a) throws Exception {
    RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> {
      String id = setup.getDataUtf8();
      if (!registered.add(id)) { refused.incrementAndGet(); return Mono.error(new RejectedSetupException("Route Id already registered: " + id)); }
      back.onClose().subscribe(v -> {}, e -> registered.remove(id), () -> registered.remove(id));
      return Mono.just(new Gateway());
    }).bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{\"refused\": " + refused + ", \"served\": " + served + "}");
    System.exit(0);
  }
}
