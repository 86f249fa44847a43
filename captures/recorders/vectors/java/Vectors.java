import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Prints one JSON line per vector: what an encoder was given, and the bytes it wrote.
 *
 * <p>`collect.py` turns the lines of all recorders into TOML. Nothing here decodes: the expected
 * values are the arguments handed to the encoder.
 */
final class Vectors {
    /** Shown as text because TOML has no null. */
    static final String NULL = "<null>";

    private Vectors() {}

    /** A map in the order given: key, value, key, value. */
    static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    static List<Object> list(Object... items) {
        return new ArrayList<>(List.of(items));
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes 0, 1, 2, ... so that a shifted slice shows. */
    static byte[] ramp(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    static byte[] join(byte[]... parts) {
        int size = 0;
        for (byte[] part : parts) {
            size += part.length;
        }
        byte[] whole = new byte[size];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        return whole;
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            text.append(String.format("%02x", b));
        }
        return text.toString();
    }

    /** One vector; `facts` are further members of the table (release, version, note, bare, ...). */
    static void emit(String file, String name, String command, String source, byte[] bytes,
            Map<String, Object> expect, Object... facts) {
        Map<String, Object> vector = map("file", file, "name", name, "command", command,
                "hex", hex(bytes), "source", source, "expect", expect);
        vector.putAll(map(facts));
        if (command == null) {
            vector.remove("command");
        }
        System.out.println(json(vector));
    }

    private static String json(Object value) {
        if (value == null) {
            return quote(NULL);
        } else if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(e -> quote((String) e.getKey()) + ":" + json(e.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        } else if (value instanceof Collection<?> items) {
            return items.stream().map(Vectors::json).collect(Collectors.joining(",", "[", "]"));
        } else if (value instanceof byte[] bytes) {
            return quote(hex(bytes));
        } else if (value instanceof String || value instanceof UUID) {
            return quote(value.toString());
        }
        return value.toString();
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
