// What rsocket-java is made to do with METADATA_PUSH; prints what it counted as JSON.
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

public class JavaRules {
  public static void main(String[] a) throws Exception {
    RSocket socket = RSocketConnector.create().keepAlive(Duration.ofSeconds(1), Duration.ofSeconds(9)).connect(TcpClientTransport.create("broker", 7000)).block();
    int pushed = 0;
    int most = a[0].equals("pushes") ? 400 : 120;
    for (int n = 0; n < most; n++) {
      socket.metadataPush(DefaultPayload.create(new byte[0], ("level " + n).getBytes(StandardCharsets.UTF_8))).block(Duration.ofSeconds(2));
      pushed++;
    }
    socket.requestResponse(DefaultPayload.create("price of article 1")).block(Duration.ofSeconds(3)).release();
    socket.dispose();
    Thread.sleep(300);
    System.out.println("{\"pushed\": " + pushed + "}");
    System.exit(0);
  }
}
