// Vectors from Liftbridge's own encoders: its envelope functions, its protobuf classes and its commit log.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	api "github.com/liftbridge-io/liftbridge-api/go"
	"github.com/liftbridge-io/liftbridge/server/commitlog"
	"github.com/liftbridge-io/liftbridge/server/protocol"
)

const (
	server = "liftbridge v1.9.0, server/protocol/envelope.go, "
	client = "liftbridge-api v1.9.0, go/api.pb.go, "
	null   = "<null>"
)

// vector is one JSON line; collect.py turns the lines into TOML.
type vector struct {
	File    string         `json:"file"`
	Name    string         `json:"name"`
	Command string         `json:"command,omitempty"`
	Bare    bool           `json:"bare,omitempty"`
	Hex     string         `json:"hex"`
	Source  string         `json:"source"`
	Note    string         `json:"note,omitempty"`
	Expect  map[string]any `json:"expect"`
}

func emit(v vector, data []byte) {
	v.Hex = hex.EncodeToString(data)
	line, err := json.Marshal(v)
	must(err)
	fmt.Println(string(line))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// expect names the members that were given, as the .proto file does but in snake_case. What proto3
// does not write (zero, empty) is left out.
func expect(message any) map[string]any {
	members := map[string]any{}
	value := reflect.ValueOf(message).Elem()
	for i := 0; i < value.NumField(); i++ {
		tag := value.Type().Field(i).Tag.Get("protobuf")
		if tag == "" || value.Field(i).IsZero() {
			continue
		}
		for _, part := range strings.Split(tag, ",") {
			if name, ok := strings.CutPrefix(part, "name="); ok {
				members[snake(name)] = plain(value.Field(i))
			}
		}
	}
	return members
}

func snake(name string) string {
	var out strings.Builder
	for i, c := range name {
		upper := c >= 'A' && c <= 'Z'
		afterLower := i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z')
		beforeLower := i > 0 && i+1 < len(name) && name[i+1] >= 'a'
		if upper && (afterLower || beforeLower) {
			out.WriteByte('_')
		}
		out.WriteString(strings.ToLower(string(c)))
	}
	return out.String()
}

func plain(value reflect.Value) any {
	switch value.Kind() {
	case reflect.Ptr:
		return expect(value.Interface())
	case reflect.Map:
		entries := []any{}
		keys := value.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return fmt.Sprint(keys[i]) < fmt.Sprint(keys[j]) })
		for _, key := range keys {
			entries = append(entries, map[string]any{"key": key.Interface(), "value": plain(value.MapIndex(key))})
		}
		return entries
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return hex.EncodeToString(value.Bytes())
		}
		items := []any{}
		for i := 0; i < value.Len(); i++ {
			items = append(items, plain(value.Index(i)))
		}
		return items
	case reflect.Int32, reflect.Int64:
		return value.Int()
	default:
		return value.Interface()
	}
}

func main() {
	publishes()
	acks()
	internal()
	checksums()
	messages()
	replication()
	filled()
}

// ordered marshals until a map of several entries comes out sorted, so that the run is repeatable.
func ordered(marshal func() ([]byte, error), keys ...string) []byte {
	for {
		data, err := marshal()
		must(err)
		at := -1
		sorted := true
		for _, key := range keys {
			next := bytes.Index(data, []byte(key))
			sorted = sorted && next > at
			at = next
		}
		if sorted {
			return data
		}
	}
}

func publishes() {
	cases := []struct {
		name string
		note string
		msg  *api.Message
		keys []string
	}{
		{"value_only", "", &api.Message{Value: []byte("hello")}, nil},
		{"empty", "proto3 writes no member at all", &api.Message{}, nil},
		{"usual", "", &api.Message{Value: []byte("hello"), Stream: "s", Subject: "foo", AckInbox: "ack", CorrelationId: "1"}, nil},
		{"offset_minus_one", "a negative int64 takes ten bytes", &api.Message{Offset: -1, Value: []byte("x"), Stream: "s"}, nil},
		{"everything", "", &api.Message{Offset: 1 << 40, Key: []byte{0, 255}, Value: []byte("v"), Timestamp: 1_700_000_000_123_456_789, Stream: "stream",
			Partition: 3, Subject: "foo.bar", ReplySubject: "reply", Headers: map[string][]byte{"one": {1}}, AckInbox: "ack",
			CorrelationId: "c", AckPolicy: api.AckPolicy_ALL}, nil},
		{"headers_two", "map order is the encoder's own", &api.Message{Value: []byte("v"), Headers: map[string][]byte{"aaaa": []byte("1"), "bbbb": []byte("2")}}, []string{"aaaa", "bbbb"}},
		{"header_empty_value", "the entry's value is left out", &api.Message{Value: []byte("v"), Headers: map[string][]byte{"k": {}}}, nil},
		{"header_empty_key", "", &api.Message{Value: []byte("v"), Headers: map[string][]byte{"": []byte("x")}}, nil},
		{"ack_policy_none", "", &api.Message{Value: []byte("v"), AckPolicy: api.AckPolicy_NONE}, nil},
		{"value_127", "", &api.Message{Value: bytes.Repeat([]byte("v"), 127)}, nil},
		{"value_128", "the length takes two bytes", &api.Message{Value: bytes.Repeat([]byte("v"), 128)}, nil},
		{"value_300", "", &api.Message{Value: bytes.Repeat([]byte("v"), 300)}, nil},
	}
	for _, each := range cases {
		data := ordered(func() ([]byte, error) { return protocol.MarshalPublish(each.msg) }, each.keys...)
		emit(vector{File: "liftbridge/publish", Name: each.name, Command: "publish", Bare: true, Source: server + "MarshalPublish", Note: each.note, Expect: expect(each.msg)}, data)
	}
}

func acks() {
	cases := map[string]*api.Ack{
		"ok": {Stream: "s", PartitionSubject: "foo.1", MsgSubject: "foo", Offset: 42, AckInbox: "ack", CorrelationId: "1", AckPolicy: api.AckPolicy_LEADER,
			ReceptionTimestamp: 1_700_000_000_000_000_001, CommitTimestamp: 1_700_000_000_000_000_002},
		"offset_zero":      {Stream: "s", MsgSubject: "foo", AckInbox: "ack", CorrelationId: "1"},
		"too_large":        {Stream: "s", MsgSubject: "foo", AckInbox: "ack", CorrelationId: "1", AckError: api.Ack_TOO_LARGE},
		"incorrect_offset": {Stream: "s", AckPolicy: api.AckPolicy_ALL, AckError: api.Ack_INCORRECT_OFFSET},
	}
	for _, name := range []string{"ok", "offset_zero", "too_large", "incorrect_offset"} {
		data, err := protocol.MarshalAck(cases[name])
		must(err)
		emit(vector{File: "liftbridge/ack", Name: name, Command: "ack", Bare: true, Source: server + "MarshalAck", Expect: expect(cases[name])}, data)
	}
}

func internal() {
	one := func(command, name, function string, message any, data []byte, err error) {
		must(err)
		emit(vector{File: "liftbridge/" + command, Name: name, Command: command, Bare: true, Source: server + function, Expect: expect(message)}, data)
	}
	replicate := func(name string, request *protocol.ReplicationRequest) {
		data, err := protocol.MarshalReplicationRequest(request)
		one("replication_request", name, "MarshalReplicationRequest", request, data, err)
	}
	replicate("empty_log", &protocol.ReplicationRequest{ReplicaID: "b", Offset: -1, LeaderEpoch: 1})
	replicate("offset_zero", &protocol.ReplicationRequest{ReplicaID: "b", LeaderEpoch: 1<<64 - 1})
	joinRequest := &protocol.RaftJoinRequest{NodeID: "b", NodeAddr: "b"}
	data, err := protocol.MarshalRaftJoinRequest(joinRequest)
	one("raft_join_request", "plain", "MarshalRaftJoinRequest", joinRequest, data, err)
	joinResponse := &protocol.RaftJoinResponse{}
	data, err = protocol.MarshalRaftJoinResponse(joinResponse)
	one("raft_join_response", "no_error", "MarshalRaftJoinResponse", joinResponse, data, err)
	epoch := &protocol.LeaderEpochOffsetRequest{LeaderEpoch: 7}
	data, err = protocol.MarshalLeaderEpochOffsetRequest(epoch)
	one("leader_epoch_offset_request", "plain", "MarshalLeaderEpochOffsetRequest", epoch, data, err)
	end := &protocol.LeaderEpochOffsetResponse{EndOffset: -1}
	data, err = protocol.MarshalLeaderEpochOffsetResponse(end)
	one("leader_epoch_offset_response", "none", "MarshalLeaderEpochOffsetResponse", end, data, err)
	info := &protocol.ServerInfoResponse{Id: "a", Host: "localhost", Port: 9292}
	data, err = protocol.MarshalServerInfoResponse(info)
	one("server_info_response", "plain", "MarshalServerInfoResponse", info, data, err)
	status := &protocol.PartitionStatusResponse{Exists: true, IsLeader: true}
	data, err = protocol.MarshalPartitionStatusResponse(status)
	one("partition_status_response", "leader", "MarshalPartitionStatusResponse", status, data, err)
	notification := &protocol.PartitionNotification{Stream: "s", Partition: 2}
	data, err = protocol.MarshalPartitionNotification(notification)
	one("partition_notification", "plain", "MarshalPartitionNotification", notification, data, err)

	propagate := func(name string, request *protocol.PropagatedRequest) {
		data, err := protocol.MarshalPropagatedRequest(request)
		one("propagated_request", name, "MarshalPropagatedRequest", request, data, err)
	}
	propagate("create_stream", &protocol.PropagatedRequest{Op: protocol.Op_CREATE_STREAM, CreateStreamOp: &protocol.CreateStreamOp{Stream: &protocol.Stream{
		Name: "s", Subject: "foo", Config: &protocol.StreamConfig{RetentionMaxBytes: &protocol.NullableInt64{Value: 1024}, CompactEnabled: &protocol.NullableBool{}},
		Partitions: []*protocol.Partition{{Subject: "foo", Stream: "s", ReplicationFactor: -1, Replicas: []string{"a", "b"}, Isr: []string{"a", "b"}, Leader: "a"}, {Subject: "foo.1", Stream: "s", Id: 1}}}}})
	propagate("shrink_isr", &protocol.PropagatedRequest{Op: protocol.Op_SHRINK_ISR, ShrinkISROp: &protocol.ShrinkISROp{Stream: "s", Partition: 1, ReplicaToRemove: "c", Leader: "a", LeaderEpoch: 3}})
	propagate("report_leader", &protocol.PropagatedRequest{Op: protocol.Op_REPORT_LEADER, ReportLeaderOp: &protocol.ReportLeaderOp{Stream: "s", Replica: "b", Leader: "a", LeaderEpoch: 3}})
	propagate("pause_stream_packed", &protocol.PropagatedRequest{Op: protocol.Op_PAUSE_STREAM, PauseStreamOp: &protocol.PauseStreamOp{Stream: "s", Partitions: []int32{0, 1, 300}, ResumeAll: true}})
	failed := &protocol.PropagatedResponse{Op: protocol.Op_CREATE_STREAM, Error: &protocol.Error{Code: 6, Msg: "stream already exists"}}
	data, err = protocol.MarshalPropagatedResponse(failed)
	one("propagated_response", "error", "MarshalPropagatedResponse", failed, data, err)
}

// checksums: no release writes the checksum, but the reader checks it. The bytes here are built by hand
// and shown to the reader, which must take them and must refuse them with one bit changed.
func checksums() {
	message := &api.Message{Value: []byte("hello"), Stream: "s", Subject: "foo", AckInbox: "ack", CorrelationId: "1"}
	plain, err := protocol.MarshalPublish(message)
	must(err)
	sum := crc32.Checksum(plain[8:], crc32.MakeTable(crc32.Castagnoli))
	data := append(append([]byte{}, plain[:8]...), binary.BigEndian.AppendUint32(nil, sum)...)
	data = append(data, plain[8:]...)
	data[5], data[6] = 12, 1
	_, err = protocol.UnmarshalPublish(data)
	must(err)
	emit(vector{File: "liftbridge/envelope_checksum", Name: "right", Command: "publish", Bare: true, Source: "built by hand, accepted by " + server + "UnmarshalPublish",
		Note: "CRC-32C over the bytes behind the header", Expect: expect(message)}, data)
	data[8] ^= 1
	if _, err = protocol.UnmarshalPublish(data); err == nil {
		panic("a wrong checksum was accepted")
	}
	emit(vector{File: "liftbridge/envelope_checksum", Name: "wrong", Command: "publish", Bare: true, Source: "built by hand, refused by " + server + "UnmarshalPublish: crc mismatch",
		Expect: expect(message)}, data)
}

func messages() {
	n64 := func(v int64) *api.NullableInt64 { return &api.NullableInt64{Value: v} }
	each := func(file, name, note string, message interface{ Marshal() ([]byte, error) }, keys ...string) {
		data := ordered(message.Marshal, keys...)
		kind := reflect.TypeOf(message).Elem().Name()
		emit(vector{File: "liftbridge/" + file, Name: name, Bare: true, Source: client + kind + ".Marshal", Note: note, Expect: expect(message)}, data)
	}
	each("create_stream_request", "plain", "", &api.CreateStreamRequest{Subject: "foo", Name: "s", ReplicationFactor: -1, Partitions: 3})
	each("create_stream_request", "wrapped_values", "a wrapper that is present but empty has length 0", &api.CreateStreamRequest{Subject: "foo", Name: "s", RetentionMaxBytes: n64(0),
		RetentionMaxAge: n64(86_400_000), SegmentMaxAge: n64(-1), CompactMaxGoroutines: &api.NullableInt32{Value: 4}, CompactEnabled: &api.NullableBool{Value: true},
		AutoPauseDisableIfSubscribers: &api.NullableBool{}, Encryption: &api.NullableBool{Value: true}})
	each("pause_stream_request", "packed", "repeated int32 is packed", &api.PauseStreamRequest{Name: "s", Partitions: []int32{0, 1, 127, 128, 300, 2147483647, -1}, ResumeAll: true})
	each("pause_stream_request", "none", "", &api.PauseStreamRequest{Name: "s"})
	each("subscribe_request", "offset", "", &api.SubscribeRequest{Stream: "s", Partition: 1, StartPosition: api.StartPosition_OFFSET, StartOffset: 1 << 62, ReadISRReplica: true})
	each("subscribe_request", "group", "", &api.SubscribeRequest{Stream: "s", StartPosition: api.StartPosition_LATEST, StopPosition: api.StopPosition_STOP_TIMESTAMP,
		StopTimestamp: -9223372036854775808, Consumer: &api.Consumer{GroupId: "g", GroupEpoch: 1<<64 - 1, ConsumerId: "c"}})
	each("publish_request", "plain", "", &api.PublishRequest{Key: []byte("k"), Value: []byte("v"), Stream: "s", Partition: 1, AckPolicy: api.AckPolicy_ALL, ExpectedOffset: -1, Headers: map[string][]byte{"h": {0}}})
	each("publish_response", "ack", "", &api.PublishResponse{Ack: &api.Ack{Stream: "s", Offset: 5}, CorrelationId: "1"})
	each("publish_response", "async_error", "", &api.PublishResponse{AsyncError: &api.PublishAsyncError{Code: api.PublishAsyncError_INCORRECT_OFFSET, Message: "no"}})
	each("fetch_metadata_request", "repeated_text", "", &api.FetchMetadataRequest{Streams: []string{"a", "", "b"}, Groups: []string{"g"}})
	each("fetch_metadata_response", "map_of_messages", "", &api.FetchMetadataResponse{Brokers: []*api.Broker{{Id: "a", Host: "127.0.0.1", Port: 9292, PartitionCount: 2}},
		StreamMetadata: []*api.StreamMetadata{{Name: "s", Subject: "foo", CreationTimestamp: 1, Partitions: map[int32]*api.PartitionMetadata{
			0: {Leader: "a", Replicas: []string{"a"}, Isr: []string{"a"}, HighWatermark: -1, NewestOffset: -1, MessagesReceivedTimestamps: &api.PartitionEventTimestamps{}}}},
			{Name: "t", Error: api.StreamMetadata_UNKNOWN_STREAM}}})
	each("fetch_cursor_response", "none", "", &api.FetchCursorResponse{Offset: -1})
	each("join_consumer_group_response", "plain", "", &api.JoinConsumerGroupResponse{Coordinator: "a", Epoch: 9, ConsumerTimeout: 15_000_000_000})
	each("activity_stream_event", "create_stream", "", &api.ActivityStreamEvent{Id: 3, Op: api.ActivityStreamOp_CREATE_STREAM, CreateStreamOp: &api.CreateStreamOp{Stream: "s", Partitions: []int32{0, 1}}})
	each("activity_stream_event", "leave_group", "", &api.ActivityStreamEvent{Id: 4, Op: api.ActivityStreamOp_LEAVE_CONSUMER_GROUP, LeaveConsumerGroupOp: &api.LeaveConsumerGroupOp{GroupId: "g", ConsumerId: "c", Expired: true}})
}

// replication: the records are what the commit log wrote to its segment file.
func replication() {
	text := func(s string) []byte { return []byte(s) }
	cases := []struct {
		name     string
		messages []*commitlog.Message
	}{
		{"no_records", nil},
		{"one", []*commitlog.Message{{MagicByte: 1, Timestamp: 1_700_000_000_000_000_000, LeaderEpoch: 1, Value: text("hello"), Headers: map[string][]byte{"subject": text("foo")}}}},
		{"reply_empty", []*commitlog.Message{{MagicByte: 1, Timestamp: 1, LeaderEpoch: 1, Key: text("k"), Value: text("v"), Headers: map[string][]byte{"reply": {}}}}},
		{"nil_key_and_value", []*commitlog.Message{{MagicByte: 1, Timestamp: 2, LeaderEpoch: 1, Headers: map[string][]byte{}}}},
		{"empty_key_and_value", []*commitlog.Message{{MagicByte: 1, Timestamp: 2, LeaderEpoch: 1, Key: []byte{}, Value: []byte{}}}},
		{"header_nil_value", []*commitlog.Message{{MagicByte: 1, Timestamp: 2, LeaderEpoch: 1, Value: text("v"), Headers: map[string][]byte{"h": nil}}}},
		{"three", []*commitlog.Message{{MagicByte: 1, Timestamp: 3, LeaderEpoch: 1, Value: text("a")}, {MagicByte: 1, Timestamp: 4, LeaderEpoch: 1, Key: text("k"), Value: text("b")},
			{MagicByte: 1, Timestamp: 5, LeaderEpoch: 2, Value: text("c")}}},
	}
	for _, each := range cases {
		records := []any{}
		data := []byte{}
		if len(each.messages) > 0 {
			data = stored(each.messages)
		}
		for i, m := range each.messages {
			headers := []any{}
			for key, value := range m.Headers {
				headers = append(headers, map[string]any{"key": key, "value": nullable(value)})
			}
			records = append(records, map[string]any{"offset": i, "timestamp": m.Timestamp, "leader_epoch": m.LeaderEpoch, "magic": 1, "attributes": 0,
				"key": nullable(m.Key), "value": nullable(m.Value), "headers": headers})
		}
		response := new(bytes.Buffer)
		protocol.WriteReplicationResponseHeader(response)
		must(binary.Write(response, protocol.Encoding, uint64(1)))
		must(binary.Write(response, protocol.Encoding, int64(len(each.messages)-1)))
		response.Write(data)
		emit(vector{File: "liftbridge/replication_response", Name: each.name, Command: "replication_response", Bare: true,
			Source: "liftbridge v1.9.0: envelope by server/protocol WriteReplicationResponseHeader, epoch and high watermark as server/replicator.go writes them, records by server/commitlog Append",
			Expect: map[string]any{"leader_epoch": 1, "high_watermark": len(each.messages) - 1, "records": records}}, response.Bytes())
	}
}

func nullable(value []byte) string {
	if value == nil {
		return null
	}
	return hex.EncodeToString(value)
}

func stored(messages []*commitlog.Message) []byte {
	folder, err := os.MkdirTemp("", "log")
	must(err)
	defer os.RemoveAll(folder)
	log, err := commitlog.New(commitlog.Options{Path: folder, MaxSegmentBytes: 1 << 20})
	must(err)
	_, err = log.Append(messages)
	must(err)
	must(log.Close())
	data, err := os.ReadFile(filepath.Join(folder, "00000000000000000000.log"))
	must(err)
	return data
}

// fill gives every member of a message a value: texts their own name, numbers their place, one item to lists.
func fill(value reflect.Value) {
	for i := 0; i < value.NumField(); i++ {
		if value.Type().Field(i).Tag.Get("protobuf") != "" {
			set(value.Field(i), value.Type().Field(i).Name, i+1)
		}
	}
}

func set(value reflect.Value, name string, place int) {
	switch value.Kind() {
	case reflect.Ptr:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem())
	case reflect.String:
		value.SetString(strings.ToLower(name))
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int32, reflect.Int64:
		if _, coded := value.Interface().(fmt.Stringer); coded {
			place = 1
		}
		value.SetInt(int64(place))
	case reflect.Uint32, reflect.Uint64:
		value.SetUint(uint64(place))
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		key, item := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
		set(key, "key", 1)
		set(item, "value", 2)
		value.SetMapIndex(key, item)
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			value.SetBytes([]byte{byte(place), 255})
			return
		}
		item := reflect.New(value.Type().Elem()).Elem()
		set(item, name, place)
		value.Set(reflect.Append(reflect.Zero(value.Type()), item))
	default:
		panic(value.Kind())
	}
}

// filled: every message of the servers and of the API with all of its members.
func filled() {
	servers := []struct {
		command string
		message any
		marshal func(any) ([]byte, error)
	}{
		{"publish", &api.Message{}, func(m any) ([]byte, error) { return protocol.MarshalPublish(m.(*api.Message)) }},
		{"ack", &api.Ack{}, func(m any) ([]byte, error) { return protocol.MarshalAck(m.(*api.Ack)) }},
		{"replication_request", &protocol.ReplicationRequest{}, func(m any) ([]byte, error) { return protocol.MarshalReplicationRequest(m.(*protocol.ReplicationRequest)) }},
		{"raft_join_request", &protocol.RaftJoinRequest{}, func(m any) ([]byte, error) { return protocol.MarshalRaftJoinRequest(m.(*protocol.RaftJoinRequest)) }},
		{"raft_join_response", &protocol.RaftJoinResponse{}, func(m any) ([]byte, error) { return protocol.MarshalRaftJoinResponse(m.(*protocol.RaftJoinResponse)) }},
		{"leader_epoch_offset_request", &protocol.LeaderEpochOffsetRequest{}, func(m any) ([]byte, error) { return protocol.MarshalLeaderEpochOffsetRequest(m.(*protocol.LeaderEpochOffsetRequest)) }},
		{"leader_epoch_offset_response", &protocol.LeaderEpochOffsetResponse{}, func(m any) ([]byte, error) { return protocol.MarshalLeaderEpochOffsetResponse(m.(*protocol.LeaderEpochOffsetResponse)) }},
		{"propagated_request", &protocol.PropagatedRequest{}, func(m any) ([]byte, error) { return protocol.MarshalPropagatedRequest(m.(*protocol.PropagatedRequest)) }},
		{"propagated_response", &protocol.PropagatedResponse{}, func(m any) ([]byte, error) { return protocol.MarshalPropagatedResponse(m.(*protocol.PropagatedResponse)) }},
		{"server_info_request", &protocol.ServerInfoRequest{}, func(m any) ([]byte, error) { return protocol.MarshalServerInfoRequest(m.(*protocol.ServerInfoRequest)) }},
		{"server_info_response", &protocol.ServerInfoResponse{}, func(m any) ([]byte, error) { return protocol.MarshalServerInfoResponse(m.(*protocol.ServerInfoResponse)) }},
		{"partition_status_request", &protocol.PartitionStatusRequest{}, func(m any) ([]byte, error) { return protocol.MarshalPartitionStatusRequest(m.(*protocol.PartitionStatusRequest)) }},
		{"partition_status_response", &protocol.PartitionStatusResponse{}, func(m any) ([]byte, error) { return protocol.MarshalPartitionStatusResponse(m.(*protocol.PartitionStatusResponse)) }},
		{"partition_notification", &protocol.PartitionNotification{}, func(m any) ([]byte, error) { return protocol.MarshalPartitionNotification(m.(*protocol.PartitionNotification)) }},
	}
	for _, each := range servers {
		fill(reflect.ValueOf(each.message).Elem())
		data, err := each.marshal(each.message)
		must(err)
		function := "Marshal" + reflect.TypeOf(each.message).Elem().Name()
		if each.command == "publish" {
			function = "MarshalPublish"
		}
		emit(vector{File: "liftbridge/" + each.command, Name: "filled", Command: each.command, Bare: true, Source: server + function, Note: "every member has a value", Expect: expect(each.message)}, data)
	}
	calls := []interface{ Marshal() ([]byte, error) }{
		&api.CreateStreamRequest{}, &api.DeleteStreamRequest{}, &api.PauseStreamRequest{}, &api.SetStreamReadonlyRequest{},
		&api.SubscribeRequest{}, &api.FetchMetadataRequest{}, &api.FetchMetadataResponse{}, &api.FetchPartitionMetadataRequest{},
		&api.FetchPartitionMetadataResponse{}, &api.PublishRequest{}, &api.PublishResponse{}, &api.PublishToSubjectRequest{},
		&api.PublishToSubjectResponse{}, &api.SetCursorRequest{}, &api.FetchCursorRequest{}, &api.FetchCursorResponse{},
		&api.JoinConsumerGroupRequest{}, &api.JoinConsumerGroupResponse{}, &api.LeaveConsumerGroupRequest{},
		&api.FetchConsumerGroupAssignmentsRequest{}, &api.FetchConsumerGroupAssignmentsResponse{},
		&api.ReportConsumerGroupCoordinatorRequest{}, &api.Message{}, &api.CreateStreamResponse{}, &api.DeleteStreamResponse{},
		&api.PauseStreamResponse{}, &api.SetStreamReadonlyResponse{}, &api.SetCursorResponse{}, &api.LeaveConsumerGroupResponse{},
		&api.ReportConsumerGroupCoordinatorResponse{},
	}
	for _, message := range calls {
		fill(reflect.ValueOf(message).Elem())
		data, err := message.Marshal()
		must(err)
		kind := reflect.TypeOf(message).Elem().Name()
		emit(vector{File: "liftbridge/" + snake(kind), Name: "filled", Bare: true, Source: client + kind + ".Marshal", Note: "every member has a value", Expect: expect(message)}, data)
	}
}
