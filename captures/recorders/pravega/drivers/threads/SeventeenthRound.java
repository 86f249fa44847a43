// Plays the seventeenth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import java.net.URI;
import java.util.*;

public class SeventeenthRound {
    static ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final TreeMap<String, Long> counted = new TreeMap<>();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }

    /** Each event is written by a factory and a writer of its own. */
    static void each(StreamManager manager) throws Exception {
        manager.createScope("test");
        manager.createStream("test", "write", fixed(1));
        for (int n = 0; n < 14; n++) {
            try (EventStreamClientFactory f = EventStreamClientFactory.withScope("test", config); EventStreamWriter<String> w = f.createEventWriter("write", TEXT, EventWriterConfig.builder().build())) {
                w.writeEvent("key", "event " + n).get();
                count("written", 1);
            }
        }
    }

    /** An invoice is committed; the program takes that for failed, commits again, and writes all of it once more. */
    static void twice(StreamManager manager) throws Exception {
        manager.createScope("office");
        manager.createStream("office", "invoices", fixed(1));
        try (EventStreamClientFactory f = EventStreamClientFactory.withScope("office", config); TransactionalEventStreamWriter<String> w = f.createTransactionalEventWriter("clerk", "invoices", TEXT, EventWriterConfig.builder().transactionTimeoutTime(20000).build())) {
            for (int invoice = 0; invoice < 4; invoice++) {
                Transaction<String> t = w.beginTxn();
                for (int n = 0; n < 5; n++) t.writeEvent("invoice " + invoice, "invoice " + invoice + " line " + n);
                t.commit();
                count("committed", 1);
                Thread.sleep(800);
                if (invoice % 2 == 1) continue;
                try { w.getTxn(t.getTxnId()).commit(); count("committed_again", 1); } catch (Exception x) { count("refused", 1); }
                Transaction<String> again = w.beginTxn();
                for (int n = 0; n < 5; n++) again.writeEvent("invoice " + invoice, "invoice " + invoice + " line " + n);
                again.commit();
                count("committed", 1);
                Thread.sleep(800);
            }
        }
    }

    /** A mill: one writer for all events, transactions that are checked, two readers of a group, all of which are closed. */
    static void mill(StreamManager manager) throws Exception {
        manager.createScope("mill");
        manager.createStream("mill", "sacks", fixed(2));
        manager.createStream("mill", "bills", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("mill", config); EventStreamClientFactory f = EventStreamClientFactory.withScope("mill", config);
                EventStreamWriter<String> w = f.createEventWriter("sacks", TEXT, EventWriterConfig.builder().build());
                TransactionalEventStreamWriter<String> bills = f.createTransactionalEventWriter("bills", TEXT, EventWriterConfig.builder().transactionTimeoutTime(20000).build())) {
            groups.createReaderGroup("carts", ReaderGroupConfig.builder().stream("mill/sacks").disableAutomaticCheckpoints().build());
            EventStreamReader<String> one = f.createReader("cart-1", "carts", TEXT, ReaderConfig.builder().build()), two = f.createReader("cart-2", "carts", TEXT, ReaderConfig.builder().build());
            for (int n = 0; n < 28; n++) {
                w.writeEvent("farm " + n % 7, "sack " + n + " of farm " + n % 7);
                count("written", 1);
                if (n % 6 == 5) for (EventStreamReader<String> r : List.of(one, two)) for (EventRead<String> e; (e = r.readNextEvent(150)).getEvent() != null; ) count("read", 1);
                if (n % 9 == 8) {
                    Transaction<String> t = bills.beginTxn();
                    for (int i = 0; i < 3; i++) t.writeEvent("bill " + n, "bill " + n + " line " + i);
                    t.commit();
                    for (int i = 0; i < 20 && t.checkStatus() != Transaction.Status.COMMITTED; i++) Thread.sleep(200);
                    count("bills", 1);
                }
                Thread.sleep(60);
            }
            w.flush();
            for (int empty = 0; empty < 3; empty++) for (EventStreamReader<String> r : List.of(one, two)) for (EventRead<String> e; (e = r.readNextEvent(300)).getEvent() != null; ) count("read", 1);
            one.close();
            two.close();
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            switch (arguments[0]) {
                case "each" -> each(manager);
                case "twice" -> twice(manager);
                default -> mill(manager);
            }
        }
        StringBuilder text = new StringBuilder();
        counted.forEach((k, v) -> text.append(text.length() == 0 ? "{" : ", ").append('"').append(k).append("\": ").append(v));
        System.out.println(text + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
