import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketServer;
import io.rsocket.core.Resume;
import io.rsocket.exceptions.InvalidSetupException;
import io.rsocket.exceptions.RejectedSetupException;
import io.rsocket.exceptions.UnsupportedSetupException;
import io.rsocket.lease.Lease;
import io.rsocket.transport.ServerTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.transport.netty.server.WebsocketServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Serves clients of other libraries with rsocket-java until its input ends; then prints as JSON
 * what it counted. Arguments: transport (tcp, websocket) and, each with a meaning of its own, what
 * is to be switched on.
 */
public class JavaServes {
  /** Answers without metadata: other libraries have other types for it. */
  static final SocketAcceptor ANSWERS = SocketAcceptor.with(new JavaPlays.Responder());

  static Mono<RSocket> asks(RSocket client) {
    Mono.delay(Duration.ofMillis(300))
        .then(client.requestResponse(DefaultPayload.create("server asks")))
        .doOnNext(each -> JavaPlays.count("answers_to_server", 1))
        .thenMany(client.requestStream(DefaultPayload.create("3")))
        .doOnNext(each -> JavaPlays.count("items_to_server", 1))
        .then(client.fireAndForget(DefaultPayload.create("server fires")))
        .subscribe(end -> {}, error -> JavaPlays.count("errors_to_server", 1));
    return Mono.just(new JavaPlays.Responder());
  }

  static RSocketServer switched(RSocketServer how, String option) {
    switch (option) {
      case "fragments": return how.fragment(64);
      case "asks": return how.acceptor((setup, client) -> asks(client));
      case "resume": return how.resume(
          new Resume().sessionDuration(Duration.ofSeconds(30)).streamTimeout(Duration.ofSeconds(5)));
      case "forgets": return how.resume(new Resume().sessionDuration(Duration.ofMillis(300)));
      case "rejects": return how.acceptor(
          (setup, client) -> Mono.error(new RejectedSetupException("no room")));
      case "invalid": return how.acceptor(
          (setup, client) -> Mono.error(new InvalidSetupException("not so")));
      case "unsupported": return how.acceptor(
          (setup, client) -> Mono.error(new UnsupportedSetupException("not here")));
      case "lease": return how.lease(spec -> spec.sender(
          () -> Flux.interval(Duration.ofMillis(0), Duration.ofMillis(500)).take(3)
              .map(at -> Lease.create(Duration.ofMillis(2000), 2))));
      case "bare": JavaPlays.answered = null; return how;
      default: throw new IllegalArgumentException(option);
    }
  }

  public static void main(String[] arguments) throws Exception {
    RSocketServer how = RSocketServer.create(ANSWERS);
    List<String> options = List.of(arguments).subList(1, arguments.length);
    for (String option : options) how = switched(how, option);
    ServerTransport<CloseableChannel> transport = arguments[0].equals("tcp")
        ? TcpServerTransport.create(JavaPlays.HOST, JavaPlays.PORT)
        : WebsocketServerTransport.create(JavaPlays.HOST, JavaPlays.PORT);
    how.bindNow(transport);
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println(JavaPlays.json());
    System.exit(0);
  }
}
