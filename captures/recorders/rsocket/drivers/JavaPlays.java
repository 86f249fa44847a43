import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.core.Resume;
import io.rsocket.exceptions.CustomRSocketException;
import io.rsocket.exceptions.InvalidException;
import io.rsocket.exceptions.RejectedException;
import io.rsocket.exceptions.RejectedSetupException;
import io.rsocket.lease.Lease;
import io.rsocket.metadata.AuthMetadataCodec;
import io.rsocket.metadata.CompositeMetadataCodec;
import io.rsocket.metadata.MimeTypeMetadataCodec;
import io.rsocket.metadata.TaggingMetadataCodec;
import io.rsocket.metadata.TracingMetadataCodec;
import io.rsocket.metadata.WellKnownMimeType;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.client.WebsocketClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.transport.netty.server.WebsocketServerTransport;
import io.rsocket.util.DefaultPayload;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Plays scenarios with a server and a client of rsocket-java, and prints what it counted as JSON.
 * After the play may come `websocket`, which then carries it.
 */
public class JavaPlays {
  static final String HOST = "broker";
  static final int PORT = 7000, FORWARDED = 7001;
  static final String COMPOSITE = WellKnownMimeType.MESSAGE_RSOCKET_COMPOSITE_METADATA.getString();
  static final ByteBufAllocator ALLOC = ByteBufAllocator.DEFAULT;
  /** Metadata of answers; null where metadata is composite, and answers have none. */
  static String answered = "served";
  static boolean websocket = false;
  static final Map<String, Object> counted = Collections.synchronizedMap(new LinkedHashMap<>());

  static void count(String name, int by) {
    counted.merge(name, by, (a, b) -> (Integer) a + (Integer) b);
  }

  /** What the server does with requests; the first word of the data says how it ends. */
  static class Responder implements RSocket {
    public Mono<Payload> requestResponse(Payload asked) {
      count("served_request_response", 1);
      String data = asked.getDataUtf8();
      if (data.startsWith("error ")) return Mono.error(error(data.substring(6)));
      if (data.equals("never")) return Mono.never();
      if (data.equals("empty")) return Mono.empty();
      return Mono.just(DefaultPayload.create("pong " + data.length(), answered));
    }

    public Mono<Void> fireAndForget(Payload asked) {
      count("served_fire_and_forget", 1);
      return Mono.empty();
    }

    public Flux<Payload> requestStream(Payload asked) {
      count("served_request_stream", 1);
      String data = asked.getDataUtf8();
      if (data.startsWith("error ")) {
        return Flux.concat(
            Flux.just(DefaultPayload.create("one")), Flux.error(error(data.substring(6))));
      }
      if (data.startsWith("slow ")) {
        int number = Integer.parseInt(data.substring(5));
        return Flux.interval(Duration.ofMillis(50)).take(number)
            .map(at -> DefaultPayload.create("item " + at));
      }
      return Flux.range(0, Integer.parseInt(data)).map(at -> DefaultPayload.create("item " + at));
    }

    public Flux<Payload> requestChannel(org.reactivestreams.Publisher<Payload> asked) {
      count("served_request_channel", 1);
      return Flux.from(asked).limitRate(4)
          .map(each -> DefaultPayload.create("echo " + each.getDataUtf8()));
    }

    public Mono<Void> metadataPush(Payload pushed) {
      count("served_metadata_push", 1);
      return Mono.empty();
    }
  }

  static Throwable error(String code) {
    switch (code) {
      case "rejected": return new RejectedException("not now");
      case "invalid": return new InvalidException("not so");
      case "custom": return new CustomRSocketException(0x00000abc, "of my own");
      default: return new IllegalStateException("boom");
    }
  }

  static String json() {
    StringBuilder out = new StringBuilder("{");
    counted.forEach((name, value) ->
        out.append(out.length() > 1 ? ", " : "").append('"').append(name).append("\": ").append(value));
    return out.append("}").toString();
  }

  static CloseableChannel server(RSocketServer how) {
    return websocket
        ? how.bindNow(WebsocketServerTransport.create(HOST, PORT))
        : how.bindNow(TcpServerTransport.create(HOST, PORT));
  }

  static RSocketServer plain() {
    return RSocketServer.create(SocketAcceptor.with(new Responder()));
  }

  static RSocketConnector connector() {
    return RSocketConnector.create().dataMimeType("text/plain").metadataMimeType("text/plain");
  }

  static RSocket connect(RSocketConnector how) {
    return how.connect(websocket
        ? WebsocketClientTransport.create(java.net.URI.create("ws://" + HOST + ":" + PORT + "/rsocket"))
        : TcpClientTransport.create(HOST, PORT)).block(Duration.ofSeconds(10));
  }

  static void leave(RSocket client) throws Exception {
    client.dispose();
    client.onClose().onErrorResume(e -> Mono.empty()).block(Duration.ofSeconds(5));
    Thread.sleep(200);
  }

  static void drain(String name, Flux<Payload> flux) {
    flux.doOnNext(each -> { count(name, 1); each.release(); })
        .onErrorResume(e -> { count("errors", 1); return Mono.empty(); })
        .blockLast(Duration.ofSeconds(20));
  }

  static Payload text(String data) {
    return DefaultPayload.create(data);
  }

  // Scenarios

  static void interactions(RSocketConnector how) throws Exception {
    RSocket client = connect(how);
    for (String data : List.of("ping", "empty", "longer ping")) {
      drain("answers", client.requestResponse(DefaultPayload.create(data, "meta")).flux());
    }
    client.fireAndForget(text("fire")).block();
    drain("items", client.requestStream(text("5")));
    drain("items_of_3", client.requestStream(text("10")).limitRate(3));
    Flux<Payload> asked = Flux.range(0, 6).map(at -> text("to " + at));
    drain("echoes", client.requestChannel(asked));
    client.metadataPush(DefaultPayload.create(new byte[0], "pushed".getBytes())).block();
    Thread.sleep(200);
    leave(client);
  }

  static void errors() throws Exception {
    RSocket client = connect(connector());
    for (String code : List.of("plain", "rejected", "invalid", "custom")) {
      drain("answers", client.requestResponse(text("error " + code)).flux());
      drain("items", client.requestStream(text("error " + code)));
    }
    drain("echoes", client.requestChannel(
        Flux.concat(Flux.just(text("one")), Flux.error(new IllegalStateException("mine")))));
    leave(client);
  }

  static void cancels() throws Exception {
    RSocket client = connect(connector());
    drain("items", client.requestStream(text("slow 100")).take(3));
    drain("answers", client.requestResponse(text("never")).flux().take(Duration.ofMillis(200)));
    drain("echoes", client.requestChannel(
        Flux.interval(Duration.ofMillis(30)).map(at -> text("to " + at))).take(4));
    Thread.sleep(200);
    leave(client);
  }

  static ByteBuf entries(Object... typed) {
    CompositeByteBuf out = ALLOC.compositeBuffer();
    for (int at = 0; at < typed.length; at += 2) {
      ByteBuf content = (ByteBuf) typed[at + 1];
      if (typed[at] instanceof WellKnownMimeType) {
        CompositeMetadataCodec.encodeAndAddMetadata(
            out, ALLOC, (WellKnownMimeType) typed[at], content);
      } else {
        CompositeMetadataCodec.encodeAndAddMetadata(out, ALLOC, (String) typed[at], content);
      }
    }
    return out;
  }

  static ByteBuf route(String... tags) {
    return TaggingMetadataCodec.createTaggingContent(ALLOC, List.of(tags));
  }

  static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text.getBytes());
  }

  static Payload composed(String data, Object... typed) {
    return DefaultPayload.create(bytes(data), entries(typed));
  }

  static void bareRoute() throws Exception {
    answered = null;
    RSocket client = connect(connector().metadataMimeType(COMPOSITE));
    for (String route : List.of("users.find", "i")) {
      drain("answers", client.requestResponse(
          composed("ping", WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, bytes(route))).flux());
    }
    leave(client);
  }

  static void composite(int mtu) throws Exception {
    answered = null;
    WellKnownMimeType routing = WellKnownMimeType.MESSAGE_RSOCKET_ROUTING;
    WellKnownMimeType auth = WellKnownMimeType.MESSAGE_RSOCKET_AUTHENTICATION;
    RSocketConnector how = RSocketConnector.create()
        .metadataMimeType(COMPOSITE).dataMimeType("application/json")
        .setupPayload(composed("{\"hello\": true}", auth,
            AuthMetadataCodec.encodeSimpleMetadata(ALLOC, "user".toCharArray(), "throwaway".toCharArray())));
    RSocket client = connect(mtu > 0 ? how.fragment(mtu) : how);
    List<Payload> asked = List.of(
        composed("{\"id\": 1}", routing, route("users.find")),
        composed("{\"id\": 2}", routing, route("users.find", "shard-7"), auth,
            AuthMetadataCodec.encodeBearerMetadata(ALLOC, "throwaway.token".toCharArray())),
        composed("{\"id\": 3}", WellKnownMimeType.MESSAGE_RSOCKET_TRACING_ZIPKIN,
            TracingMetadataCodec.encode128(ALLOC, 1, 2, 3, 4, TracingMetadataCodec.Flags.SAMPLE)),
        composed("plain words", WellKnownMimeType.MESSAGE_RSOCKET_MIMETYPE,
            MimeTypeMetadataCodec.encode(ALLOC, WellKnownMimeType.TEXT_PLAIN),
            WellKnownMimeType.MESSAGE_RSOCKET_ACCEPT_MIMETYPES,
            MimeTypeMetadataCodec.encode(ALLOC, List.of("text/plain", "x/custom"))),
        composed("{\"id\": 5}", "x/custom", bytes("custom"), routing, route("last"),
            "application/json", bytes("{\"deep\": [1]}")),
        composed("{\"id\": 6}", auth,
            AuthMetadataCodec.encodeMetadata(ALLOC, "jwt", bytes("throwaway"))));
    for (Payload each : asked) {
      drain("answers", client.requestResponse(each).flux());
    }
    leave(client);
  }

  static String large(int size) {
    StringBuilder out = new StringBuilder();
    for (int at = 0; out.length() < size; at++) out.append(at).append(' ');
    return out.substring(0, size);
  }

  static void fragments() throws Exception {
    RSocket client = connect(connector().fragment(64));
    drain("answers", client.requestResponse(DefaultPayload.create(large(300), large(200))).flux());
    drain("answers", client.requestResponse(DefaultPayload.create(large(10), large(100))).flux());
    client.fireAndForget(text(large(150))).block();
    drain("items", client.requestStream(DefaultPayload.create("2", large(100))));
    drain("echoes", client.requestChannel(Flux.range(0, 3).map(at -> text(large(120)))));
    leave(client);
  }

  static void lease() throws Exception {
    CloseableChannel server = server(plain().lease(spec -> spec.sender(
        () -> Flux.interval(Duration.ofMillis(0), Duration.ofMillis(400)).take(3)
            .map(at -> Lease.create(Duration.ofMillis(1000), 2, bytes("lease " + at))))));
    RSocket client = connect(connector().lease(spec -> spec.maxPendingRequests(1).sender(
        () -> Flux.just(Lease.create(Duration.ofSeconds(5), 3)))));
    for (int round = 0; round < 3; round++) {
      for (int at = 0; at < 4; at++) {
        drain("answers", client.requestResponse(text("ping")).flux()
            .timeout(Duration.ofMillis(100)));
      }
      Thread.sleep(450);
    }
    leave(client);
    server.dispose();
  }

  static void keepalive() throws Exception {
    RSocket client = connect(connector().keepAlive(Duration.ofMillis(300), Duration.ofMillis(2000)));
    Thread.sleep(1500);
    drain("answers", client.requestResponse(text("ping")).flux());
    leave(client);
  }

  /** Of a server that does not answer. */
  static void keepaliveTimeout() throws Exception {
    RSocket client = connect(connector().keepAlive(Duration.ofMillis(300), Duration.ofMillis(1200)));
    Mono.firstWithSignal(client.onClose(), Mono.delay(Duration.ofMillis(2500)).then())
        .onErrorResume(e -> { count("errors", 1); return Mono.empty(); }).block();
    client.dispose();
    Thread.sleep(200);
  }

  static void fromServer() throws Exception {
    Mono<Void>[] done = new Mono[1];
    java.util.concurrent.CountDownLatch latch = new java.util.concurrent.CountDownLatch(1);
    CloseableChannel server = server(RSocketServer.create((setup, sending) -> {
      Mono.delay(Duration.ofMillis(100))
          .then(sending.requestResponse(text("server asks")))
          .doOnNext(each -> count("answers_to_server", 1))
          .thenMany(sending.requestStream(text("3")))
          .doOnNext(each -> count("items_to_server", 1))
          .then(sending.fireAndForget(text("server fires")))
          .thenMany(sending.requestChannel(Flux.range(0, 3).map(at -> text("to " + at))))
          .doOnNext(each -> count("echoes_to_server", 1))
          .thenMany(sending.requestStream(text("slow 20")).take(2))
          .doOnNext(each -> count("taken_by_server", 1))
          .then(sending.metadataPush(DefaultPayload.create(new byte[0], "pushed".getBytes())))
          .doFinally(end -> latch.countDown()).subscribe();
      return Mono.just(new Responder());
    }));
    RSocket client = connect(connector().acceptor(SocketAcceptor.with(new Responder())));
    drain("answers", client.requestResponse(text("client asks")).flux());
    latch.await();
    Thread.sleep(300);
    leave(client);
    server.dispose();
  }

  static void refused() throws Exception {
    CloseableChannel server = server(RSocketServer.create(
        (setup, sending) -> Mono.error(new RejectedSetupException("no room"))));
    refused(connector());
    server.dispose();
    server = server(plain());
    refused(connector().resume(new Resume()));
    refused(connector().lease(spec -> {}));
    server.dispose();
  }

  static void refused(RSocketConnector how) throws Exception {
    RSocket client = connect(how);
    drain("answers", client.requestResponse(text("ping")).flux());
    client.onClose().onErrorResume(e -> Mono.empty()).block(Duration.ofSeconds(5));
    Thread.sleep(200);
  }

  /** Passes bytes on between the client and the server, and can cut the connection. */
  static class Forwarder {
    final ServerSocket listening = new ServerSocket(FORWARDED);
    final List<Socket> open = Collections.synchronizedList(new ArrayList<>());

    Forwarder() throws Exception {
      Thread thread = new Thread(() -> {
        try {
          while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(HOST, PORT);
            open.add(client);
            open.add(server);
            pass(client, server);
            pass(server, client);
          }
        } catch (Exception ended) {
          // the scenario is over
        }
      });
      thread.setDaemon(true);
      thread.start();
    }

    void pass(Socket from, Socket to) {
      Thread thread = new Thread(() -> {
        byte[] data = new byte[65536];
        try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
          for (int read; (read = in.read(data)) > 0; ) out.write(data, 0, read);
        } catch (Exception ended) {
          // cut
        }
      });
      thread.setDaemon(true);
      thread.start();
    }

    void cut() throws Exception {
      count("cuts", 1);
      for (Socket each : new ArrayList<>(open)) each.close();
      open.clear();
    }
  }

  static void resume(boolean known) throws Exception {
    CloseableChannel server = server(plain().resume(
        new Resume().sessionDuration(Duration.ofSeconds(known ? 30 : 0)).streamTimeout(Duration.ofSeconds(5))));
    Forwarder forwarder = new Forwarder();
    RSocket client = connector().keepAlive(Duration.ofMillis(500), Duration.ofSeconds(10))
        .resume(new Resume().retry(Retry.fixedDelay(3, Duration.ofMillis(known ? 300 : 1500)))
            .token(() -> bytes("throwaway-token")))
        .connect(TcpClientTransport.create(HOST, FORWARDED)).block(Duration.ofSeconds(10));
    Mono<Void> cut = Mono.delay(Duration.ofMillis(400)).flatMap(at -> Mono.fromCallable(() -> {
      forwarder.cut();
      return at;
    })).then();
    cut.subscribe();
    drain("items", client.requestStream(text("slow 40")));
    if (known) drain("answers", client.requestResponse(text("ping")).flux());
    leave(client);
    server.dispose();
  }

  public static void main(String[] arguments) throws Exception {
    CloseableChannel server = null;
    websocket = arguments.length > 1 && arguments[1].equals("websocket");
    switch (arguments[0]) {
      case "interactions": server = server(plain()); interactions(connector()); break;
      case "errors": server = server(plain()); errors(); break;
      case "cancels": server = server(plain()); cancels(); break;
      case "composite": server = server(plain()); composite(0); break;
      case "bare_route": server = server(plain()); bareRoute(); break;
      case "composite_fragments": server = server(plain()); composite(64); break;
      case "fragments": server = server(plain().fragment(64)); fragments(); break;
      case "keepalive": server = server(plain()); keepalive(); break;
      case "keepalive_timeout": keepaliveTimeout(); break;
      case "lease": lease(); break;
      case "from_server": fromServer(); break;
      case "refused": refused(); break;
      case "resume": resume(true); break;
      case "resume_refused": resume(false); break;
      default: throw new IllegalArgumentException(arguments[0]);
    }
    if (server != null) server.dispose();
    System.out.println(json());
    System.exit(0);
  }
}
