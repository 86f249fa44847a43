// What nats.go is made to do in the fifth round of the blind test; prints what it counted.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"
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
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name), nats.ReconnectWait(300*time.Millisecond), nats.MaxReconnects(-1))
	check(err)
	js, err := jetstream.New(nc)
	check(err)
	return nc, js
}

func api(nc *nats.Conn, subject string, body any) []byte {
	data := []byte{}
	if body != nil {
		data, _ = json.Marshal(body)
	}
	m, err := nc.Request("$JS.API."+subject, data, 3*time.Second)
	check(err)
	return m.Data
}

// transfers publishes what belongs together as one batch (server 2.12).
func transfers(commits bool) {
	nc, _ := conn("bank")
	api(nc, "STREAM.CREATE.transfers", map[string]any{"name": "transfers", "subjects": []string{"transfers.*"}, "storage": "memory", "allow_atomic": true})
	for n := 0; n < 8; n++ {
		id := fmt.Sprintf("transfer-%d", 700+n)
		parts := []string{"debit", "credit", "fee", "receipt"}
		for i, part := range parts {
			m := nats.NewMsg("transfers." + part)
			m.Data = []byte(fmt.Sprintf("%s of %s", part, id))
			m.Header.Set("Nats-Batch-Id", id)
			m.Header.Set("Nats-Batch-Sequence", fmt.Sprint(i+1))
			if i == len(parts)-1 && commits {
				m.Header.Set("Nats-Batch-Commit", "1")
			}
			if i == 0 || i == len(parts)-1 {
				if _, err := nc.RequestMsg(m, time.Second); err == nil {
					counted["answers"]++
				}
			} else {
				check(nc.PublishMsg(m))
			}
		}
		time.Sleep(500 * time.Millisecond)
	}
	time.Sleep(time.Second)
	info := string(api(nc, "STREAM.INFO.transfers", nil))
	var of struct{ State struct{ Messages int } }
	json.Unmarshal([]byte(info), &of)
	counted["stored"] = int64(of.State.Messages)
	nc.Close()
}

// snapshots replaces the changes of one device by their sum.
func snapshots(roll string) {
	nc, js := conn("registry")
	reader, rjs := conn("dashboard")
	_, err := js.CreateStream(all, jetstream.StreamConfig{Name: "devices", Subjects: []string{"devices.*"}, Storage: jetstream.MemoryStorage, AllowRollup: true})
	check(err)
	for n := 0; n < 72; n++ {
		device := n % 6
		m := nats.NewMsg(fmt.Sprintf("devices.d%d", device))
		m.Data = []byte(fmt.Sprintf("change %d of device %d", n/6, device))
		if n/6%4 == 3 && device == n/24 { // one snapshot in each round
			m.Header.Set("Nats-Rollup", roll)
			m.Data = []byte(fmt.Sprintf("snapshot of device %d after %d changes", device, n/6))
		}
		_, err := js.PublishMsg(all, m)
		check(err)
		time.Sleep(70 * time.Millisecond)
	}
	s, err := rjs.Stream(all, "devices")
	check(err)
	lost := 0
	for d := 0; d < 6; d++ {
		if _, err := s.GetLastMsgForSubject(all, fmt.Sprintf("devices.d%d", d)); err != nil {
			lost++
		}
	}
	info, err := s.Info(all)
	check(err)
	counted["messages"], counted["devices_lost"] = int64(info.State.Msgs), int64(lost)
	reader.Close()
	nc.Close()
}

// resumes reads on where it was before, by its own note of the sequence.
func resumes(first uint64) {
	nc, js := conn("webshop")
	_, err := js.CreateStream(all, jetstream.StreamConfig{Name: "clicks", Subjects: []string{"clicks.*"}, Storage: jetstream.MemoryStorage})
	check(err)
	stop := make(chan bool)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(80 * time.Millisecond):
				js.Publish(all, fmt.Sprintf("clicks.page%d", n%3), []byte(fmt.Sprintf("click %d", n)))
			}
		}
	}()
	saved, handled := uint64(0), 0
	for run := 0; run < 6; run++ { // each checkpoint of the job is restored
		source, sjs := conn("click-source")
		config := jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy, InactiveThreshold: 5 * time.Second, DeliverPolicy: jetstream.DeliverAllPolicy}
		if saved > 0 {
			config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, saved+first
		}
		c, err := sjs.CreateConsumer(all, "clicks", config)
		check(err)
		for handledNow := 0; handledNow < 9; {
			batch, err := c.Fetch(3, jetstream.FetchMaxWait(2*time.Second))
			check(err)
			for m := range batch.Messages() {
				meta, _ := m.Metadata()
				saved = meta.Sequence.Stream
				handled++
				handledNow++
				check(m.Ack())
			}
		}
		name := c.CachedInfo().Name
		check(sjs.DeleteConsumer(all, "clicks", name))
		source.Close()
		time.Sleep(500 * time.Millisecond)
	}
	close(stop)
	counted["handled"], counted["last"] = int64(handled), int64(saved)
	time.Sleep(200 * time.Millisecond)
	nc.Close()
}

// longDay is a healthy program of many parts, whose server is restarted twice.
func longDay() {
	nc, js := conn("orders-app")
	_, err := js.CreateStream(all, jetstream.StreamConfig{Name: "orders", Subjects: []string{"orders.>"}, Storage: jetstream.FileStorage, MaxMsgs: 5000, Duplicates: time.Minute})
	check(err)
	kv, err := js.CreateKeyValue(all, jetstream.KeyValueConfig{Bucket: "prices", History: 3, Storage: jetstream.FileStorage})
	check(err)
	_, err = js.CreateConsumer(all, "orders", jetstream.ConsumerConfig{Durable: "packing", FilterSubject: "orders.new", AckPolicy: jetstream.AckExplicitPolicy, AckWait: 4 * time.Second, MaxAckPending: 40})
	check(err)
	var packed, shown, changes, answers, failed atomic.Int64
	worker := func(name string, life time.Duration) {
		wc, wjs := conn(name)
		c, err := wjs.Consumer(all, "orders", "packing")
		check(err)
		n := 0
		consuming, err := c.Consume(func(m jetstream.Msg) {
			n++
			if n%17 == 5 {
				m.NakWithDelay(300 * time.Millisecond)
				return
			}
			time.Sleep(12 * time.Millisecond)
			m.Ack()
			packed.Add(1)
		}, jetstream.PullMaxMessages(20), jetstream.PullExpiry(3*time.Second))
		check(err)
		time.Sleep(life)
		consuming.Drain()
		<-consuming.Closed()
		wc.Drain()
	}
	go worker("packer-1", 31*time.Second)
	go worker("packer-2", 9*time.Second)
	go func() { time.Sleep(6 * time.Second); worker("packer-3", 25*time.Second) }()
	go func() { time.Sleep(13 * time.Second); worker("packer-4", 18*time.Second) }()
	sc, _ := conn("stock-service")
	service, err := micro.AddService(sc, micro.Config{Name: "stock", Version: "1.2.0", Endpoint: &micro.EndpointConfig{Subject: "stock.get", Handler: micro.HandlerFunc(func(r micro.Request) { answers.Add(1); r.Respond([]byte("in stock")) })}})
	check(err)
	dc, djs := conn("dashboard")
	dkv, err := djs.KeyValue(all, "prices")
	check(err)
	watch, err := dkv.WatchAll(all)
	check(err)
	go func() {
		for e := range watch.Updates() {
			if e != nil {
				changes.Add(1)
			}
		}
	}()
	ordered, err := djs.OrderedConsumer(all, "orders", jetstream.OrderedConsumerConfig{FilterSubjects: []string{"orders.paid"}})
	check(err)
	display, err := ordered.Consume(func(m jetstream.Msg) { shown.Add(1) })
	check(err)
	fmt.Println("ready")
	for n, end := 0, time.Now().Add(29*time.Second); time.Now().Before(end); n++ {
		subject := "orders.new"
		if n%5 == 4 {
			subject = "orders.paid"
		}
		for try := 0; ; try++ { // the same message again, with its id, until it is stored
			if _, err := js.Publish(within(800*time.Millisecond), subject, []byte(fmt.Sprintf("order %d", n)), jetstream.WithMsgID(fmt.Sprintf("o-%d", n))); err == nil {
				break
			}
			failed.Add(1)
			time.Sleep(time.Duration(150+100*try) * time.Millisecond)
		}
		if n%4 == 0 {
			if _, err := nc.Request("stock.get", []byte("item"), 800*time.Millisecond); err != nil {
				failed.Add(1)
			}
		}
		if n%6 == 0 {
			if _, err := kv.Put(within(800*time.Millisecond), fmt.Sprintf("item%d", n%4), []byte(fmt.Sprintf("%d EUR", n))); err != nil {
				failed.Add(1)
			}
		}
		time.Sleep(55 * time.Millisecond)
	}
	time.Sleep(4 * time.Second)
	display.Stop()
	watch.Stop()
	service.Stop()
	for name, each := range map[string]*atomic.Int64{"packed": &packed, "shown": &shown, "changes": &changes, "answers": &answers, "failed": &failed} {
		counted[name] = each.Load()
	}
	for _, each := range []*nats.Conn{sc, dc, nc} {
		each.Drain()
	}
	time.Sleep(300 * time.Millisecond)
}

func main() {
	map[string]func(){
		"batch_without_commit": func() { transfers(false) }, "batch_committed": func() { transfers(true) },
		"rollup_of_all": func() { snapshots("all") }, "rollup_of_subject": func() { snapshots("sub") },
		"resumes_at_the_last_sequence": func() { resumes(0) }, "resumes_after_the_last_sequence": func() { resumes(1) },
		"long_day": longDay,
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	check(err)
	fmt.Println(string(text))
}
