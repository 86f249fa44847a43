// What nats.go is made to do for faults of servers, consumers and permissions; prints its counts.
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

var worked, moved, answered, refused, empty atomic.Int64

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

// asks is a user that may not subscribe to every inbox.
func asks(prefix string) {
	app, err := nats.Connect(url, nats.Name("app"), nats.UserInfo("app", "throwaway"), nats.CustomInboxPrefix(prefix))
	must(err)
	_, err = app.Subscribe("service", func(m *nats.Msg) { _ = m.Respond([]byte("pong")) })
	must(err)
	for range 2 {
		if _, err := app.Request("service", []byte("ping"), 500*time.Millisecond); err != nil {
			refused.Add(1)
		} else {
			answered.Add(1)
		}
	}
	app.Close()
}

// pauses has a consumer that is paused while a worker pulls.
func pauses(seconds time.Duration) {
	nc, err := nats.Connect(url, nats.Name("shop"))
	must(err)
	js := stored(nc, 1)
	ctx := context.Background()
	consumer, err := js.Consumer(ctx, "ORDERS", "work")
	must(err)
	for n := range 3 {
		if n == 1 && seconds > 0 {
			_, err = js.PauseConsumer(ctx, "ORDERS", "work", time.Now().Add(seconds))
			must(err)
		}
		go func() {
			time.Sleep(time.Second)
			_, err := js.Publish(ctx, "orders.new", []byte(fmt.Sprintf("order %d", n)))
			must(err)
		}()
		batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(4*time.Second))
		must(err)
		got := false
		for m := range batch.Messages() {
			got = true
			worked.Add(1)
			must(m.Ack())
		}
		if !got {
			empty.Add(1)
		}
	}
	nc.Close()
}

func main() {
	map[string]func(){
		"does_not_pull":   func() { pulls(false) },
		"pulls_again":     func() { pulls(true) },
		"inbox_refused":   func() { asks("_INBOX") },
		"inbox_permitted": func() { asks("_INBOX_app") },
		"paused":          func() { pauses(6 * time.Second) },
	}[os.Args[1]]()
	text, err := json.Marshal(map[string]int64{"worked": worked.Load(), "moved": moved.Load(), "answered": answered.Load(), "refused": refused.Load(), "empty": empty.Load()})
	must(err)
	fmt.Println(string(text))
}
