// What nats.go is made to do where it is not let in, cut off, or waits for a consumer; prints what it counted as JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const url = "nats://127.0.0.1:4222"

var counted = map[string]*atomic.Int64{}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func count(name string) {
	counted[name].Add(1)
}

// refused is a shop whose program is started without its user, and starts again.
func refused() {
	for range 2 {
		if _, err := nats.Connect(url, nats.Name("shop")); err != nil {
			count("refused")
		}
		time.Sleep(time.Second)
	}
}

// quiet has a doorbell that rings seldom, on a line that ends what is quiet.
func quiet() {
	bell, err := nats.Connect(url, nats.Name("door"), nats.ReconnectWait(300*time.Millisecond), nats.ReconnectJitter(0, 0), nats.MaxReconnects(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, _ error) { count("lost") }))
	must(err)
	_, err = bell.Subscribe("door.bell", func(_ *nats.Msg) { count("rung") })
	must(err)
	must(bell.Publish("door.bell", []byte("ring")))
	time.Sleep(32 * time.Second)
	bell.Close()
}

func stored(nc *nats.Conn, replicas int) jetstream.Stream {
	js, err := jetstream.New(nc)
	must(err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	stream, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "ORDERS", Subjects: []string{"orders.*"}, Storage: jetstream.MemoryStorage, Replicas: replicas})
	must(err)
	_, err = stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "work", AckPolicy: jetstream.AckExplicitPolicy, Replicas: replicas, MemoryStorage: true})
	must(err)
	return stream
}

func publishes(nc *nats.Conn, times int, pause time.Duration) {
	for n := range times {
		must(nc.Publish("orders.new", []byte(fmt.Sprintf("order %d", n))))
		time.Sleep(pause)
	}
}

// worked consumes orders for some seconds.
func worked(js jetstream.JetStream, beat time.Duration, seconds int) {
	consumer, err := js.Consumer(context.Background(), "ORDERS", "work")
	must(err)
	running, err := consumer.Consume(func(m jetstream.Msg) { count("worked"); _ = m.Ack() },
		jetstream.PullExpiry(4*beat), jetstream.PullHeartbeat(beat), jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) { count("errors") }))
	must(err)
	time.Sleep(time.Duration(seconds) * time.Second)
	running.Stop()
}

// silent has a worker in an account to which the heartbeats are not exported.
func silent() {
	shop, err := nats.Connect(url, nats.Name("shop"), nats.UserInfo("shop", "throwaway"))
	must(err)
	stored(shop, 1)
	worker, err := nats.Connect(url, nats.Name("worker"), nats.UserInfo("worker", "throwaway"))
	must(err)
	go publishes(shop, 6, 2*time.Second)
	js, err := jetstream.NewWithDomain(worker, "shop")
	must(err)
	worked(js, 1500*time.Millisecond, 13)
	worker.Close()
	shop.Close()
}

// moved has a worker whose consumer gets another leader; the play has it moved.
func moved() {
	nc, err := nats.Connect(url, nats.Name("worker"))
	must(err)
	stored(nc, 3)
	go publishes(nc, 34, time.Second)
	fmt.Fprintln(os.Stderr, "ready")
	js, err := jetstream.New(nc)
	must(err)
	worked(js, 15*time.Second, 36)
	nc.Close()
}

// read has a picture stored beside a slow line, and read over it, for a time that is too short.
func read() {
	near, err := nats.Connect("nats://127.0.0.1:4223", nats.Name("painter"))
	must(err)
	painter, err := jetstream.New(near)
	must(err)
	ctx := context.Background()
	easel, err := painter.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "pictures", Storage: jetstream.MemoryStorage})
	must(err)
	_, err = easel.Put(ctx, jetstream.ObjectMeta{Name: "sea.png", Opts: &jetstream.ObjectMetaOptions{ChunkSize: 4096}}, bytes.NewReader(bytes.Repeat([]byte("sea and sky "), 20000)))
	must(err)
	nc, err := nats.Connect(url, nats.Name("gallery"))
	must(err)
	js, err := jetstream.New(nc)
	must(err)
	store, err := js.ObjectStore(ctx, "pictures")
	must(err)
	for range 2 {
		short, cancel := context.WithTimeout(ctx, time.Second)
		picture, err := store.Get(short, "sea.png")
		if err == nil {
			_, err = io.ReadAll(picture)
		}
		if err != nil {
			count("given_up")
		}
		cancel()
		time.Sleep(4 * time.Second)
	}
	nc.Close()
}

func main() {
	for _, each := range []string{"refused", "lost", "rung", "worked", "errors", "given_up"} {
		counted[each] = &atomic.Int64{}
	}
	map[string]func(){"no_credentials": refused, "idle_line_cut": quiet, "heartbeats_not_exported": silent, "leader_moved": moved, "object_read_given_up": read}[os.Args[1]]()
	said := map[string]int64{}
	for name, each := range counted {
		if each.Load() > 0 {
			said[name] = each.Load()
		}
	}
	text, err := json.Marshal(said)
	must(err)
	fmt.Println(string(text))
}
