// Plays the eleventh round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
	api "github.com/liftbridge-io/liftbridge-api/go"
	"github.com/nats-io/nats.go"
	"google.golang.org/grpc"
)

var servers = []string{"127.0.0.1:9292"}

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
	client, err := lift.Connect(servers)
	must(err)
	return client
}

// accounts has devices that publish over NATS as a user of the account of the servers, or of another one.
func accounts(user string) {
	client := connect()
	must(client.CreateStream(ctx(), "plant.pressure", "pressure"))
	must(client.CreateStream(ctx(), "plant.alarms", "alarms"))
	time.Sleep(700 * time.Millisecond)
	var read atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	must(client.Subscribe(c, "pressure", func(m *lift.Message, err error) {
		if err == nil {
			read.Add(1)
		}
	}, lift.StartAtEarliestReceived()))
	device, err := nats.Connect("nats://127.0.0.1:4222", nats.Name("plc-7"), nats.UserInfo(user, "throwaway"))
	must(err)
	for n := 0; n < 45; n++ {
		must(device.Publish("plant.pressure", []byte(fmt.Sprintf("%d.%d bar", 3+n%3, n%10))))
		counted["sent"]++
		if n%5 == 0 {
			if _, err := client.Publish(ctx(), "alarms", []byte(fmt.Sprintf("check %d", n)), lift.AckPolicyLeader()); err == nil {
				counted["alarms"]++
			}
		}
		time.Sleep(120 * time.Millisecond)
	}
	must(device.Flush())
	time.Sleep(700 * time.Millisecond)
	cancel()
	device.Close()
	counted["read"] = read.Load()
	must(client.Close())
}

// archived publishes into three partitions, and other streams archive their subjects.
func archived(subjects ...string) {
	client := connect()
	must(client.CreateStream(ctx(), "orders", "orders", lift.Partitions(3)))
	for n, subject := range subjects {
		must(client.CreateStream(ctx(), subject, fmt.Sprintf("archive-%d", n)))
	}
	time.Sleep(900 * time.Millisecond)
	var read, kept atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	for p := int32(0); p < 3; p++ {
		must(client.Subscribe(c, "orders", func(m *lift.Message, err error) {
			if err == nil {
				read.Add(1)
			}
		}, lift.StartAtEarliestReceived(), lift.Partition(p)))
	}
	for n := range subjects {
		must(client.Subscribe(c, fmt.Sprintf("archive-%d", n), func(m *lift.Message, err error) {
			if err == nil {
				kept.Add(1)
			}
		}, lift.StartAtEarliestReceived()))
	}
	for n := 0; n < 45; n++ {
		_, err := client.Publish(ctx(), "orders", []byte(fmt.Sprintf("order %d", n)), lift.ToPartition(int32(n%3)), lift.AckPolicyLeader())
		must(err)
		counted["published"]++
		time.Sleep(70 * time.Millisecond)
	}
	time.Sleep(900 * time.Millisecond)
	cancel()
	counted["read"], counted["archived"] = read.Load(), kept.Load()
	must(client.Close())
}

// paused publishes each 160 ms while a job pauses the stream that it takes for idle.
func paused(always bool) {
	client, job := connect(), connect()
	must(client.CreateStream(ctx(), "visits", "visits"))
	must(client.CreateStream(ctx(), "sparse", "sparse"))
	time.Sleep(700 * time.Millisecond)
	done := make(chan bool)
	go func() {
		defer close(done)
		for n := 0; n < 16; n++ {
			time.Sleep(450 * time.Millisecond)
			name := "visits"
			if !always {
				name = "sparse"
			}
			if job.PauseStream(ctx(), name) == nil {
				counted["paused"]++
			}
		}
	}()
	for n := 0; n < 45; n++ {
		if _, err := client.Publish(ctx(), "visits", []byte(fmt.Sprintf("visit %d of page %d", n, n%7)), lift.AckPolicyLeader()); err == nil {
			counted["published"]++
		} else {
			counted["refused"]++
		}
		time.Sleep(160 * time.Millisecond)
	}
	<-done
	must(job.Close())
	must(client.Close())
}

// marks asks for the high watermark of a partition: a server that follows it, or the one that leads it.
func marks(atLeader bool) {
	client := connect()
	must(client.CreateStream(ctx(), "trades", "trades", lift.ReplicationFactor(3)))
	time.Sleep(2 * time.Second)
	meta, err := client.FetchMetadata(ctx())
	must(err)
	leader := meta.GetStream("trades").GetPartition(0).Leader().Addr()
	asked := leader
	if !atLeader {
		for _, broker := range meta.Brokers() {
			if broker.Addr() != leader {
				asked = broker.Addr()
			}
		}
	}
	conn, err := grpc.Dial(asked, grpc.WithInsecure())
	must(err)
	stub := api.NewAPIClient(conn)
	for n := 0; n < 24; n++ {
		_, err := client.Publish(ctx(), "trades", []byte(fmt.Sprintf("trade %d at desk %d", n, n%4)), lift.AckPolicyLeader())
		must(err)
		counted["published"]++
		if _, err := stub.FetchPartitionMetadata(ctx(), &api.FetchPartitionMetadataRequest{Stream: "trades", Partition: 0}); err != nil {
			counted["refused"]++
		} else {
			counted["answered"]++
		}
		time.Sleep(250 * time.Millisecond)
	}
	must(conn.Close())
	must(client.Close())
}

func main() {
	map[string]func(){
		"published_in_another_account":  func() { accounts("guest") },
		"published_in_their_account":    func() { accounts("plant") },
		"archive_misses_one_partition":  func() { archived("orders.*") },
		"archive_of_all_partitions":     func() { archived("orders.*", "orders") },
		"paused_while_published":        func() { paused(true) },
		"paused_when_it_is_sparse":      func() { paused(false) },
		"watermark_asked_of_a_follower": func() { marks(false) },
		"watermark_asked_of_the_leader": func() { marks(true) },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
