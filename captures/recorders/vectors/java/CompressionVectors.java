import com.rabbitmq.stream.compression.Compression;
import com.rabbitmq.stream.compression.CompressionCodec;
import com.rabbitmq.stream.compression.DefaultCompressionCodecFactory;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What the Java stream client's codecs make of the records of a sub-batch: its data member alone. */
public final class CompressionVectors {
    public static void main(String[] args) throws Exception {
        records("two", List.of(Vectors.ascii("a"), Vectors.ascii("bc")));
        records("empty_body", List.of(new byte[0]));
        records("repetitive", List.of("abc".repeat(300).getBytes(), "abc".repeat(300).getBytes()));
        records("every_byte", List.of(Vectors.ramp(256)));
    }

    private static void records(String name, List<byte[]> bodies) throws Exception {
        byte[] plain = {};
        List<Object> records = new ArrayList<>();
        for (byte[] body : bodies) {
            plain = Vectors.join(plain, ByteBuffer.allocate(4).putInt(body.length).array(), body);
            records.add(Vectors.map("body", body));
        }
        for (Compression compression : List.of(Compression.GZIP, Compression.SNAPPY, Compression.LZ4, Compression.ZSTD)) {
            CompressionCodec codec = new DefaultCompressionCodecFactory().get(compression);
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            try (OutputStream packed = codec.compress(data)) {
                packed.write(plain);
            }
            Vectors.emit("rabbitmq_stream/sub_batch_data", compression.name().toLowerCase() + "_" + name, null,
                    "rabbitmq stream-client 1.11.0 (Java), com.rabbitmq.stream.compression." + codec.getClass().getName().replaceAll(".*\\.", "") + ".compress", data.toByteArray(),
                    Vectors.map("compression", codec.code(), "record_count", bodies.size(), "uncompressed_data_size", plain.length, "records", records), "bare", true);
        }
    }
}
