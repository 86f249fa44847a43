// A shop by nats.go, for half a minute, on a cluster; prints what it counted as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const servers = "nats://127.0.0.1:4222,nats://127.0.0.1:4223,nats://127.0.0.1:4224"

var (
	counted = map[string]int{}
	lock    sync.Mutex
)

func count(name string) {
	lock.Lock()
	counted[name]++
	lock.Unlock()
}

func connect(name string) (*nats.Conn, jetstream.JetStream) {
	nc, err := nats.Connect(servers, nats.Name(name), nats.MaxReconnects(-1),
		nats.ReconnectWait(500*time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 0))
	if err != nil {
		panic(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		panic(err)
	}
	return nc, js
}

func soon() context.Context {
	c, _ := context.WithTimeout(context.Background(), 5*time.Second)
	return c
}

// insist tries until it works, a little later each time.
func insist(do func() error) {
	for pause := 250 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		if do() == nil {
			return
		}
		count("tried_again")
		time.Sleep(pause)
	}
}

func publisher(end time.Time) {
	nc, js := connect("publisher")
	for i := 0; time.Now().Before(end); i++ {
		id := fmt.Sprintf("order-%d", i)
		insist(func() error {
			_, err := js.Publish(soon(), fmt.Sprintf("orders.%d", i%3), []byte(id), jetstream.WithMsgID(id))
			return err
		})
		count("published")
		time.Sleep(70 * time.Millisecond)
	}
	nc.Drain()
}

func worker(name string, end time.Time, wait *sync.WaitGroup) {
	defer wait.Done()
	nc, js := connect(name)
	var consumer jetstream.Consumer
	insist(func() (err error) { consumer, err = js.Consumer(soon(), "ORDERS", "packing"); return })
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		time.Sleep(5 * time.Millisecond)
		if msg.Ack() == nil {
			count("packed")
		}
	}, jetstream.PullMaxMessages(20))
	if err != nil {
		panic(err)
	}
	time.Sleep(time.Until(end))
	consuming.Drain()
	<-consuming.Closed()
	nc.Drain()
}

func service(end time.Time) {
	nc, _ := connect("prices")
	for i := 0; i < 2; i++ {
		nc.QueueSubscribe("prices.ask", "prices", func(msg *nats.Msg) { msg.Respond([]byte("10")); count("asked") })
	}
	time.Sleep(time.Until(end))
	nc.Drain()
}

func asker(end time.Time) {
	nc, _ := connect("asker")
	for time.Now().Before(end) {
		if _, err := nc.Request("prices.ask", []byte("apples"), 2*time.Second); err == nil {
			count("answers")
		}
		time.Sleep(300 * time.Millisecond)
	}
	nc.Drain()
}

func stock(end time.Time) {
	nc, js := connect("stock")
	var kv jetstream.KeyValue
	insist(func() (err error) {
		kv, err = js.CreateOrUpdateKeyValue(soon(), jetstream.KeyValueConfig{Bucket: "stock", Replicas: 3, History: 3})
		return
	})
	watch, err := kv.WatchAll(context.Background())
	if err != nil {
		panic(err)
	}
	go func() {
		for range watch.Updates() {
			count("watched")
		}
	}()
	for i := 0; time.Now().Before(end); i++ {
		insist(func() error {
			_, err := kv.Put(soon(), fmt.Sprintf("item.%d", i%4), []byte(fmt.Sprint(i)))
			return err
		})
		time.Sleep(400 * time.Millisecond)
	}
	watch.Stop()
	nc.Drain()
}

func audit(end time.Time) {
	nc, js := connect("audit")
	var reader jetstream.Consumer
	insist(func() (err error) {
		reader, err = js.OrderedConsumer(soon(), "ORDERS", jetstream.OrderedConsumerConfig{FilterSubjects: []string{"orders.0"}})
		return
	})
	reading, err := reader.Consume(func(msg jetstream.Msg) { count("audited") })
	if err != nil {
		panic(err)
	}
	time.Sleep(time.Until(end))
	reading.Stop()
	nc.Drain()
}

func main() {
	nc, js := connect("setup")
	insist(func() error {
		_, err := js.CreateOrUpdateStream(soon(), jetstream.StreamConfig{Name: "ORDERS", Subjects: []string{"orders.*"}, Replicas: 3})
		return err
	})
	insist(func() error {
		_, err := js.CreateOrUpdateConsumer(soon(), "ORDERS", jetstream.ConsumerConfig{Durable: "packing", AckPolicy: jetstream.AckExplicitPolicy})
		return err
	})
	nc.Drain()
	end := time.Now().Add(27 * time.Second)
	var wait sync.WaitGroup
	for _, run := range []func(time.Time){publisher, service, asker, stock, audit} {
		wait.Add(1)
		go func() { run(end); wait.Done() }()
	}
	wait.Add(3)
	go worker("packer-1", end.Add(time.Second), &wait)
	go worker("packer-2", time.Now().Add(9*time.Second), &wait)
	time.AfterFunc(11*time.Second, func() { worker("packer-3", end.Add(time.Second), &wait) })
	wait.Wait()
	time.Sleep(500 * time.Millisecond)
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
