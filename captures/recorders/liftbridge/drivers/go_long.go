// Works for half a minute by go-liftbridge: cluster or single; prints what it counted as JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
)

var (
	counted = map[string]int{}
	lock    sync.Mutex
	servers = []string{"127.0.0.1:9292"}
)

func count(name string) {
	lock.Lock()
	counted[name]++
	lock.Unlock()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func soon() context.Context {
	c, _ := context.WithTimeout(context.Background(), 4*time.Second)
	return c
}

func connect() lift.Client {
	client, err := lift.Connect(servers)
	must(err)
	return client
}

// insist tries until it works, a little later each time.
func insist(end time.Time, do func() error) bool {
	for pause := 250 * time.Millisecond; time.Now().Before(end); pause = min(2*pause, 2*time.Second) {
		if do() == nil {
			return true
		}
		count("tried_again")
		time.Sleep(pause)
	}
	return false
}

func publisher(client lift.Client, stream string, partitions int32, end time.Time) {
	for i := int32(0); time.Now().Before(end); i++ {
		if insist(end, func() error {
			_, err := client.Publish(soon(), stream, []byte(fmt.Sprintf("job %d", i)),
				lift.ToPartition(i%partitions), lift.AckPolicyAll(), lift.Key([]byte(fmt.Sprint(i%5))))
			return err
		}) {
			count("published")
		}
		time.Sleep(150 * time.Millisecond)
	}
}

// reader subscribes anew after its last offset whenever a subscription ends.
func reader(client lift.Client, stream string, end time.Time) {
	next := int64(0)
	for time.Now().Before(end) {
		c, cancel := context.WithDeadline(context.Background(), time.Now().Add(6*time.Second))
		over := make(chan bool, 1)
		err := client.Subscribe(c, stream, func(msg *lift.Message, err error) {
			if err != nil {
				select {
				case over <- true:
				default:
				}
				return
			}
			next = msg.Offset() + 1
			count("read")
		}, lift.StartAtOffset(next))
		if err == nil {
			select {
			case <-over:
			case <-c.Done():
			}
		} else {
			count("tried_again")
		}
		cancel()
		time.Sleep(400 * time.Millisecond)
	}
}

// member joins a group after some seconds and leaves it after some more.
func member(id, stream string, after, stay time.Duration) {
	time.Sleep(after)
	client := connect()
	consumer, err := client.CreateConsumer("crew", lift.ConsumerID(id), lift.AutoOffsetEarliest(),
		lift.FetchAssignmentsInterval(func(time.Duration) time.Duration { return time.Second }))
	must(err)
	c, cancel := context.WithCancel(context.Background())
	must(consumer.Subscribe(c, []string{stream}, func(msg *lift.Message, err error) {
		if err == nil {
			count("worked")
		}
	}))
	for stop := time.Now().Add(stay); time.Now().Before(stop); time.Sleep(2 * time.Second) {
		if consumer.Checkpoint(soon()) == nil {
			count("checkpoints")
		}
	}
	cancel()
	done := make(chan bool, 1)
	go func() { consumer.Close(); client.Close(); done <- true }()
	select {
	case <-done:
		count("left")
	case <-time.After(3 * time.Second):
	}
}

func all(tasks ...func()) {
	var wait sync.WaitGroup
	for _, task := range tasks {
		wait.Add(1)
		go func() { task(); wait.Done() }()
	}
	wait.Wait()
}

func cluster() {
	servers = []string{"127.0.0.1:9292", "127.0.0.1:9293", "127.0.0.1:9294"}
	client := connect()
	must(client.CreateStream(soon(), "jobs", "jobs", lift.ReplicationFactor(3)))
	time.Sleep(2 * time.Second)
	info, err := client.FetchPartitionMetadata(soon(), "jobs", 0)
	must(err)
	end := time.Now().Add(15 * time.Second)
	all(
		func() { publisher(client, "jobs", 1, end) },
		func() { reader(client, "jobs", end) },
		func() {
			for time.Now().Before(end) {
				client.FetchMetadata(soon())
				time.Sleep(5 * time.Second)
			}
		},
		func() {
			time.Sleep(5 * time.Second)
			for _, id := range []string{"lift-3", "lift-2"} {
				if id != info.Leader().ID() {
					fmt.Println("KILL " + id)
					break
				}
			}
			bufio.NewReader(os.Stdin).ReadString('\n')
		},
	)
	client.Close()
}

// shift reads some messages after its cursor, stores it and ends.
func shift(end time.Time) {
	for time.Now().Before(end) {
		client := connect()
		cursor, err := client.FetchCursor(soon(), "shift", "jobs", 0)
		must(err)
		c, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		last := cursor
		must(client.Subscribe(c, "jobs", func(msg *lift.Message, err error) {
			if err == nil {
				last = msg.Offset()
				count("read")
			}
		}, lift.StartAtOffset(cursor+1)))
		<-c.Done()
		cancel()
		time.Sleep(200 * time.Millisecond)
		if last > cursor {
			must(client.SetCursor(soon(), "shift", "jobs", 0, last))
		}
		must(client.Close())
	}
}

func single() {
	client := connect()
	must(client.CreateStream(soon(), "jobs", "jobs", lift.Partitions(2)))
	must(client.CreateStream(soon(), "notes", "notes"))
	time.Sleep(500 * time.Millisecond)
	end := time.Now().Add(24 * time.Second)
	all(
		func() { publisher(client, "jobs", 2, end) },
		func() { shift(end.Add(-4 * time.Second)) },
		func() { member("one", "jobs", 0, 22*time.Second) },
		func() { member("two", "jobs", 6*time.Second, 8*time.Second) },
		func() {
			publisher(client, "notes", 1, time.Now().Add(4*time.Second))
			must(client.PauseStream(soon(), "notes"))
			time.Sleep(time.Second)
			publisher(client, "notes", 1, time.Now().Add(3*time.Second))
			must(client.SetStreamReadonly(soon(), "notes", lift.Readonly(true)))
			time.Sleep(2 * time.Second)
			must(client.SetStreamReadonly(soon(), "notes", lift.Readonly(false)))
			time.Sleep(500 * time.Millisecond)
			publisher(client, "notes", 1, time.Now().Add(3*time.Second))
			must(client.DeleteStream(soon(), "notes"))
		},
	)
	must(client.Close())
}

func main() {
	time.AfterFunc(50*time.Second, func() { panic("it takes too long") })
	map[string]func(){"cluster": cluster, "single": single}[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
