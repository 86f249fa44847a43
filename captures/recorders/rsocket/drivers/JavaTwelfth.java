// Clients of rsocket-java in the twelfth round of the blind test; prints what it counted as JSON.
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.Resume;
import io.rsocket.metadata.CompositeMetadataCodec;
import io.rsocket.metadata.TaggingMetadataCodec;
import io.rsocket.metadata.WellKnownMimeType;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Hooks;
import reactor.util.retry.Retry;

public class JavaTwelfth {
  static int answers = 0, errors = 0, items = 0;

  static Payload text(String t) { return DefaultPayload.create(t); }

  static RSocketConnector connector(String data, String metadata) {
    return RSocketConnector.create().dataMimeType(data).metadataMimeType(metadata).keepAlive(Duration.ofSeconds(2), Duration.ofSeconds(14));
  }

  static RSocket connect(RSocketConnector how) { return how.connect(TcpClientTransport.create("broker", 7000)).block(Duration.ofSeconds(5)); }

  static boolean ask(RSocket client, Payload asked, int patience) {
    try {
      client.requestResponse(asked).doOnNext(Payload::release).block(Duration.ofMillis(patience));
      answers++;
      return true;
    } catch (RuntimeException e) { errors++; return false; }
  }

  // An app whose session is to be resumed, against a server that resumes none; it may do without.
  static void sessions(boolean fallsBack) throws Exception {
    boolean resumes = true;
    for (int start = 0; start < 9; start++) {
      RSocketConnector how = connector("text/plain", "text/plain").setupPayload(text("phone-" + start));
      RSocket client = connect(resumes ? how.resume(new Resume().sessionDuration(Duration.ofMinutes(2)).retry(Retry.max(0))) : how);
      for (int n = 0; n < 3 && !client.isDisposed(); n++) {
        if (!ask(client, text("tram " + start + "." + n), 1200)) break;
        items += client.requestStream(text("rows " + (5 + n) + " stops")).doOnNext(Payload::release).count().block(Duration.ofSeconds(3)).intValue();
      }
      if (fallsBack && client.isDisposed()) resumes = false;
      client.dispose();
      Thread.sleep(450);
    }
  }

  static Payload routed(String route, String data) {
    CompositeByteBuf metadata = ByteBufAllocator.DEFAULT.compositeBuffer();
    CompositeMetadataCodec.encodeAndAddMetadata(metadata, ByteBufAllocator.DEFAULT, WellKnownMimeType.MESSAGE_RSOCKET_ROUTING,
        TaggingMetadataCodec.createRoutingMetadata(ByteBufAllocator.DEFAULT, List.of(route)).getContent());
    return DefaultPayload.create(Unpooled.copiedBuffer(data, StandardCharsets.UTF_8), metadata);
  }

  // A client without Spring that asks a server of Spring, without a route or with one.
  static void orders(boolean routes) throws Exception {
    String metadata = routes ? WellKnownMimeType.MESSAGE_RSOCKET_COMPOSITE_METADATA.getString() : "application/binary";
    RSocket client = connect(connector("application/json", metadata));
    for (int n = 0; n < 14; n++) {
      ask(client, routes ? routed("orders." + n % 8, "{}") : text("{\"id\":" + n + "}"), 3000);
      if (n % 4 == 1) {
        Payload wanted = routes ? routed("prices", "\"lamp\"") : text("\"lamp " + n + "\"");
        try { items += client.requestStream(wanted).doOnNext(Payload::release).take(6).count().block(Duration.ofSeconds(4)).intValue(); } catch (RuntimeException e) { errors++; }
      }
      Thread.sleep(160);
    }
    client.dispose();
  }

  // A display whose connection is cut and resumed once; it asks and looks at streams before and after that.
  static void display() throws Exception {
    RSocket client = connect(connector("text/plain", "text/plain").setupPayload(text("hall 5"))
        .resume(new Resume().sessionDuration(Duration.ofSeconds(60)).retry(Retry.fixedDelay(40, Duration.ofMillis(300)))));
    long end = System.currentTimeMillis() + 11_000;
    for (int n = 0; System.currentTimeMillis() < end && !client.isDisposed(); n++) {
      ask(client, text("humidity " + n), 700);
      if (n % 3 == 2) try { items += client.requestStream(text("wind " + n)).doOnNext(Payload::release).take(4).count().block(Duration.ofMillis(900)).intValue(); } catch (RuntimeException e) { errors++; }
      Thread.sleep(250);
    }
    client.dispose();
  }

  public static void main(String[] a) throws Exception {
    Hooks.onErrorDropped(e -> {});
    switch (a[0]) {
      case "insists" -> sessions(false);
      case "falls_back" -> sessions(true);
      case "unrouted" -> orders(false);
      case "routed" -> orders(true);
      default -> display();
    }
    Thread.sleep(300);
    System.out.println("{\"answers\": " + answers + ", \"errors\": " + errors + ", \"items\": " + items + "}");
    System.exit(0);
  }
}
