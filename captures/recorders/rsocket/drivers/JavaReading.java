// What rsocket-java does in threads that were read, as server and as client; prints what it counted as JSON.
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketClient;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.loadbalance.LoadbalanceRSocketClient;
import io.rsocket.loadbalance.LoadbalanceTarget;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

public class JavaReading {
  static final AtomicInteger requests = new AtomicInteger(), answers = new AtomicInteger(), failed = new AtomicInteger();
  static final String[] HOSTS = {"127.0.0.1", "127.0.0.2"};

  static Payload text(String t) { return DefaultPayload.create(t); }

  static CloseableChannel serves(String host, Queue<RSocket> open) {
    SocketAcceptor acceptor = (setup, back) -> {
      open.add(back);
      return Mono.just(new RSocket() {
        public Mono<Payload> requestResponse(Payload p) {
          String asked = p.getDataUtf8();
          p.release();
          requests.incrementAndGet();
          return Mono.delay(Duration.ofMillis(5)).map(x -> text("answer to " + asked));
        }
      });
    };
    return RSocketServer.create(acceptor).bindNow(TcpServerTransport.create(host, 7000));
  }

  // Two servers, of which the second one is away for two seconds.
  static void serve() throws Exception {
    Queue<RSocket> first = new ConcurrentLinkedQueue<>(), second = new ConcurrentLinkedQueue<>();
    serves(HOSTS[0], first);
    CloseableChannel restarts = serves(HOSTS[1], second);
    System.out.println("ready");
    Thread.sleep(5000);
    restarts.dispose();
    second.forEach(RSocket::dispose);
    Thread.sleep(2000);
    serves(HOSTS[1], second);
    while (System.in.read() >= 0) {}
    System.out.println("{\"requests\": " + requests + "}");
    System.exit(0);
  }

  static RSocketConnector connector(int every) {
    return RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain").keepAlive(Duration.ofMillis(every), Duration.ofSeconds(60));
  }

  // Balances over both servers, by a list that is given once or again and again.
  static void balances(boolean again) throws Exception {
    List<LoadbalanceTarget> targets = List.of(
        LoadbalanceTarget.from("a", TcpClientTransport.create(HOSTS[0], 7000)),
        LoadbalanceTarget.from("b", TcpClientTransport.create(HOSTS[1], 7000)));
    Flux<List<LoadbalanceTarget>> list = again ? Flux.interval(Duration.ZERO, Duration.ofSeconds(1)).map(x -> x % 2 == 0 ? targets : List.copyOf(targets)) : Flux.just(targets);
    RSocketClient client = LoadbalanceRSocketClient.builder(list).roundRobinLoadbalanceStrategy().connector(connector(1000)).build();
    for (int n = 0; n < 80; n++) {
      int number = n;
      try {
        client.requestResponse(Mono.fromSupplier(() -> text("price of article " + number))).block(Duration.ofSeconds(2)).release();
        answers.incrementAndGet();
      } catch (RuntimeException e) { failed.incrementAndGet(); }
      Thread.sleep(260);
    }
  }

  // Readings of meters, over another connection if the last one was lost.
  static void meters() throws Exception {
    for (int round = 0; round < 4; round++) {
      RSocket socket = connector(20000).connect(TcpClientTransport.create("broker", 7000)).block();
      for (int n = 0; n < 3; n++) {
        socket.requestResponse(text("reading " + round + " of meter " + n)).block(Duration.ofSeconds(3)).release();
        answers.incrementAndGet();
      }
      Thread.sleep(6000);
    }
  }

  // A command that sends one message, and ends.
  static void command() throws Exception {
    for (int n = 0; n < 4; n++) {
      RSocket socket = connector(20000).connect(TcpClientTransport.create("broker", 7000)).block();
      String message = "message " + n;
      Mono.delay(Duration.ofMillis(1)).then(socket.fireAndForget(text(message))).subscribe();
      socket.dispose();
      Thread.sleep(1500);
    }
  }

  public static void main(String[] a) throws Exception {
    Hooks.onErrorDropped(e -> {});
    switch (a[0]) {
      case "tcp" -> serve();
      case "balances" -> balances(false);
      case "refreshes" -> balances(true);
      case "command" -> command();
      default -> meters();
    }
    System.out.println("{\"answers\": " + answers + ", \"failed\": " + failed + "}");
    System.exit(0);
  }
}
