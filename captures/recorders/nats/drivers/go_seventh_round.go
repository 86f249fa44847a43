// What nats.go is made to do in the seventh round of the blind test; prints what it counted.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
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

func conn(name string) (*nats.Conn, jetstream.JetStream) {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name))
	check(err)
	js, err := jetstream.New(nc)
	check(err)
	return nc, js
}

// mails are sent by a program that asks for one at a time and waits 400 ms for it.
func mails(ask []byte) {
	shop, js := conn("shop")
	_, err := js.CreateStream(all, jetstream.StreamConfig{Name: "mail", Subjects: []string{"mail.*"}, Storage: jetstream.MemoryStorage})
	check(err)
	_, err = js.CreateConsumer(all, "mail", jetstream.ConsumerConfig{Durable: "sender", AckPolicy: jetstream.AckExplicitPolicy, AckWait: 3 * time.Second})
	check(err)
	go func() {
		for n := 0; n < 11; n++ {
			time.Sleep(830 * time.Millisecond)
			js.Publish(all, "mail.out", []byte(fmt.Sprintf("mail %d", n)))
		}
	}()
	sender, _ := conn("mail-sender")
	for n := 0; n < 22; n++ {
		inbox := nats.NewInbox()
		sub, err := sender.SubscribeSync(inbox)
		check(err)
		check(sender.PublishRequest("$JS.API.CONSUMER.MSG.NEXT.mail.sender", inbox, ask))
		m, err := sub.NextMsgWithContext(within(400 * time.Millisecond))
		if err != nil || m.Header.Get("Status") != "" {
			counted["nothing"]++
		} else {
			counted["sent"]++
			check(m.Respond([]byte("+ACK")))
		}
		if ask != nil {
			check(sub.Unsubscribe())
		}
		time.Sleep(100 * time.Millisecond)
	}
	info, err := js.Consumer(all, "mail", "sender")
	check(err)
	counted["waiting"], counted["ack_pending"] = int64(info.CachedInfo().NumWaiting), int64(info.CachedInfo().NumAckPending)
	sender.Close()
	shop.Close()
}

// posts publishes to a subject that no stream has, or not yet.
func posts(subject string, made bool) {
	nc, js := conn("checkout")
	admin, ajs := conn("platform")
	create := func() {
		_, err := ajs.CreateStream(all, jetstream.StreamConfig{Name: "orders", Subjects: []string{"orders.>"}, Storage: jetstream.MemoryStorage})
		check(err)
	}
	if made {
		go func() { time.Sleep(900 * time.Millisecond); create() }()
	} else {
		create()
	}
	for n := 0; n < 12; n++ {
		_, err := js.Publish(all, subject, []byte(fmt.Sprintf("order %d", n)), jetstream.WithRetryWait(250*time.Millisecond), jetstream.WithRetryAttempts(5))
		if err != nil {
			counted["failed"]++
		} else {
			counted["stored"]++
		}
		if _, err := js.Publish(all, "orders.seen", []byte(fmt.Sprint(n)), jetstream.WithRetryAttempts(0)); err == nil {
			counted["seen"]++
		}
		time.Sleep(90 * time.Millisecond)
	}
	nc.Close()
	admin.Close()
}

// replays goes on after somebody has deleted its consumer.
func replays(remembers bool) {
	db, djs := conn("database")
	_, err := djs.CreateStream(all, jetstream.StreamConfig{Name: "oplog", Subjects: []string{"oplog.*"}, Storage: jetstream.MemoryStorage})
	check(err)
	stop := make(chan bool)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(70 * time.Millisecond):
				djs.Publish(all, fmt.Sprintf("oplog.table%d", n%3), []byte(fmt.Sprintf("row %d is changed", n)))
			}
		}
	}()
	go func() {
		time.Sleep(3500 * time.Millisecond)
		djs.DeleteConsumer(all, "oplog", "notifier")
	}()
	nc, js := conn("notifier")
	var last uint64
	seen := map[uint64]bool{}
	for end := time.Now().Add(8 * time.Second); time.Now().Before(end); {
		config := jetstream.ConsumerConfig{Durable: "notifier", AckPolicy: jetstream.AckExplicitPolicy}
		if remembers && last > 0 {
			config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, last+1
		}
		c, err := js.CreateOrUpdateConsumer(all, "oplog", config)
		check(err)
		counted["made"]++
		messages, err := c.Messages(jetstream.PullMaxMessages(20), jetstream.PullExpiry(2*time.Second), jetstream.PullHeartbeat(500*time.Millisecond))
		check(err)
		go func() { time.Sleep(time.Until(end)); messages.Stop() }()
		for {
			m, err := messages.Next()
			if errors.Is(err, jetstream.ErrNoHeartbeat) {
				continue
			}
			if err != nil {
				break
			}
			meta, _ := m.Metadata()
			if seen[meta.Sequence.Stream] {
				counted["again"]++
			}
			seen[meta.Sequence.Stream], last = true, meta.Sequence.Stream
			counted["notified"]++
			check(m.Ack())
		}
		messages.Stop()
	}
	close(stop)
	time.Sleep(200 * time.Millisecond)
	nc.Close()
	db.Close()
}

// calls asks for answers that come one after the other, and takes the first ones.
func calls(leaves bool) {
	server, _ := conn("catalogue")
	_, err := server.Subscribe("catalogue.stream", func(m *nats.Msg) {
		for n := 0; n < 6; n++ {
			m.Respond([]byte(fmt.Sprintf("item %d of %s", n, m.Data)))
			time.Sleep(15 * time.Millisecond)
		}
	})
	check(err)
	check(server.Flush())
	client, _ := conn("storefront")
	for n := 0; n < 42; n++ {
		inbox := nats.NewInbox()
		sub, err := client.SubscribeSync(inbox)
		check(err)
		check(client.PublishRequest("catalogue.stream", inbox, []byte(fmt.Sprintf("page %d", n))))
		for k := 0; k < 3; k++ {
			if _, err := sub.NextMsgWithContext(within(time.Second)); err == nil {
				counted["items"]++
			}
		}
		if leaves {
			check(sub.Unsubscribe())
		}
		time.Sleep(60 * time.Millisecond)
	}
	counted["open"] = int64(client.NumSubscriptions())
	time.Sleep(200 * time.Millisecond)
	client.Close()
	server.Close()
}

// infos looks how far twelve consumers are.
func infos(pause time.Duration) {
	nc, js := conn("ingest")
	s, err := js.CreateStream(all, jetstream.StreamConfig{Name: "metrics", Subjects: []string{"metrics.>"}, Storage: jetstream.MemoryStorage})
	check(err)
	for n := 0; n < 4; n++ {
		_, err := s.CreateConsumer(all, jetstream.ConsumerConfig{Durable: fmt.Sprintf("reader%d", n), FilterSubject: fmt.Sprintf("metrics.*.host%d", n), AckPolicy: jetstream.AckExplicitPolicy})
		check(err)
	}
	var stop atomic.Bool
	go func() {
		for n := 0; !stop.Load(); n++ {
			js.Publish(all, fmt.Sprintf("metrics.cpu.host%d", n%4), []byte(fmt.Sprintf("load %d", n%97)))
			time.Sleep(110 * time.Millisecond)
		}
	}()
	watch, wjs := conn("lag-exporter")
	for end := time.Now().Add(6 * time.Second); time.Now().Before(end); time.Sleep(pause) {
		for n := 0; n < 4; n++ {
			c, err := wjs.Consumer(all, "metrics", fmt.Sprintf("reader%d", n))
			check(err)
			counted["asked"]++
			counted["lag"] = int64(c.CachedInfo().NumPending)
		}
	}
	stop.Store(true)
	time.Sleep(200 * time.Millisecond)
	watch.Close()
	nc.Close()
}

func main() {
	map[string]func(){
		"pull_without_expiry":          func() { mails(nil) },
		"pull_that_expires":            func() { mails([]byte(`{"batch":1,"expires":350000000}`)) },
		"publishes_to_no_stream":       func() { posts("order.new", false) },
		"stream_made_while_retrying":   func() { posts("orders.new", true) },
		"new_durable_replays_all":      func() { replays(false) },
		"new_durable_goes_on":          func() { replays(true) },
		"answers_left_subscribed":      func() { calls(false) },
		"answers_unsubscribed":         func() { calls(true) },
		"lag_polled_without_rest":      func() { infos(20 * time.Millisecond) },
		"lag_polled_every_two_seconds": func() { infos(2 * time.Second) },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	check(err)
	fmt.Println(string(text))
}
