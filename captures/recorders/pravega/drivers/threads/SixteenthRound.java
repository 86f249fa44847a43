// Plays the sixteenth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.ReaderGroupManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.segment.impl.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;

public class SixteenthRound {
    static ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(4, r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
    static final TreeMap<String, Long> counted = new TreeMap<>();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }
    static ReaderGroupConfig of(String stream) { return ReaderGroupConfig.builder().stream(stream).disableAutomaticCheckpoints().build(); }

    static void writes(EventStreamWriter<String> w, String what, int from, int to) throws Exception {
        for (int n = from; n < to; n++) { w.writeEvent(what, what + " " + n + " of " + (n % 9)).get(); count("written", 1); }
    }

    /** Reads what there is, at most so many events; gives how many there were. */
    static int reads(EventStreamReader<String> r, int most) {
        int own = 0;
        for (int empty = 0; own < most && empty < 4; ) {
            EventRead<String> e = r.readNextEvent(600);
            if (e.getEvent() != null) { own++; empty = 0; } else if (!e.isCheckpoint()) empty++;
        }
        count("read", own);
        return own;
    }

    @SuppressWarnings("unchecked")
    /** A ledger reads 12 of 40 entries and is closed; those up to 30 are cut off; it reads again, and ends at the exception or goes on after it. */
    static void ledger(StreamManager manager, boolean goesOn) throws Exception {
        manager.createScope("bank");
        manager.createStream("bank", "entries", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("bank", config); EventStreamClientFactory f = EventStreamClientFactory.withScope("bank", config); EventStreamWriter<String> w = f.createEventWriter("entries", TEXT, EventWriterConfig.builder().build())) {
            groups.createReaderGroup("ledger", of("bank/entries"));
            groups.createReaderGroup("retention", of("bank/entries"));
            writes(w, "entry", 0, 40);
            try (EventStreamReader<String> r = f.createReader("ledger-1", "ledger", TEXT, ReaderConfig.builder().build())) { reads(r, 12); }
            try (EventStreamReader<String> r = f.createReader("keeper", "retention", TEXT, ReaderConfig.builder().build())) {
                reads(r, 30);
                java.lang.reflect.Method offsets = PositionInternal.class.getDeclaredMethod("getOwnedSegmentsWithOffsets");
                offsets.setAccessible(true);
                manager.truncateStream("bank", "entries", new StreamCutImpl(Stream.of("bank/entries"), (Map<Segment, Long>) offsets.invoke(r.readNextEvent(1000).getPosition().asImpl())));
            }
            EventStreamReader<String> r = f.createReader("ledger-2", "ledger", TEXT, ReaderConfig.builder().build());
            for (boolean going = true; going; ) {
                try { reads(r, 20); going = false; } catch (TruncatedDataException x) { count("truncated", 1); going = goesOn; }
            }
            if (!goesOn) r.close();
            for (int n = 0; n < 4; n++) {
                writes(w, "entry", 40 + 5 * n, 45 + 5 * n);
                if (goesOn) reads(r, 5); else Thread.sleep(2000);
            }
            if (goesOn) r.close();
        }
    }

    /** A stream of tickets is deleted and made again under its name; its reader group stays, and its readers go on. */
    static void tickets(StreamManager manager) throws Exception {
        manager.createScope("stage");
        manager.createStream("stage", "tickets", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("stage", config); EventStreamClientFactory f = EventStreamClientFactory.withScope("stage", config)) {
            groups.createReaderGroup("doors", of("stage/tickets"));
            for (int season = 0; season < 2; season++) {
                if (season > 0) {
                    manager.sealStream("stage", "tickets");
                    manager.deleteStream("stage", "tickets");
                    manager.createStream("stage", "tickets", fixed(1));
                }
                try (EventStreamWriter<String> w = f.createEventWriter("tickets", TEXT, EventWriterConfig.builder().build())) { writes(w, "ticket", 0, 20); }
                groups.createReaderGroup("doors", of("stage/tickets"));
                for (int n = 0; n < (season == 0 ? 1 : 4); n++) {
                    EventStreamReader<String> r = f.createReader("door-" + season + "-" + n, "doors", TEXT, ReaderConfig.builder().build());
                    try { reads(r, season == 0 ? 14 : 20); } catch (Exception x) { count("failed", 1); System.err.println(x); }
                    try { r.close(); } catch (Exception x) { count("not_closed", 1); }
                    Thread.sleep(800);
                }
            }
        }
    }

    static Object field(Object of, String name) throws Exception {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    /** Two readers of a group and one segment: the second one takes it too, as if it were its own. */
    @SuppressWarnings("unchecked")
    static void parts(StreamManager manager) throws Exception {
        manager.createScope("plant");
        manager.createStream("plant", "parts", fixed(1));
        try (ReaderGroupManager groups = ReaderGroupManager.withScope("plant", config); EventStreamClientFactory f = EventStreamClientFactory.withScope("plant", config); EventStreamWriter<String> w = f.createEventWriter("parts", TEXT, EventWriterConfig.builder().build())) {
            groups.createReaderGroup("robots", of("plant/parts"));
            EventStreamReader<String> first = f.createReader("robot-1", "robots", TEXT, ReaderConfig.builder().build());
            EventStreamReader<String> second = f.createReader("robot-2", "robots", TEXT, ReaderConfig.builder().build());
            writes(w, "part", 0, 24);
            reads(first, 6);
            Map<Segment, Object> ranges = (Map<Segment, Object>) field(first, "ranges"), own = (Map<Segment, Object>) field(second, "ranges");
            Map<Segment, Long> owned = (Map<Segment, Long>) field(second, "ownedSegments");
            List<EventSegmentReader> readers = (List<EventSegmentReader>) field(second, "readers");
            SegmentInputStreamFactory factory = (SegmentInputStreamFactory) field(second, "inputStreamFactory");
            for (Segment each : List.copyOf(ranges.keySet())) {
                own.put(each, ranges.get(each));
                try { owned.put(each, 0L); } catch (UnsupportedOperationException x) { count("owned_fixed", 1); }
                readers.add(factory.createEventReaderForSegment(each, 1 << 16, (Semaphore) field(second, "segmentsWithData"), Long.MAX_VALUE));
            }
            for (int n = 0; n < 8; n++) {
                int a = reads(first, 5), b = reads(second, 5);
                count("of_first", a);
                count("of_second", b);
                writes(w, "part", 24 + 4 * n, 28 + 4 * n);
                Thread.sleep(400);
            }
            try { second.close(); } catch (Exception x) { count("not_closed", 1); }
            first.close();
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            switch (arguments[0]) {
                case "ends_at_truncation" -> ledger(manager, false);
                case "goes_on_after_truncation" -> ledger(manager, true);
                case "stream_made_again" -> tickets(manager);
                default -> parts(manager);
            }
        }
        StringBuilder text = new StringBuilder();
        counted.forEach((k, v) -> text.append(text.length() == 0 ? "{" : ", ").append('"').append(k).append("\": ").append(v));
        System.out.println(text + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
