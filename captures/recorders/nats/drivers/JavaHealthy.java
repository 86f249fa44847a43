import io.nats.client.*;
import io.nats.client.api.*;
import io.nats.client.impl.Headers;
import io.nats.service.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** A library's loans over a restart of its server, with the standard settings of nats.java; prints what it counted. */
public class JavaHealthy {
  static final Map<String, AtomicInteger> counted = new ConcurrentSkipListMap<>();
  static void count(String name) { counted.computeIfAbsent(name, n -> new AtomicInteger()).incrementAndGet(); }
  static byte[] text(String t) { return t.getBytes(StandardCharsets.UTF_8); }

  public static void main(String[] a) throws Exception {
    Connection desk = Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName("desk").maxReconnects(-1).build());
    Connection store = Nats.connect(new Options.Builder().server("nats://127.0.0.1:4222").connectionName("store").maxReconnects(-1).build());
    JetStreamManagement jsm = desk.jetStreamManagement();
    jsm.addStream(StreamConfiguration.builder().name("LOANS").subjects("loans.>").storageType(StorageType.File).build());
    StreamContext stream = store.getStreamContext("LOANS");
    ConsumerContext consumer = stream.createOrUpdateConsumer(ConsumerConfiguration.builder().durable("shelves").build());
    MessageConsumer running = consumer.consume(m -> { count("shelved"); m.ack(); });
    OrderedConsumerContext ordered = stream.createOrderedConsumer(new OrderedConsumerConfiguration().filterSubject("loans.new"));
    MessageConsumer audit = ordered.consume(m -> count("audited"));
    desk.keyValueManagement().create(KeyValueConfiguration.builder().name("books").maxHistoryPerKey(3).storageType(StorageType.File).build());
    KeyValue books = desk.keyValue("books");
    store.keyValue("books").watchAll(new KeyValueWatcher() { public void watch(KeyValueEntry e) { count("seen"); } public void endOfData() { count("complete"); } });
    Service service = new ServiceBuilder().connection(store).name("titles").version("1.0.0")
        .addServiceEndpoint(ServiceEndpoint.builder().endpointName("title").endpointSubject("title").handler(m -> { count("titled"); m.respond(store, text("Momo")); }).build()).build();
    CompletableFuture<Boolean> over = service.startService();
    for (int n = 0; n < 90; n++) {
      for (int t = 0; t < 8; t++) {
        try { desk.jetStream().publish(n % 2 == 0 ? "loans.new" : "loans.back", text("loan " + n), PublishOptions.builder().messageId("loan-" + n).build()); count("sent"); break; }
        catch (Exception e) { count("again"); Thread.sleep(500); }
      }
      try { Message m = desk.request("title", new Headers().put("n", "" + n), text(""), Duration.ofSeconds(1)); count(m == null ? "no_answer" : "answered"); } catch (CancellationException e) { count("no_answer"); }
      if (n % 5 == 0) try { books.put("book-" + n % 4, "shelf " + n); } catch (Exception e) { count("not_stored"); }
      Thread.sleep(150);
    }
    running.stop();
    audit.stop();
    Thread.sleep(800);
    service.stop();
    desk.drain(Duration.ofSeconds(3)).get();
    store.drain(Duration.ofSeconds(3)).get();
    StringBuilder b = new StringBuilder();
    counted.forEach((k, v) -> b.append(b.isEmpty() ? "" : ", ").append('"').append(k).append("\": ").append(v));
    System.out.println("{" + b + "}");
    System.exit(0);
  }
}
