// Plays the seventh round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
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

func publish(client lift.Client, name, value string) error {
	_, err := client.Publish(ctx(), name, []byte(value), lift.AckPolicyLeader())
	return err
}

// reads subscribes after what it has, and gives how the subscription ended.
func reads(client lift.Client, name string, last *atomic.Int64, options ...lift.SubscriptionOption) (chan error, context.CancelFunc, error) {
	ended := make(chan error, 1)
	c, cancel := context.WithCancel(context.Background())
	start := lift.StartAtEarliestReceived()
	if last.Load() >= 0 {
		start = lift.StartAtOffset(last.Load() + 1)
	}
	err := client.Subscribe(c, name, func(m *lift.Message, err error) {
		if err != nil {
			select {
			case ended <- err:
			default:
			}
			return
		}
		last.Store(m.Offset())
	}, append(options, start)...)
	return ended, cancel, err
}

// deletes takes the stream away from its subscriber, and makes it again where it is patient.
func deletes(patient bool) {
	owner, own := connect(), connect()
	create(owner, "sensors")
	create(owner, "audit")
	var last atomic.Int64
	last.Store(-1)
	ended, cancel, err := reads(own, "sensors", &last)
	must(err)
	for n := 0; n < 16; n++ {
		must(publish(owner, "sensors", fmt.Sprintf("reading %d", n)))
		time.Sleep(90 * time.Millisecond)
	}
	must(owner.DeleteStream(ctx(), "sensors"))
	if patient {
		go func() { time.Sleep(2500 * time.Millisecond); create(owner, "sensors") }()
	}
	select {
	case <-ended:
	case <-time.After(time.Second):
	}
	cancel()
	pause := 170 * time.Millisecond
	last.Store(-1)
	for n := 0; n < 15; n++ {
		must(publish(owner, "audit", fmt.Sprintf("attempt %d", n)))
		if patient {
			pause *= 2
		}
		time.Sleep(pause)
		meta, err := own.FetchMetadata(ctx())
		must(err)
		if patient && meta.GetStream("sensors") == nil {
			counted["absent"]++
			continue
		}
		_, stop, err := reads(own, "sensors", &last)
		if err == nil {
			counted["subscribed"]++
			for k := 0; k < 8; k++ {
				must(publish(owner, "sensors", fmt.Sprintf("new reading %d", k)))
				time.Sleep(60 * time.Millisecond)
			}
			stop()
			break
		}
		counted["refused"]++
		stop()
	}
	counted["last"] = last.Load()
	time.Sleep(150 * time.Millisecond)
	must(own.Close())
	must(owner.Close())
}

// shares publishes six messages at a time, whose acks go to one inbox.
func shares(correlates bool) {
	owner := connect()
	create(owner, "orders")
	api, conn := stubs()
	for round := 0; round < 9; round++ {
		var all sync.WaitGroup
		for n := 0; n < 6; n++ {
			request := &proto.PublishRequest{Stream: "orders", Value: []byte(fmt.Sprintf("order %d-%d", round, n)), AckInbox: "acks.shop-7", AckPolicy: proto.AckPolicy_LEADER, ExpectedOffset: -1}
			if correlates {
				request.CorrelationId = fmt.Sprintf("o-%d-%d", round, n)
				request.AckInbox = "acks.shop-7." + request.CorrelationId
			}
			all.Add(1)
			go func() {
				defer all.Done()
				_, err := api.Publish(ctx(), request)
				must(err)
			}()
		}
		all.Wait()
		counted["published"] += 6
		time.Sleep(300 * time.Millisecond)
	}
	must(conn.Close())
	must(owner.Close())
}

// alarms publishes over NATS what the stream is to keep.
func alarms(waits bool) {
	owner := connect()
	create(owner, "other")
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name("alarm-box"))
	must(err)
	acks := int64(0)
	inbox := nats.NewInbox()
	if waits {
		_, err = nc.Subscribe(inbox, func(m *nats.Msg) { atomic.AddInt64(&acks, 1) })
		must(err)
		create(owner, "alarms")
	}
	for n := 0; n < 40; n++ {
		text := fmt.Sprintf("alarm %d of zone %d", n, n%5)
		if waits {
			must(nc.Publish("alarms", lift.NewMessage([]byte(text), lift.AckInbox(inbox), lift.CorrelationID(fmt.Sprintf("a-%d", n)), lift.AckPolicyLeader())))
		} else {
			must(nc.Publish("alarms", []byte(text)))
		}
		if n%6 == 0 {
			must(publish(owner, "other", fmt.Sprintf("heartbeat %d", n)))
		}
		if n == 15 && !waits {
			must(owner.CreateStream(ctx(), "alarms", "alarms"))
		}
		time.Sleep(120 * time.Millisecond)
	}
	var last atomic.Int64
	last.Store(-1)
	_, cancel, err := reads(owner, "alarms", &last)
	must(err)
	time.Sleep(500 * time.Millisecond)
	cancel()
	counted["sent"], counted["stored"], counted["acks"] = 40, last.Load()+1, atomic.LoadInt64(&acks)
	nc.Close()
	time.Sleep(100 * time.Millisecond)
	must(owner.Close())
}

// competes publishes on condition, while somebody else writes a message in between.
func competes(looks bool) {
	first, second := connect(), connect()
	create(first, "ledger", lift.OptimisticConcurrencyControl(true))
	at := int64(0)
	entry := func(client lift.Client, text string, offset int64) error {
		_, err := client.Publish(ctx(), "ledger", []byte(text), lift.AckPolicyLeader(), lift.ExpectedOffset(offset))
		return err
	}
	for n := 0; n < 7; n++ {
		must(entry(first, fmt.Sprintf("entry %d", n), at))
		at++
		time.Sleep(80 * time.Millisecond)
	}
	must(entry(second, "entry of another branch", at))
	for n := 7; n < 21; n++ {
		if err := entry(first, fmt.Sprintf("entry %d", n), at); err != nil {
			counted["refused"]++
			if looks {
				meta, err := first.FetchPartitionMetadata(ctx(), "ledger", 0)
				must(err)
				at = meta.NewestOffset() + 1
				n--
			}
		} else {
			counted["stored"]++
			at++
		}
		time.Sleep(220 * time.Millisecond)
	}
	must(second.Close())
	must(first.Close())
}

// pauses has an operator who pauses idle streams, and a reader that resumes them.
func pauses(under bool) {
	operator, writer := connect(), connect()
	create(operator, "frames")
	var last atomic.Int64
	last.Store(-1)
	rounds := 8
	if !under {
		rounds = 2
	}
	for round := 0; round < rounds; round++ {
		own := connect()
		ended, cancel, err := reads(own, "frames", &last, lift.Resume())
		must(err)
		for n := 0; n < 4; n++ {
			must(publish(writer, "frames", fmt.Sprintf("frame %d-%d", round, n)))
			time.Sleep(120 * time.Millisecond)
		}
		if !under {
			cancel()
			time.Sleep(150 * time.Millisecond)
		}
		must(operator.PauseStream(ctx(), "frames"))
		counted["paused"]++
		if under {
			select {
			case <-ended:
				counted["ended"]++
			case <-time.After(700 * time.Millisecond):
			}
		} else {
			time.Sleep(2 * time.Second)
		}
		cancel()
		must(own.Close())
	}
	counted["last"] = last.Load()
	must(writer.Close())
	must(operator.Close())
}

func main() {
	map[string]func(){
		"deleted_stream_subscribed":   func() { deletes(false) },
		"deleted_stream_waited_for":   func() { deletes(true) },
		"acks_without_correlation":    func() { shares(false) },
		"acks_with_correlation":       func() { shares(true) },
		"published_before_the_stream": func() { alarms(false) },
		"published_with_acks":         func() { alarms(true) },
		"expected_offset_never_read":  func() { competes(false) },
		"expected_offset_read_again":  func() { competes(true) },
		"paused_under_its_reader":     func() { pauses(true) },
		"paused_when_its_reader_left": func() { pauses(false) },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
