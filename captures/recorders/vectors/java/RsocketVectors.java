import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.rsocket.Payload;
import io.rsocket.exceptions.*;
import io.rsocket.frame.*;
import io.rsocket.metadata.*;
import io.rsocket.util.ByteBufPayload;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Vectors from the frame and metadata codecs of rsocket-core. */
public final class RsocketVectors {
    private static final ByteBufAllocator ALLOC = ByteBufAllocator.DEFAULT;
    private static final String CORE = "rsocket-core 1.1.5, io.rsocket.";
    private static final byte[] NONE = null;

    public static void main(String[] args) throws Exception {
        setup();
        requests();
        payload();
        small();
        fragments();
        composite();
        routing();
        authentication();
        tracing();
        mimeTypes();
    }

    private static ByteBuf buf(byte[] bytes) {
        return bytes == null ? null : Unpooled.wrappedBuffer(bytes);
    }

    private static byte[] bytes(ByteBuf buffer) {
        return ByteBufUtil.getBytes(buffer);
    }

    /** One frame as on TCP: rsocket-core's own length codec goes in front. */
    private static byte[] wire(ByteBuf frame) {
        return bytes(FrameLengthCodec.encode(ALLOC, frame.readableBytes(), frame));
    }

    private static void frame(String name, String command, String codec, ByteBuf frame,
            Map<String, Object> expect, Object... facts) {
        Vectors.emit("rsocket/" + command, name, command, CORE + "frame." + codec + " + FrameLengthCodec.encode",
                wire(frame), expect, facts);
    }

    private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
        if (value != null) {
            map.put(key, value);
        }
        return map;
    }

    private static Map<String, Object> body(Map<String, Object> map, byte[] metadata, byte[] data) {
        with(map, "metadata", metadata);
        return with(map, "data", data == null ? new byte[0] : data);
    }

    // --- SETUP -------------------------------------------------------------------------------

    private static void setup() {
        setup("text_plain", false, 20_000, 90_000, NONE, "text/plain", "text/plain", NONE, new byte[0]);
        setup("data_only", false, 1, 1, NONE, "application/json", "application/cbor", NONE, Vectors.ascii("hello"));
        setup("lease", true, 500, 1500, NONE, "text/plain", "text/plain", NONE, new byte[0]);
        setup("zero_length_metadata", false, 20_000, 90_000, NONE, "text/plain", "text/plain", new byte[0], Vectors.ascii("d"));
        setup("metadata_and_data", false, 20_000, 90_000, NONE,
                "message/x.rsocket.composite-metadata.v0", "application/octet-stream", Vectors.ramp(5), Vectors.ascii("data"));
        setup("resume_token_1_byte", false, 20_000, 90_000, new byte[] {0x7f}, "text/plain", "text/plain", NONE, new byte[0]);
        setup("resume_token_16_bytes", false, 20_000, 90_000, Vectors.ramp(16), "text/plain", "text/plain", NONE, new byte[0]);
        setup("resume_token_300_bytes", false, 20_000, 90_000, Vectors.ramp(300), "text/plain", "text/plain", NONE, new byte[0]);
        setup("resume_lease_metadata_data", true, Integer.MAX_VALUE, Integer.MAX_VALUE, Vectors.ramp(4),
                "message/x.rsocket.routing.v0", "text/plain", Vectors.ascii("meta"), Vectors.ascii("data"));
        setup("mime_types_empty", false, 20_000, 90_000, NONE, "", "", NONE, new byte[0]);
        setup("mime_types_255_bytes", false, 20_000, 90_000, NONE, "m".repeat(255), "d".repeat(255), NONE, new byte[0]);
    }

    private static void setup(String name, boolean lease, int keepalive, int lifetime, byte[] token,
            String metadataMime, String dataMime, byte[] metadata, byte[] data) {
        Payload payload = ByteBufPayload.create(buf(data), buf(metadata));
        ByteBuf frame = token == null
                ? SetupFrameCodec.encode(ALLOC, lease, keepalive, lifetime, metadataMime, dataMime, payload)
                : SetupFrameCodec.encode(ALLOC, lease, keepalive, lifetime, buf(token), metadataMime, dataMime, payload);
        Map<String, Object> expect = Vectors.map("stream_id", 0,
                "flags", Vectors.map("metadata", metadata != null, "resume_enable", token != null, "lease", lease),
                "major_version", 1, "minor_version", 0, "time_between_keepalive_frames", keepalive, "max_lifetime", lifetime);
        with(expect, "resume_identification_token", token);
        with(expect, "metadata_mime_type", metadataMime);
        with(expect, "data_mime_type", dataMime);
        frame(name, "setup", "SetupFrameCodec.encode", frame, body(expect, metadata, data));
    }

    // --- requests ------------------------------------------------------------------------------

    private static void requests() {
        byte[][] bodies = {NONE, new byte[0], Vectors.ascii("meta")};
        String[] names = {"no_metadata", "zero_length_metadata", "metadata"};
        for (int i = 0; i < 3; i++) {
            byte[] data = Vectors.ascii("ping");
            request(names[i], 1, false, bodies[i], data);
        }
        request("metadata_no_data", 1, false, Vectors.ascii("meta"), new byte[0]);
        request("nothing_at_all", 1, false, NONE, new byte[0]);
        request("both_empty", Integer.MAX_VALUE, false, new byte[0], new byte[0]);
        request("follows", 3, true, Vectors.ascii("meta"), Vectors.ascii("pi"));
        for (long n : new long[] {1, 10, Integer.MAX_VALUE, Long.MAX_VALUE}) {
            String suffix = n == Long.MAX_VALUE ? "clamped" : n == Integer.MAX_VALUE ? "max" : "" + n;
            Object note = n == Long.MAX_VALUE ? "asked for 2^63-1; the codec writes 2^31-1" : "";
            Map<String, Object> expect = Vectors.map("stream_id", 3,
                    "flags", Vectors.map("metadata", false, "follows", false), "initial_request_n", Math.min(n, Integer.MAX_VALUE));
            frame("initial_request_n_" + suffix, "request_stream", "RequestStreamFrameCodec.encode",
                    RequestStreamFrameCodec.encode(ALLOC, 3, false, n, null, buf(Vectors.ascii("x"))),
                    body(expect, NONE, Vectors.ascii("x")), "note", note);
        }
        for (boolean complete : new boolean[] {false, true}) {
            for (int i = 0; i < 3; i++) {
                Map<String, Object> expect = Vectors.map("stream_id", 7, "flags",
                        Vectors.map("metadata", bodies[i] != null, "follows", false, "complete", complete), "initial_request_n", 256);
                frame(names[i] + (complete ? "_complete" : ""), "request_channel", "RequestChannelFrameCodec.encode",
                        RequestChannelFrameCodec.encode(ALLOC, 7, false, complete, 256, buf(bodies[i]), buf(Vectors.ascii("first"))),
                        body(expect, bodies[i], Vectors.ascii("first")));
            }
        }
        Map<String, Object> expect = Vectors.map("stream_id", 7, "flags",
                Vectors.map("metadata", true, "follows", true, "complete", true), "initial_request_n", 1);
        frame("follows_and_complete", "request_channel", "RequestChannelFrameCodec.encode",
                RequestChannelFrameCodec.encode(ALLOC, 7, true, true, 1, buf(Vectors.ascii("m")), buf(Vectors.ascii("d"))),
                body(expect, Vectors.ascii("m"), Vectors.ascii("d")), "note", "F and C together, as met in practice on channels");
    }

    private static void request(String name, int stream, boolean follows, byte[] metadata, byte[] data) {
        Map<String, Object> flags = Vectors.map("metadata", metadata != null, "follows", follows);
        frame(name, "request_response", "RequestResponseFrameCodec.encode",
                RequestResponseFrameCodec.encode(ALLOC, stream, follows, buf(metadata), buf(data)),
                body(Vectors.map("stream_id", stream, "flags", flags), metadata, data));
        frame(name, "request_fnf", "RequestFireAndForgetFrameCodec.encode",
                RequestFireAndForgetFrameCodec.encode(ALLOC, stream, follows, buf(metadata), buf(data)),
                body(Vectors.map("stream_id", stream, "flags", flags), metadata, data));
        frame(name, "request_stream", "RequestStreamFrameCodec.encode",
                RequestStreamFrameCodec.encode(ALLOC, stream, follows, 128, buf(metadata), buf(data)),
                body(Vectors.map("stream_id", stream, "flags", flags, "initial_request_n", 128), metadata, data));
    }

    // --- PAYLOAD -------------------------------------------------------------------------------

    private static void payload() {
        byte[] meta = Vectors.ascii("m");
        byte[] data = Vectors.ascii("pong");
        for (int bits = 0; bits < 8; bits++) {
            boolean follows = (bits & 4) != 0;
            boolean complete = (bits & 2) != 0;
            boolean next = (bits & 1) != 0;
            String name = "flags" + (follows ? "_follows" : "") + (complete ? "_complete" : "") + (next ? "_next" : "")
                    + (bits == 0 ? "_none" : "");
            payload(name, follows, complete, next, meta, data);
        }
        payload("next_no_metadata", false, false, true, NONE, data);
        payload("next_zero_length_metadata", false, false, true, new byte[0], data);
        payload("next_metadata_no_data", false, false, true, meta, new byte[0]);
        payload("next_empty", false, false, true, NONE, new byte[0]);
        payload("next_metadata_256_bytes", false, false, true, Vectors.ramp(256), data);
        frame("complete_alone", "payload", "PayloadFrameCodec.encodeComplete", PayloadFrameCodec.encodeComplete(ALLOC, 1),
                body(Vectors.map("stream_id", 1, "flags", Vectors.map("metadata", false, "follows", false, "complete", true, "next", false)),
                        NONE, new byte[0]));
    }

    private static void payload(String name, boolean follows, boolean complete, boolean next, byte[] metadata, byte[] data) {
        frame(name, "payload", "PayloadFrameCodec.encode",
                PayloadFrameCodec.encode(ALLOC, 1, follows, complete, next, buf(metadata), buf(data)),
                body(Vectors.map("stream_id", 1, "flags",
                        Vectors.map("metadata", metadata != null, "follows", follows, "complete", complete, "next", next)), metadata, data));
    }

    // --- the small frames ------------------------------------------------------------------------

    private static void small() {
        for (boolean respond : new boolean[] {true, false}) {
            for (long position : new long[] {0, 42, Long.MAX_VALUE}) {
                byte[] data = position == 42 ? Vectors.ascii("tick") : new byte[0];
                frame((respond ? "respond" : "answer") + "_position_" + (position == Long.MAX_VALUE ? "max" : position), "keepalive",
                        "KeepAliveFrameCodec.encode", KeepAliveFrameCodec.encode(ALLOC, respond, position, buf(data)),
                        Vectors.map("stream_id", 0, "flags", Vectors.map("respond", respond), "last_received_position", position, "data", data));
            }
        }
        lease("no_metadata", 30_000, 7, NONE);
        lease("metadata", 1, 1, Vectors.ascii("why"));
        lease("max", Integer.MAX_VALUE, Integer.MAX_VALUE, NONE);
        for (long n : new long[] {1, 5, Integer.MAX_VALUE}) {
            frame("n_" + n, "request_n", "RequestNFrameCodec.encode", RequestNFrameCodec.encode(ALLOC, 3, n),
                    Vectors.map("stream_id", 3, "request_n", n));
        }
        for (int stream : new int[] {1, 2, Integer.MAX_VALUE}) {
            frame("stream_" + stream, "cancel", "CancelFrameCodec.encode", CancelFrameCodec.encode(ALLOC, stream), Vectors.map("stream_id", stream));
        }
        errors();
        frame("abc", "metadata_push", "MetadataPushFrameCodec.encode", MetadataPushFrameCodec.encode(ALLOC, buf(Vectors.ascii("abc"))),
                Vectors.map("stream_id", 0, "flags", Vectors.map("metadata", true), "metadata", Vectors.ascii("abc")));
        frame("empty", "metadata_push", "MetadataPushFrameCodec.encode", MetadataPushFrameCodec.encode(ALLOC, buf(new byte[0])),
                Vectors.map("stream_id", 0, "flags", Vectors.map("metadata", true), "metadata", new byte[0]));
        resume("token_1_byte", Vectors.ramp(1), 0, 0);
        resume("token_16_bytes", Vectors.ramp(16), 27, 1024);
        resume("positions_max", Vectors.ascii("token"), Long.MAX_VALUE, Long.MAX_VALUE);
        resume("token_empty", new byte[0], 1, 2);
        for (long position : new long[] {0, 42, Long.MAX_VALUE}) {
            frame("position_" + (position == Long.MAX_VALUE ? "max" : position), "resume_ok", "ResumeOkFrameCodec.encode",
                    ResumeOkFrameCodec.encode(ALLOC, position), Vectors.map("stream_id", 0, "last_received_client_position", position));
        }
        ext("type_1_empty", 0, 1, NONE, new byte[0]);
        ext("type_max_metadata_data", 5, Integer.MAX_VALUE, Vectors.ascii("meta"), Vectors.ascii("data"));
        ext("zero_length_metadata", 5, 2, new byte[0], Vectors.ascii("data"));
    }

    private static void lease(String name, int ttl, int n, byte[] metadata) {
        Map<String, Object> expect = Vectors.map("stream_id", 0, "flags", Vectors.map("metadata", metadata != null),
                "time_to_live", ttl, "number_of_requests", n);
        frame(name, "lease", "LeaseFrameCodec.encode", LeaseFrameCodec.encode(ALLOC, ttl, n, buf(metadata)), with(expect, "metadata", metadata));
    }

    private static void resume(String name, byte[] token, long server, long client) {
        frame(name, "resume", "ResumeFrameCodec.encode", ResumeFrameCodec.encode(ALLOC, buf(token), server, client),
                Vectors.map("stream_id", 0, "major_version", 1, "minor_version", 0, "resume_identification_token", token,
                        "last_received_server_position", server, "first_available_client_position", client));
    }

    private static void ext(String name, int stream, int type, byte[] metadata, byte[] data) {
        frame(name, "ext", "ExtensionFrameCodec.encode", ExtensionFrameCodec.encode(ALLOC, stream, type, buf(metadata), buf(data)),
                body(Vectors.map("stream_id", stream, "flags", Vectors.map("ignore", true, "metadata", metadata != null), "extended_type", type),
                        metadata, data));
    }

    private static void errors() {
        error("invalid_setup", 0, 0x1, new InvalidSetupException("no"));
        error("unsupported_setup", 0, 0x2, new UnsupportedSetupException("resume not supported"));
        error("rejected_setup", 0, 0x3, new RejectedSetupException(""));
        error("rejected_resume", 0, 0x4, new RejectedResumeException("unknown token"));
        error("connection_error", 0, 0x101, new ConnectionErrorException("Disposed"));
        error("connection_close", 0, 0x102, new ConnectionCloseException("bye"));
        error("application_error", 3, 0x201, new ApplicationErrorException("boom"));
        error("application_error_from_any_exception", 3, 0x201, new IllegalStateException("boom"));
        error("rejected", 3, 0x202, new RejectedException("busy"));
        error("canceled", 3, 0x203, new CanceledException("late"));
        error("invalid", 3, 0x204, new InvalidException("gr\u00fc\u00df dich \ud83e\udd88"));
        error("custom_low", 3, 0x301, new CustomRSocketException(0x301, "mine"));
        error("custom_high", 3, 0xFFFFFFFEL, new CustomRSocketException(0xFFFFFFFE, "mine"));
        error("no_text", 3, 0x201, new ApplicationErrorException(""));
    }

    private static void error(String name, int stream, long code, Throwable error) {
        frame(name, "error", "ErrorFrameCodec.encode", ErrorFrameCodec.encode(ALLOC, stream, error),
                Vectors.map("stream_id", stream, "error_code", code, "error_data", error.getMessage()));
    }

    // --- fragments -------------------------------------------------------------------------------

    private static void fragments() throws Exception {
        for (FrameType type : new FrameType[] {FrameType.REQUEST_RESPONSE, FrameType.REQUEST_FNF, FrameType.REQUEST_STREAM,
                FrameType.REQUEST_CHANNEL, FrameType.NEXT_COMPLETE}) {
            fragments(type, Vectors.ramp(70), Vectors.ramp(80), "metadata_spills");
        }
        fragments(FrameType.REQUEST_RESPONSE, NONE, Vectors.ramp(130), "data_only");
        fragments(FrameType.REQUEST_STREAM, new byte[0], Vectors.ramp(130), "zero_length_metadata");
        fragments(FrameType.NEXT, Vectors.ramp(10), Vectors.ramp(60), "metadata_fits");
    }

    private static void fragments(FrameType type, byte[] metadata, byte[] data, String shape) throws Exception {
        int mtu = 64;
        Class<?> utils = Class.forName("io.rsocket.core.FragmentationUtils");
        ByteBuf meta = metadata == null ? Unpooled.EMPTY_BUFFER : buf(metadata);
        ByteBuf rest = buf(data);
        boolean hasN = type == FrameType.REQUEST_STREAM || type == FrameType.REQUEST_CHANNEL;
        boolean isPayload = type == FrameType.NEXT || type == FrameType.NEXT_COMPLETE;
        String kind = isPayload ? "payload" : type.name().toLowerCase();
        String sequence = type.name().toLowerCase() + "_" + shape;
        boolean completes = type == FrameType.NEXT_COMPLETE;
        for (int part = 1; part == 1 || meta.isReadable() || rest.isReadable(); part++) {
            int m = meta.readerIndex();
            int d = rest.readerIndex();
            boolean hasMetadata = part == 1 ? metadata != null : meta.isReadable();
            ByteBuf frame;
            Method method;
            String function;
            if (part > 1) {
                function = "encodeFollowsFragment";
                method = utils.getDeclaredMethod(function, ByteBufAllocator.class, int.class, int.class, boolean.class, ByteBuf.class, ByteBuf.class);
                method.setAccessible(true);
                frame = (ByteBuf) method.invoke(null, ALLOC, mtu, 9, completes, meta, rest);
            } else if (hasN) {
                function = "encodeFirstFragment";
                method = utils.getDeclaredMethod(function, ByteBufAllocator.class, int.class, long.class, FrameType.class, int.class,
                        boolean.class, ByteBuf.class, ByteBuf.class);
                method.setAccessible(true);
                frame = (ByteBuf) method.invoke(null, ALLOC, mtu, 5L, type, 9, hasMetadata, meta, rest);
            } else {
                function = "encodeFirstFragment";
                method = utils.getDeclaredMethod(function, ByteBufAllocator.class, int.class, FrameType.class, int.class, boolean.class,
                        ByteBuf.class, ByteBuf.class);
                method.setAccessible(true);
                frame = (ByteBuf) method.invoke(null, ALLOC, mtu, type, 9, hasMetadata, meta, rest);
            }
            boolean last = !meta.isReadable() && !rest.isReadable();
            byte[] metaPart = hasMetadata ? slice(metadata, m, meta.readerIndex()) : null;
            Map<String, Object> flags = Vectors.map("metadata", hasMetadata, "follows", !last);
            if (part > 1 || isPayload) {
                flags.put("complete", part > 1 && last && completes);
                flags.put("next", true);
            } else if (type == FrameType.REQUEST_CHANNEL) {
                flags.put("complete", false);
            }
            Map<String, Object> expect = Vectors.map("stream_id", 9, "flags", flags);
            if (part == 1 && hasN) {
                expect.put("initial_request_n", 5);
            }
            body(expect, metaPart, slice(data, d, rest.readerIndex()));
            Map<String, Object> facts = Vectors.map("sequence", sequence, "part", part);
            if (last) {
                facts.put("reassembled", body(Vectors.map(), metadata, data));
            }
            Vectors.emit("rsocket/fragments", sequence + "_" + part, part == 1 ? kind : "payload",
                    CORE + "core.FragmentationUtils." + function + " (MTU 64) + FrameLengthCodec.encode", wire(frame), expect,
                    facts.entrySet().stream().flatMap(e -> java.util.stream.Stream.of(e.getKey(), e.getValue())).toArray());
        }
    }

    private static byte[] slice(byte[] bytes, int from, int to) {
        return java.util.Arrays.copyOfRange(bytes, from, to);
    }

    // --- metadata formats ------------------------------------------------------------------------

    private static void format(String file, String name, String function, ByteBuf content, Object expect, Object... facts) {
        Object[] all = java.util.Arrays.copyOf(facts, facts.length + 2);
        all[facts.length] = "bare";
        all[facts.length + 1] = true;
        Vectors.emit("rsocket/" + file, name, null, CORE + "metadata." + function, bytes(content), Vectors.map("entries", expect), all);
    }

    private static void composite() {
        CompositeByteBuf one = ALLOC.compositeBuffer();
        CompositeMetadataCodec.encodeAndAddMetadata(one, ALLOC, WellKnownMimeType.MESSAGE_RSOCKET_ROUTING, buf(Vectors.ascii("\u0002hi")));
        format("composite_metadata", "one_well_known", "CompositeMetadataCodec.encodeAndAddMetadata", one,
                Vectors.list(known(0x7e, "message/x.rsocket.routing.v0", Vectors.ascii("\u0002hi"))));

        for (String mime : List.of("a", "x/custom", "c".repeat(127), "c".repeat(128))) {
            CompositeByteBuf custom = ALLOC.compositeBuffer();
            CompositeMetadataCodec.encodeAndAddMetadata(custom, ALLOC, mime, buf(Vectors.ramp(3)));
            format("composite_metadata", "custom_mime_" + mime.length() + "_bytes", "CompositeMetadataCodec.encodeAndAddMetadata", custom,
                    Vectors.list(Vectors.map("mime_type", mime, "content", Vectors.ramp(3))),
                    "note", "the length on the wire is one less than the MIME type's");
        }
        CompositeByteBuf many = ALLOC.compositeBuffer();
        CompositeMetadataCodec.encodeAndAddMetadata(many, ALLOC, WellKnownMimeType.APPLICATION_AVRO, buf(new byte[0]));
        CompositeMetadataCodec.encodeAndAddMetadata(many, ALLOC, "x/y", buf(new byte[0]));
        CompositeMetadataCodec.encodeAndAddMetadata(many, ALLOC, WellKnownMimeType.APPLICATION_JSON, buf(Vectors.ascii("{}")));
        CompositeMetadataCodec.encodeAndAddMetadata(many, ALLOC, WellKnownMimeType.APPLICATION_JSON, buf(Vectors.ascii("[]")));
        CompositeMetadataCodec.encodeAndAddMetadataWithCompression(many, ALLOC, "text/plain", buf(Vectors.ascii("hi")));
        format("composite_metadata", "several_with_empty_and_duplicate", "CompositeMetadataCodec.encodeAndAddMetadata", many,
                Vectors.list(known(0, "application/avro", new byte[0]), Vectors.map("mime_type", "x/y", "content", new byte[0]),
                        known(5, "application/json", Vectors.ascii("{}")), known(5, "application/json", Vectors.ascii("[]")),
                        known(0x21, "text/plain", Vectors.ascii("hi"))));
        CompositeByteBuf big = ALLOC.compositeBuffer();
        CompositeMetadataCodec.encodeAndAddMetadata(big, ALLOC, WellKnownMimeType.APPLICATION_OCTET_STREAM, buf(Vectors.ramp(70_000 / 250)));
        format("composite_metadata", "content_280_bytes", "CompositeMetadataCodec.encodeAndAddMetadata", big,
                Vectors.list(known(6, "application/octet-stream", Vectors.ramp(280))));
        format("composite_metadata", "empty", "CompositeMetadataCodec (no entry added)", ALLOC.compositeBuffer(), Vectors.list());

        ByteBuf frame = RequestResponseFrameCodec.encode(ALLOC, 1, false, one.retainedDuplicate(), buf(Vectors.ascii("ping")));
        frame("composite_metadata_with_route", "request_response", "RequestResponseFrameCodec.encode", frame,
                Vectors.map("stream_id", 1, "flags", Vectors.map("metadata", true, "follows", false),
                        "metadata", Vectors.join(new byte[] {(byte) 0xfe, 0, 0, 3, 2}, Vectors.ascii("hi")), "data", Vectors.ascii("ping")));
    }

    private static Map<String, Object> known(int id, String mime, byte[] content) {
        return Vectors.map("mime_id", id, "mime_type", mime, "content", content);
    }

    private static void routing() {
        Map<String, List<String>> cases = new LinkedHashMap<>();
        cases.put("one_tag", List.of("user.lookup"));
        cases.put("two_tags", List.of("hi", "there"));
        cases.put("tag_255_bytes", List.of("r".repeat(255)));
        cases.put("tag_not_ascii", List.of("gr\u00fc\u00df"));
        cases.forEach((name, tags) -> format("routing", name, "TaggingMetadataCodec.createTaggingContent",
                TaggingMetadataCodec.createTaggingContent(ALLOC, tags), new java.util.ArrayList<Object>(tags)));
        format("routing", "empty_tag_dropped", "TaggingMetadataCodec.createTaggingContent",
                TaggingMetadataCodec.createTaggingContent(ALLOC, List.of("a", "", "b")), Vectors.list("a", "b"),
                "note", "given a, empty, b: the encoder drops empty tags (and those over 255 bytes)");
    }

    private static void authentication() {
        auth("simple", AuthMetadataCodec.encodeSimpleMetadata(ALLOC, "user".toCharArray(), "pass".toCharArray()), "encodeSimpleMetadata",
                Vectors.map("auth_id", 0, "auth_type", "simple", "username", "user", "password", "pass"));
        auth("simple_empty_password", AuthMetadataCodec.encodeSimpleMetadata(ALLOC, "u".toCharArray(), new char[0]), "encodeSimpleMetadata",
                Vectors.map("auth_id", 0, "auth_type", "simple", "username", "u", "password", ""));
        auth("simple_empty_username", AuthMetadataCodec.encodeSimpleMetadata(ALLOC, new char[0], "p".toCharArray()), "encodeSimpleMetadata",
                Vectors.map("auth_id", 0, "auth_type", "simple", "username", "", "password", "p"));
        auth("simple_username_300_bytes", AuthMetadataCodec.encodeSimpleMetadata(ALLOC, "u".repeat(300).toCharArray(), "p".toCharArray()),
                "encodeSimpleMetadata", Vectors.map("auth_id", 0, "auth_type", "simple", "username", "u".repeat(300), "password", "p"));
        auth("simple_not_ascii", AuthMetadataCodec.encodeSimpleMetadata(ALLOC, "gr\u00fc\u00df".toCharArray(), "\u00e4".toCharArray()),
                "encodeSimpleMetadata", Vectors.map("auth_id", 0, "auth_type", "simple", "username", "gr\u00fc\u00df", "password", "\u00e4"));
        auth("bearer", AuthMetadataCodec.encodeBearerMetadata(ALLOC, "abc.def.ghi".toCharArray()), "encodeBearerMetadata",
                Vectors.map("auth_id", 1, "auth_type", "bearer", "token", "abc.def.ghi"));
        auth("bearer_empty", AuthMetadataCodec.encodeBearerMetadata(ALLOC, new char[0]), "encodeBearerMetadata",
                Vectors.map("auth_id", 1, "auth_type", "bearer", "token", ""));
        for (String type : List.of("k", "kerberos", "t".repeat(128))) {
            auth("custom_type_" + type.length() + "_bytes", AuthMetadataCodec.encodeMetadata(ALLOC, type, buf(Vectors.ramp(3))), "encodeMetadata",
                    Vectors.map("auth_type", type, "payload", Vectors.ramp(3)));
        }
    }

    private static void auth(String name, ByteBuf content, String function, Map<String, Object> expect) {
        Vectors.emit("rsocket/authentication", name, null, CORE + "metadata.AuthMetadataCodec." + function, bytes(content), expect, "bare", true);
    }

    private static void tracing() {
        long low = 0x1122334455667788L;
        long high = 0x99aabbccddeeff00L;
        for (TracingMetadataCodec.Flags flags : TracingMetadataCodec.Flags.values()) {
            String name = flags.name().toLowerCase();
            trace("empty_" + name, TracingMetadataCodec.encodeEmpty(ALLOC, flags), "encodeEmpty", flags, null, null, null, null);
            trace("ids64_" + name, TracingMetadataCodec.encode64(ALLOC, low, 2, flags), "encode64", flags, null, low, 2L, null);
        }
        TracingMetadataCodec.Flags sample = TracingMetadataCodec.Flags.SAMPLE;
        trace("ids64_parent", TracingMetadataCodec.encode64(ALLOC, low, 2, 3, sample), "encode64", sample, null, low, 2L, 3L);
        trace("ids128", TracingMetadataCodec.encode128(ALLOC, high, low, 2, sample), "encode128", sample, high, low, 2L, null);
        trace("ids128_parent", TracingMetadataCodec.encode128(ALLOC, high, low, -1L, 3, sample), "encode128", sample, high, low, -1L, 3L);
    }

    private static void trace(String name, ByteBuf content, String function, TracingMetadataCodec.Flags flags, Long high, Long low, Long span, Long parent) {
        Map<String, Object> expect = Vectors.map("flags", Vectors.map("ids", low != null, "debug", flags == TracingMetadataCodec.Flags.DEBUG,
                "sample", flags == TracingMetadataCodec.Flags.SAMPLE, "not_sampled", flags == TracingMetadataCodec.Flags.NOT_SAMPLE,
                "trace_id_128", high != null, "parent", parent != null));
        id(expect, "trace_id_high", high);
        id(expect, "trace_id_low", low);
        id(expect, "span_id", span);
        id(expect, "parent_id", parent);
        Vectors.emit("rsocket/tracing", name, null, CORE + "metadata.TracingMetadataCodec." + function + " " + flags, bytes(content), expect,
                "bare", true);
    }

    private static void id(Map<String, Object> expect, String name, Long value) {
        if (value != null) {
            expect.put(name, String.format("%016x", value));
        }
    }

    private static void mimeTypes() {
        format("mime_type", "well_known", "MimeTypeMetadataCodec.encode", MimeTypeMetadataCodec.encode(ALLOC, WellKnownMimeType.APPLICATION_JSON),
                Vectors.list(Vectors.map("mime_id", 5, "mime_type", "application/json")));
        format("mime_type", "custom", "MimeTypeMetadataCodec.encode", MimeTypeMetadataCodec.encode(ALLOC, "x/custom"),
                Vectors.list(Vectors.map("mime_type", "x/custom")));
        format("mime_type", "accept_list", "MimeTypeMetadataCodec.encode",
                MimeTypeMetadataCodec.encode(ALLOC, List.of("application/json", "x/y", "text/plain")),
                Vectors.list(Vectors.map("mime_id", 5, "mime_type", "application/json"), Vectors.map("mime_type", "x/y"),
                        Vectors.map("mime_id", 0x21, "mime_type", "text/plain")));
    }
}
