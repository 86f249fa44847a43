import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import org.reactivestreams.Subscription;

/** Plays scenarios from threads by rsocket-java: PLAY tcp; prints as JSON what it counted. */
public class JavaThreads {
  static RSocketConnector connector() {
    return RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain");
  }

  static TcpClientTransport transport() {
    return TcpClientTransport.create(JavaPlays.HOST, JavaPlays.PORT);
  }

  /** Asks, and connects anew each time that the connection is refused. */
  static void setupRejectedAgain() {
    Mono.defer(() -> connector().connect(transport()))
        .flatMap(client -> client.requestResponse(DefaultPayload.create("ping")))
        .doOnError(error -> JavaPlays.count("rejected", 1))
        .retryWhen(Retry.fixedDelay(14, Duration.ofMillis(20)))
        .onErrorResume(error -> Mono.empty())
        .block(Duration.ofSeconds(20));
  }

  /** Requests the next item when one has come. */
  static void itemsOneByOne() throws Exception {
    RSocket client = connector().connect(transport()).block();
    CountDownLatch done = new CountDownLatch(1);
    client.requestStream(DefaultPayload.create("60")).subscribe(new BaseSubscriber<Payload>() {
      protected void hookOnSubscribe(Subscription subscription) { request(1); }
      protected void hookOnNext(Payload item) { JavaPlays.count("items", 1); item.release(); request(1); }
      protected void hookOnComplete() { done.countDown(); }
    });
    done.await();
    JavaPlays.leave(client);
  }

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "setup_rejected_again": setupRejectedAgain(); break;
      case "items_one_by_one": itemsOneByOne(); break;
      default: throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println(JavaPlays.json());
    System.exit(0);
  }
}
