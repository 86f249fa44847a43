// What nats.go is made to do when the leader of its consumer changes; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const url = "nats://127.0.0.1:4222"

var worked, moved atomic.Int64

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func stored(nc *nats.Conn, replicas int) jetstream.JetStream {
	js, err := jetstream.New(nc)
	must(err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	stream, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "ORDERS", Subjects: []string{"orders.*"}, Storage: jetstream.MemoryStorage, Replicas: replicas})
	must(err)
	_, err = stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "work", AckPolicy: jetstream.AckExplicitPolicy, Replicas: replicas, MemoryStorage: true})
	must(err)
	return js
}

// pulls sends one pull request for many messages, and another one after a change if again.
func pulls(again bool) {
	shop, err := nats.Connect(url, nats.Name("shop"))
	must(err)
	js := stored(shop, 3)
	worker, err := nats.Connect(url, nats.Name("worker"))
	must(err)
	pull := func() {
		must(worker.PublishRequest("$JS.API.CONSUMER.MSG.NEXT.ORDERS.work", "worker.in", []byte(`{"batch":100,"expires":60000000000,"idle_heartbeat":5000000000}`)))
	}
	_, err = worker.Subscribe("worker.in", func(m *nats.Msg) {
		if m.Reply != "" {
			worked.Add(1)
			_ = m.Ack()
		} else if strings.Contains(m.Header.Get("Description"), "Change") {
			moved.Add(1)
			if again {
				pull()
			}
		}
	})
	must(err)
	pull()
	ctx := context.Background()
	for n := range 14 {
		if n == 2 {
			_, err = shop.Request("$JS.API.CONSUMER.LEADER.STEPDOWN.ORDERS.work", nil, 5*time.Second)
			must(err)
		}
		_, err = js.Publish(ctx, "orders.new", []byte(fmt.Sprintf("order %d", n)))
		must(err)
		time.Sleep(time.Second)
	}
	worker.Close()
	shop.Close()
}

func main() {
	pulls(os.Args[1] == "pulls_again")
	text, err := json.Marshal(map[string]int64{"worked": worked.Load(), "moved": moved.Load()})
	must(err)
	fmt.Println(string(text))
}
