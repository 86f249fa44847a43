// A server and a client of Spring Boot in the eighth round of the blind test; prints what it counted as JSON.
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.rsocket.RSocketMessagingAutoConfiguration;
import org.springframework.boot.autoconfigure.rsocket.RSocketServerAutoConfiguration;
import org.springframework.boot.autoconfigure.rsocket.RSocketStrategiesAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.codec.cbor.Jackson2CborDecoder;
import org.springframework.http.codec.cbor.Jackson2CborEncoder;
import org.springframework.http.codec.json.Jackson2JsonDecoder;
import org.springframework.http.codec.json.Jackson2JsonEncoder;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.rsocket.RSocketRequester;
import org.springframework.messaging.rsocket.RSocketStrategies;
import org.springframework.messaging.rsocket.annotation.ConnectMapping;
import org.springframework.messaging.rsocket.annotation.support.RSocketMessageHandler;
import org.springframework.stereotype.Controller;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

@ImportAutoConfiguration({JacksonAutoConfiguration.class, RSocketStrategiesAutoConfiguration.class, RSocketMessagingAutoConfiguration.class, RSocketServerAutoConfiguration.class})
@Import(SpringEighth.Shop.class)
public class SpringEighth {
  public record Order(int id, String item) {}
  public record Price(String item, double value) {}
  static final AtomicInteger answers = new AtomicInteger(), items = new AtomicInteger(), alerts = new AtomicInteger(), refused = new AtomicInteger();

  @Controller
  public static class Shop {
    @ConnectMapping("shop.client.{name}")
    Mono<Void> connected(RSocketRequester client, @DestinationVariable String name) {
      Flux.range(0, 6).delayElements(Duration.ofMillis(900)).concatMap(n -> client.route("alerts").data(Map.of("shop", name, "n", n)).retrieveMono(String.class)).onErrorResume(e -> Mono.empty()).subscribe();
      return Mono.empty();
    }
    @MessageMapping("orders.{id}")
    Mono<Order> find(@DestinationVariable int id) { return id % 9 == 8 ? Mono.error(new IllegalStateException("no order " + id)) : Mono.just(new Order(id, "chair")); }
    @MessageMapping("orders.place")
    Mono<Void> place(@Payload Order order) { return Mono.empty(); }
    @MessageMapping("prices")
    Flux<Price> prices(@Payload String item) { return Flux.interval(Duration.ofMillis(60)).onBackpressureBuffer().map(n -> new Price(item, 10 + n / 8.0)).take(30); }
    @MessageMapping("prices.ask")
    Flux<Price> ask(@Payload Flux<String> wanted) { return wanted.map(item -> new Price(item, item.length())); }
  }

  @Controller
  public static class Alerts {
    @MessageMapping("alerts")
    Mono<String> alert(@Payload Map<String, Object> alert) { alerts.incrementAndGet(); return Mono.just("seen"); }
  }

  static void client() throws Exception {
    RSocketStrategies strategies = RSocketStrategies.builder()
        .encoders(e -> { e.add(new Jackson2CborEncoder()); e.add(new Jackson2JsonEncoder()); })
        .decoders(d -> { d.add(new Jackson2CborDecoder()); d.add(new Jackson2JsonDecoder()); }).build();
    RSocketRequester shop = RSocketRequester.builder().rsocketStrategies(strategies).setupRoute("shop.client.{name}", "till-4").setupData("hello")
        .rsocketConnector(c -> c.acceptor(RSocketMessageHandler.responder(strategies, new Alerts())).keepAlive(Duration.ofSeconds(2), Duration.ofSeconds(12)).reconnect(Retry.fixedDelay(10, Duration.ofMillis(300))))
        .tcp("broker", 7000);
    for (int n = 0; n < 22; n++) {
      String found = shop.route("orders.{id}", n).retrieveMono(Order.class).map(Order::item).onErrorResume(e -> { refused.incrementAndGet(); return Mono.just("none"); }).block(Duration.ofSeconds(30));
      if (!"none".equals(found)) answers.incrementAndGet();
      if (n % 3 == 0) shop.route("orders.place").data(new Order(n, "table")).send().block(Duration.ofSeconds(30));
      if (n % 6 == 2) shop.route("prices").data("lamp " + n).retrieveFlux(Price.class).limitRate(8).take(20).doOnNext(p -> items.incrementAndGet()).blockLast(Duration.ofSeconds(30));
      if (n % 8 == 4) shop.route("prices.ask").data(Flux.just("bed", "sofa", "desk", "shelf").delayElements(Duration.ofMillis(40)), String.class).retrieveFlux(Price.class).doOnNext(p -> items.incrementAndGet()).blockLast(Duration.ofSeconds(30));
      Thread.sleep(120);
    }
    shop.dispose();
  }

  public static void main(String[] a) throws Exception {
    if (!a[0].equals("tcp")) {
      client();
      Thread.sleep(300);
      System.out.println("{\"answers\": " + answers + ", \"refused\": " + refused + ", \"items\": " + items + ", \"alerts\": " + alerts + "}");
      System.exit(0);
    }
    SpringApplication app = new SpringApplication(SpringEighth.class);
    app.setDefaultProperties(Map.of("spring.main.banner-mode", "off", "logging.level.root", "OFF", "spring.rsocket.server.port", 7000, "spring.rsocket.server.address", "broker"));
    app.run();
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    System.out.println("{}");
    System.exit(0);
  }
}
