// What nats.go is made to do; prints what it counted as one line of JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var counted = map[string]int{}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func interactions(nc *nats.Conn) {
	seen := func(msg *nats.Msg) {
		if msg.Reply != "" {
			msg.Respond([]byte("answer"))
		}
	}
	_, err := nc.Subscribe("orders.*", seen)
	check(err)
	_, err = nc.QueueSubscribe("jobs", "workers", seen)
	check(err)
	check(nc.Flush())
	for i := 0; i < 4; i++ {
		check(nc.Publish("orders.new", []byte(fmt.Sprintf("order %d\r\nPING\r\n", i))))
		counted["published"]++
	}
	msg := nats.NewMsg("orders.headed")
	msg.Header.Add("Trace", "1")
	msg.Header.Add("Trace", "2")
	check(nc.PublishMsg(msg))
	check(nc.Publish("jobs", nil))
	counted["published"] += 2
	for i := 0; i < 3; i++ {
		_, err = nc.Request("orders.ask", []byte("?"), 2*time.Second)
		check(err)
		counted["answers"]++
	}
	if _, err = nc.Request("nobody.answers", nil, time.Second); err == nats.ErrNoResponders {
		counted["no_responders"]++
	}
	limited, err := nc.SubscribeSync("limited")
	check(err)
	check(limited.AutoUnsubscribe(2))
	for i := 0; i < 4; i++ {
		check(nc.Publish("limited", []byte("limited")))
	}
	check(nc.Flush())
	for i := 0; i < 2; i++ {
		_, err = limited.NextMsg(time.Second)
		check(err)
		counted["limited"]++
	}
	check(nc.Drain())
	time.Sleep(300 * time.Millisecond)
}

func stored(nc *nats.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	js, err := jetstream.New(nc)
	check(err)
	stream, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "EVENTS", Subjects: []string{"js.events.*"}})
	check(err)
	for i := 0; i < 6; i++ {
		_, err = js.Publish(ctx, "js.events.a", []byte("event"))
		check(err)
		counted["stored"]++
	}
	cons, err := stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: "reader", AckPolicy: jetstream.AckExplicitPolicy})
	check(err)
	batch, err := cons.Fetch(4, jetstream.FetchMaxWait(time.Second))
	check(err)
	for msg := range batch.Messages() {
		check(msg.Ack())
		counted["pulled"]++
	}
	got := make(chan bool, 10)
	consuming, err := cons.Consume(func(msg jetstream.Msg) { msg.Ack(); got <- true })
	check(err)
	for i := 0; i < 2; i++ {
		<-got
		counted["pulled"]++
	}
	consuming.Drain()
	time.Sleep(200 * time.Millisecond)
	kv, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "settings"})
	check(err)
	_, err = kv.Put(ctx, "colour", []byte("blue"))
	check(err)
	_, err = kv.Get(ctx, "colour")
	check(err)
	if _, err = kv.Get(ctx, "missing"); err != nil {
		counted["not_found"]++
	}
	check(nc.Drain())
	time.Sleep(300 * time.Millisecond)
}

// Large messages, and many small ones at once: a server cuts what it sends to browsers.
func pages(nc *nats.Conn) {
	sub, err := nc.SubscribeSync("pages.>")
	check(err)
	_, err = nc.Subscribe("fonts", func(msg *nats.Msg) { msg.Respond(bytes.Repeat([]byte("glyph "), 1500)) })
	check(err)
	check(nc.Flush())
	chance := rand.New(rand.NewSource(1)) // compressed, they are as large
	for _, size := range []int{10000, 4096, 0, 4070, 5, 20000} {
		msg := nats.NewMsg("pages.large")
		msg.Data = make([]byte, size)
		chance.Read(msg.Data)
		if size == 20000 {
			msg.Header.Add("Etag", "abc")
		}
		check(nc.PublishMsg(msg))
		counted["published"]++
	}
	for i := 0; i < 300; i++ {
		check(nc.Publish("pages.small", []byte(fmt.Sprintf("line %d\r\nPING\r\n", i))))
		counted["published"]++
	}
	check(nc.Flush())
	for i := 0; i < counted["published"]; i++ {
		_, err = sub.NextMsg(time.Second)
		check(err)
		counted["delivered"]++
	}
	_, err = nc.Request("fonts", []byte("serif"), 2*time.Second)
	check(err)
	counted["answers"]++
	check(nc.Drain())
	time.Sleep(300 * time.Millisecond)
}

// Arguments: the play, the address, and "deflate" for messages that are compressed.
func main() {
	address, options := "nats://127.0.0.1:4222", []nats.Option{nats.Name("plays"), nats.NoReconnect()}
	if len(os.Args) > 2 {
		address = os.Args[2]
		browser := http.Header{"User-Agent": {"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}}
		options = append(options, nats.WebSocketConnectionHeaders(browser), nats.Compression(len(os.Args) > 3))
	}
	nc, err := nats.Connect(address, options...)
	check(err)
	map[string]func(*nats.Conn){"interactions": interactions, "jetstream": stored, "pages": pages}[os.Args[1]](nc)
	out, _ := json.Marshal(counted)
	fmt.Println(string(out))
}
