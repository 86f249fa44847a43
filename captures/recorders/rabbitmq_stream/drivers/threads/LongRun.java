import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.compression.Compression;
import java.time.Duration;
import java.util.List;

/** A shop on three nodes, for some two minutes: `LongRun NAME`. */
public final class LongRun {

  static final JavaPlays.Sent SENT = new JavaPlays.Sent();
  static final JavaPlays.Count LEDGER = new JavaPlays.Count();
  static final JavaPlays.Count WORKERS = new JavaPlays.Count();
  static int round;

  static Environment environment(String id) {
    return JavaPlays.builder(id)
        .uris(
            List.of(
                "rabbitmq-stream://guest:guest@broker:5552",
                "rabbitmq-stream://guest:guest@broker:5553",
                "rabbitmq-stream://guest:guest@broker:5554"))
        .requestedHeartbeat(Duration.ofSeconds(10))
        .build();
  }

  static void publish(Producer plain, Producer named, Producer packed, Producer spread) {
    for (int n = 0; n < 20; n++) {
      int id = round * 20 + n;
      SENT.send(plain, plain.messageBuilder().addData(JavaPlays.bytes("order " + id)).build());
      SENT.send(
          named,
          named.messageBuilder().publishingId(id).addData(JavaPlays.bytes("bill " + id)).build());
      SENT.send(packed, packed.messageBuilder().addData(JavaPlays.bytes("log " + id)).build());
      SENT.send(
          spread,
          spread
              .messageBuilder()
              .properties()
              .messageId("invoice-" + id)
              .messageBuilder()
              .addData(JavaPlays.bytes("invoice " + id))
              .build());
    }
    round++;
    JavaPlays.sleep(2500);
  }

  static Consumer worker(Environment environment, String name) {
    return environment
        .consumerBuilder()
        .superStream(name + "-invoices")
        .name("workers")
        .singleActiveConsumer()
        .offset(OffsetSpecification.first())
        .autoTrackingStrategy()
        .messageCountBeforeStorage(10)
        .flushInterval(Duration.ofSeconds(2))
        .builder()
        .messageHandler(WORKERS)
        .build();
  }

  public static void main(String[] arguments) throws Exception {
    String name = arguments[0];
    String orders = name + "-orders";
    Environment shop = environment("shop");
    Environment first = environment("worker-1");
    Environment second = environment("worker-2");
    shop.streamCreator().stream(orders).create();
    shop.streamCreator().stream(name + "-logs").create();
    shop.streamCreator().name(name + "-invoices").superStream().partitions(3).creator().create();
    JavaPlays.sleep(3000);
    Producer plain = shop.producerBuilder().stream(orders).build();
    Producer named = shop.producerBuilder().stream(orders).name("billing").build();
    Producer packed =
        shop.producerBuilder()
            .stream(name + "-logs")
            .subEntrySize(10)
            .compression(Compression.GZIP)
            .build();
    Producer spread =
        shop.producerBuilder()
            .superStream(name + "-invoices")
            .routing(message -> message.getProperties().getMessageIdAsString())
            .producerBuilder()
            .build();
    first
        .consumerBuilder()
        .stream(orders)
        .name("ledger")
        .offset(OffsetSpecification.first())
        .autoTrackingStrategy()
        .messageCountBeforeStorage(20)
        .flushInterval(Duration.ofSeconds(2))
        .builder()
        .messageHandler(LEDGER)
        .build();
    Consumer one = worker(first, name);
    for (int n = 0; n < 3; n++) publish(plain, named, packed, spread);
    Consumer two = worker(second, name);
    for (int n = 0; n < 3; n++) publish(plain, named, packed, spread);
    one.close();
    for (int n = 0; n < 2; n++) publish(plain, named, packed, spread);
    one = worker(first, name);
    for (int n = 0; n < 2; n++) publish(plain, named, packed, spread);
    JavaPlays.ask("close");
    JavaPlays.sleep(6000);
    for (int n = 0; n < 3; n++) publish(plain, named, packed, spread);
    JavaPlays.ask("stop");
    JavaPlays.sleep(12000);
    for (int n = 0; n < 3; n++) publish(plain, named, packed, spread);
    JavaPlays.ask("start");
    JavaPlays.sleep(8000);
    for (int n = 0; n < 3; n++) publish(plain, named, packed, spread);
    JavaPlays.FACTS.put("committed_chunk_id", shop.queryStreamStats(orders).committedChunkId());
    JavaPlays.sleep(1500);
    two.close();
    one.close();
    second.close();
    first.close();
    shop.close();
    SENT.tell();
    JavaPlays.FACTS.put("by_stream", LEDGER.streams());
    JavaPlays.FACTS.put("by_stream_of_workers", WORKERS.streams());
    System.out.println(JavaPlays.json(JavaPlays.FACTS));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
