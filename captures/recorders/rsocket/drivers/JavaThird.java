// Both sides of rsocket-java in the third round of the blind test; prints what it counted as JSON.
import io.netty.buffer.ByteBuf;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.core.Resume;
import io.rsocket.metadata.AuthMetadataCodec;
import io.rsocket.metadata.CompositeMetadata;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

public class JavaThird {
  static final String AUTHENTICATION = "message/x.rsocket.authentication.v0";

  static class Responder implements RSocket {
    final boolean secured;

    Responder(boolean secured) { this.secured = secured; }

    boolean granted(Payload payload) {
      try {
        for (CompositeMetadata.Entry entry : new CompositeMetadata(payload.sliceMetadata(), false)) {
          if (!AUTHENTICATION.equals(entry.getMimeType())) continue;
          ByteBuf content = entry.getContent();
          if (AuthMetadataCodec.isWellKnownAuthType(content)) {
            AuthMetadataCodec.readWellKnownAuthType(content);
            return true;
          }
          return AuthMetadataCodec.readCustomAuthType(content).toString().equals("x-api-key");
        }
      } catch (RuntimeException problem) {
        return false;
      }
      return false;
    }

    public Mono<Payload> requestResponse(Payload payload) {
      if (secured && !granted(payload)) return Mono.error(new RuntimeException("Access Denied"));
      return Mono.just(DefaultPayload.create("answer to " + payload.getDataUtf8()));
    }

    public Mono<Void> fireAndForget(Payload payload) {
      payload.release();
      return Mono.empty();
    }

    // "rows N SIZE" are there at once, "ticks N PAUSE" come one by one
    public Flux<Payload> requestStream(Payload payload) {
      String[] words = payload.getDataUtf8().split(" ");
      int n = Integer.parseInt(words[1]), more = Integer.parseInt(words[2]);
      if (words[0].equals("ticks"))
        return Flux.interval(Duration.ofMillis(more)).take(n).onBackpressureBuffer()
            .map(i -> DefaultPayload.create("tick " + i));
      return Flux.range(1, n).map(i -> DefaultPayload.create("row " + i + "x".repeat(more)));
    }

    // takes three items, and cancels its side
    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).doOnNext(Payload::release).take(3).ignoreElements().thenMany(
          Flux.interval(Duration.ofMillis(150)).onBackpressureBuffer().take(8)
              .map(i -> DefaultPayload.create("stored, step " + i)));
    }
  }

  static void serve(String how) throws Exception {
    RSocketServer server = RSocketServer.create(SocketAcceptor.with(new Responder(how.equals("secured"))));
    if (how.equals("resume"))
      server.resume(new Resume().sessionDuration(Duration.ofSeconds(20)).streamTimeout(Duration.ofSeconds(5)));
    server.bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{}");
    System.exit(0);
  }

  static void ask(boolean exactly) throws Exception {
    RSocket client = RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain")
        .keepAlive(Duration.ofSeconds(5), Duration.ofSeconds(30))
        .connect(TcpClientTransport.create("broker", 7000)).block();
    long taken = 0;
    for (int page = 0; page < 12; page++) {
      Flux<Payload> rows = client.requestStream(DefaultPayload.create("rows 200 40"));
      rows = exactly ? rows.take(5, true) : rows.take(5);
      taken += rows.doOnNext(Payload::release).count().block();
      client.requestResponse(DefaultPayload.create("page " + page + " shown")).block();
      Thread.sleep(120);
    }
    client.dispose();
    Thread.sleep(200);
    System.out.println("{\"taken\": " + taken + "}");
    System.exit(0);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("tcp")) serve(arguments.length > 1 ? arguments[1] : "");
    else ask(arguments[0].equals("takes_five_exactly"));
  }
}
