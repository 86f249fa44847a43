// Plays the fifth round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
	proto "github.com/liftbridge-io/liftbridge-api/go"
	"github.com/nats-io/nats.go"
	"google.golang.org/grpc"
)

const server = "127.0.0.1:9292"

var counted = map[string]int64{}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func ctx() context.Context {
	c, _ := context.WithTimeout(context.Background(), 5*time.Second)
	return c
}

func connect() lift.Client {
	client, err := lift.Connect([]string{server})
	must(err)
	return client
}

func stubs() (proto.APIClient, *grpc.ClientConn) {
	conn, err := grpc.Dial(server, grpc.WithInsecure())
	must(err)
	return proto.NewAPIClient(conn), conn
}

func create(client lift.Client, name string, options ...lift.StreamOption) {
	must(client.CreateStream(ctx(), name, name, options...))
	time.Sleep(400 * time.Millisecond)
}

func publish(client lift.Client, name string, partition int32, values ...string) {
	for _, value := range values {
		_, err := client.Publish(ctx(), name, []byte(value), lift.ToPartition(partition), lift.AckPolicyLeader())
		must(err)
	}
}

func every(d time.Duration) lift.ConsumerOption {
	return lift.FetchAssignmentsInterval(func(time.Duration) time.Duration { return d })
}

// writes publishes to the partitions in turn until stop is closed.
func writes(client lift.Client, name string, partitions int, pause time.Duration, stop chan bool) *atomic.Int64 {
	var sent atomic.Int64
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(pause):
				if _, err := client.Publish(ctx(), name, []byte(fmt.Sprintf("%s %d", name, n)), lift.ToPartition(int32(n%partitions)), lift.AckPolicyLeader()); err == nil {
					sent.Add(1)
				}
			}
		}
	}()
	return &sent
}

// groupRuns restarts the only member of a group, with or without checkpoints.
func groupRuns(checkpoints bool) {
	writer := connect()
	create(writer, "parcels", lift.Partitions(2))
	stop := make(chan bool)
	sent := writes(writer, "parcels", 2, 70*time.Millisecond, stop)
	var handled atomic.Int64
	for run := 0; run < 5; run++ {
		own := connect()
		options := []lift.ConsumerOption{lift.ConsumerID("sorter-1"), lift.AutoOffsetEarliest(), every(400 * time.Millisecond), lift.AutoCheckpoint(0)}
		if checkpoints {
			options[3] = lift.AutoCheckpoint(300 * time.Millisecond)
		}
		member, err := own.CreateConsumer("sorters", options...)
		must(err)
		must(member.Subscribe(context.Background(), []string{"parcels"}, func(m *lift.Message, err error) {
			if err == nil {
				handled.Add(1)
			}
		}))
		time.Sleep(2200 * time.Millisecond)
		must(member.Close())
		time.Sleep(150 * time.Millisecond)
		must(own.Close())
		time.Sleep(250 * time.Millisecond)
	}
	close(stop)
	counted["sent"], counted["handled"] = sent.Load(), handled.Load()
	time.Sleep(200 * time.Millisecond)
	must(writer.Close())
}

// assignments is a member of a group that asks for its assignments again and again.
func assignments(pause time.Duration) {
	writer := connect()
	create(writer, "parcels", lift.Partitions(2))
	stop := make(chan bool)
	writes(writer, "parcels", 2, 120*time.Millisecond, stop)
	api, conn := stubs()
	joined, err := api.JoinConsumerGroup(ctx(), &proto.JoinConsumerGroupRequest{GroupId: "sorters", ConsumerId: "sorter-1", Streams: []string{"parcels"}})
	must(err)
	c, cancel := context.WithCancel(context.Background())
	for p := int32(0); p < 2; p++ {
		open, err := api.Subscribe(c, &proto.SubscribeRequest{Stream: "parcels", Partition: p, StartPosition: proto.StartPosition_EARLIEST, Consumer: &proto.Consumer{GroupId: "sorters", GroupEpoch: joined.Epoch, ConsumerId: "sorter-1"}})
		must(err)
		go func() {
			for {
				if _, err := open.Recv(); err != nil {
					return
				}
			}
		}()
	}
	for end := time.Now().Add(6 * time.Second); time.Now().Before(end); counted["asked"]++ {
		_, err := api.FetchConsumerGroupAssignments(ctx(), &proto.FetchConsumerGroupAssignmentsRequest{GroupId: "sorters", ConsumerId: "sorter-1", Epoch: joined.Epoch})
		must(err)
		time.Sleep(pause)
	}
	cancel()
	_, err = api.LeaveConsumerGroup(ctx(), &proto.LeaveConsumerGroupRequest{GroupId: "sorters", ConsumerId: "sorter-1"})
	must(err)
	close(stop)
	time.Sleep(200 * time.Millisecond)
	must(conn.Close())
	must(writer.Close())
}

// recreated deletes the stream and makes it again; a reader goes on at its cursor.
func recreated(resets bool) {
	writer := connect()
	create(writer, "tickets")
	for round := 0; round < 3; round++ {
		for n := 0; n < 20; n++ {
			publish(writer, "tickets", 0, fmt.Sprintf("ticket %d of event %d", n, round))
			time.Sleep(20 * time.Millisecond)
		}
		reader := connect()
		at, err := reader.FetchCursor(ctx(), "printer", "tickets", 0)
		must(err)
		start := lift.StartAtOffset(at + 1)
		if at < 0 {
			start = lift.StartAtEarliestReceived()
		}
		var read atomic.Int64
		var last atomic.Int64
		last.Store(at)
		c, cancel := context.WithCancel(context.Background())
		must(reader.Subscribe(c, "tickets", func(m *lift.Message, err error) {
			if err == nil {
				read.Add(1)
				last.Store(m.Offset())
			}
		}, start))
		for n := 20; n < 26; n++ {
			publish(writer, "tickets", 0, fmt.Sprintf("ticket %d of event %d", n, round))
			time.Sleep(60 * time.Millisecond)
		}
		time.Sleep(600 * time.Millisecond)
		cancel()
		must(reader.SetCursor(ctx(), "printer", "tickets", 0, last.Load()))
		counted["read"] += read.Load()
		must(reader.Close())
		must(writer.DeleteStream(ctx(), "tickets")) // the next event
		create(writer, "tickets")
		if resets {
			must(writer.SetCursor(ctx(), "printer", "tickets", 0, -1))
		}
	}
	must(writer.Close())
}

// states keeps the newest state of each machine in a compacted stream.
func states(key func(machine, n int) string) {
	writer := connect()
	create(writer, "machine-states", lift.CompactEnabled(true))
	for n := 0; n < 120; n++ {
		_, err := writer.Publish(ctx(), "machine-states", []byte(fmt.Sprintf("state %d", n)), lift.Key([]byte(key(n%6, n))), lift.AckPolicyLeader())
		must(err)
		time.Sleep(30 * time.Millisecond)
	}
	reader := connect()
	var read atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	must(reader.Subscribe(c, "machine-states", func(m *lift.Message, err error) {
		if err == nil {
			read.Add(1)
		}
	}, lift.StartAtEarliestReceived()))
	time.Sleep(800 * time.Millisecond)
	cancel()
	counted["read"] = read.Load()
	must(reader.Close())
	must(writer.Close())
}

// subjects publishes over NATS to the subjects of the partitions.
func subjects(buckets int) {
	owner := connect()
	create(owner, "trips", lift.Partitions(4))
	var read atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	for p := int32(0); p < 4; p++ {
		must(owner.Subscribe(c, "trips", func(m *lift.Message, err error) {
			if err == nil {
				read.Add(1)
			}
		}, lift.Partition(p), lift.StartAtEarliestReceived()))
	}
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name("taxi-meter"))
	must(err)
	for n := 0; n < 60; n++ {
		subject := "trips"
		if p := n * 7 % buckets; p > 0 {
			subject = fmt.Sprintf("trips.%d", p) // partition 0 has the subject itself
		}
		must(nc.Publish(subject, []byte(fmt.Sprintf("trip %d", n))))
		time.Sleep(80 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	counted["sent"], counted["read"] = 60, read.Load()
	nc.Close()
	cancel()
	time.Sleep(100 * time.Millisecond)
	must(owner.Close())
}

// envelopes publishes over NATS what Liftbridge is to take with a checksum.
func envelopes(table *crc32.Table) {
	owner := connect()
	create(owner, "gauges")
	good := 0
	c, cancel := context.WithCancel(context.Background())
	must(owner.Subscribe(c, "gauges", func(m *lift.Message, err error) {
		if err == nil && len(m.Key()) > 0 {
			good++
		}
	}, lift.StartAtEarliestReceived()))
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name("gauge-driver"))
	must(err)
	acks := 0
	inbox := nats.NewInbox()
	_, err = nc.Subscribe(inbox, func(m *nats.Msg) { acks++ })
	must(err)
	for n := 0; n < 25; n++ {
		plain := lift.NewMessage([]byte(fmt.Sprintf("gauge reads %d", 400+n)), lift.Key([]byte("gauge-7")), lift.AckInbox(inbox), lift.CorrelationID(fmt.Sprintf("g-%d", n)), lift.AckPolicyLeader())
		body := plain[8:]
		sum := make([]byte, 4)
		binary.BigEndian.PutUint32(sum, crc32.Checksum(body, table))
		message := append([]byte{0xB9, 0x0E, 0x43, 0xB4, 0, 12, 1, plain[7]}, append(sum, body...)...)
		must(nc.Publish("gauges", message))
		time.Sleep(140 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	counted["sent"], counted["with_key"], counted["acks"] = 25, int64(good), int64(acks)
	nc.Close()
	cancel()
	time.Sleep(100 * time.Millisecond)
	must(owner.Close())
}

// enriches reads a stream and publishes what it has made of each message.
func enriches(target string) {
	owner := connect()
	create(owner, "events")
	if target != "events" {
		create(owner, target)
	}
	own := connect()
	made := 0
	c, cancel := context.WithCancel(context.Background())
	in := make(chan *lift.Message, 10000)
	must(own.Subscribe(c, "events", func(m *lift.Message, err error) {
		if err == nil {
			in <- m
		}
	}, lift.StartAtEarliestReceived()))
	go func() {
		for m := range in {
			made++
			time.Sleep(8 * time.Millisecond)
			own.Publish(ctx(), target, m.Value(), lift.Header("country", []byte("is")), lift.AckPolicyLeader())
		}
	}()
	for n := 0; n < 12; n++ {
		publish(owner, "events", 0, fmt.Sprintf("event %d", n))
		time.Sleep(250 * time.Millisecond)
	}
	time.Sleep(800 * time.Millisecond)
	cancel()
	counted["events"], counted["made"] = 12, int64(made)
	time.Sleep(200 * time.Millisecond)
	must(own.Close())
	must(owner.Close())
}

// longDay is a healthy group whose members come and go, beside keyed messages and a reader with a cursor.
func longDay() {
	owner := connect()
	create(owner, "jobs", lift.Partitions(4))
	create(owner, "profiles", lift.CompactEnabled(true))
	stop := make(chan bool)
	sent := writes(owner, "jobs", 4, 45*time.Millisecond, stop)
	var handled, failed atomic.Int64
	member := func(id string, life time.Duration) {
		own := connect()
		m, err := own.CreateConsumer("workers", lift.ConsumerID(id), lift.AutoOffsetEarliest(), lift.AutoCheckpoint(500*time.Millisecond), every(600*time.Millisecond))
		must(err)
		must(m.Subscribe(context.Background(), []string{"jobs"}, func(msg *lift.Message, err error) {
			if err != nil {
				failed.Add(1)
				return
			}
			handled.Add(1)
			time.Sleep(4 * time.Millisecond)
		}))
		time.Sleep(life)
		must(m.Close())
		time.Sleep(100 * time.Millisecond)
		must(own.Close())
	}
	go member("worker-a", 31*time.Second)
	go func() { time.Sleep(4 * time.Second); member("worker-b", 12*time.Second) }()
	go func() { time.Sleep(9 * time.Second); member("worker-c", 22*time.Second) }()
	go func() { time.Sleep(20 * time.Second); member("worker-b", 11*time.Second) }()
	go func() { // one reader that is restarted
		for run := 0; run < 5; run++ {
			own := connect()
			at, err := own.FetchCursor(ctx(), "mirror", "profiles", 0)
			must(err)
			start := lift.StartAtOffset(at + 1)
			if at < 0 {
				start = lift.StartAtEarliestReceived()
			}
			c, cancel := context.WithCancel(context.Background())
			var last atomic.Int64
			last.Store(at)
			must(own.Subscribe(c, "profiles", func(m *lift.Message, err error) {
				if err == nil {
					last.Store(m.Offset())
				}
			}, start))
			for n := 0; n < 4; n++ {
				time.Sleep(1400 * time.Millisecond)
				if last.Load() >= 0 {
					must(own.SetCursor(ctx(), "mirror", "profiles", 0, last.Load()))
				}
			}
			cancel()
			time.Sleep(100 * time.Millisecond)
			must(own.Close())
			time.Sleep(300 * time.Millisecond)
		}
	}()
	for n := 0; n < 96; n++ {
		_, err := owner.Publish(ctx(), "profiles", []byte(fmt.Sprintf("profile %d", n)), lift.Key([]byte(fmt.Sprintf("user-%d", n%7))), lift.AckPolicyAll())
		must(err)
		if n == 40 {
			must(owner.PauseStream(ctx(), "profiles", lift.ResumeAll())) // it is resumed by the next message
		}
		time.Sleep(330 * time.Millisecond)
	}
	close(stop)
	time.Sleep(1500 * time.Millisecond)
	counted["sent"], counted["handled"], counted["failed"] = sent.Load(), handled.Load(), failed.Load()
	must(owner.Close())
}

func main() {
	timed := func(machine, n int) string { return fmt.Sprintf("machine-%d@%d", machine, 1764150000+n) }
	own := func(machine, n int) string { return fmt.Sprintf("machine-%d", machine) }
	map[string]func(){
		"group_starts_over":              func() { groupRuns(false) },
		"group_goes_on":                  func() { groupRuns(true) },
		"assignments_polled":             func() { assignments(15 * time.Millisecond) },
		"cursor_of_the_deleted_stream":   func() { recreated(false) },
		"cursor_set_back":                func() { recreated(true) },
		"key_with_the_time":              func() { states(timed) },
		"key_of_the_machine":             func() { states(own) },
		"subject_of_no_partition":        func() { subjects(6) },
		"subjects_of_four_partitions":    func() { subjects(4) },
		"publishes_into_its_own_stream":  func() { enriches("events") },
		"publishes_into_another_stream":  func() { enriches("events-enriched") },
		"checksum_of_another_polynomial": func() { envelopes(crc32.IEEETable) },
		"checksum_of_castagnoli":         func() { envelopes(crc32.MakeTable(crc32.Castagnoli)) },
		"long_day_go":                    longDay,
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
