// Plays the twelfth round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
)

var servers = []string{"127.0.0.1:9292"}

var counted = map[string]int64{}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func within(d time.Duration) context.Context {
	c, _ := context.WithTimeout(context.Background(), d)
	return c
}

func connect() lift.Client {
	client, err := lift.Connect(servers)
	must(err)
	return client
}

// reads counts what comes from a partition.
func reads(c context.Context, client lift.Client, stream string, partition int32, read *atomic.Int64) {
	must(client.Subscribe(c, stream, func(m *lift.Message, err error) {
		if err == nil {
			read.Add(1)
		}
	}, lift.StartAtEarliestReceived(), lift.Partition(partition)))
}

// pods has three programs that share the four partitions of a stream: one each by its number, or all of them.
func pods(all bool) {
	client := connect()
	must(client.CreateStream(within(5*time.Second), "order.created", "orders", lift.Partitions(4)))
	must(client.CreateStream(within(5*time.Second), "order.paid", "payments"))
	time.Sleep(900 * time.Millisecond)
	var read atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	var running []lift.Client
	for pod := int32(0); pod < 3; pod++ {
		own := connect()
		running = append(running, own)
		reads(c, own, "orders", pod, &read)
		if all && pod == 0 {
			reads(c, own, "orders", 3, &read)
		}
	}
	for n := 0; n < 64; n++ {
		_, err := client.Publish(within(5*time.Second), "orders", []byte(fmt.Sprintf("order %d of shop %d", n, n%9)), lift.ToPartition(int32(n%4)), lift.AckPolicyLeader())
		must(err)
		counted["published"]++
		if n%8 == 0 {
			_, err := client.Publish(within(5*time.Second), "payments", []byte(fmt.Sprintf("paid %d", n)), lift.AckPolicyLeader())
			must(err)
		}
		time.Sleep(90 * time.Millisecond)
	}
	time.Sleep(600 * time.Millisecond)
	counted["read"] = read.Load()
	cancel()
	for _, each := range append(running, client) {
		must(each.Close())
	}
}

// replicas publishes to a stream that wants two replicas in sync, or one, where there is one server.
func replicas(least int) {
	client, screen := connect(), connect()
	must(client.CreateStream(within(5*time.Second), "boiler.heat", "heat", lift.MinISR(least)))
	must(client.CreateStream(within(5*time.Second), "boiler.log", "log"))
	time.Sleep(700 * time.Millisecond)
	var read, logged atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	reads(c, screen, "heat", 0, &read)
	reads(c, screen, "log", 0, &logged)
	for n := 0; n < 16; n++ {
		if _, err := client.Publish(within(700*time.Millisecond), "heat", []byte(fmt.Sprintf("%d.%d degrees", 70+n%6, n%10)), lift.AckPolicyAll()); err == nil {
			counted["acknowledged"]++
		} else {
			counted["failed"]++
		}
		_, err := client.Publish(within(5*time.Second), "log", []byte(fmt.Sprintf("line %d", n)), lift.AckPolicyLeader())
		must(err)
		time.Sleep(150 * time.Millisecond)
	}
	time.Sleep(600 * time.Millisecond)
	counted["read"], counted["logged"] = read.Load(), logged.Load()
	cancel()
	must(screen.Close())
	must(client.Close())
}

// subjects publishes to a subject and waits for an acknowledgement of the stream that is attached to it.
func subjects(subject string) {
	client, screen := connect(), connect()
	must(client.CreateStream(within(5*time.Second), "room.created", "rooms"))
	must(client.CreateStream(within(5*time.Second), "user.deleted", "users"))
	time.Sleep(700 * time.Millisecond)
	var read, other atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	reads(c, screen, "rooms", 0, &read)
	reads(c, screen, "users", 0, &other)
	for n := 0; n < 14; n++ {
		if _, err := client.PublishToSubject(within(600*time.Millisecond), subject, []byte(fmt.Sprintf("room %d of floor %d", n, n%4)), lift.AckPolicyLeader()); err == nil {
			counted["acknowledged"]++
		} else {
			counted["failed"]++
		}
		_, err := client.PublishToSubject(within(5*time.Second), "user.deleted", []byte(fmt.Sprintf("user %d", n)), lift.AckPolicyLeader())
		must(err)
		time.Sleep(180 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	counted["read"], counted["of_users"] = read.Load(), other.Load()
	cancel()
	must(screen.Close())
	must(client.Close())
}

func main() {
	map[string]func(){
		"partition_without_a_reader":   func() { pods(false) },
		"partition_for_a_pod_with_two": func() { pods(true) },
		"two_replicas_wanted_of_one":   func() { replicas(2) },
		"one_replica_wanted_of_one":    func() { replicas(1) },
		"subject_without_a_stream":     func() { subjects("room:created") },
		"subject_with_a_stream":        func() { subjects("room.created") },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
