import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.ChannelHandler;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Vectors from the wire commands of one release of pravega-shared-protocol, given as the only argument.
 *
 * <p>One program serves all releases: a command is given as several argument lists, newest first, and
 * the first that fits a constructor of this release is used. A release without the command prints nothing.
 */
public final class PravegaVectors {
    private static final String NETTY = "io.pravega.shared.protocol.netty.";
    private static final UUID W = UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10");
    private static final UUID W2 = UUID.fromString("ffffffff-ffff-ffff-8000-000000000001");
    private static final long RID = 0x0000000100000007L;
    private static final String SEG = "scope/stream/0.#epoch.0";
    private static final String TRACE = "java.lang.IllegalStateException: boom\n\tat a.B.c(B.java:1)\n";
    private static final byte[] EMPTY = {};

    /** Members that the classes name differently in different commands or releases. */
    private static final Map<String, String> ONE_NAME = Map.of("segment_name", "segment", "table_entries", "entries",
            "target_segment_id", "target", "source_segment_ids", "sources", "sorted_deprecated", "sorted", "unused", "request_id", "txid", "transaction_id", "txn", "segment");

    private static String release;
    private static int wireVersion;

    /** A value of a nested class (event, table key, ...) and what it must decode to. */
    private record Nested(Object real, Object expect) {}

    public static void main(String[] args) throws Exception {
        release = args[0];
        wireVersion = Class.forName(NETTY + "WireCommands").getField("WIRE_VERSION").getInt(null);
        connection();
        appends();
        reads();
        segments();
        errors();
        tables();
        merges();
        transactions();
        storage();
        text();
        blocks();
    }

    // --- commands ------------------------------------------------------------------------------

    private static void connection() throws Exception {
        command("hello", "own_range", "Hello", args(wireVersion, Class.forName(NETTY + "WireCommands").getField("OLDEST_COMPATIBLE_VERSION").getInt(null)));
        command("hello", "extremes", "Hello", args(Integer.MAX_VALUE, Integer.MIN_VALUE));
        command("keep_alive", "plain", "KeepAlive", args());
        command("padding", "none", "Padding", args(0));
        command("padding", "nine_zeros", "Padding", args(9));
        command("partial_event", "three_bytes", "PartialEvent", args((Object) Vectors.ramp(3)));
    }

    private static void appends() throws Exception {
        command("setup_append", "no_token", "SetupAppend", args(RID, W, SEG, ""), args(RID, W, SEG));
        command("setup_append", "token", "SetupAppend", args(RID, W2, SEG, "eyJh.eyJz.c2ln"));
        command("append_setup", "continues", "AppendSetup", args(RID, SEG, W, 41L));
        command("append_setup", "none_yet", "AppendSetup", args(RID, SEG, W, Long.MIN_VALUE));
        command("append_block_end", "empty_remainder", "AppendBlockEnd", args(W, 10, EMPTY, 1, 0L, RID));
        command("append_block_end", "remainder", "AppendBlockEnd", args(W, 0, Vectors.ramp(20), 3, Long.MAX_VALUE, RID));
        command("conditional_append", "event", "ConditionalAppend",
                args(W, 5L, 1024L, event(Vectors.ascii("hi")), RID), args(W, 5L, 1024L, event(Vectors.ascii("hi"))), args(W, 5L, 1024L, Vectors.ascii("hi")));
        command("conditional_append", "empty_event", "ConditionalAppend",
                args(W, 5L, 0L, event(EMPTY), RID), args(W, 5L, 0L, event(EMPTY)), args(W, 5L, 0L, EMPTY));
        command("conditional_block_end", "data", "ConditionalBlockEnd", args(W, 1L, 0L, Vectors.ramp(8), RID));
        command("conditional_block_end", "empty", "ConditionalBlockEnd", args(W, 0L, 0L, EMPTY, RID));
        command("data_appended", "first", "DataAppended", args(RID, W, 0L, Long.MIN_VALUE, 10L), args(RID, W, 0L, Long.MIN_VALUE), args(W, 0L, Long.MIN_VALUE));
        command("data_appended", "later", "DataAppended", args(RID, W2, 9L, 4L, 1L << 40), args(RID, W2, 9L, 4L), args(W2, 9L, 4L));
        command("conditional_check_failed", "plain", "ConditionalCheckFailed", args(W, 5L, RID), args(W, 5L));
        command("invalid_event_number", "no_trace", "InvalidEventNumber", args(W, RID, "", 6L), args(W, 6L, ""), args(W, 6L));
        command("invalid_event_number", "trace", "InvalidEventNumber", args(W, RID, TRACE, 6L), args(W, 6L, TRACE));
        command("invalid_event_number", "number_looks_like_text", "InvalidEventNumber", args(W, RID, "abc", 0x0000000000000000L), args(W, 0L, "abc"));
    }

    private static void reads() throws Exception {
        command("read_segment", "plain", "ReadSegment", args(SEG, 0L, 65_536, "", RID), args(SEG, 0L, 65_536, ""), args(SEG, 0L, 65_536));
        command("segment_read", "data", "SegmentRead", args(SEG, 10L, false, false, Vectors.ramp(5), RID), args(SEG, 10L, false, false, Vectors.ramp(5)));
        command("segment_read", "tail_empty", "SegmentRead", args(SEG, 10L, true, false, EMPTY, RID), args(SEG, 10L, true, false, EMPTY));
        command("segment_read", "end_of_segment", "SegmentRead", args(SEG, 10L, false, true, EMPTY, -1L), args(SEG, 10L, false, true, EMPTY));
        command("get_stream_segment_info", "plain", "GetStreamSegmentInfo", args(RID, SEG, ""), args(RID, SEG));
        command("stream_segment_info", "plain", "StreamSegmentInfo", args(RID, SEG, true, false, false, 1_700_000_000_000L, 4096L, 512L));
        command("get_segment_attribute", "plain", "GetSegmentAttribute", args(RID, SEG, W, ""), args(RID, SEG, W));
        command("segment_attribute", "null", "SegmentAttribute", args(RID, Long.MIN_VALUE));
        command("update_segment_attribute", "plain", "UpdateSegmentAttribute", args(RID, SEG, W, 5L, Long.MIN_VALUE, ""), args(RID, SEG, W, 5L, Long.MIN_VALUE));
        command("segment_attribute_updated", "true", "SegmentAttributeUpdated", args(RID, true));
        command("segment_attribute_updated", "false", "SegmentAttributeUpdated", args(RID, false));
    }

    private static void segments() throws Exception {
        command("create_segment", "no_scaling", "CreateSegment", args(RID, SEG, (byte) 0, 0, "", 0L), args(RID, SEG, (byte) 0, 0, ""), args(RID, SEG, (byte) 0, 0));
        command("create_segment", "by_events_token", "CreateSegment",
                args(RID, SEG, (byte) 2, 1000, "tok", 1L << 30), args(RID, SEG, (byte) 2, 1000, "tok"), args(RID, SEG, (byte) 2, 1000));
        command("create_transient_segment", "plain", "CreateTransientSegment", args(RID, W, SEG, ""));
        command("segment_created", "plain", "SegmentCreated", args(RID, SEG));
        command("update_segment_policy", "plain", "UpdateSegmentPolicy", args(RID, SEG, (byte) 1, -1, ""), args(RID, SEG, (byte) 1, -1));
        command("truncate_segment", "plain", "TruncateSegment", args(RID, SEG, 100L, ""), args(RID, SEG, 100L));
        command("segment_truncated", "plain", "SegmentTruncated", args(RID, SEG));
        command("segment_policy_updated", "plain", "SegmentPolicyUpdated", args(RID, SEG));
        command("seal_segment", "plain", "SealSegment", args(RID, SEG, ""), args(RID, SEG));
        command("segment_sealed", "plain", "SegmentSealed", args(RID, SEG));
        command("delete_segment", "plain", "DeleteSegment", args(RID, SEG, "tok"), args(RID, SEG));
        command("segment_deleted", "plain", "SegmentDeleted", args(RID, SEG));
        command("seal_table_segment", "plain", "SealTableSegment", args(RID, SEG, ""));
        command("merge_table_segments", "plain", "MergeTableSegments", args(RID, SEG, "scope/table/1", "tok"));
        command("create_table_segment", "sorted", "CreateTableSegment",
                args(RID, SEG, true, 16, "", 0L), args(RID, SEG, true, ""), args(RID, SEG, ""));
        command("create_table_segment", "hashed", "CreateTableSegment",
                args(RID, SEG, false, 0, "t", 1024L), args(RID, SEG, false, "t"), args(RID, SEG, "t"));
        command("delete_table_segment", "must_be_empty", "DeleteTableSegment", args(RID, SEG, true, ""));
        command("table_segment_info", "plain", "TableSegmentInfo", args(RID, SEG, 0L, 2048L, -1L, 16));
    }

    private static void errors() throws Exception {
        for (String trace : List.of("", TRACE)) {
            String name = trace.isEmpty() ? "no_trace" : "trace";
            command("wrong_host", name, "WrongHost", args(RID, SEG, "", trace), args(RID, SEG, ""));
            command("segment_is_sealed", name, "SegmentIsSealed", args(RID, SEG, trace, 77L), args(RID, SEG, trace), args(RID, SEG));
            command("segment_is_truncated", name, "SegmentIsTruncated", args(RID, SEG, 512L, trace, 77L), args(RID, SEG, 512L, trace), args(RID, SEG, 512L));
            command("segment_already_exists", name, "SegmentAlreadyExists", args(RID, SEG, trace), args(RID, SEG));
            command("no_such_segment", name, "NoSuchSegment", args(RID, SEG, trace, -1L), args(RID, SEG, trace), args(RID, SEG));
            command("operation_unsupported", name, "OperationUnsupported", args(RID, "readTable", trace), args(RID, "readTable"));
            command("auth_token_check_failed", name, "AuthTokenCheckFailed",
                    args(RID, trace, code("AuthTokenCheckFailed", "TOKEN_EXPIRED", 1)), args(RID, trace), args(RID));
            command("table_key_bad_version", name, "TableKeyBadVersion", args(RID, SEG, trace));
            command("table_key_does_not_exist", name, "TableKeyDoesNotExist", args(RID, SEG, trace));
            command("table_segment_not_empty", name, "TableSegmentNotEmpty", args(RID, SEG, trace));
        }
        command("auth_token_check_failed", "unspecified", "AuthTokenCheckFailed", args(RID, "", code("AuthTokenCheckFailed", "UNSPECIFIED", -1)));
        command("error_message", "illegal_argument", "ErrorMessage", args(RID, SEG, "no", code("ErrorMessage", "ILLEGAL_ARGUMENT_EXCEPTION", 0)));
        command("error_message", "unspecified_empty", "ErrorMessage", args(RID, "", "", code("ErrorMessage", "UNSPECIFIED", -1)));
    }

    private static void tables() throws Exception {
        if (!exists("UpdateTableEntries")) {
            return;
        }
        Nested plain = key(Vectors.ascii("key"), 7);
        Nested unconditional = key(Vectors.ascii("k"), Long.MIN_VALUE);
        Nested absent = key(Vectors.ramp(16), -1);
        Nested empty = key(EMPTY, Long.MIN_VALUE);
        Map<String, Nested> lists = new LinkedHashMap<>();
        lists.put("none", entries());
        lists.put("one", entries(plain, value("value")));
        lists.put("key_versions", entries(plain, value("a"), unconditional, value("bb"), absent, value("ccc")));
        lists.put("empty_value", entries(plain, value("")));
        lists.put("empty_key", entries(empty, value("value")));
        lists.put("empty_key_and_value", entries(empty, value("")));
        lists.put("empty_key_between", entries(plain, value("a"), empty, value("b"), absent, value("c")));
        for (Map.Entry<String, Nested> each : lists.entrySet()) {
            Nested entries = each.getValue();
            command("update_table_entries", each.getKey(), "UpdateTableEntries", args(RID, SEG, "", entries, -1L), args(RID, SEG, "", entries));
            command("table_read", each.getKey(), "TableRead", args(RID, SEG, entries));
            command("table_entries_read", each.getKey(), "TableEntriesRead", args(RID, SEG, entries, Vectors.ramp(4)));
        }
        command("update_table_entries", "table_segment_offset", "UpdateTableEntries", args(RID, SEG, "t", entries(plain, value("v")), 4096L));
        command("table_entries_read", "no_continuation", "TableEntriesRead", args(RID, SEG, entries(plain, value("v")), EMPTY));
        command("table_entries_delta_read", "one", "TableEntriesDeltaRead", args(RID, SEG, entries(plain, value("v")), true, false, 99L));
        command("table_entries_delta_read", "empty_key", "TableEntriesDeltaRead", args(RID, SEG, entries(empty, value("v")), false, true, 99L));
        command("table_entries_updated", "none", "TableEntriesUpdated", args(RID, List.of()));
        command("table_entries_updated", "three", "TableEntriesUpdated", args(RID, List.of(0L, 1L << 33, Long.MAX_VALUE)));

        Map<String, List<Nested>> keys = new LinkedHashMap<>();
        keys.put("none", List.of());
        keys.put("two", List.of(plain, unconditional));
        keys.put("empty_key_first", List.of(empty, plain));
        for (Map.Entry<String, List<Nested>> each : keys.entrySet()) {
            Nested some = many(each.getValue());
            command("remove_table_keys", each.getKey(), "RemoveTableKeys", args(RID, SEG, "", some, 12L), args(RID, SEG, "", some));
            command("read_table", each.getKey(), "ReadTable", args(RID, SEG, "", some));
            command("table_keys_read", each.getKey(), "TableKeysRead", args(RID, SEG, some, Vectors.ramp(4)));
        }
        for (String kind : List.of("Keys", "Entries")) {
            String file = "read_table_" + kind.toLowerCase();
            String type = "ReadTable" + kind;
            command(file, "from_the_start", type, args(RID, SEG, "", 10, iterator(EMPTY, EMPTY, EMPTY, EMPTY)),
                    args(RID, SEG, "", 10, EMPTY, EMPTY), args(RID, SEG, "", 10, EMPTY));
            command(file, "all_tails", type, args(RID, SEG, "", 10, iterator(Vectors.ramp(4), Vectors.ascii("pre"), Vectors.ascii("from"), Vectors.ascii("to"))),
                    args(RID, SEG, "", 10, Vectors.ramp(4), Vectors.ascii("pre")), args(RID, SEG, "", 10, Vectors.ramp(4)));
        }
        command("table_keys_removed", "plain", "TableKeysRemoved", args(RID, SEG));
        command("read_table_entries_delta", "plain", "ReadTableEntriesDelta", args(RID, SEG, "", 0L, 50));
        command("get_table_segment_info", "plain", "GetTableSegmentInfo", args(RID, SEG, ""));
    }

    private static void merges() throws Exception {
        String target = "scope/stream/0.#epoch.0";
        String source = target + "#transaction.0123456789abcdef0123456789abcdef";
        if (exists("ConditionalAttributeUpdate")) {
            command("merge_segments", "no_attributes", "MergeSegments", args(RID, target, source, "", many(List.of())));
            command("merge_segments", "attributes", "MergeSegments", args(RID, target, source, "",
                    many(List.of(attribute(W, 1, 5, Long.MIN_VALUE), attribute(W2, 4, -1, 7)))));
        } else {
            command("merge_segments", "plain", "MergeSegments", args(RID, target, source, ""));
        }
        command("segments_merged", "plain", "SegmentsMerged", args(RID, target, source, 8192L), args(RID, target, source));
        command("merge_segments_batch", "two", "MergeSegmentsBatch", args(RID, target, List.of(source, "b"), ""));
        command("merge_segments_batch", "none", "MergeSegmentsBatch", args(RID, target, List.of(), ""));
        if (exists("SegmentsBatchMerged")) {
            // The class keeps two parallel lists; on the wire each source stands before its offset.
            Object made = construct("SegmentsBatchMerged", RID, target, List.of(source, "b"), List.of(8192L, 9000L));
            emit("segments_batch_merged", "two", "segments_batch_merged", source("SegmentsBatchMerged"), encode(made), Vectors.map("request_id", RID,
                    "target", target, "sources", Vectors.list(Vectors.map("source", source, "new_target_write_offset", 8192L),
                            Vectors.map("source", "b", "new_target_write_offset", 9000L))));
        }
    }

    /** Up to 0.2: what became segments of their own. */
    private static void transactions() throws Exception {
        for (String name : List.of("create_transaction", "transaction_created", "commit_transaction", "transaction_committed",
                "abort_transaction", "transaction_aborted", "get_transaction_info")) {
            command(name, "plain", type(name), args(RID, SEG, W));
        }
        command("transaction_info", "plain", "TransactionInfo", args(RID, SEG, W, "a transaction", true, false, 1_500_000_000_000L, 4096L));
        command("no_such_transaction", "plain", "NoSuchTransaction", args(RID, SEG));
    }

    private static String type(String command) {
        StringBuilder name = new StringBuilder();
        for (String part : command.split("_")) {
            name.append(Character.toUpperCase(part.charAt(0))).append(part.substring(1));
        }
        return name.toString();
    }

    private static void storage() throws Exception {
        command("flush_to_storage", "plain", "FlushToStorage", args(3, "", RID));
        command("flushed_to_storage", "plain", "StorageFlushed", args(RID));
        command("list_storage_chunks", "plain", "ListStorageChunks", args(SEG, "", RID));
        if (exists("ChunkInfo")) {
            command("storage_chunks_listed", "none", "StorageChunksListed", args(RID, many(List.of())));
            command("storage_chunks_listed", "two", "StorageChunksListed", args(RID, many(List.of(
                    nested("ChunkInfo", 10L, 10L, 0L, "chunk-0", true), nested("ChunkInfo", 20L, 0L, 10L, "chunk-1", false)))));
        }
    }

    /** Modified UTF-8: U+0000 is two bytes, a supplementary character two surrogates of three bytes. */
    private static void text() throws Exception {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("empty", "");
        names.put("ascii", "scope/stream/0");
        names.put("two_bytes", "gr\u00fc\u00df");
        names.put("three_bytes", "\u6d41");
        names.put("nul", "a\u0000b");
        names.put("supplementary", "\ud83e\udd88");
        names.put("mixed", "a\u0000\u00df\u6d41\ud83e\udd88z");
        names.put("length_255", "s".repeat(255));
        names.put("length_256", "s".repeat(256));
        for (Map.Entry<String, String> each : names.entrySet()) {
            command("segment_created", "text_" + each.getKey(), "SegmentCreated", args(RID, each.getValue()));
        }
    }

    // --- append blocks ---------------------------------------------------------------------------

    private static void blocks() throws Exception {
        byte[] hello = record(Vectors.ascii("hello"));
        byte[] world = record(Vectors.ascii("world!"));
        boolean spare = wireVersion >= 9;
        if (spare) {
            // From 0.6 a block that no second event fits into holds just the first, without a terminator.
            session("one_shot", 0).append(W, 0, 1, hello).sent(block(W, hello), end(W, hello.length, EMPTY, 1, 0));
            session("empty_append", 0).append(W, 0, 1, EMPTY).sent(block(W), end(W, 0, EMPTY, 1, 0));
            session("batch_of_three", 0).append(W, 2, 3, Vectors.join(hello, world, hello)).sent(block(W, hello, world, hello), end(W, 40, EMPTY, 3, 2));
        } else if (appendTakesFlow()) {
            // 0.5 ends such a block with a PARTIAL_EVENT that is whole, and counts appends, not events.
            byte[] batch = Vectors.join(hello, world, hello);
            session("one_shot", 0).append(W, 0, 1, hello).sent(block(W, terminator(-2, hello)), end(W, 0, EMPTY, 1, 0));
            session("empty_append", 0).append(W, 0, 1, EMPTY).sent(block(W, terminator(-2, EMPTY)), end(W, 0, EMPTY, 1, 0));
            session("batch_of_three", 0).append(W, 2, 3, batch).sent(block(W, terminator(-2, batch)), end(W, 0, EMPTY, 1, 2));
        }
        // From 0.6 a block is eight bytes longer than its size, so that the terminator's header fits.
        int room = spare ? 64 + 8 : 64;
        int whole = hello.length + world.length;
        session("padding", 64).append(W, 0, 1, hello).append(W, 1, 1, world).other("KeepAlive", "keep_alive")
                .sent(block(W, hello, world, terminator(-1, new byte[room - whole - 8])), end(W, whole, EMPTY, 2, 1),
                        Vectors.map("command", "keep_alive", "expect", Vectors.map()));
        byte[] first = record(Vectors.ramp(30));
        byte[] second = record(Vectors.ramp(40));
        int left = room - first.length - 8;
        session("partial_event", 64).append(W, 0, 1, first).append(W, 1, 1, second)
                .sent(block(W, first, terminator(-2, slice(second, 0, left))),
                        end(W, first.length, slice(second, left, second.length), 2, 1));
        byte[] exact = record(Vectors.ramp(left - 8));
        session("partial_event_whole", 64).append(W, 0, 1, first).append(W, 1, 1, exact)
                .sent(block(W, first, terminator(-2, exact)), end(W, first.length, EMPTY, 2, 1));
        if (spare) {
            session("two_writers", 64).append(W, 0, 1, hello).append(W2, 5, 1, world).other("KeepAlive", "keep_alive")
                    .sent(block(W, hello, terminator(-1, new byte[64 - hello.length])), end(W, hello.length, EMPTY, 1, 0),
                            block(W2, world), end(W2, world.length, EMPTY, 1, 5),
                            Vectors.map("command", "keep_alive", "expect", Vectors.map()));
        }
    }

    private static byte[] slice(byte[] bytes, int from, int to) {
        return java.util.Arrays.copyOfRange(bytes, from, to);
    }

    private static byte[] terminator(int type, byte[] data) {
        return Vectors.join(ByteBuffer.allocate(8).putInt(type).putInt(data.length).array(), data);
    }

    private static byte[] record(byte[] event) {
        return terminator(0, event);
    }

    /** APPEND_BLOCK with these records as its data; `content` says what each of them is. */
    private static Map<String, Object> block(UUID writer, byte[]... records) {
        List<Object> content = new ArrayList<>();
        for (byte[] each : records) {
            String type = switch (ByteBuffer.wrap(each).getInt()) {
                case 0 -> "event";
                case -1 -> "padding";
                default -> "partial_event";
            };
            content.add(Vectors.map(type, slice(each, 8, each.length)));
        }
        return Vectors.map("command", "append_block", "expect", Vectors.map("writer_id", writer, "data", Vectors.join(records)), "content", content);
    }

    private static Map<String, Object> end(UUID writer, int whole, byte[] remainder, int events, long last) {
        return Vectors.map("command", "append_block_end", "expect", Vectors.map("writer_id", writer, "size_of_whole_events", whole,
                "data", remainder, "num_events", events, "last_event_number", last, "request_id", hasAppendRequestId() ? RID : 0L));
    }

    /** APPEND_BLOCK_END's last member is the writer's request id from 0.5; before it was always 0. */
    private static boolean hasAppendRequestId() {
        return wireVersion >= 8;
    }

    private static boolean appendTakesFlow() throws Exception {
        for (Constructor<?> each : Class.forName(NETTY + "Append").getConstructors()) {
            if (each.getParameterCount() == 7) {
                return true;
            }
        }
        return false;
    }

    private static Session session(String name, int blockSize) throws Exception {
        return new Session(name, blockSize);
    }

    /** Drives CommandEncoder itself: two writers are set up, then appends go in. */
    private static final class Session {
        private final String name;
        private final EmbeddedChannel channel;

        Session(String name, int blockSize) throws Exception {
            this.name = name;
            channel = new EmbeddedChannel((ChannelHandler) encoder(blockSize));
            for (UUID writer : List.of(W, W2)) {
                String segment = writer.equals(W) ? SEG : "scope/stream/1.#epoch.0";
                Object setup = constructFitting("SetupAppend", args(RID, writer, segment, ""), args(RID, writer, segment));
                channel.writeOutbound(setup);
            }
            drain();
        }

        /** `data` holds the EVENT records; releases before 0.4 take the bare event and write the record themselves. */
        Session append(UUID writer, long number, int count, byte[] data) throws Exception {
            String segment = writer.equals(W) ? SEG : "scope/stream/1.#epoch.0";
            Class<?> type = Class.forName(NETTY + "Append");
            Object append;
            if (appendTakesFlow()) {
                append = type.getConstructor(String.class, UUID.class, long.class, int.class, ByteBuf.class, Long.class, long.class)
                        .newInstance(segment, writer, number, count, Unpooled.wrappedBuffer(data), null, 0L);
            } else if (wireVersion >= 6) {
                append = type.getConstructor(String.class, UUID.class, long.class, int.class, ByteBuf.class, Long.class)
                        .newInstance(segment, writer, number, count, Unpooled.wrappedBuffer(data), null);
            } else {
                append = type.getConstructor(String.class, UUID.class, long.class, ByteBuf.class, Long.class)
                        .newInstance(segment, writer, number, Unpooled.wrappedBuffer(slice(data, 8, data.length)), null);
            }
            channel.writeOutbound(append);
            return this;
        }

        Session other(String type, String command) throws Exception {
            channel.writeOutbound(construct(type));
            return this;
        }

        @SafeVarargs
        final void sent(Map<String, Object>... expected) throws Exception {
            byte[] bytes = drain();
            int at = 0;
            for (int part = 1; part <= expected.length; part++) {
                int length = 8 + ByteBuffer.wrap(bytes, at + 4, 4).getInt();
                Map<String, Object> each = expected[part - 1];
                @SuppressWarnings("unchecked")
                Map<String, Object> expect = (Map<String, Object>) each.get("expect");
                emit("append_blocks", name + "_" + part, (String) each.get("command"), source("Append through CommandEncoder.encode"),
                        slice(bytes, at, at + length), expect, "sequence", name, "part", part, "content", each.getOrDefault("content", ""));
                at += length;
            }
            if (at != bytes.length) {
                throw new IllegalStateException(name + ": " + (bytes.length - at) + " bytes more than the frames expected");
            }
        }

        private byte[] drain() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            channel.flush();
            for (ByteBuf each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
                all.writeBytes(ByteBufUtil.getBytes(each));
            }
            return all.toByteArray();
        }
    }

    // --- making and encoding -----------------------------------------------------------------------

    private static Object[] args(Object... values) {
        return values;
    }

    private static boolean exists(String type) {
        try {
            Class.forName(NETTY + "WireCommands$" + type);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static Nested nested(String type, Object... values) throws Exception {
        return new Nested(construct(type, values), expect(type, values));
    }

    private static Nested event(byte[] data) throws Exception {
        return exists("Event") ? new Nested(construct("Event", data), data) : new Nested(null, data);
    }

    private static Nested key(byte[] data, long version) throws Exception {
        Map<String, Object> expect = Vectors.map("data", data);
        if (data.length > 0) {
            expect.put("key_version", version);
        }
        return new Nested(construct("TableKey", data, version), expect);
    }

    private static Nested value(String text) throws Exception {
        return new Nested(construct("TableValue", Vectors.ascii(text)), Vectors.map("data", Vectors.ascii(text)));
    }

    private static Nested entries(Nested... keysAndValues) throws Exception {
        List<Object> real = new ArrayList<>();
        List<Object> expect = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Nested key = keysAndValues[i];
            Nested value = keysAndValues[i + 1];
            real.add(new AbstractMap.SimpleImmutableEntry<>(key.real, value.real));
            expect.add(Vectors.map("key", key.expect, "value", value.expect));
        }
        return new Nested(construct("TableEntries", real), expect);
    }

    private static Nested many(List<Nested> items) {
        return new Nested(items.stream().map(Nested::real).toList(), items.stream().map(Nested::expect).toList());
    }

    private static Nested attribute(UUID id, int type, long now, long old) throws Exception {
        return nested("ConditionalAttributeUpdate", id, (byte) type, now, old);
    }

    /** What 0.10 and later write: the prefix filter's length is always 0, whatever was given. */
    private static Nested iterator(byte[] continuation, byte[] prefix, byte[] from, byte[] to) throws Exception {
        if (!exists("TableIteratorArgs")) {
            return new Nested(null, null);
        }
        return new Nested(construct("TableIteratorArgs", continuation, prefix, from, to),
                Vectors.map("continuation_token", continuation, "prefix_filter", EMPTY, "from_key", from, "to_key", to));
    }

    private static Nested code(String type, String name, int number) throws Exception {
        String errorCode = NETTY + "WireCommands$" + type + "$ErrorCode";
        try {
            return new Nested(Class.forName(errorCode).getMethod("valueOf", String.class).invoke(null, name), number);
        } catch (ClassNotFoundException e) {
            return new Nested(null, number);
        }
    }

    private static Object real(Object value) {
        return value instanceof Nested nested ? nested.real : value;
    }

    private static Constructor<?> constructor(String type, Object... values) throws Exception {
        for (Constructor<?> each : Class.forName(NETTY + "WireCommands$" + type).getDeclaredConstructors()) {
            Class<?>[] wanted = each.getParameterTypes();
            boolean fits = wanted.length == values.length && !each.isSynthetic();
            for (int i = 0; fits && i < wanted.length; i++) {
                fits = convert(real(values[i]), wanted[i]) != null;
            }
            if (fits) {
                each.setAccessible(true);
                return each;
            }
        }
        return null;
    }

    private static Object construct(String type, Object... values) throws Exception {
        Constructor<?> constructor = constructor(type, values);
        if (constructor == null) {
            throw new IllegalArgumentException("no constructor of " + type + " for " + values.length + " arguments in " + release);
        }
        Object[] converted = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            converted[i] = convert(real(values[i]), constructor.getParameterTypes()[i]);
        }
        return constructor.newInstance(converted);
    }

    private static Object constructFitting(String type, Object[]... variants) throws Exception {
        for (Object[] values : variants) {
            if (constructor(type, values) != null) {
                return construct(type, values);
            }
        }
        throw new IllegalArgumentException(type);
    }

    private static Object convert(Object value, Class<?> wanted) {
        if (value instanceof byte[] bytes) {
            return wanted == ByteBuf.class ? Unpooled.wrappedBuffer(bytes) : wanted == ByteBuffer.class ? ByteBuffer.wrap(bytes) : null;
        }
        Map<Class<?>, Class<?>> boxes = Map.of(long.class, Long.class, int.class, Integer.class, byte.class, Byte.class, boolean.class, Boolean.class);
        return boxes.getOrDefault(wanted, wanted).isInstance(value) ? value : null;
    }

    /** The class's own members, in order, with the values given: Pravega's documentation of the wire is this class. */
    private static Map<String, Object> expect(String type, Object... values) throws Exception {
        List<String> names = new ArrayList<>();
        for (Field field : Class.forName(NETTY + "WireCommands$" + type).getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getName().equals("type") && !field.isSynthetic()) {
                String name = field.getName().replaceAll("([A-Z])", "_$1").toLowerCase();
                names.add(ONE_NAME.getOrDefault(name, name));
            }
        }
        if (names.size() != values.length) {
            throw new IllegalStateException(type + " has " + names + ", given " + values.length);
        }
        Map<String, Object> expect = Vectors.map();
        for (int i = 0; i < values.length; i++) {
            Object value = values[i] instanceof Nested nested ? nested.expect : values[i];
            if (names.get(i).equals("args")) {
                expect.putAll((Map<String, Object>) value);
            } else {
                expect.put(names.get(i), value);
            }
        }
        return expect;
    }

    private static String source(String what) {
        return "pravega-shared-protocol " + release + ", " + NETTY + what;
    }

    private static void emit(String file, String name, String command, String source, byte[] bytes, Map<String, Object> expect, Object... facts) {
        Object[] all = java.util.Arrays.copyOf(facts, facts.length + 4);
        all[facts.length] = "release";
        all[facts.length + 1] = Vectors.list(release);
        all[facts.length + 2] = "version";
        all[facts.length + 3] = Vectors.list(wireVersion);
        Vectors.emit("pravega/" + file, name, command, source, bytes, expect, all);
    }

    private static void command(String command, String name, String type, Object[]... variants) throws Exception {
        if (!exists(type)) {
            return;
        }
        for (Object[] values : variants) {
            if (constructor(type, values) != null) {
                Map<String, Object> expect = expect(type, values);
                if (type.equals("Padding")) {
                    expect = Vectors.map("data", new byte[(Integer) values[0]]);
                }
                emit(command, name, command, source("WireCommands." + type + ".writeFields"), encode(construct(type, values)), expect);
                return;
            }
        }
    }

    private static byte[] encode(Object command) throws Exception {
        for (Method method : Class.forName(NETTY + "CommandEncoder").getDeclaredMethods()) {
            if (method.getName().equals("writeMessage") && method.getParameterCount() == 2 && method.getParameterTypes()[0].getSimpleName().equals("WireCommand")) {
                method.setAccessible(true);
                ByteBuf out = Unpooled.buffer();
                try {
                    method.invoke(Modifier.isStatic(method.getModifiers()) ? null : encoder(0), command, out);
                } catch (InvocationTargetException e) {
                    throw new IllegalStateException(command + " in " + release, e.getCause());
                }
                return ByteBufUtil.getBytes(out);
            }
        }
        throw new IllegalStateException("CommandEncoder.writeMessage");
    }

    private static Object encoder(int blockSize) throws Exception {
        Class<?> tracker = Class.forName(NETTY + "AppendBatchSizeTracker");
        Object fixed = Proxy.newProxyInstance(tracker.getClassLoader(), new Class<?>[] {tracker}, (proxy, method, args) -> switch (method.getName()) {
            case "getAppendBlockSize" -> blockSize;
            case "getBatchTimeout" -> 1_000_000;
            case "recordAck" -> 0L;
            default -> null;
        });
        Constructor<?> constructor = Class.forName(NETTY + "CommandEncoder").getConstructors()[0];
        Object[] values = new Object[constructor.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            Class<?> wanted = constructor.getParameterTypes()[i];
            if (wanted == tracker) {
                values[i] = fixed;
            } else if (wanted == Function.class) {
                values[i] = (Function<Object, Object>) flow -> fixed;
            } else {
                values[i] = wanted.getField("NO_OP_METRIC_NOTIFIER").get(null);
            }
        }
        return constructor.newInstance(values);
    }
}
