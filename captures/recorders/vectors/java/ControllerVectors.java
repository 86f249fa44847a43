import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import io.pravega.controller.stream.api.grpc.v1.Controller.*;
import java.util.List;
import java.util.Map;

/** Vectors of Pravega's controller messages, which travel in gRPC; expected is what each was built from. */
public final class ControllerVectors {
    public static void main(String[] args) {
        StreamInfo stream = StreamInfo.newBuilder().setScope("scope").setStream("stream").build();
        SegmentId segment = SegmentId.newBuilder().setStreamInfo(stream).setSegmentId(4294967297L).build();
        SegmentRange half = SegmentRange.newBuilder().setSegmentId(segment).setMinKey(0.5).setMaxKey(1.0).build();
        SegmentRange first = SegmentRange.newBuilder().setSegmentId(SegmentId.newBuilder().setStreamInfo(stream)).setMaxKey(0.5).build();
        TxnId txn = TxnId.newBuilder().setHighBits(-1).setLowBits(Long.MIN_VALUE).build();
        StreamCut cut = StreamCut.newBuilder().setStreamInfo(stream).putCut(0, 100).build();

        emit("stream_config", "fixed", StreamConfig.newBuilder().setStreamInfo(stream)
                .setScalingPolicy(ScalingPolicy.newBuilder().setMinNumSegments(3)).build());
        emit("stream_config", "all", StreamConfig.newBuilder().setStreamInfo(stream)
                .setScalingPolicy(ScalingPolicy.newBuilder().setScaleType(ScalingPolicy.ScalingPolicyType.BY_RATE_IN_EVENTS_PER_SEC).setTargetRate(100).setScaleFactor(2).setMinNumSegments(1))
                .setRetentionPolicy(RetentionPolicy.newBuilder().setRetentionType(RetentionPolicy.RetentionPolicyType.TIME).setRetentionParam(86_400_000))
                .setTags(Tags.newBuilder().addTag("a").addTag("").addTag("b")).setTimestampAggregationTimeout(-1).setRolloverSizeBytes(1L << 30).build());
        emit("stream_info", "access", stream.toBuilder().setAccessOperation(StreamInfo.AccessOperation.READ_WRITE).build());
        emit("stream_cut", "one", cut);
        emit("stream_cut", "zero_key_and_value", StreamCut.newBuilder().setStreamInfo(stream).putCut(0, 0).build());
        emit("stream_cut", "negative", StreamCut.newBuilder().putCut(-1, Long.MIN_VALUE).build());
        emit("stream_cut_range", "both", StreamCutRange.newBuilder().setStreamInfo(stream).putFrom(1, 0).putTo(1, 500).build());
        emit("segment_ranges", "two", SegmentRanges.newBuilder().addSegmentRanges(first).addSegmentRanges(half).setDelegationToken("eyJh.eyJz.c2ln").build());
        emit("segment_ranges", "none", SegmentRanges.getDefaultInstance());
        emit("create_txn_response", "plain", CreateTxnResponse.newBuilder().setTxnId(txn).addActiveSegments(half).build());
        emit("ping_txn_request", "plain", PingTxnRequest.newBuilder().setStreamInfo(stream).setTxnId(txn).setLease(10_000).build());
        emit("ping_txn_status", "ok", PingTxnStatus.newBuilder().setStatus(PingTxnStatus.Status.OK).build());
        emit("ping_txn_status", "committed", PingTxnStatus.newBuilder().setStatus(PingTxnStatus.Status.COMMITTED).build());
        emit("txn_state", "aborted", TxnState.newBuilder().setState(TxnState.State.ABORTED).build());
        emit("successor_response", "packed_predecessors", SuccessorResponse.newBuilder()
                .addSegments(SuccessorResponse.SegmentEntry.newBuilder().setSegment(half).addValue(0).addValue(4294967296L)).build());
        emit("scale_request", "packed_and_doubles", ScaleRequest.newBuilder().setStreamInfo(stream).addSealedSegments(0).addSealedSegments(1)
                .addNewKeyRanges(ScaleRequest.KeyRangeEntry.newBuilder().setStart(0.0).setEnd(0.25)).addNewKeyRanges(ScaleRequest.KeyRangeEntry.newBuilder().setStart(0.25).setEnd(1.0))
                .setScaleTimestamp(1_700_000_000_000L).build());
        emit("reader_group_configuration", "cuts", ReaderGroupConfiguration.newBuilder().setScope("scope").setReaderGroupName("rg").setGeneration(1)
                .setReaderGroupId("01020304-0506-0708-090a-0b0c0d0e0f10").addStartingStreamCuts(cut).addEndingStreamCuts(StreamCut.newBuilder().setStreamInfo(stream)).build());
        emit("node_uri", "plain", NodeUri.newBuilder().setEndpoint("127.0.0.1").setPort(6000).build());
        emit("exists_response", "true", ExistsResponse.newBuilder().setExists(true).build());
    }

    private static void emit(String file, String name, Message message) {
        Vectors.emit("pravega_controller/" + file, name, null,
                "pravega-shared-controller-api 0.13.0, Controller." + message.getClass().getSimpleName() + ".toByteArray", message.toByteArray(), expect(message), "bare", true);
    }

    private static Map<String, Object> expect(Message message) {
        Map<String, Object> expect = Vectors.map();
        message.getAllFields().forEach((field, value) -> expect.put(field.getName().replaceAll("([A-Z])", "_$1").toLowerCase(), plain(field, value)));
        return expect;
    }

    private static Object plain(FieldDescriptor field, Object value) {
        if (value instanceof List<?> items) {
            return items.stream().map(item -> plain(field, item)).toList();
        } else if (value instanceof MapEntry<?, ?> entry) {
            return Vectors.map("key", entry.getKey(), "value", entry.getValue());
        } else if (value instanceof Message nested) {
            return expect(nested);
        } else if (value instanceof EnumValueDescriptor number) {
            return number.getNumber();
        } else if (value instanceof ByteString bytes) {
            return bytes.toByteArray();
        }
        return value;
    }
}
