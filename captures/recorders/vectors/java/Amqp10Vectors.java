import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.*;
import org.apache.qpid.proton.amqp.messaging.*;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.message.Message;

/**
 * Vectors of AMQP 1.0 values and messages from proton-j, the codec that the Java stream client uses.
 *
 * <p>A value is expected as {type, value}, with the type names of the AMQP document; map is a list of
 * {key, value}, a described value {descriptor, value}.
 */
public final class Amqp10Vectors {
    private static final String CODEC = "proton-j 0.34.1, org.apache.qpid.proton.";

    public static void main(String[] args) {
        primitives();
        compounds();
        messages();
    }

    private static void value(String name, Object value) {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        ByteBuffer buffer = ByteBuffer.allocate(100_000);
        encoder.setByteBuffer(buffer);
        encoder.writeObject(value);
        Vectors.emit("amqp1/value", name, null, CODEC + "codec.EncoderImpl.writeObject", Arrays.copyOf(buffer.array(), buffer.position()), expect(value), "bare", true);
    }

    private static Map<String, Object> typed(String type, Object value) {
        return Vectors.map("type", type, "value", value);
    }

    private static Map<String, Object> expect(Object value) {
        if (value == null) {
            return typed("null", null);
        } else if (value instanceof Boolean) {
            return typed("boolean", value);
        } else if (value instanceof UnsignedByte || value instanceof UnsignedShort || value instanceof UnsignedInteger || value instanceof UnsignedLong) {
            String name = Map.of("UnsignedByte", "ubyte", "UnsignedShort", "ushort", "UnsignedInteger", "uint", "UnsignedLong", "ulong").get(value.getClass().getSimpleName());
            return typed(name, new BigDecimal(value.toString()));
        } else if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            String name = Map.of("Byte", "byte", "Short", "short", "Integer", "int", "Long", "long").get(value.getClass().getSimpleName());
            return typed(name, value);
        } else if (value instanceof Float || value instanceof Double) {
            return typed(value.getClass().getSimpleName().toLowerCase(), value);
        } else if (value instanceof Decimal32 d) {
            return typed("decimal32", ByteBuffer.allocate(4).putInt(d.getBits()).array());
        } else if (value instanceof Decimal64 d) {
            return typed("decimal64", ByteBuffer.allocate(8).putLong(d.getBits()).array());
        } else if (value instanceof Decimal128 d) {
            return typed("decimal128", d.asBytes());
        } else if (value instanceof Character c) {
            return typed("char", (int) c);
        } else if (value instanceof Date date) {
            return typed("timestamp", date.getTime());
        } else if (value instanceof UUID) {
            return typed("uuid", value);
        } else if (value instanceof Binary binary) {
            return typed("binary", Arrays.copyOfRange(binary.getArray(), binary.getArrayOffset(), binary.getArrayOffset() + binary.getLength()));
        } else if (value instanceof String) {
            return typed("string", value);
        } else if (value instanceof Symbol) {
            return typed("symbol", value.toString());
        } else if (value instanceof List<?> list) {
            return typed("list", list.stream().map(Amqp10Vectors::expect).toList());
        } else if (value instanceof Map<?, ?> map) {
            List<Object> entries = new ArrayList<>();
            map.forEach((key, item) -> entries.add(Vectors.map("key", expect(key), "value", expect(item))));
            return typed("map", entries);
        } else if (value instanceof DescribedType described) {
            return Vectors.map("descriptor", expect(described.getDescriptor()), "value", expect(described.getDescribed()));
        } else if (value.getClass().isArray()) {
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < java.lang.reflect.Array.getLength(value); i++) {
                items.add(expect(java.lang.reflect.Array.get(value, i)));
            }
            return typed("array", items);
        }
        throw new IllegalArgumentException(value.getClass().toString());
    }

    private static void primitives() {
        value("null", null);
        value("true", true);
        value("false", false);
        value("ubyte_max", UnsignedByte.valueOf((byte) -1));
        value("ushort_max", UnsignedShort.valueOf((short) -1));
        for (long each : new long[] {0, 1, 255, 256, 0xffffffffL}) {
            value("uint_" + each, UnsignedInteger.valueOf(each));
            value("ulong_" + each, UnsignedLong.valueOf(each));
        }
        value("ulong_max", UnsignedLong.valueOf(-1L));
        value("byte_min", Byte.MIN_VALUE);
        value("short_min", Short.MIN_VALUE);
        for (int each : new int[] {0, 127, -128, 128, -129, Integer.MIN_VALUE}) {
            value("int_" + each, each);
            value("long_" + each, (long) each);
        }
        value("long_min", Long.MIN_VALUE);
        value("float", 1.5f);
        value("double", -0.1);
        value("decimal32", new Decimal32(0x2250000a));
        value("decimal64", new Decimal64(0x31c000000000000aL));
        value("decimal128", new Decimal128(0x303e000000000000L, 10L));
        value("char", 'x');
        value("char_two_bytes", '\u6d41');
        value("timestamp", new Date(1_700_000_000_000L));
        value("timestamp_negative", new Date(-1));
        value("uuid", UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10"));
        for (int size : new int[] {0, 1, 255, 256}) {
            value("binary_" + size, new Binary(Vectors.ramp(size)));
            value("string_" + size, "s".repeat(size));
            value("symbol_" + size, Symbol.valueOf("y".repeat(size)));
        }
        value("string_not_ascii", "gr\u00fc\u00df \ud83e\udd88");
    }

    private static void compounds() {
        value("list_empty", List.of());
        value("list_mixed", Arrays.asList(null, true, 1, "two", Symbol.valueOf("three"), List.of(4L)));
        value("list_260_items", java.util.Collections.nCopies(260, 1));
        value("map_empty", Map.of());
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("text", 1);
        map.put(Symbol.valueOf("symbol"), List.of());
        map.put(7L, Map.of("inner", new Binary(Vectors.ramp(2))));
        value("map_mixed_keys", map);
        Map<Object, Object> big = new LinkedHashMap<>();
        for (int i = 0; i < 130; i++) {
            big.put("k" + i, i);
        }
        value("map_260_items", big);
        value("array_symbol", new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("bc")});
        value("array_int", new int[] {1, 2, -3});
        value("array_long", new long[] {1, Long.MAX_VALUE});
        value("array_boolean", new boolean[] {true, false});
        value("array_string", new String[] {"a", "bc"});
        value("array_string_empty", new String[] {});
        value("described_by_ulong", new UnknownDescribedType(UnsignedLong.valueOf(0x123), List.of(1)));
        value("described_by_symbol", new UnknownDescribedType(Symbol.valueOf("x:y"), "value"));
        List<Object> deep = List.of();
        for (int i = 0; i < 20; i++) {
            deep = List.of(deep);
        }
        value("list_20_deep", deep);
    }

    private static void messages() {
        Message data = Message.Factory.create();
        data.setBody(new Data(new Binary(Vectors.ascii("hello"))));
        message("data_only", data, Vectors.map("body", Vectors.map("data", Vectors.list((Object) Vectors.ascii("hello")))));

        Message empty = Message.Factory.create();
        empty.setBody(new Data(new Binary(new byte[0])));
        message("data_empty", empty, Vectors.map("body", Vectors.map("data", Vectors.list((Object) new byte[0]))));

        Message value = Message.Factory.create();
        value.setBody(new AmqpValue("text"));
        message("value_string", value, Vectors.map("body", Vectors.map("value", expect("text"))));
        value.setBody(new AmqpValue(null));
        message("value_null", value, Vectors.map("body", Vectors.map("value", expect(null))));

        Message sequence = Message.Factory.create();
        sequence.setBody(new AmqpSequence(List.of(1, "two")));
        message("sequence", sequence, Vectors.map("body", Vectors.map("sequence", Vectors.list(expect(List.of(1, "two"))))));

        Message all = Message.Factory.create();
        Header header = new Header();
        header.setDurable(true);
        header.setPriority(UnsignedByte.valueOf((byte) 9));
        header.setTtl(UnsignedInteger.valueOf(5000));
        all.setHeader(header);
        all.setDeliveryAnnotations(new DeliveryAnnotations(Map.of(Symbol.valueOf("x-d"), 1)));
        all.setMessageAnnotations(new MessageAnnotations(Map.of(Symbol.valueOf("x-stream-filter-value"), "invoices")));
        Properties properties = new Properties();
        properties.setMessageId(UnsignedLong.valueOf(17));
        properties.setUserId(new Binary(Vectors.ascii("user")));
        properties.setTo("to");
        properties.setSubject("subject");
        properties.setReplyTo("reply");
        properties.setCorrelationId(UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10"));
        properties.setContentType(Symbol.valueOf("application/json"));
        properties.setContentEncoding(Symbol.valueOf("gzip"));
        properties.setAbsoluteExpiryTime(new Date(1_700_000_000_000L));
        properties.setCreationTime(new Date(0));
        properties.setGroupId("group");
        properties.setGroupSequence(UnsignedInteger.valueOf(0));
        properties.setReplyToGroupId("other");
        all.setProperties(properties);
        all.setApplicationProperties(new ApplicationProperties(Map.of("key", 1.5)));
        all.setBody(new Data(new Binary(Vectors.ascii("{}"))));
        all.setFooter(new Footer(Map.of(Symbol.valueOf("x-f"), true)));
        Map<String, Object> sections = Vectors.map(
                "header", Vectors.map("durable", true, "priority", 9, "ttl", 5000),
                "delivery_annotations", Vectors.list(Vectors.map("key", typed("symbol", "x-d"), "value", expect(1))),
                "message_annotations", Vectors.list(Vectors.map("key", typed("symbol", "x-stream-filter-value"), "value", expect("invoices"))),
                "properties", Vectors.map("message_id", typed("ulong", 17), "user_id", Vectors.ascii("user"), "to", "to", "subject", "subject", "reply_to", "reply",
                        "correlation_id", typed("uuid", "01020304-0506-0708-090a-0b0c0d0e0f10"), "content_type", "application/json", "content_encoding", "gzip",
                        "absolute_expiry_time", 1_700_000_000_000L, "creation_time", 0, "group_id", "group", "group_sequence", 0, "reply_to_group_id", "other"),
                "application_properties", Vectors.list(Vectors.map("key", "key", "value", expect(1.5))),
                "body", Vectors.map("data", Vectors.list((Object) Vectors.ascii("{}"))),
                "footer", Vectors.list(Vectors.map("key", typed("symbol", "x-f"), "value", expect(true))));
        message("all_sections", all, sections);

        Message sparse = Message.Factory.create();
        Properties some = new Properties();
        some.setSubject("s");
        sparse.setProperties(some);
        sparse.setBody(new Data(new Binary(Vectors.ascii("x"))));
        message("properties_sparse", sparse, Vectors.map("properties", Vectors.map("subject", "s"), "body", Vectors.map("data", Vectors.list((Object) Vectors.ascii("x")))));
    }

    private static void message(String name, Message message, Map<String, Object> expect) {
        byte[] buffer = new byte[10_000];
        int size = message.encode(buffer, 0, buffer.length);
        Vectors.emit("amqp1/message", name, null, CODEC + "message.Message.encode", Arrays.copyOf(buffer, size), expect, "bare", true);
    }
}
