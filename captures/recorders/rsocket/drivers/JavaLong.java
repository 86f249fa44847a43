import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** A busy client by rsocket-java, for half a minute; prints as JSON what it counted. */
public class JavaLong {
  static final Duration LONG = Duration.ofSeconds(26);

  static Payload text(String data) {
    return DefaultPayload.create(data);
  }

  static Mono<Void> counted(String name, Flux<Payload> flux) {
    return flux.doOnNext(each -> { JavaPlays.count(name, 1); each.release(); })
        .onErrorResume(error -> { JavaPlays.count("errors", 1); return Mono.empty(); })
        .then();
  }

  static Mono<Void> again(int every, java.util.function.Supplier<Mono<Void>> task) {
    return Flux.interval(Duration.ofMillis(every)).onBackpressureDrop()
        .concatMap(at -> Mono.defer(task), 1).take(LONG).then();
  }

  public static void main(String[] arguments) throws Exception {
    Mono<RSocket> shared = RSocketConnector.create()
        .dataMimeType("text/plain").metadataMimeType("text/plain")
        .keepAlive(Duration.ofSeconds(1), Duration.ofSeconds(10))
        .fragment(1024)
        .reconnect(Retry.backoff(50, Duration.ofMillis(200)).maxBackoff(Duration.ofSeconds(1)))
        .connect(TcpClientTransport.create(JavaPlays.HOST, JavaPlays.PORT));
    Mono.when(
        again(120, () -> shared.flatMap(to -> counted("answers", to.requestResponse(text("ping")).flux()))),
        again(900, () -> shared.flatMap(to -> counted("failures", to.requestResponse(text("error plain")).flux()))),
        again(700, () -> shared.flatMap(to -> counted("items", to.requestStream(text("20")).limitRate(8)))),
        again(1500, () -> shared.flatMap(to -> counted("ticks", to.requestStream(text("slow 15"))))),
        again(1100, () -> shared.flatMap(to -> counted("first", to.requestStream(text("slow 100")).take(4)))),
        again(250, () -> shared.flatMap(to -> to.fireAndForget(text("metric"))).onErrorComplete()),
        again(2500, () -> shared.flatMap(to -> counted("echoes",
            to.requestChannel(Flux.range(0, 6).map(at -> text("to " + at)))))),
        again(3000, () -> shared.flatMap(to -> counted("large",
            to.requestResponse(text("0123456789".repeat(300))).flux())))
    ).block();
    RSocket last = shared.block();
    JavaPlays.leave(last);
    System.out.println(JavaPlays.json());
    System.exit(0);
  }
}
