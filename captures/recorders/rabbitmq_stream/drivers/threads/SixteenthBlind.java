import com.rabbitmq.stream.*;
import com.rabbitmq.stream.compression.Compression;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A factory by the Java client in the sixteenth round of the blind test; prints what it counted. */
public class SixteenthBlind {
  static final AtomicInteger sent = new AtomicInteger(), confirmed = new AtomicInteger(), read = new AtomicInteger();

  static void pause(long ms) { try { Thread.sleep(ms); } catch (InterruptedException e) { throw new RuntimeException(e); } }

  static Environment environment(String id) {
    return Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id(id).requestedHeartbeat(Duration.ofSeconds(8))
        .recoveryBackOffDelayPolicy(BackOffDelayPolicy.fixedWithInitialDelay(Duration.ofMillis(700), Duration.ofMillis(900))).build();
  }

  static void ask(String what) throws Exception { System.out.println(what); System.in.read(); }

  static Consumer planner(Environment office, String stream, int rest) {
    return office.consumerBuilder().superStream(stream).name("planner").singleActiveConsumer().offset(OffsetSpecification.first())
        .autoTrackingStrategy().messageCountBeforeStorage(20).flushInterval(Duration.ofSeconds(2)).builder()
        .messageHandler((c, m) -> { read.incrementAndGet(); pause(rest); }).build();
  }

  public static void main(String[] args) throws Exception {
    String parts = args[1], log = args[1] + "-log";
    try (Environment floor = environment("floor"); Environment one = environment("one"); Environment archive = environment("archive")) {
      floor.streamCreator().name(parts).superStream().partitions(3).creator().create();
      floor.streamCreator().stream(log).maxLengthBytes(ByteCapacity.MB(20)).maxSegmentSizeBytes(ByteCapacity.MB(1)).create();
      Producer routed = floor.producerBuilder().superStream(parts).routing(m -> m.getProperties().getMessageIdAsString()).producerBuilder().build();
      Producer named = floor.producerBuilder().stream(log).name("floor").confirmTimeout(Duration.ofSeconds(20)).build();
      Producer batches = floor.producerBuilder().stream(log).subEntrySize(10).compression(Compression.GZIP).batchSize(40).build();
      List<Consumer> readers = new ArrayList<>();
      readers.add(planner(one, parts, 2));
      readers.add(archive.consumerBuilder().stream(log).offset(OffsetSpecification.first()).messageHandler((c, m) -> read.incrementAndGet()).build());
      long id = 0;
      Environment two = null;
      Consumer second = null;
      for (int n = 0; n < 90; n++) {
        for (int i = 0; i < 2; i++) {
          routed.send(routed.messageBuilder().properties().messageId("part " + (n + i) % 7).messageBuilder().addData(("step " + n).getBytes()).build(), s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); });
          sent.incrementAndGet();
        }
        if (n % 3 == 0) {
          named.send(named.messageBuilder().publishingId(id++).addData(("shift " + n).getBytes()).build(), s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); });
          sent.incrementAndGet();
        }
        if (n % 15 == 14) for (int i = 0; i < 20; i++) {
          batches.send(batches.messageBuilder().addData(("sample " + n + "." + i).getBytes()).build(), s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); });
          sent.incrementAndGet();
        }
        if (n == 20) { two = environment("two"); second = planner(two, parts, 2); }
        if (n == 45) { ask("cut"); pause(1500); }
        if (n == 70) { second.close(); two.close(); }
        pause(80);
      }
      pause(3500);
      for (Producer p : List.of(routed, named, batches)) p.close();
      for (Consumer c : readers) c.close();
    }
    System.out.println("{\"published\": " + sent + ", \"confirmed\": " + confirmed + ", \"consumed\": " + read + "}");
    System.exit(0);
  }
}
