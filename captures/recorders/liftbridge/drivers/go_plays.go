// Plays a scenario by go-liftbridge, the API's own stubs and nats.go.
//
//	go_plays SCENARIO
//
// Prints what it counted as JSON in its last line. Lines before it ask for something: KILL ID ends
// the server of that name, and the play goes on when a line comes in.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
	proto "github.com/liftbridge-io/liftbridge-api/go"
	"github.com/nats-io/nats.go"
	"google.golang.org/grpc"
)

const (
	server = "127.0.0.1:9292"
	bus    = "nats://127.0.0.1:4222"
)

var (
	client  lift.Client
	counted = map[string]int{}
	input   = bufio.NewReader(os.Stdin)
)

func ctx() context.Context {
	c, _ := context.WithTimeout(context.Background(), 10*time.Second)
	return c
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		panic(err)
	}
}

// refused counts a call that the server has to refuse.
func refused(err error) {
	if err == nil {
		panic("nothing was refused")
	}
	counted["refused"]++
}

func acked(ack *lift.Ack, err error) {
	must(err)
	if ack != nil {
		counted["acks"]++
	}
}

// until waits for a number to be reached by a handler.
func until(ready chan bool) {
	select {
	case <-ready:
	case <-time.After(10 * time.Second):
		panic("nothing came")
	}
}

// read subscribes and waits for so many messages, or for the end where there is one.
func read(stream string, want int, options ...lift.SubscriptionOption) {
	done, got, over := make(chan bool, 1), 0, false
	c, cancel := context.WithCancel(context.Background())
	must(client.Subscribe(c, stream, func(msg *lift.Message, err error) {
		if over {
			return
		}
		if err == nil {
			got++
			counted["messages"]++
		}
		if err != nil || got == want {
			over = true
			done <- true
		}
	}, options...))
	until(done)
	cancel()
	time.Sleep(150 * time.Millisecond)
}

func publish(stream string, count int, options ...lift.MessageOption) {
	for i := 0; i < count; i++ {
		acked(client.Publish(ctx(), stream, []byte(fmt.Sprintf("%s %d", stream, i)), options...))
		counted["published"]++
	}
}

func stubs() (proto.APIClient, *grpc.ClientConn) {
	conn, err := grpc.Dial(server, grpc.WithInsecure())
	must(err)
	return proto.NewAPIClient(conn), conn
}

func streams() {
	must(client.CreateStream(ctx(), "orders", "orders", lift.Partitions(3)))
	must(client.CreateStream(ctx(), "audit.*", "audit", lift.Group("auditors"),
		lift.RetentionMaxBytes(1<<20), lift.RetentionMaxMessages(1000),
		lift.RetentionMaxAge(time.Hour), lift.CleanerInterval(time.Minute),
		lift.SegmentMaxBytes(1<<18), lift.SegmentMaxAge(time.Minute), lift.CompactEnabled(true),
		lift.CompactMaxGoroutines(2), lift.AutoPauseTime(time.Hour),
		lift.AutoPauseDisableIfSubscribers(true), lift.MinISR(1)))
	refused(client.CreateStream(ctx(), "orders", "orders"))
	refused(client.CreateStream(ctx(), "a b", "spaced"))
	time.Sleep(300 * time.Millisecond)
	_, err := client.FetchMetadata(ctx())
	must(err)
	_, err = client.FetchPartitionMetadata(ctx(), "orders", 1)
	must(err)
	_, err = client.FetchMetadata(ctx(), lift.Streams([]string{"orders", "nothing"}))
	must(err)
	must(client.DeleteStream(ctx(), "audit"))
	refused(client.DeleteStream(ctx(), "nothing"))
}

func publishes() {
	must(client.CreateStream(ctx(), "news", "news", lift.Partitions(2)))
	time.Sleep(300 * time.Millisecond)
	publish("news", 3)
	publish("news", 2, lift.AckPolicyLeader(), lift.Key([]byte("a key")), lift.PartitionByKey())
	publish("news", 2, lift.AckPolicyAll(), lift.ToPartition(1),
		lift.Header("kind", []byte("test")), lift.Header("empty", []byte{}))
	publish("news", 2, lift.AckPolicyNone())
	ready := make(chan bool, 10)
	for i := 0; i < 5; i++ {
		must(client.PublishAsync(ctx(), "news", []byte(fmt.Sprintf("async %d", i)),
			func(ack *lift.Ack, err error) { counted["acks"]++; ready <- true },
			lift.CorrelationID(fmt.Sprintf("mine-%d", i))))
		counted["published"]++
	}
	for i := 0; i < 5; i++ {
		until(ready)
	}
	acked(client.PublishToSubject(ctx(), "news", []byte("to a subject"), lift.AckPolicyAll()))
	counted["published"]++
	api, conn := stubs()
	for _, policy := range []proto.AckPolicy{proto.AckPolicy_LEADER, proto.AckPolicy_ALL, proto.AckPolicy_NONE} {
		_, err := api.Publish(ctx(), &proto.PublishRequest{Stream: "news", Value: []byte("unary"), AckPolicy: policy, ExpectedOffset: -1})
		must(err)
		counted["published"]++
	}
	_, err := api.Publish(ctx(), &proto.PublishRequest{Stream: "nothing", Value: []byte("lost")})
	refused(err)
	conn.Close()
}

func subscribes() {
	must(client.CreateStream(ctx(), "log", "log"))
	time.Sleep(300 * time.Millisecond)
	publish("log", 6, lift.AckPolicyLeader())
	read("log", 6, lift.StartAtEarliestReceived())
	read("log", 1, lift.StartAtLatestReceived())
	read("log", 3, lift.StartAtOffset(3))
	read("log", 6, lift.StartAtTime(time.Now().Add(-time.Minute)))
	read("log", 6, lift.StartAtTimeDelta(time.Minute))
	read("log", 9, lift.StartAtOffset(1), lift.StopAtOffset(3))
	read("log", 9, lift.StartAtEarliestReceived(), lift.StopAtLatestReceived())
	ready := make(chan bool, 1)
	c, cancel := context.WithCancel(context.Background())
	must(client.Subscribe(c, "log", func(msg *lift.Message, err error) {
		if err == nil {
			counted["messages"]++
			ready <- true
		}
	}, lift.StartAtNewOnly()))
	time.Sleep(200 * time.Millisecond)
	publish("log", 1)
	until(ready)
	cancel()
	time.Sleep(150 * time.Millisecond)
	api, conn := stubs()
	refusedStream(api, &proto.SubscribeRequest{Stream: "nothing"})
	refusedStream(api, &proto.SubscribeRequest{Stream: "log", StartPosition: proto.StartPosition_OFFSET, StartOffset: 5, StopPosition: proto.StopPosition_STOP_OFFSET, StopOffset: 2})
	conn.Close()
}

func refusedStream(api proto.APIClient, request *proto.SubscribeRequest) {
	stream, err := api.Subscribe(ctx(), request)
	must(err)
	_, err = stream.Recv()
	refused(err)
}

func cursors() {
	must(client.CreateStream(ctx(), "work", "work"))
	time.Sleep(300 * time.Millisecond)
	publish("work", 3)
	must(client.SetCursor(ctx(), "reader", "work", 0, 2))
	_, err := client.FetchCursor(ctx(), "reader", "work", 0)
	must(err)
	_, err = client.FetchCursor(ctx(), "nobody", "work", 0)
	must(err)
}

func switches() {
	must(client.CreateStream(ctx(), "tap", "tap", lift.Partitions(2)))
	time.Sleep(300 * time.Millisecond)
	publish("tap", 2)
	must(client.PauseStream(ctx(), "tap", lift.PausePartitions(1)))
	time.Sleep(300 * time.Millisecond)
	publish("tap", 1, lift.ToPartition(1))
	must(client.PauseStream(ctx(), "tap", lift.ResumeAll()))
	time.Sleep(300 * time.Millisecond)
	publish("tap", 1)
	must(client.SetStreamReadonly(ctx(), "tap", lift.Readonly(true)))
	time.Sleep(300 * time.Millisecond)
	_, err := client.Publish(ctx(), "tap", []byte("too late"))
	refused(err)
	must(client.SetStreamReadonly(ctx(), "tap", lift.ReadonlyPartitions(0), lift.Readonly(false)))
	time.Sleep(300 * time.Millisecond)
	publish("tap", 1, lift.ToPartition(0))
}

// optimistic publishes to a stream that wants to be told the next offset.
func optimistic() {
	must(client.CreateStream(ctx(), "occ", "occ", lift.OptimisticConcurrencyControl(true)))
	time.Sleep(300 * time.Millisecond)
	for i := int64(0); i < 3; i++ {
		acked(client.Publish(ctx(), "occ", []byte("in order"), lift.ExpectedOffset(i)))
	}
	acked(client.Publish(ctx(), "occ", []byte("whatever the offset"), lift.ExpectedOffset(-1)))
	counted["published"] += 4
}

// stale publishes with an offset that another publish has taken.
func stale() {
	must(client.CreateStream(ctx(), "occ", "occ", lift.OptimisticConcurrencyControl(true)))
	time.Sleep(300 * time.Millisecond)
	for i := int64(0); i < 3; i++ {
		acked(client.Publish(ctx(), "occ", []byte("in order"), lift.ExpectedOffset(i)))
	}
	_, err := client.Publish(ctx(), "occ", []byte("stale"), lift.ExpectedOffset(1))
	refused(err)
	api, conn := stubs()
	_, err = api.Publish(ctx(), &proto.PublishRequest{Stream: "occ", Value: []byte("unset")})
	refused(err)
	conn.Close()
	counted["published"] += 5
}

func groups() {
	must(client.CreateStream(ctx(), "jobs", "jobs", lift.Partitions(2)))
	time.Sleep(300 * time.Millisecond)
	publish("jobs", 2, lift.ToPartition(0))
	publish("jobs", 2, lift.ToPartition(1))
	ready := make(chan bool, 10)
	consumer, err := client.CreateConsumer("crew", lift.ConsumerID("one"), lift.AutoOffsetEarliest(),
		lift.FetchAssignmentsInterval(func(time.Duration) time.Duration { return 500 * time.Millisecond }))
	must(err)
	must(consumer.Subscribe(context.Background(), []string{"jobs"}, func(msg *lift.Message, err error) {
		if err == nil {
			counted["messages"]++
			ready <- true
		}
	}))
	for i := 0; i < 4; i++ {
		until(ready)
	}
	_, err = client.FetchMetadata(ctx(), lift.ConsumerGroups([]string{"crew"}))
	must(err)
	time.Sleep(700 * time.Millisecond)
	must(consumer.Checkpoint(ctx()))
	must(consumer.Close())
}

// plain publishes from NATS itself: without envelope, and with one that the client makes.
func plain() {
	must(client.CreateStream(ctx(), "weather.*", "weather"))
	time.Sleep(300 * time.Millisecond)
	nc, err := nats.Connect(bus, nats.Name("thermometer"))
	must(err)
	must(nc.Publish("weather.berlin", []byte("12 degrees")))
	must(nc.PublishMsg(&nats.Msg{Subject: "weather.oslo", Data: []byte(`{"degrees": 3}`), Header: nats.Header{"Unit": []string{"C"}}}))
	must(nc.PublishRequest("weather.rome", "weather.answers", []byte("21 degrees")))
	must(nc.Publish("weather.berlin", []byte{}))
	must(nc.Flush())
	counted["plain"] += 4
	acks, err := nc.SubscribeSync("my.acks")
	must(err)
	for i := 0; i < 3; i++ {
		must(nc.Publish("weather.berlin", lift.NewMessage([]byte("in an envelope"),
			lift.AckInbox("my.acks"), lift.CorrelationID(fmt.Sprintf("nr-%d", i)), lift.AckPolicyAll(),
			lift.Key([]byte("berlin")), lift.Header("unit", []byte("C")))))
		msg, err := acks.NextMsg(5 * time.Second)
		must(err)
		_, err = lift.UnmarshalAck(msg.Data)
		must(err)
		counted["acks"]++
		counted["published"]++
	}
	must(nc.Publish("elsewhere", []byte("not of a stream")))
	must(nc.Flush())
	read("weather", 7, lift.StartAtEarliestReceived())
	nc.Close()
}

// forgets publishes by the stub without a deadline: no ack ever comes back.
func forgets() {
	must(client.CreateStream(ctx(), "sure", "sure"))
	time.Sleep(300 * time.Millisecond)
	api, conn := stubs()
	for i := 0; i < 3; i++ {
		answer, err := api.Publish(context.Background(), &proto.PublishRequest{Stream: "sure", Value: []byte("is it stored?"), AckPolicy: proto.AckPolicy_ALL, ExpectedOffset: -1})
		must(err)
		if answer.Ack != nil {
			panic("an ack came")
		}
		counted["published"]++
	}
	conn.Close()
}

// large publishes a message that replication can never carry.
func large() {
	must(client.CreateStream(ctx(), "bulk", "bulk"))
	time.Sleep(300 * time.Millisecond)
	publish("bulk", 1)
	_, err := client.Publish(ctx(), "bulk", make([]byte, 70000))
	refused(err)
}

// left are the servers that still run.
func left(gone string) []string {
	var found []string
	for i, id := range []string{"lift-1", "lift-2", "lift-3"} {
		if id != gone {
			found = append(found, fmt.Sprintf("127.0.0.1:%d", 9292+i))
		}
	}
	return found
}

// late reads up to an offset and comes back one too late.
func late() {
	must(client.CreateStream(ctx(), "log", "log"))
	time.Sleep(300 * time.Millisecond)
	publish("log", 6)
	read("log", 3, lift.StartAtEarliestReceived(), lift.StopAtOffset(2))
	read("log", 2, lift.StartAtOffset(4))
}

// failover publishes to a stream of three replicas before and after its leader ends.
func failover() {
	must(client.CreateStream(ctx(), "trades", "trades", lift.ReplicationFactor(3)))
	for i := 0; i < 5; i++ { // each on a server by chance: who is not it asks whether it has it
		name := fmt.Sprintf("small-%d", i)
		must(client.CreateStream(ctx(), name, name))
	}
	time.Sleep(2 * time.Second)
	publish("trades", 5, lift.AckPolicyAll())
	publish("trades", 2, lift.AckPolicyLeader())
	info, err := client.FetchPartitionMetadata(ctx(), "trades", 0)
	must(err)
	leader := info.Leader().ID()
	fmt.Println("KILL " + leader)
	_, err = input.ReadString('\n')
	must(err)
	for i := 0; i < 8; i++ {
		c, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		other, err := lift.ConnectCtx(c, left(leader))
		if err == nil {
			client = other
			if _, err = client.Publish(c, "trades", []byte(fmt.Sprintf("after %d", i)), lift.AckPolicyLeader()); err == nil {
				counted["after"]++
			}
		}
		cancel()
		time.Sleep(500 * time.Millisecond)
	}
}

// replicated publishes to a stream of three replicas.
func replicated() {
	must(client.CreateStream(ctx(), "trades", "trades", lift.ReplicationFactor(3), lift.Partitions(1)))
	time.Sleep(2 * time.Second)
	publish("trades", 4, lift.AckPolicyAll())
	publish("trades", 2, lift.AckPolicyLeader(), lift.Header("desk", []byte("a")))
	read("trades", 6, lift.StartAtEarliestReceived())
	must(client.PauseStream(ctx(), "trades"))
	time.Sleep(time.Second)
	publish("trades", 1, lift.AckPolicyAll())
	must(client.SetStreamReadonly(ctx(), "trades", lift.Readonly(true)))
	time.Sleep(500 * time.Millisecond)
	must(client.DeleteStream(ctx(), "trades"))
	time.Sleep(500 * time.Millisecond)
}

var plays = map[string]func(){
	"streams": streams, "publishes": publishes, "subscribes": subscribes, "cursors": cursors,
	"switches": switches, "optimistic": optimistic, "stale": stale, "groups": groups,
	"plain": plain, "forgets": forgets, "large": large, "failover": failover,
	"replicated": replicated, "late": late,
}

func main() {
	var err error
	client, err = lift.Connect([]string{server})
	must(err)
	plays[os.Args[1]]()
	must(client.Close())
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
