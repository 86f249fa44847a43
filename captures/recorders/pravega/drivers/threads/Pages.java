import io.pravega.client.ClientConfig;
import io.pravega.client.KeyValueTableFactory;
import io.pravega.client.admin.KeyValueTableManager;
import io.pravega.client.admin.StreamManager;
import io.pravega.client.tables.IteratorItem;
import io.pravega.client.tables.KeyValueTable;
import io.pravega.client.tables.KeyValueTableClientConfiguration;
import io.pravega.client.tables.KeyValueTableConfiguration;
import io.pravega.client.tables.Put;
import io.pravega.client.tables.TableEntry;
import io.pravega.client.tables.TableKey;
import io.pravega.common.util.AsyncIterator;
import java.net.URI;
import java.nio.ByteBuffer;

/** A table of forty keys is listed five at a time, twice. */
public class Pages {
    public static void main(String[] arguments) throws Exception {
        ClientConfig config = ClientConfig.builder()
                .controllerURI(URI.create("tcp://127.0.0.1:9090")).build();
        int read = 0;
        try (StreamManager scopes = StreamManager.create(config);
             KeyValueTableManager manager = KeyValueTableManager.create(config);
             KeyValueTableFactory factory = KeyValueTableFactory.withScope("scope", config)) {
            scopes.createScope("scope");
            manager.createKeyValueTable("scope", "table", KeyValueTableConfiguration.builder()
                    .partitionCount(1).primaryKeyLength(3).secondaryKeyLength(0).build());
            KeyValueTable table = factory.forKeyValueTable(
                    "table", KeyValueTableClientConfiguration.builder().build());
            for (int n = 0; n < 40; n++) {
                table.update(new Put(new TableKey(bytes(String.format("k%02d", n))), bytes("value " + n))).get();
            }
            for (int round = 0; round < 2; round++) {
                AsyncIterator<IteratorItem<TableEntry>> pages =
                        table.iterator().maxIterationSize(5).all().entries();
                for (IteratorItem<TableEntry> page = pages.getNext().get(); page != null;
                        page = pages.getNext().get()) {
                    read += page.getItems().size();
                }
            }
            table.close();
        }
        System.out.println("{\"written\": 40, \"read\": " + read + "}");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes());
    }
}
