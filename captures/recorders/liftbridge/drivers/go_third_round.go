// Plays the third round of the blind test by go-liftbridge and the API's stubs; prints JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
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

func dummyToResume() {
	writer := connect()
	create(writer, "reports")
	reader := connect()
	next := int64(0)
	for round := 0; round < 6; round++ {
		publish(writer, "reports", 0, fmt.Sprintf("report %d", 3*round), fmt.Sprintf("report %d", 3*round+1), fmt.Sprintf("report %d", 3*round+2))
		must(writer.PauseStream(ctx(), "reports"))
		time.Sleep(300 * time.Millisecond)
		publish(reader, "reports", 0, "wake up") // a paused partition refuses Subscribe
		got := make(chan int64, 20)
		c, cancel := context.WithCancel(context.Background())
		must(reader.Subscribe(c, "reports", func(m *lift.Message, err error) {
			if err == nil {
				got <- m.Offset()
			}
		}, lift.StartAtOffset(next)))
		for i := 0; i < 4; i++ {
			next = <-got + 1
		}
		cancel()
		time.Sleep(150 * time.Millisecond)
	}
	counted["next"] = next
	must(reader.Close())
	must(writer.Close())
}

func cursorFetchedPerMessage() {
	client := connect()
	create(client, "mails")
	for n := 0; n < 40; n++ {
		publish(client, "mails", 0, fmt.Sprintf("mail %d", n))
	}
	offsets := make(chan int64, 100)
	c, cancel := context.WithCancel(context.Background())
	must(client.Subscribe(c, "mails", func(m *lift.Message, err error) {
		if err == nil {
			offsets <- m.Offset()
		}
	}, lift.StartAtEarliestReceived()))
	for i := 0; i < 40; i++ {
		at := <-offsets
		done, err := client.FetchCursor(ctx(), "mailer", "mails", 0) // was it sent already?
		must(err)
		if at > done && at%10 == 9 {
			must(client.SetCursor(ctx(), "mailer", "mails", 0, at))
		}
	}
	cancel()
	time.Sleep(200 * time.Millisecond)
	must(client.Close())
}

func cursorsAtStart() {
	client := connect()
	create(client, "mails", lift.Partitions(3))
	for run := 0; run < 2; run++ {
		for p := int32(0); p < 3; p++ {
			publish(client, "mails", p, "mail a", "mail b", "mail c", "mail d")
		}
		worker := connect()
		for p := int32(0); p < 3; p++ {
			at, err := worker.FetchCursor(ctx(), "mailer", "mails", p)
			must(err)
			got := make(chan int64, 20)
			c, cancel := context.WithCancel(context.Background())
			must(worker.Subscribe(c, "mails", func(m *lift.Message, err error) {
				if err == nil {
					got <- m.Offset()
				}
			}, lift.StartAtOffset(at+1), lift.Partition(p)))
			for i := 0; i < 4; i++ {
				at = <-got
			}
			must(worker.SetCursor(ctx(), "mailer", "mails", p, at))
			cancel()
		}
		time.Sleep(200 * time.Millisecond)
		must(worker.Close())
	}
	must(client.Close())
}

func member(leave bool) { // one life of a member of the group crew
	client := connect()
	consumer, err := client.CreateConsumer("crew", lift.AutoOffsetEarliest(), lift.AutoCheckpoint(300*time.Millisecond),
		lift.FetchAssignmentsInterval(func(time.Duration) time.Duration { return 400 * time.Millisecond }))
	must(err)
	must(consumer.Subscribe(context.Background(), []string{"jobs"}, func(m *lift.Message, err error) {}))
	time.Sleep(1700 * time.Millisecond)
	if leave {
		must(consumer.Close())
		must(client.Close())
	}
	os.Exit(0) // otherwise the process just ends
}

func members(life string) {
	client := connect()
	create(client, "jobs", lift.Partitions(4))
	stop := make(chan bool)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(120 * time.Millisecond):
				publish(client, "jobs", int32(n%4), fmt.Sprintf("job %d", n))
			}
		}
	}()
	for i := 0; i < 5; i++ {
		must(exec.Command(os.Args[0], life).Run())
		counted["members"]++
		time.Sleep(200 * time.Millisecond)
	}
	close(stop)
	time.Sleep(300 * time.Millisecond)
	must(client.Close())
}

func offsetPolled() {
	writer := connect()
	create(writer, "trades")
	conn, err := grpc.Dial(server, grpc.WithInsecure())
	must(err)
	api := proto.NewAPIClient(conn)
	next := int64(0)
	done := make(chan bool)
	go func() {
		for n := 0; n < 6; n++ {
			publish(writer, "trades", 0, fmt.Sprintf("trade %d", n))
			time.Sleep(700 * time.Millisecond)
		}
		close(done)
	}()
	for running := true; running; {
		answer, err := api.FetchPartitionMetadata(ctx(), &proto.FetchPartitionMetadataRequest{Stream: "trades", Partition: 0})
		must(err)
		counted["polls"]++
		newest := answer.Metadata.NewestOffset
		if newest >= next {
			c, cancel := context.WithCancel(context.Background())
			open, err := api.Subscribe(c, &proto.SubscribeRequest{Stream: "trades", StartPosition: proto.StartPosition_OFFSET, StartOffset: next,
				StopPosition: proto.StopPosition_STOP_OFFSET, StopOffset: newest})
			must(err)
			for {
				m, err := open.Recv()
				if err != nil {
					break
				}
				if len(m.Value) > 0 {
					next = m.Offset + 1
					counted["read"]++
				}
			}
			cancel()
		}
		select {
		case <-done:
			running = false
		case <-time.After(40 * time.Millisecond):
		}
	}
	must(conn.Close())
	must(writer.Close())
}

func waitsLong() {
	writer := connect()
	create(writer, "trades")
	reader := connect()
	var seen atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	must(reader.Subscribe(c, "trades", func(m *lift.Message, err error) {
		if err == nil {
			seen.Add(1)
		}
	}, lift.StartAtNewOnly()))
	time.Sleep(6 * time.Second)
	publish(writer, "trades", 0, "trade 0", "trade 1")
	time.Sleep(3 * time.Second)
	publish(writer, "trades", 0, "trade 2")
	time.Sleep(300 * time.Millisecond)
	info, err := reader.FetchPartitionMetadata(ctx(), "trades", 0)
	must(err)
	counted["seen"], counted["newest"] = seen.Load(), info.NewestOffset()
	cancel()
	time.Sleep(100 * time.Millisecond)
	must(reader.Close())
	must(writer.Close())
}

var plays = map[string]func(){
	"dummy_messages_to_resume":   dummyToResume,
	"cursor_fetched_per_message": cursorFetchedPerMessage,
	"cursors_at_start":           cursorsAtStart,
	"life_without_leave":         func() { member(false) },
	"life_with_leave":            func() { member(true) },
	"members_never_leave":        func() { members("life_without_leave") },
	"members_leave":              func() { members("life_with_leave") },
	"offset_polled":              offsetPolled,
	"waits_long":                 waitsLong,
}

func main() {
	plays[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
