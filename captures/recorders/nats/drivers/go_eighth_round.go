// What nats.go is made to do in the eighth round of the blind test; prints what it counted.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var counted = map[string]int64{}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

var all = context.Background()

func within(d time.Duration) context.Context {
	c, _ := context.WithTimeout(all, d)
	return c
}

func conn(name, url string) (*nats.Conn, jetstream.JetStream) {
	nc, err := nats.Connect(url, nats.Name(name), nats.ReconnectWait(400*time.Millisecond), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true))
	check(err)
	js, err := jetstream.New(nc)
	check(err)
	return nc, js
}

const one = "nats://127.0.0.1:4222"

// locks has three workers that share a lock in a bucket whose keys end after 1.2 s; the work takes 2 s.
func locks(renews bool) {
	admin, ajs := conn("setup", one)
	_, err := ajs.CreateKeyValue(all, jetstream.KeyValueConfig{Bucket: "locks", TTL: 1200 * time.Millisecond, Storage: jetstream.MemoryStorage})
	check(err)
	var holders, most, both, done atomic.Int64
	var group sync.WaitGroup
	end := time.Now().Add(13 * time.Second)
	for w := 0; w < 3; w++ {
		group.Add(1)
		go func(name string, pause time.Duration) {
			defer group.Done()
			nc, js := conn(name, one)
			defer nc.Close()
			kv, err := js.KeyValue(all, "locks")
			check(err)
			for time.Now().Before(end) {
				revision, err := kv.Create(all, "report", []byte(name))
				if err != nil {
					time.Sleep(pause)
					continue
				}
				if n := holders.Add(1); n > 1 {
					both.Add(1)
				} else if n > most.Load() {
					most.Store(n)
				}
				for k := 0; k < 5; k++ {
					time.Sleep(400 * time.Millisecond)
					if renews {
						revision, err = kv.Update(all, "report", []byte(name), revision)
						check(err)
					}
				}
				holders.Add(-1)
				done.Add(1)
				if renews {
					check(kv.Delete(all, "report", jetstream.LastRevision(revision)))
				} else {
					check(kv.Delete(all, "report"))
				}
				time.Sleep(600 * time.Millisecond)
			}
		}(fmt.Sprintf("reporter-%d", w), time.Duration(310+40*w)*time.Millisecond)
	}
	group.Wait()
	counted["reports"], counted["at_the_same_time"] = done.Load(), both.Load()
	admin.Close()
}

// shop works on a stream of three replicas, whose servers are restarted one by one.
func shop() {
	urls := "nats://127.0.0.1:4222,nats://127.0.0.1:4223,nats://127.0.0.1:4224"
	admin, ajs := conn("setup", urls)
	var stream jetstream.Stream
	var err error
	for k := 0; k < 40; k++ {
		stream, err = ajs.CreateOrUpdateStream(within(time.Second), jetstream.StreamConfig{Name: "orders", Subjects: []string{"orders.*"}, Replicas: 3, Storage: jetstream.FileStorage})
		if err == nil {
			break
		}
		time.Sleep(300 * time.Millisecond)
	}
	check(err)
	_, err = stream.CreateOrUpdateConsumer(all, jetstream.ConsumerConfig{Durable: "packer", AckPolicy: jetstream.AckExplicitPolicy, AckWait: 3 * time.Second, Replicas: 3})
	check(err)
	fmt.Println("READY")
	end := time.Now().Add(17 * time.Second)
	var group sync.WaitGroup
	group.Add(2)
	go func() {
		defer group.Done()
		nc, js := conn("checkout", urls)
		defer nc.Close()
		for n := 0; time.Now().Before(end); n++ {
			for k := 0; k < 20; k++ {
				_, err := js.Publish(within(1500*time.Millisecond), "orders.new", []byte(fmt.Sprintf("order %d", n)), jetstream.WithMsgID(fmt.Sprintf("o-%d", n)), jetstream.WithRetryWait(400*time.Millisecond), jetstream.WithRetryAttempts(6))
				if err == nil {
					counted["stored"]++
					break
				}
				counted["tried_again"]++
				time.Sleep(400 * time.Millisecond)
			}
			time.Sleep(120 * time.Millisecond)
		}
	}()
	got := map[uint64]bool{}
	go func() {
		defer group.Done()
		nc, js := conn("packer", urls)
		defer nc.Close()
		for time.Now().Before(end.Add(time.Second)) {
			c, err := js.Consumer(within(1500*time.Millisecond), "orders", "packer")
			if err != nil {
				time.Sleep(400 * time.Millisecond)
				continue
			}
			messages, err := c.Messages(jetstream.PullMaxMessages(20), jetstream.PullExpiry(3*time.Second), jetstream.PullHeartbeat(time.Second))
			check(err)
			go func() { time.Sleep(time.Until(end.Add(time.Second))); messages.Stop() }()
			for {
				m, err := messages.Next()
				if errors.Is(err, jetstream.ErrNoHeartbeat) {
					continue
				}
				if err != nil {
					break
				}
				meta, _ := m.Metadata()
				got[meta.Sequence.Stream] = true
				m.Ack()
			}
			messages.Stop()
		}
	}()
	group.Wait()
	counted["packed"] = int64(len(got))
	admin.Close()
}

func main() {
	map[string]func(){
		"lock_outlived":            func() { locks(false) },
		"lock_renewed":             func() { locks(true) },
		"rolling_restart_of_three": shop,
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	check(err)
	fmt.Println(string(text))
}
