// Plays the thirteenth round of the blind test by the Java client; prints what it counted as JSON.
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.state.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.*;
import java.io.Serializable;
import java.net.URI;
import java.util.*;
import java.util.concurrent.*;

public class ThirteenthRound {
    static ClientConfig config = ClientConfig.builder().controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
    static final UTF8StringSerializer TEXT = new UTF8StringSerializer();
    static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(4, r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
    static final TreeMap<String, Long> counted = new TreeMap<>();

    static synchronized void count(String what, long n) { counted.merge(what, n, Long::sum); }
    static StreamConfiguration fixed(int n) { return StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(n)).build(); }

    /** The members of a team, which all who know the synchronizer see alike. */
    static final class Team implements Revisioned, Serializable {
        final String name; final Revision revision; final TreeSet<String> members;
        Team(String name, Revision revision, TreeSet<String> members) { this.name = name; this.revision = revision; this.members = members; }
        public String getScopedStreamName() { return name; }
        public Revision getRevision() { return revision; }
    }
    static final class Begin implements InitialUpdate<Team>, Serializable {
        final TreeSet<String> members;
        Begin(TreeSet<String> members) { this.members = members; }
        public Team create(String name, Revision revision) { return new Team(name, revision, new TreeSet<>(members)); }
    }
    static final class Join implements Update<Team>, Serializable {
        final String who;
        Join(String who) { this.who = who; }
        public Team applyTo(Team old, Revision revision) { TreeSet<String> all = new TreeSet<>(old.members); all.add(who); while (all.size() > 9) all.pollFirst(); return new Team(old.name, revision, all); }
    }

    /** A coordinator adds members and cuts the log behind them, with a compaction or without; two workers look at the team. */
    static void team(StreamManager manager, boolean compacts) throws Exception {
        manager.createStream("plant", "team", fixed(1));
        try (SynchronizerClientFactory f = SynchronizerClientFactory.withScope("plant", config); SynchronizerClientFactory g = SynchronizerClientFactory.withScope("plant", config); EventStreamClientFactory e = EventStreamClientFactory.withScope("plant", config)) {
            SynchronizerConfig how = SynchronizerConfig.builder().build();
            StateSynchronizer<Team> all = f.createStateSynchronizer("team", new JavaSerializer<Join>(), new JavaSerializer<Begin>(), how);
            RevisionedStreamClient<String> raw = f.createRevisionedStreamClient("team", TEXT, how);
            all.initialize(new Begin(new TreeSet<>()));
            Future<?> events = POOL.submit(() -> {
                try (EventStreamWriter<String> w = e.createEventWriter("heartbeats", TEXT, EventWriterConfig.builder().build())) {
                    for (int n = 0; n < 60; n++) { w.writeEvent("worker-" + n % 5, "alive " + n); count("events", 1); Thread.sleep(150); }
                }
                return null;
            });
            for (int n = 0; n < 20; n++) {
                all.fetchUpdates();
                String who = "worker-" + n + "-of-the-plant";
                try { all.updateState((state, updates) -> { updates.add(new Join(who)); }); count("joined", 1); } catch (RuntimeException x) { count("not_joined", 1); }
                if (n == 7) {
                    if (compacts) all.compact(state -> new Begin(state.members));
                    else raw.truncateToRevision(raw.fetchLatestRevision());
                }
                if (n >= 8) {
                    StateSynchronizer<Team> own = g.createStateSynchronizer("team", new JavaSerializer<Join>(), new JavaSerializer<Begin>(), how);
                    try { own.fetchUpdates(); if (own.getState() != null) count("seen", own.getState().members.size()); else count("unknown", 1); } catch (RuntimeException x) { count("failed", 1); }
                    own.close();
                }
                Thread.sleep(320);
            }
            events.get();
            raw.close();
            all.close();
        }
    }

    /** A clerk books seats in a transaction each, which an overseer may abort in between. */
    static void bookings(StreamManager manager, boolean aborted) throws Exception {
        manager.createStream("plant", "bookings", fixed(1));
        EventWriterConfig how = EventWriterConfig.builder().transactionTimeoutTime(20000).build();
        try (EventStreamClientFactory f = EventStreamClientFactory.withScope("plant", config); EventStreamClientFactory g = EventStreamClientFactory.withScope("plant", config);
                TransactionalEventStreamWriter<String> clerk = f.createTransactionalEventWriter("clerk", "bookings", TEXT, how);
                TransactionalEventStreamWriter<String> overseer = g.createTransactionalEventWriter("overseer", "bookings", TEXT, how);
                EventStreamWriter<String> visits = f.createEventWriter("heartbeats", TEXT, EventWriterConfig.builder().build())) {
            for (int n = 0; n < 9; n++) {
                Transaction<String> booking = clerk.beginTxn();
                booking.writeEvent("hall", "booking " + n + " begins");
                booking.flush();
                if (aborted && n % 3 != 2) { overseer.getTxn(booking.getTxnId()).abort(); Thread.sleep(350); }
                for (int seat = 0; seat < 5; seat++) {
                    int which = seat, number = n;
                    Future<?> writing = POOL.submit(() -> { booking.writeEvent("hall", "seat " + which + " of booking " + number); return null; });
                    try { writing.get(900, TimeUnit.MILLISECONDS); count("written", 1); } catch (ExecutionException | TimeoutException x) { count("not_written", 1); }
                    Thread.sleep(50);
                }
                Future<?> committing = POOL.submit(() -> { booking.commit(); return null; });
                try { committing.get(1500, TimeUnit.MILLISECONDS); count("committed", 1); } catch (ExecutionException | TimeoutException x) { count("not_committed", 1); }
                visits.writeEvent("door", "visitor " + n);
                visits.flush();
                Thread.sleep(150);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope("plant");
            manager.createStream("plant", "heartbeats", fixed(2));
            switch (arguments[0]) {
                case "cut_without_a_beginning" -> team(manager, false);
                case "cut_by_a_compaction" -> team(manager, true);
                case "written_after_the_abort" -> bookings(manager, true);
                default -> bookings(manager, false);
            }
        }
        StringJoiner out = new StringJoiner(", ", "{", "}");
        counted.forEach((k, v) -> out.add("\"" + k + "\": " + v));
        System.out.println(out);
        System.out.flush();
        System.exit(0);
    }
}
