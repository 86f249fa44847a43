import com.rabbitmq.stream.BackOffDelayPolicy;
import com.rabbitmq.stream.ByteCapacity;
import com.rabbitmq.stream.ConfirmationHandler;
import com.rabbitmq.stream.ConfirmationStatus;
import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.ConsumerBuilder;
import com.rabbitmq.stream.ConsumerFlowStrategy;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.EnvironmentBuilder;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageBuilder;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.StreamStats;
import com.rabbitmq.stream.codec.SimpleCodec;
import com.rabbitmq.stream.compression.Compression;
import com.rabbitmq.stream.impl.Client;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnknownDescribedType;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;

/** What the reference Java client is made to do: `JavaPlays PLAY STREAM`; prints last what it counted. */
public final class JavaPlays {

  /** Facts of one play, in the order they were met. */
  static final Map<String, Object> FACTS = new LinkedHashMap<>();

  /** Counts what a consumer is handed. */
  static final class Count implements MessageHandler {
    long consumed;
    long first = -1;
    long last = -1;
    long bytes;
    final Map<String, Count> byStream = new TreeMap<>();

    @Override
    public synchronized void handle(Context context, Message message) {
      add(context.offset(), message);
      byStream.computeIfAbsent(context.stream(), key -> new Count()).add(context.offset(), message);
    }

    private void add(long offset, Message message) {
      consumed++;
      first = first < 0 ? offset : Math.min(first, offset);
      last = Math.max(last, offset);
      byte[] body = message.getBodyAsBinary();
      bytes += body == null ? 0 : body.length;
    }

    boolean until(long wanted, int seconds) {
      for (int n = 0; n < seconds * 50; n++) {
        synchronized (this) {
          if (consumed >= wanted) return true;
        }
        sleep(20);
      }
      return false;
    }

    void tell(String suffix) {
      FACTS.put("consumed" + suffix, consumed);
      FACTS.put("first_offset" + suffix, first);
      FACTS.put("last_offset" + suffix, last);
      FACTS.put("body_bytes" + suffix, bytes);
    }

    Map<String, Object> streams() {
      Map<String, Object> all = new LinkedHashMap<>();
      byStream.forEach((stream, count) -> {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("consumed", count.consumed);
        one.put("first_offset", count.first);
        one.put("last_offset", count.last);
        all.put(stream, one);
      });
      return all;
    }
  }

  /** Counts what is published and what the broker says of it. */
  static final class Sent implements ConfirmationHandler {
    long published;
    long confirmed;
    final Set<Integer> refused = new TreeSet<>();

    @Override
    public synchronized void handle(ConfirmationStatus status) {
      if (status.isConfirmed()) confirmed++;
      else refused.add((int) status.getCode());
    }

    void send(Producer producer, Message message) {
      published++;
      producer.send(message, this);
    }

    void texts(Producer producer, int from, int to) {
      for (int n = from; n < to; n++) {
        send(producer, producer.messageBuilder().addData(bytes("message " + n)).build());
      }
    }

    void until(long wanted) {
      for (int n = 0; n < 500; n++) {
        synchronized (this) {
          if (confirmed >= wanted) return;
        }
        sleep(20);
      }
    }

    void tell() {
      FACTS.put("published", published);
      FACTS.put("confirmed", confirmed);
      if (!refused.isEmpty()) FACTS.put("refused_codes", new ArrayList<>(refused));
    }
  }

  interface Play {
    void run(String stream) throws Exception;
  }

  static final Map<String, Play> PLAYS = new LinkedHashMap<>();

  static {
    PLAYS.put("publish_and_consume", JavaPlays::publishAndConsume);
    PLAYS.put("named", JavaPlays::named);
    PLAYS.put("reopened", JavaPlays::reopened);
    PLAYS.put("sub_batches", JavaPlays::subBatches);
    PLAYS.put("filters", JavaPlays::filters);
    PLAYS.put("single_active", JavaPlays::singleActive);
    PLAYS.put("super_stream", stream -> superStream(stream, false));
    PLAYS.put("super_stream_by_key", stream -> superStream(stream, true));
    PLAYS.put("super_stream_groups", JavaPlays::superStreamGroups);
    PLAYS.put("tracking", JavaPlays::tracking);
    PLAYS.put("offsets", JavaPlays::offsets);
    PLAYS.put("statistics", JavaPlays::statistics);
    PLAYS.put("resolve", JavaPlays::resolve);
    PLAYS.put("missing", JavaPlays::missing);
    PLAYS.put("wrong_password", JavaPlays::wrongPassword);
    PLAYS.put("idle", JavaPlays::idle);
    PLAYS.put("frozen", JavaPlays::frozen);
    PLAYS.put("killed", JavaPlays::killed);
    PLAYS.put("deleted", JavaPlays::deleted);
    PLAYS.put("cluster", JavaPlays::cluster);
    PLAYS.put("properties", JavaPlays::properties);
    PLAYS.put("sections", JavaPlays::sections);
    PLAYS.put("starved", JavaPlays::starved);
    PLAYS.put("credits", JavaPlays::credits);
    PLAYS.put("read", JavaPlays::read);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static void sleep(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets the recorder do something, and waits until it is done. */
  static void ask(String what) throws Exception {
    System.out.println(what);
    System.in.read();
  }

  static EnvironmentBuilder builder(String id) {
    return Environment.builder()
        .id(id)
        .uri("rabbitmq-stream://guest:guest@broker:5552")
        .recoveryBackOffDelayPolicy(BackOffDelayPolicy.fixed(Duration.ofSeconds(1)))
        .topologyUpdateBackOffDelayPolicy(BackOffDelayPolicy.fixed(Duration.ofSeconds(1)));
  }

  static Environment environment(String id) {
    return builder(id).build();
  }

  static Consumer reader(Environment environment, String stream, Count count) {
    return environment
        .consumerBuilder()
        .stream(stream)
        .offset(OffsetSpecification.first())
        .messageHandler(count)
        .build();
  }

  static void publishAndConsume(String stream) throws Exception {
    Environment environment = environment("orders");
    environment
        .streamCreator()
        .stream(stream)
        .maxLengthBytes(ByteCapacity.MB(50))
        .maxSegmentSizeBytes(ByteCapacity.MB(1))
        .maxAge(Duration.ofHours(6))
        .create();
    Sent sent = new Sent();
    Producer producer = environment.producerBuilder().stream(stream).build();
    for (int n = 0; n < 10; n++) {
      sent.send(
          producer,
          producer
              .messageBuilder()
              .properties()
              .messageId(n)
              .messageBuilder()
              .applicationProperties()
              .entry("region", "emea")
              .entry("attempt", n)
              .messageBuilder()
              .addData(bytes("message " + n))
              .build());
    }
    sent.until(10);
    Count count = new Count();
    Consumer consumer = reader(environment, stream, count);
    count.until(10, 10);
    sent.texts(producer, 10, 15);
    sent.until(15);
    count.until(15, 10);
    consumer.close();
    producer.close();
    ask("count");
    environment.deleteStream(stream);
    environment.close();
    sent.tell();
    count.tell("");
  }

  static void named(String stream) {
    Environment environment = environment("billing");
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Producer producer = environment.producerBuilder().stream(stream).name("billing").build();
    for (int n = 1; n <= 10; n++) numbered(sent, producer, n);
    sent.until(10);
    FACTS.put("sequence", producer.getLastPublishingId());
    environment.close();
    Environment again = environment("billing-again");
    Producer other = again.producerBuilder().stream(stream).name("billing").build();
    FACTS.put("sequence_found", other.getLastPublishingId());
    for (int n = 6; n <= 15; n++) numbered(sent, other, n);
    sent.until(20);
    Count count = new Count();
    reader(again, stream, count);
    count.until(15, 10);
    sleep(500);
    again.close();
    sent.tell();
    count.tell("");
  }

  static void numbered(Sent sent, Producer producer, int n) {
    sent.send(
        producer,
        producer.messageBuilder().publishingId(n).addData(bytes("message " + n)).build());
  }

  static void reopened(String stream) {
    Environment environment = environment("reopened");
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    // a second producer keeps the connection of the first one open
    Producer other = environment.producerBuilder().stream(stream).name("other").build();
    Producer producer = environment.producerBuilder().stream(stream).name("billing").build();
    sent.texts(producer, 0, 5);
    sent.until(5);
    producer.close();
    sleep(500);
    try {
      environment.producerBuilder().stream(stream).name("billing").build();
      FACTS.put("opened_again", true);
    } catch (RuntimeException e) {
      FACTS.put("error", e.getClass().getSimpleName() + ": " + e.getMessage());
    }
    sent.texts(other, 5, 8);
    sent.until(8);
    environment.close();
    sent.tell();
  }

  static void subBatches(String stream) {
    Environment environment = environment("batches");
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    for (Compression compression : Compression.values()) {
      Producer producer =
          environment
              .producerBuilder()
              .stream(stream)
              .subEntrySize(15)
              .compression(compression)
              .build();
      for (int n = 0; n < 40; n++) {
        sent.send(
            producer,
            producer
                .messageBuilder()
                .addData(bytes("the same words again and again, number " + n))
                .build());
      }
      sent.until(40L * (compression.ordinal() + 1));
    }
    Producer plain = environment.producerBuilder().stream(stream).build();
    sent.texts(plain, 0, 5);
    sent.until(205);
    Count count = new Count();
    reader(environment, stream, count);
    count.until(205, 10);
    Count middle = new Count();
    environment
        .consumerBuilder()
        .stream(stream)
        .offset(OffsetSpecification.offset(50))
        .messageHandler(middle)
        .build();
    middle.until(155, 10);
    environment.close();
    sent.tell();
    count.tell("");
    middle.tell("_from_50");
  }

  static void filters(String stream) {
    Environment environment = environment("filters");
    environment.streamCreator().stream(stream).filterSize(64).create();
    Sent sent = new Sent();
    Producer producer =
        environment
            .producerBuilder()
            .stream(stream)
            .filterValue(
                message -> {
                  Object region = message.getApplicationProperties().get("region");
                  return region.equals("none") ? null : region.toString();
                })
            .build();
    int n = 0;
    for (String region : new String[] {"emea", "amer", "none", "apac"}) {
      for (int i = 0; i < 6; i++) {
        sent.send(
            producer,
            producer
                .messageBuilder()
                .applicationProperties()
                .entry("region", region)
                .messageBuilder()
                .addData(bytes("message " + n++))
                .build());
      }
      sent.until(n);
    }
    Count count = new Count();
    filtered(environment, stream, count, false, "emea", "apac");
    count.until(12, 5);
    Count more = new Count();
    filtered(environment, stream, more, true, "amer");
    more.until(12, 5);
    sleep(500);
    environment.close();
    sent.tell();
    count.tell("");
    more.tell("_with_unfiltered");
  }

  static void filtered(
      Environment environment, String stream, Count count, boolean more, String... values) {
    List<String> wanted = Arrays.asList(values);
    environment
        .consumerBuilder()
        .stream(stream)
        .offset(OffsetSpecification.first())
        .filter()
        .values(values)
        .matchUnfiltered(more)
        .postFilter(
            message -> {
              Object region = message.getApplicationProperties().get("region");
              return wanted.contains(region) || (more && region.equals("none"));
            })
        .builder()
        .messageHandler(count)
        .build();
  }

  static Consumer single(Environment environment, String stream, Count count) {
    return environment
        .consumerBuilder()
        .stream(stream)
        .name("group")
        .singleActiveConsumer()
        .offset(OffsetSpecification.first())
        .manualTrackingStrategy()
        .builder()
        .messageHandler(count)
        .build();
  }

  static void singleActive(String stream) {
    Environment one = environment("one");
    Environment two = environment("two");
    one.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Producer producer = one.producerBuilder().stream(stream).build();
    sent.texts(producer, 0, 10);
    sent.until(10);
    Count first = new Count();
    Count second = new Count();
    Consumer consumer = single(one, stream, first);
    first.until(10, 10);
    single(two, stream, second);
    sleep(500);
    consumer.store(6);
    sleep(1000);
    FACTS.put("stored", consumer.storedOffset());
    one.close();
    second.until(3, 10);
    Environment three = environment("three");
    sent.texts(three.producerBuilder().stream(stream).build(), 10, 15);
    sent.until(15);
    second.until(8, 10);
    three.close();
    two.close();
    sent.tell();
    first.tell("");
    second.tell("_later");
  }

  static void superStream(String stream, boolean byKey) {
    Environment environment = environment("invoices");
    if (byKey) {
      environment
          .streamCreator()
          .name(stream)
          .superStream()
          .bindingKeys("emea", "amer", "apac")
          .creator()
          .create();
    } else {
      environment.streamCreator().name(stream).superStream().partitions(3).creator().create();
    }
    Sent sent = new Sent();
    Producer producer =
        byKey
            ? environment
                .producerBuilder()
                .superStream(stream)
                .routing(m -> m.getApplicationProperties().get("region").toString())
                .key()
                .producerBuilder()
                .build()
            : environment
                .producerBuilder()
                .superStream(stream)
                .routing(m -> m.getProperties().getMessageIdAsString())
                .producerBuilder()
                .build();
    String[] regions = {"emea", "amer", "apac", "nowhere"};
    int total = byKey ? 12 : 20;
    for (int n = 0; n < total; n++) {
      sent.send(
          producer,
          producer
              .messageBuilder()
              .properties()
              .messageId("order-" + n)
              .messageBuilder()
              .applicationProperties()
              .entry("region", regions[n % 4])
              .messageBuilder()
              .addData(bytes("order " + n))
              .build());
    }
    int stored = byKey ? 9 : 20;
    sent.until(stored);
    Count count = new Count();
    environment
        .consumerBuilder()
        .superStream(stream)
        .offset(OffsetSpecification.first())
        .messageHandler(count)
        .build();
    count.until(stored, 10);
    sleep(300);
    sent.tell();
    FACTS.put("consumed", count.consumed);
    FACTS.put("by_stream", count.streams());
    environment.close();
  }

  static void superStreamGroups(String stream) throws Exception {
    Environment one = environment("one");
    Environment two = environment("two");
    one.streamCreator().name(stream).superStream().partitions(3).creator().create();
    Sent sent = new Sent();
    Producer producer =
        one.producerBuilder()
            .superStream(stream)
            .routing(m -> m.getProperties().getMessageIdAsString())
            .producerBuilder()
            .build();
    Count first = new Count();
    Count second = new Count();
    for (int n = 0; n < 40; n++) {
      if (n == 0) group(one, stream, first);
      if (n == 20) {
        sent.until(20);
        first.until(20, 10);
        group(two, stream, second);
        sleep(2500);
      }
      sent.send(
          producer,
          producer
              .messageBuilder()
              .properties()
              .messageId("order-" + n)
              .messageBuilder()
              .addData(bytes("order " + n))
              .build());
    }
    sent.until(40);
    for (int n = 0; n < 100 && first.consumed + second.consumed < 40; n++) sleep(50);
    sleep(1000);
    sent.tell();
    FACTS.put("consumed", first.consumed);
    FACTS.put("consumed_later", second.consumed);
    FACTS.put("by_stream", first.streams());
    FACTS.put("by_stream_later", second.streams());
    ask("count");
    two.close();
    one.close();
    Environment last = environment("last");
    last.deleteSuperStream(stream);
    last.close();
  }

  static void group(Environment environment, String stream, Count count) {
    environment
        .consumerBuilder()
        .superStream(stream)
        .name("group")
        .singleActiveConsumer()
        .offset(OffsetSpecification.first())
        .autoTrackingStrategy()
        .messageCountBeforeStorage(10)
        .flushInterval(Duration.ofSeconds(2))
        .builder()
        .messageHandler(count)
        .build();
  }

  static void tracking(String stream) {
    Environment environment = environment("tracking");
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Producer producer = environment.producerBuilder().stream(stream).build();
    sent.texts(producer, 0, 20);
    sent.until(20);
    Count byHand = new Count();
    Consumer consumer =
        environment
            .consumerBuilder()
            .stream(stream)
            .name("by-hand")
            .offset(OffsetSpecification.first())
            .manualTrackingStrategy()
            .builder()
            .messageHandler(
                (context, message) -> {
                  byHand.handle(context, message);
                  if (context.offset() == 7) context.storeOffset();
                })
            .build();
    byHand.until(20, 10);
    sleep(1000);
    FACTS.put("stored_by_hand", consumer.storedOffset());
    consumer.close();
    Count again = new Count();
    environment
        .consumerBuilder()
        .stream(stream)
        .name("by-hand")
        .offset(OffsetSpecification.first())
        .manualTrackingStrategy()
        .builder()
        .messageHandler(again)
        .build();
    again.until(12, 10);
    Count byItself = new Count();
    Consumer automatic =
        environment
            .consumerBuilder()
            .stream(stream)
            .name("by-itself")
            .offset(OffsetSpecification.first())
            .autoTrackingStrategy()
            .messageCountBeforeStorage(5)
            .flushInterval(Duration.ofSeconds(2))
            .builder()
            .messageHandler(byItself)
            .build();
    byItself.until(20, 10);
    sent.texts(producer, 20, 23);
    sent.until(23);
    byItself.until(23, 10);
    sleep(3000);
    FACTS.put("stored_by_itself", automatic.storedOffset());
    environment.close();
    sent.tell();
    byHand.tell("");
    again.tell("_again");
    byItself.tell("_by_itself");
  }

  static void offsets(String stream) {
    Environment environment = environment("offsets");
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Producer producer = environment.producerBuilder().stream(stream).build();
    long middle = 0;
    for (int batch = 0; batch < 3; batch++) {
      sent.texts(producer, batch * 5, batch * 5 + 5);
      sent.until(batch * 5 + 5);
      if (batch == 0) {
        sleep(300);
        middle = System.currentTimeMillis();
      }
      sleep(300);
    }
    Map<String, OffsetSpecification> places = new LinkedHashMap<>();
    places.put("first", OffsetSpecification.first());
    places.put("last", OffsetSpecification.last());
    places.put("next", OffsetSpecification.next());
    places.put("offset_7", OffsetSpecification.offset(7));
    places.put("timestamp", OffsetSpecification.timestamp(middle));
    Map<String, Count> counts = new LinkedHashMap<>();
    for (Map.Entry<String, OffsetSpecification> place : places.entrySet()) {
      Count count = new Count();
      counts.put(place.getKey(), count);
      environment
          .consumerBuilder()
          .stream(stream)
          .offset(place.getValue())
          .messageHandler(count)
          .build();
    }
    sleep(500);
    sent.texts(producer, 15, 18);
    sent.until(18);
    sleep(1000);
    environment.close();
    sent.tell();
    counts.forEach((name, count) -> count.tell("_" + name));
  }

  static void statistics(String stream) {
    Environment environment = environment("statistics");
    environment.streamCreator().stream(stream).create();
    StreamStats empty = environment.queryStreamStats(stream);
    try {
      FACTS.put("first_of_empty", empty.firstOffset());
    } catch (RuntimeException e) {
      FACTS.put("error_of_empty", e.getClass().getSimpleName());
    }
    Sent sent = new Sent();
    Producer producer = environment.producerBuilder().stream(stream).build();
    for (int batch = 0; batch < 4; batch++) {
      sent.texts(producer, batch * 5, batch * 5 + 5);
      sent.until(batch * 5 + 5);
    }
    StreamStats full = environment.queryStreamStats(stream);
    FACTS.put("stats_first_offset", full.firstOffset());
    FACTS.put("stats_committed_chunk", full.committedChunkId());
    try {
      FACTS.put("stats_committed_offset", full.committedOffset());
    } catch (RuntimeException e) {
      FACTS.put("error_of_committed_offset", e.getClass().getSimpleName());
    }
    environment.storeOffset("statistics", stream, 3);
    sleep(300);
    environment.close();
    sent.tell();
  }

  static void resolve(String stream) {
    Environment environment = environment("resolve");
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Producer producer = environment.producerBuilder().stream(stream).build();
    long middle = 0;
    for (int batch = 0; batch < 3; batch++) {
      sent.texts(producer, batch * 5, batch * 5 + 5);
      sent.until(batch * 5 + 5);
      sleep(300);
      middle = batch == 0 ? System.currentTimeMillis() : middle;
    }
    Client client = new Client(new Client.ClientParameters().host("broker").port(5552));
    FACTS.put("first", client.resolveOffsetSpec(stream, OffsetSpecification.first()).offset());
    FACTS.put("last", client.resolveOffsetSpec(stream, OffsetSpecification.last()).offset());
    FACTS.put("next", client.resolveOffsetSpec(stream, OffsetSpecification.next()).offset());
    FACTS.put("offset_7", client.resolveOffsetSpec(stream, OffsetSpecification.offset(7)).offset());
    FACTS.put(
        "timestamp",
        client.resolveOffsetSpec(stream, OffsetSpecification.timestamp(middle)).offset());
    FACTS.put("sequence", client.queryPublisherSequence("nobody", stream));
    client.close();
    environment.close();
    sent.tell();
  }

  static void attempt(List<Object> errors, Runnable action) {
    try {
      action.run();
      errors.add("none");
    } catch (RuntimeException e) {
      errors.add(e.getClass().getSimpleName());
    }
  }

  static void missing(String stream) {
    Environment environment = environment("missing");
    List<Object> errors = new ArrayList<>();
    FACTS.put("exists", environment.streamExists(stream));
    attempt(errors, () -> environment.producerBuilder().stream(stream).build());
    attempt(errors, () -> reader(environment, stream, new Count()));
    attempt(errors, () -> environment.deleteStream(stream));
    attempt(errors, () -> environment.queryStreamStats(stream));
    attempt(errors, () -> environment.deleteSuperStream(stream));
    FACTS.put("errors", errors);
    environment.close();
  }

  static void wrongPassword(String stream) {
    try {
      Environment.builder().uri("rabbitmq-stream://guest:wrong@broker:5552").build();
    } catch (RuntimeException e) {
      FACTS.put("error", e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  static void idle(String stream) {
    Environment environment =
        builder("idle").requestedHeartbeat(Duration.ofSeconds(2)).build();
    environment.streamCreator().stream(stream).create();
    environment.producerBuilder().stream(stream).build();
    sleep(7000);
    environment.close();
  }

  static void frozen(String stream) throws Exception {
    Environment environment =
        builder("frozen").requestedHeartbeat(Duration.ofSeconds(2)).build();
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Count count = new Count();
    Producer producer = environment.producerBuilder().stream(stream).build();
    reader(environment, stream, count);
    sent.texts(producer, 0, 5);
    sent.until(5);
    count.until(5, 10);
    ask("freeze");
    sleep(5000);
    sent.texts(producer, 5, 10);
    sent.until(10);
    count.until(10, 10);
    sleep(300);
    environment.close();
    sent.tell();
    count.tell("");
  }

  static void killed(String stream) throws Exception {
    Environment environment = environment("killed");
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Count count = new Count();
    Producer producer = environment.producerBuilder().stream(stream).name("billing").build();
    environment
        .consumerBuilder()
        .stream(stream)
        .name("reader")
        .offset(OffsetSpecification.first())
        .manualTrackingStrategy()
        .builder()
        .messageHandler(
            (context, message) -> {
              count.handle(context, message);
              context.storeOffset();
            })
        .build();
    sent.texts(producer, 0, 10);
    sent.until(10);
    count.until(10, 10);
    sleep(500);
    ask("kill");
    sleep(5000);
    sent.texts(producer, 10, 20);
    sent.until(20);
    count.until(20, 10);
    sleep(500);
    environment.close();
    sent.tell();
    count.tell("");
  }

  static void deleted(String stream) throws Exception {
    Environment environment = environment("deleted");
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Count count = new Count();
    Producer producer = environment.producerBuilder().stream(stream).build();
    reader(environment, stream, count);
    sent.texts(producer, 0, 5);
    sent.until(5);
    count.until(5, 10);
    ask("delete");
    sleep(3000);
    try {
      sent.texts(producer, 5, 6);
    } catch (RuntimeException e) {
      FACTS.put("error", e.getClass().getSimpleName());
    }
    environment.close();
    sent.tell();
    count.tell("");
  }

  static void cluster(String stream) throws Exception {
    Environment environment =
        builder("cluster")
            .uris(
                List.of(
                    "rabbitmq-stream://guest:guest@broker:5552",
                    "rabbitmq-stream://guest:guest@broker:5553",
                    "rabbitmq-stream://guest:guest@broker:5554"))
            .build();
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Count count = new Count();
    sleep(2000);
    Producer producer = environment.producerBuilder().stream(stream).build();
    reader(environment, stream, count);
    sent.texts(producer, 0, 10);
    sent.until(10);
    count.until(10, 10);
    ask("stop");
    sleep(9000);
    sent.texts(producer, 10, 20);
    sent.until(20);
    count.until(20, 15);
    environment.close();
    sent.tell();
    count.tell("");
  }

  static void properties(String stream) {
    Environment environment = environment("properties");
    environment.streamCreator().stream(stream).create();
    Producer producer = environment.producerBuilder().stream(stream).build();
    Sent sent = new Sent();
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    byte[] raw = {0, 1, 2, (byte) 0xff};
    MessageBuilder[] builders = new MessageBuilder[6];
    for (int n = 0; n < builders.length; n++) builders[n] = producer.messageBuilder();
    builders[0].properties().messageId("order-1").correlationId("answer-1");
    builders[1].properties().messageId(1L).correlationId(1L << 40);
    builders[2].properties().messageId(raw).correlationId(raw);
    builders[3].properties().messageId(uuid).correlationId(uuid);
    for (int n = 0; n < 4; n++) {
      builders[n]
          .properties()
          .userId(bytes("guest"))
          .to("orders")
          .subject("größe")
          .replyTo("answers")
          .contentType("text/plain")
          .contentEncoding("identity")
          .absoluteExpiryTime(1893456000000L)
          .creationTime(1700000000000L)
          .groupId("group")
          .groupSequence(4294967295L)
          .replyToGroupId("other");
      builders[n].addData(bytes("all properties, message " + n));
    }
    builders[4]
        .applicationProperties()
        .entry("yes", true)
        .entry("no", false)
        .entry("byte", (byte) -1)
        .entry("short", Short.MIN_VALUE)
        .entry("int", 1)
        .entry("int_large", Integer.MIN_VALUE)
        .entry("long", -1L)
        .entry("long_large", Long.MAX_VALUE)
        .entryUnsigned("ubyte", (byte) 0xff)
        .entryUnsigned("ushort", (short) 0xffff)
        .entryUnsigned("uint_zero", 0)
        .entryUnsigned("uint_small", 255)
        .entryUnsigned("uint", -1)
        .entryUnsigned("ulong_zero", 0L)
        .entryUnsigned("ulong_small", 255L)
        .entryUnsigned("ulong", -1L)
        .entry("float", 1.5f)
        .entry("double", Math.PI)
        .entry("char", 'é')
        .entryTimestamp("timestamp", 1700000000000L)
        .entry("uuid", uuid)
        .entry("binary", raw)
        .entry("text", "größe")
        .entry("text_long", "x".repeat(300))
        .entry("empty", "")
        .entrySymbol("symbol", "urgent");
    builders[4].addData(bytes("every type of an application property"));
    builders[5]
        .messageAnnotations()
        .entry("x-opt-yes", true)
        .entry("x-opt-int", 42)
        .entryUnsigned("x-opt-ulong", 300L)
        .entry("x-opt-double", -0.5)
        .entryTimestamp("x-opt-when", 1700000000000L)
        .entry("x-opt-uuid", uuid)
        .entry("x-opt-text", "top")
        .entrySymbol("x-opt-symbol", "shelf")
        .entry("x-opt-list", List.of("a", 1, true, List.of()))
        .entry("x-opt-map", Map.of("key", "value"))
        .entryArray("x-opt-array", new Object[] {"one", "two"});
    builders[5].addData(new byte[0]);
    for (MessageBuilder builder : builders) sent.send(producer, builder.build());
    sent.until(6);
    Count count = new Count();
    reader(environment, stream, count);
    count.until(6, 10);
    environment.close();
    sent.tell();
    count.tell("");
  }

  static byte[] encoded(org.apache.qpid.proton.message.Message message) {
    byte[] room = new byte[8192];
    int size = message.encode(room, 0, room.length);
    return Arrays.copyOf(room, size);
  }

  static org.apache.qpid.proton.message.Message value(Object value) {
    org.apache.qpid.proton.message.Message message =
        org.apache.qpid.proton.message.Message.Factory.create();
    message.setBody(new AmqpValue(value));
    return message;
  }

  /** Every section and every type that proton-j can write, through the client's pass-through codec. */
  static void sections(String stream) {
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    List<byte[]> bodies = new ArrayList<>();
    org.apache.qpid.proton.message.Message all =
        org.apache.qpid.proton.message.Message.Factory.create();
    Header header = new Header();
    header.setDurable(true);
    header.setPriority(UnsignedByte.valueOf((byte) 7));
    header.setTtl(UnsignedInteger.valueOf(60000));
    header.setFirstAcquirer(true);
    header.setDeliveryCount(UnsignedInteger.valueOf(2));
    all.setHeader(header);
    all.setDeliveryAnnotations(
        new DeliveryAnnotations(Map.of(Symbol.valueOf("x-opt-hop"), UnsignedLong.valueOf(3))));
    all.setMessageAnnotations(
        new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-shelf"), "top")));
    Properties properties = new Properties();
    properties.setMessageId(UnsignedLong.valueOf(300));
    properties.setSubject("everything");
    properties.setContentType(Symbol.valueOf("text/plain"));
    properties.setCreationTime(new Date(1700000000000L));
    all.setProperties(properties);
    all.setApplicationProperties(new ApplicationProperties(Map.of("region", "emea")));
    all.setBody(new Data(new Binary(bytes("every section"))));
    all.setFooter(new Footer(Map.of(Symbol.valueOf("x-opt-digest"), new Binary(bytes("12")))));
    bodies.add(encoded(all));
    org.apache.qpid.proton.message.Message sequence =
        org.apache.qpid.proton.message.Message.Factory.create();
    sequence.setBody(new AmqpSequence(List.of("one", 2, List.of(3L, 4L))));
    bodies.add(encoded(sequence));
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("text", "größe");
    map.put(Symbol.valueOf("symbol"), Symbol.valueOf("urgent"));
    map.put(1, List.of());
    map.put("nested", Map.of("list", List.of(true, false), "empty", Map.of()));
    map.put("nothing", null);
    Object[] values = {
      null,
      true,
      false,
      UnsignedByte.valueOf((byte) 200),
      UnsignedShort.valueOf((short) 40000),
      UnsignedInteger.ZERO,
      UnsignedInteger.valueOf(255),
      UnsignedInteger.valueOf(4000000000L),
      UnsignedLong.ZERO,
      UnsignedLong.valueOf(255),
      UnsignedLong.valueOf("18446744073709551615"),
      (byte) -128,
      (short) -32768,
      -1,
      Integer.MAX_VALUE,
      -1L,
      Long.MIN_VALUE,
      1.5f,
      Double.NaN,
      new Decimal32(new BigDecimal("1.5")),
      new Decimal64(new BigDecimal("1.5")),
      new Decimal128(new BigDecimal("1.5")),
      '☃',
      new Date(1700000000000L),
      uuid,
      new Binary(bytes("binary")),
      "text",
      "long text ".repeat(30),
      Symbol.valueOf("symbol"),
      List.of(),
      List.of(1, "two", List.of(3.0)),
      map,
      new int[] {1, -1, 70000},
      new long[] {1, -1},
      new boolean[] {true, false},
      new double[] {0.5, -0.5},
      new String[] {"one", "two"},
      new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("b")},
      new UnknownDescribedType(Symbol.valueOf("example:point"), List.of(1, 2)),
      new UnknownDescribedType(UnsignedLong.valueOf(0x1234567890L), "described"),
    };
    for (Object each : values) bodies.add(encoded(value(each)));
    // two data sections: a message may have several
    byte[] part = {0x00, 0x53, 0x75, (byte) 0xa0, 4, 'p', 'a', 'r', 't'};
    byte[] parts = Arrays.copyOf(part, part.length * 2);
    System.arraycopy(part, 0, parts, part.length, part.length);
    bodies.add(parts);
    Environment environment = builder("sections").codec(new SimpleCodec()).build();
    environment.streamCreator().stream(stream).create();
    Sent sent = new Sent();
    Producer producer = environment.producerBuilder().stream(stream).build();
    for (byte[] body : bodies) {
      sent.send(producer, producer.messageBuilder().addData(body).build());
    }
    sent.until(bodies.size());
    Count count = new Count();
    reader(environment, stream, count);
    count.until(bodies.size(), 10);
    environment.close();
    sent.tell();
    count.tell("");
    FACTS.put("bodies", bodies.stream().map(JavaPlays::hex).toList());
  }

  static String hex(byte[] data) {
    StringBuilder out = new StringBuilder();
    for (byte b : data) out.append(String.format("%02x", b));
    return out.toString();
  }

  static Environment filled(String stream, Sent sent, int chunks) {
    Environment environment = environment("filled");
    environment.streamCreator().stream(stream).create();
    Producer producer = environment.producerBuilder().stream(stream).build();
    for (int n = 0; n < chunks; n++) {
      sent.texts(producer, n * 5, n * 5 + 5);
      sent.until(n * 5L + 5);
    }
    return environment;
  }

  static void starved(String stream) {
    Sent sent = new Sent();
    Environment environment = filled(stream, sent, 20);
    Count count = new Count();
    ConsumerBuilder builder =
        environment
            .consumerBuilder()
            .stream(stream)
            .offset(OffsetSpecification.first())
            .messageHandler(count);
    builder.flow().strategy(ConsumerFlowStrategy.creditWhenHalfMessagesProcessed(2));
    builder.build();
    sleep(4000);
    environment.close();
    sent.tell();
    count.tell("");
  }

  static void credits(String stream) {
    Sent sent = new Sent();
    Environment environment = filled(stream, sent, 20);
    ConsumerFlowStrategy[] strategies = {
      ConsumerFlowStrategy.creditOnChunkArrival(3),
      ConsumerFlowStrategy.creditWhenHalfMessagesProcessed(3),
      ConsumerFlowStrategy.creditOnProcessedMessageCount(3, 0.8),
      ConsumerFlowStrategy.creditEveryNthChunk(10, 3),
    };
    for (int n = 0; n < strategies.length; n++) {
      Count count = new Count();
      ConsumerBuilder builder =
          environment
              .consumerBuilder()
              .stream(stream)
              .offset(OffsetSpecification.first())
              .messageHandler(
                  (context, message) -> {
                    count.handle(context, message);
                    context.processed();
                  });
      builder.flow().strategy(strategies[n]);
      Consumer consumer = builder.build();
      count.until(100, 5);
      count.tell("_" + n);
      consumer.close();
    }
    environment.close();
    sent.tell();
  }

  /** Reads what somebody else has put into a stream, byte by byte. */
  static void read(String stream) {
    Environment environment = builder("reader").codec(new SimpleCodec()).build();
    Count count = new Count();
    List<String> bodies = new ArrayList<>();
    environment
        .consumerBuilder()
        .stream(stream)
        .offset(OffsetSpecification.first())
        .messageHandler(
            (context, message) -> {
              count.handle(context, message);
              bodies.add(hex(message.getBodyAsBinary()));
            })
        .build();
    sleep(3000);
    environment.close();
    count.tell("");
    FACTS.put("bodies", bodies);
  }

  static String json(Object value) {
    if (value == null) return "null";
    if (value instanceof Number || value instanceof Boolean) return value.toString();
    if (value instanceof Map<?, ?> map) {
      List<String> parts = new ArrayList<>();
      map.forEach((k, v) -> parts.add(json(k.toString()) + ":" + json(v)));
      return "{" + String.join(",", parts) + "}";
    }
    if (value instanceof List<?> list) {
      return "[" + String.join(",", list.stream().map(JavaPlays::json).toList()) + "]";
    }
    return '"' + value.toString().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + '"';
  }

  public static void main(String[] arguments) throws Exception {
    try {
      PLAYS.get(arguments[0]).run(arguments[1]);
      System.out.println(json(FACTS));
    } catch (Exception e) {
      e.printStackTrace();
    }
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
