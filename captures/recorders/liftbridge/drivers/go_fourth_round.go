// Plays the fourth round of the blind test by go-liftbridge and the API's stubs; prints JSON.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
	proto "github.com/liftbridge-io/liftbridge-api/go"
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

// Three subscribers wait for new alarms; the partition is paused meanwhile, and each subscribes again.
func resubscribes(right bool) {
	writer := connect()
	create(writer, "alarms")
	for n := 0; n < 20; n++ {
		publish(writer, "alarms", 0, fmt.Sprintf("alarm %d", n))
	}
	var wait sync.WaitGroup
	var old, fresh atomic.Int64
	for s := 0; s < 3; s++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			api, conn := stubs()
			info, err := api.FetchPartitionMetadata(ctx(), &proto.FetchPartitionMetadataRequest{Stream: "alarms"})
			must(err)
			last := int64(0) // of the message that came last
			if right {
				last = info.Metadata.NewestOffset
			}
			request := &proto.SubscribeRequest{Stream: "alarms", StartPosition: proto.StartPosition_NEW_ONLY}
			for try := 0; try < 2; try++ {
				c, cancel := context.WithTimeout(context.Background(), 8*time.Second)
				open, err := api.Subscribe(c, request)
				must(err)
				for {
					m, err := open.Recv()
					if err != nil {
						break
					}
					if len(m.Value) == 0 {
						continue
					}
					last = m.Offset
					if m.Offset < 20 {
						old.Add(1)
					} else if fresh.Add(1); m.Offset == 25 {
						cancel()
						must(conn.Close())
						return
					}
				}
				cancel()
				time.Sleep(300 * time.Millisecond)
				request = &proto.SubscribeRequest{Stream: "alarms", StartPosition: proto.StartPosition_OFFSET, StartOffset: last + 1, Resume: true}
			}
		}()
		time.Sleep(150 * time.Millisecond)
	}
	time.Sleep(1500 * time.Millisecond)
	must(writer.PauseStream(ctx(), "alarms"))
	time.Sleep(1200 * time.Millisecond)
	for n := 20; n < 26; n++ {
		publish(writer, "alarms", 0, fmt.Sprintf("alarm %d", n))
		time.Sleep(120 * time.Millisecond)
	}
	wait.Wait()
	counted["old"], counted["new"] = old.Load(), fresh.Load()
	must(writer.Close())
}

func sessions(deletes bool) { // each user who connects has a stream
	for n := 0; n < 18; n++ {
		client := connect()
		name := fmt.Sprintf("sip.84146277%02d", n)
		must(client.CreateStream(ctx(), name, name))
		counted["created"]++
		time.Sleep(200 * time.Millisecond)
		publish(client, name, 0, "INVITE", "BYE")
		got := make(chan bool, 10)
		c, cancel := context.WithCancel(context.Background())
		must(client.Subscribe(c, name, func(m *lift.Message, err error) {
			if err == nil {
				got <- true
			}
		}, lift.StartAtEarliestReceived()))
		<-got
		<-got
		cancel()
		if deletes {
			must(client.DeleteStream(ctx(), name))
		}
		time.Sleep(60 * time.Millisecond)
		must(client.Close())
	}
}

func rounds(id func(run int) string, first int64, ahead bool) { // a reader that is restarted
	writer := connect()
	create(writer, "mails")
	sent := int64(0)
	stop, over := make(chan bool), make(chan bool)
	go func() {
		defer close(over)
		for ; ; sent++ {
			select {
			case <-stop:
				return
			case <-time.After(60 * time.Millisecond):
				publish(writer, "mails", 0, fmt.Sprintf("mail %d", sent))
			}
		}
	}()
	for run := 0; run < 5; run++ {
		reader := connect()
		at, err := reader.FetchCursor(ctx(), id(run), "mails", 0)
		must(err)
		start := lift.StartAtOffset(at + first)
		if at < 0 {
			start = lift.StartAtEarliestReceived()
		}
		if ahead { // what is stored now counts as read
			info, err := reader.FetchPartitionMetadata(ctx(), "mails", 0)
			must(err)
			must(reader.SetCursor(ctx(), id(run), "mails", 0, info.NewestOffset()))
		}
		got := make(chan int64, 1000)
		c, cancel := context.WithCancel(context.Background())
		must(reader.Subscribe(c, "mails", func(m *lift.Message, err error) {
			if err == nil {
				got <- m.Offset()
			}
		}, start))
		end := time.After(900 * time.Millisecond)
		limit := 100000
		if ahead {
			limit = 6 // it is killed in the middle of its work
		}
	LOOP:
		for count := 0; count < limit; {
			select {
			case at = <-got:
				counted["read"]++
				count++
				time.Sleep(15 * time.Millisecond)
				if !ahead && count%10 == 0 {
					must(reader.SetCursor(ctx(), id(run), "mails", 0, at))
				}
			case <-end:
				break LOOP
			}
		}
		if !ahead {
			must(reader.SetCursor(ctx(), id(run), "mails", 0, at))
		}
		cancel()
		time.Sleep(100 * time.Millisecond)
		must(reader.Close())
		time.Sleep(300 * time.Millisecond)
	}
	close(stop)
	<-over
	counted["sent"] = sent
	must(writer.Close())
}

func group() { // three members share four partitions
	client := connect()
	create(client, "orders", lift.Partitions(4))
	var seen [3]atomic.Int64
	var members []*lift.Consumer
	var clients []lift.Client
	for i := 0; i < 3; i++ {
		own := connect()
		clients = append(clients, own)
		consumer, err := own.CreateConsumer("billing", lift.ConsumerID(fmt.Sprintf("billing-%d", i)), lift.AutoOffsetEarliest(), lift.AutoCheckpoint(time.Second),
			lift.FetchAssignmentsInterval(func(time.Duration) time.Duration { return 400 * time.Millisecond }))
		must(err)
		must(consumer.Subscribe(context.Background(), []string{"orders"}, func(m *lift.Message, err error) {
			if err == nil {
				seen[i].Add(1)
			}
		}))
		members = append(members, consumer)
	}
	time.Sleep(2500 * time.Millisecond)
	time.Sleep(9 * time.Second) // meanwhile another program publishes
	for i := range seen {
		counted[fmt.Sprintf("member_%d", i)] = seen[i].Load()
	}
	for _, each := range members {
		must(each.Close())
	}
	for _, each := range clients {
		must(each.Close())
	}
	must(client.Close())
}

func random(int) string {
	b := make([]byte, 6)
	rand.Read(b)
	return fmt.Sprintf("mailer-%x", b)
}

func stopsReading() { // the handler of a subscription blocks
	writer := connect()
	create(writer, "pictures")
	api, conn := stubs()
	c, cancel := context.WithCancel(context.Background())
	open, err := api.Subscribe(c, &proto.SubscribeRequest{Stream: "pictures", StartPosition: proto.StartPosition_EARLIEST})
	must(err)
	read := 0
	for n := 0; n < 60; n++ {
		publish(writer, "pictures", 0, fmt.Sprintf("picture %d ", n)+string(make([]byte, 4000)))
		if read < 8 {
			m, err := open.Recv()
			must(err)
			if len(m.Value) > 0 {
				read++
			}
		}
		time.Sleep(40 * time.Millisecond)
	}
	time.Sleep(4 * time.Second)
	counted["read"] = int64(read)
	cancel()
	must(conn.Close())
	must(writer.Close())
}

func main() {
	fixed := func(int) string { return "mailer" }
	map[string]func(){
		"resubscribes_at_one":           func() { resubscribes(false) },
		"resubscribes_after_the_newest": func() { resubscribes(true) },
		"stream_per_session":            func() { sessions(false) },
		"stream_of_a_session_deleted":   func() { sessions(true) },
		"cursor_id_per_run":             func() { rounds(random, 1, false) },
		"resumes_at_the_cursor":         func() { rounds(fixed, 0, false) },
		"cursor_ahead_of_delivery":      func() { rounds(fixed, 1, true) },
		"resumes_after_the_cursor":      func() { rounds(fixed, 1, false) },
		"group":                         group,
		"stops_reading":                 stopsReading,
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
