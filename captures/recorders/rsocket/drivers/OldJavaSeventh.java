// What rsocket-java 0.11 is made to do in the seventh round of the blind test; prints what it counted.
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.RSocketFactory;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

public class OldJavaSeventh {
  public static void main(String[] arguments) throws Exception {
    RSocket client = RSocketFactory.connect().dataMimeType("text/plain").metadataMimeType("text/plain").transport(TcpClientTransport.create("broker", 7000)).start().block();
    client.requestResponse(DefaultPayload.create("begin")).block(Duration.ofSeconds(9)).release();
    int stored = 0, errors = 0;
    for (int round = 0; round < 5; round++) {
      int number = round;
      Flux<Payload> samples = Flux.interval(Duration.ofMillis(35)).onBackpressureBuffer().take(24)
          .map(n -> DefaultPayload.create((n == 6 + number && number != 2 ? "broken " : "sample ") + n + " of run " + number));
      try {
        stored += client.requestChannel(samples).doOnNext(Payload::release).count().block(Duration.ofSeconds(6)).intValue();
      } catch (RuntimeException e) { errors++; }
      Thread.sleep(900);
      client.requestResponse(DefaultPayload.create("run " + number + " is over")).block(Duration.ofSeconds(3)).release();
    }
    client.dispose();
    Thread.sleep(300);
    System.out.println("{\"stored\": " + stored + ", \"errors\": " + errors + "}");
    System.exit(0);
  }
}
