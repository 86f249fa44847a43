// Both sides of rsocket-java in the fourth round of the blind test; prints what it counted as JSON.
import io.netty.buffer.ByteBuf;
import io.rsocket.ConnectionSetupPayload;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.lease.Lease;
import io.rsocket.metadata.AuthMetadataCodec;
import io.rsocket.metadata.CompositeMetadata;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

public class JavaFourth {
  static final Map<String, RSocket> NAMED = new ConcurrentHashMap<>();
  static final Pattern EXPIRES = Pattern.compile("\"exp\":(\\d+)");
  static final String AUTHENTICATION = "message/x.rsocket.authentication.v0";
  static int answers = 0, errors = 0;

  static class Responder implements RSocket {
    final String mode;

    Responder(String mode) { this.mode = mode; }

    // why a request may not be answered, if so
    static String denied(Payload payload) {
      try {
        for (CompositeMetadata.Entry entry : new CompositeMetadata(payload.sliceMetadata(), false)) {
          if (!AUTHENTICATION.equals(entry.getMimeType())) continue;
          ByteBuf content = entry.getContent();
          AuthMetadataCodec.readWellKnownAuthType(content);
          String claims = content.toString(StandardCharsets.UTF_8).split("\\.")[1];
          Matcher found = EXPIRES.matcher(new String(Base64.getUrlDecoder().decode(claims), StandardCharsets.UTF_8));
          if (!found.find()) return "Access Denied";
          return Long.parseLong(found.group(1)) * 1000 < System.currentTimeMillis() ? "Access Denied: the token is expired" : "";
        }
      } catch (RuntimeException problem) {
        return "Access Denied: " + problem.getMessage();
      }
      return "Access Denied";
    }

    static int number(String text) {
      try {
        return Integer.parseInt(text.substring(text.lastIndexOf(' ') + 1));
      } catch (NumberFormatException problem) {
        throw new IllegalStateException("order store orders-db.example:5432 as user orders_rw: no such order", problem);
      }
    }

    Mono<Payload> order(String data) {
      try {
        return Mono.just(DefaultPayload.create("order " + number(data) + " is paid"));
      } catch (RuntimeException problem) {
        if (mode.equals("brief")) return Mono.error(new RuntimeException("no such order"));
        StringWriter trace = new StringWriter();
        problem.printStackTrace(new PrintWriter(trace));
        return Mono.error(new RuntimeException(trace.toString()));
      }
    }

    public Mono<Payload> requestResponse(Payload payload) {
      String data = payload.getDataUtf8();
      if (mode.equals("verbose") || mode.equals("brief")) return order(data);
      String why = mode.equals("secured") ? denied(payload) : "";
      if (mode.equals("strict") && !payload.getMetadataUtf8().startsWith("{"))
        why = "Failed to decode metadata: unrecognized token '" + payload.getMetadataUtf8() + "', a JSON value was expected";
      return why.isEmpty() ? Mono.just(DefaultPayload.create("answer to " + data)) : Mono.error(new RuntimeException(why));
    }

    // "drop NAME" ends the connection that stated this name in its SETUP
    public Mono<Void> fireAndForget(Payload payload) {
      String data = payload.getDataUtf8();
      payload.release();
      RSocket other = data.startsWith("drop ") ? NAMED.remove(data.substring(5)) : null;
      if (other != null) other.dispose();
      return Mono.empty();
    }

    public Mono<Void> metadataPush(Payload payload) {
      payload.release();
      return Mono.empty();
    }

    // "prices PAUSE SYMBOL [N]"
    public Flux<Payload> requestStream(Payload payload) {
      String[] words = payload.getDataUtf8().split(" ");
      return Flux.interval(Duration.ofMillis(Integer.parseInt(words[1]))).onBackpressureDrop()
          .map(i -> DefaultPayload.create(words[2] + " " + (100 + i % 17) + "." + (10 + i % 89)))
          .take(words.length > 3 ? Integer.parseInt(words[3]) : Long.MAX_VALUE);
    }

    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return Flux.from(payloads).map(each -> {
        String stored = "stored " + each.getDataUtf8();
        each.release();
        return DefaultPayload.create(stored);
      });
    }
  }

  static void serve(String mode) throws Exception {
    RSocketServer server = RSocketServer.create((ConnectionSetupPayload setup, RSocket back) -> {
      if (!setup.getDataUtf8().isEmpty()) NAMED.put(setup.getDataUtf8(), back);
      return Mono.just(new Responder(mode));
    });
    if (mode.equals("lease"))
      server.lease(how -> how.sender(() -> Flux.interval(Duration.ofMillis(500)).map(i -> Lease.create(Duration.ofSeconds(10), 0))));
    server.bindNow(TcpServerTransport.create("broker", 7000));
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{}");
    System.exit(0);
  }

  static String token(int n) { return "session " + Integer.toHexString(0x51f3a7 * (n + 3)) + "-7b1d-4c55-9e02-throwaway"; }

  static void push(RSocket client, String text) { client.metadataPush(DefaultPayload.create("", text)).block(); }

  static Payload record(long n) { return DefaultPayload.create("record " + n + " of 40"); }

  static void ask(RSocket client, String text) {
    try {
      Payload answer = client.requestResponse(DefaultPayload.create(text)).block(Duration.ofSeconds(3));
      if (answer != null) answer.release();
      answers++;
    } catch (RuntimeException refused) {
      errors++;
    }
  }

  static void play(RSocket client, String name) throws Exception {
    switch (name) {
      case "token_pushed_before_each_request":
        for (int n = 0; n < 25; n++) { push(client, token(0)); ask(client, "account " + n); Thread.sleep(70); }
        break;
      case "token_pushed_when_new":
        for (int n = 0; n < 25; n++) { if (n % 9 == 0) push(client, token(n)); ask(client, "account " + n); Thread.sleep(70); }
        break;
      case "channel_per_record":
        for (int n = 0; n < 40; n++) {
          client.requestChannel(Flux.just(record(n))).doOnNext(Payload::release).blockLast(Duration.ofSeconds(3));
          answers++;
          Thread.sleep(25);
        }
        break;
      case "one_channel_for_all_records":
        answers += client.requestChannel(Flux.interval(Duration.ofMillis(50)).take(40).onBackpressureBuffer().map(JavaFourth::record))
            .doOnNext(Payload::release).count().block(Duration.ofSeconds(10));
        break;
      case "lease_of_nothing":
        for (int n = 0; n < 3; n++) ask(client, "report " + n);
        break;
      default:
        throw new Exception(name);
    }
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("tcp")) serve(arguments.length > 1 ? arguments[1] : "");
    RSocketConnector how = RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain")
        .keepAlive(Duration.ofSeconds(5), Duration.ofSeconds(30));
    if (arguments[0].equals("lease_of_nothing")) how.lease(lease -> lease.maxPendingRequests(8));
    RSocket client = how.connect(TcpClientTransport.create("broker", 7000)).block();
    play(client, arguments[0]);
    client.dispose();
    Thread.sleep(200);
    System.out.println("{\"answers\": " + answers + ", \"errors\": " + errors + "}");
    System.exit(0);
  }
}
