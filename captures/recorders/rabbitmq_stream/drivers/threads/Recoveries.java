import com.rabbitmq.stream.*;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Long healthy runs: recoveries, and a group whose members come and go; prints what it counted. */
public class Recoveries {
  static Environment environment(String id) { return Environment.builder().uri("rabbitmq-stream://guest:guest@broker:5552").id(id).recoveryBackOffDelayPolicy(BackOffDelayPolicy.fixed(Duration.ofMillis(700))).build(); }
  static Consumer consumer(Environment env, String stream, String name, boolean group, AtomicInteger read) {
    ConsumerBuilder b = env.consumerBuilder().name(name).offset(OffsetSpecification.first());
    b = group ? b.superStream(stream).singleActiveConsumer() : b.stream(stream);
    return b.autoTrackingStrategy().messageCountBeforeStorage(40).flushInterval(Duration.ofSeconds(3)).builder().messageHandler((c, m) -> read.incrementAndGet()).build();
  }
  public static void main(String[] args) throws Exception {
    boolean group = args[0].equals("group"); String stream = args[1]; int seconds = Integer.parseInt(args[2]);
    Environment shop = environment("shop");
    if (group) shop.streamCreator().name(stream).superStream().partitions(3).creator().create(); else shop.streamCreator().stream(stream).create();
    Producer p = group ? shop.producerBuilder().superStream(stream).routing(m -> m.getProperties().getMessageIdAsString()).producerBuilder().build()
        : shop.producerBuilder().stream(stream).build();
    AtomicInteger confirmed = new AtomicInteger(), failed = new AtomicInteger(), read = new AtomicInteger();
    java.util.concurrent.ConcurrentLinkedQueue<Integer> again = new java.util.concurrent.ConcurrentLinkedQueue<>();
    ArrayList<Environment> members = new ArrayList<>();
    Environment first = environment("reader-0"); members.add(first); consumer(first, stream, "billing", group, read);
    long begin = System.currentTimeMillis(); int n = 0, step = 0;
    while (System.currentTimeMillis() - begin < seconds * 1000L) {
      Integer back = again.poll();
      int order = back == null ? n++ : back;
      try {
        p.send(p.messageBuilder().properties().messageId("order-" + order % 60).messageBuilder().addData(("order " + order).getBytes()).build(),
            s -> { if (s.isConfirmed()) confirmed.incrementAndGet(); else { failed.incrementAndGet(); again.add(order); } });
      } catch (StreamException e) { failed.incrementAndGet(); again.add(order); }
      if (!again.isEmpty() && back != null) Thread.sleep(60);
      Thread.sleep(40);
      if (group && (System.currentTimeMillis() - begin) / 7000 > step) {
        step++;
        if (step % 3 == 0) members.remove(0).close();
        else { Environment e = environment("reader-" + step); members.add(e); consumer(e, stream, "billing", true, read); }
      }
    }
    Thread.sleep(2500);
    System.out.println("{\"published\": " + n + ", \"confirmed\": " + confirmed + ", \"failed\": " + failed + ", \"consumed\": " + read + "}");
    for (Environment e : members) e.close();
    shop.close();
    System.exit(0);
  }
}
