// What nats.go is made to do in the ninth round of the blind test; prints what it counted.
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

func conn(name string) (*nats.Conn, jetstream.JetStream) {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name))
	check(err)
	js, err := jetstream.New(nc)
	check(err)
	return nc, js
}

// stream makes a stream in memory with the subjects under its name.
func stream(js jetstream.JetStream, config jetstream.StreamConfig) jetstream.Stream {
	config.Storage = jetstream.MemoryStorage
	if config.Subjects == nil {
		config.Subjects = []string{config.Name + ".>"}
	}
	s, err := js.CreateStream(all, config)
	check(err)
	return s
}

// publishes goes on to publish in the background; the channel ends after the last message.
func publishes(js jetstream.JetStream, number int, pause time.Duration, subject func(int) string) chan bool {
	done := make(chan bool)
	go func() {
		defer close(done)
		for n := 0; n < number; n++ {
			_, err := js.Publish(all, subject(n), []byte(fmt.Sprintf("%d of %s", n, subject(n))))
			check(err)
			counted["published"]++
			time.Sleep(pause)
		}
	}()
	return done
}

// imports has two workers that take a lock which was deleted: by a blind put, or by the revision of its marker.
func imports(blind bool) {
	admin, ajs := conn("setup")
	bucket, err := ajs.CreateKeyValue(all, jetstream.KeyValueConfig{Bucket: "locks", Storage: jetstream.MemoryStorage, History: 3})
	check(err)
	_, err = bucket.PutString(all, "readme", "one key for each import")
	check(err)
	var holders, both, done atomic.Int64
	var group sync.WaitGroup
	start := time.Now().Add(500 * time.Millisecond)
	for w := 0; w < 2; w++ {
		group.Add(1)
		go func(name string) {
			defer group.Done()
			nc, js := conn(name)
			defer nc.Close()
			kv, err := js.KeyValue(all, "locks")
			check(err)
			for round := 0; round < 12; round++ {
				time.Sleep(time.Until(start.Add(time.Duration(round) * 800 * time.Millisecond)))
				var revision uint64
				if blind {
					revision, err = kv.Update(all, "import", []byte(name), 0)
					if err != nil {
						if _, gone := kv.Get(all, "import"); errors.Is(gone, jetstream.ErrKeyNotFound) {
							time.Sleep(3 * time.Millisecond)
							revision, err = kv.Put(all, "import", []byte(name))
						}
					}
				} else {
					revision, err = kv.Create(all, "import", []byte(name))
				}
				if err != nil {
					continue
				}
				if holders.Add(1) > 1 {
					both.Add(1)
				}
				time.Sleep(350 * time.Millisecond)
				holders.Add(-1)
				done.Add(1)
				kv.Delete(all, "import", jetstream.LastRevision(revision))
			}
		}(fmt.Sprintf("importer-%d", w))
	}
	group.Wait()
	counted["imports"], counted["at_the_same_time"] = done.Load(), both.Load()
	admin.Close()
}

// charges puts what fails aside with a long delay, which counts against what may be open.
func charges(open int) {
	shop, sjs := conn("checkout")
	stream(sjs, jetstream.StreamConfig{Name: "charges"})
	_, err := sjs.CreateConsumer(all, "charges", jetstream.ConsumerConfig{Durable: "terminal", AckPolicy: jetstream.AckExplicitPolicy, MaxAckPending: open, AckWait: 8 * time.Second})
	check(err)
	nc, js := conn("terminal")
	c, err := js.Consumer(all, "charges", "terminal")
	check(err)
	done := publishes(sjs, 70, 110*time.Millisecond, func(n int) string { return fmt.Sprintf("charges.shop%d", n%4) })
	for end := time.Now().Add(9 * time.Second); time.Now().Before(end); {
		batch, err := c.Fetch(5, jetstream.FetchMaxWait(700*time.Millisecond))
		check(err)
		for m := range batch.Messages() {
			if m.Subject() == "charges.shop3" {
				check(m.NakWithDelay(2 * time.Minute))
				counted["put_aside"]++
				continue
			}
			time.Sleep(20 * time.Millisecond)
			check(m.Ack())
			counted["charged"]++
		}
	}
	<-done
	info, err := c.Info(all)
	check(err)
	counted["waiting"] = int64(info.NumPending)
	nc.Close()
	shop.Close()
}

// thumbnails are made in 0.9 s each by a consumer with a list of pauses.
func thumbnails(backoff []time.Duration) {
	shop, sjs := conn("gallery")
	stream(sjs, jetstream.StreamConfig{Name: "photos", Retention: jetstream.WorkQueuePolicy})
	_, err := sjs.CreateConsumer(all, "photos", jetstream.ConsumerConfig{Durable: "thumbs", AckPolicy: jetstream.AckExplicitPolicy, AckWait: 10 * time.Second, BackOff: backoff, MaxDeliver: 6})
	check(err)
	done := publishes(sjs, 16, 420*time.Millisecond, func(n int) string { return fmt.Sprintf("photos.album%d", n%3) })
	different := sync.Map{}
	var made, again atomic.Int64
	var group sync.WaitGroup
	for w := 0; w < 2; w++ {
		group.Add(1)
		go func(w int) {
			defer group.Done()
			nc, js := conn(fmt.Sprintf("thumbs-%d", w))
			defer nc.Close()
			c, err := js.Consumer(all, "photos", "thumbs")
			check(err)
			for end := time.Now().Add(11 * time.Second); time.Now().Before(end); {
				batch, err := c.Fetch(1, jetstream.FetchMaxWait(600*time.Millisecond))
				check(err)
				for m := range batch.Messages() {
					meta, _ := m.Metadata()
					if _, known := different.LoadOrStore(meta.Sequence.Stream, true); known {
						again.Add(1)
					}
					time.Sleep(900 * time.Millisecond)
					check(m.Ack())
					made.Add(1)
				}
			}
		}(w)
	}
	group.Wait()
	<-done
	counted["made"], counted["made_again"] = made.Load(), again.Load()
	shop.Close()
}

// telemetry publishes into a stream in memory until the server has no room for more, and past that.
func telemetry(limit int64) {
	nc, js := conn("gateway")
	config := jetstream.StreamConfig{Name: "telemetry", MaxBytes: limit}
	stream(js, config)
	payload := make([]byte, 900)
	for n := range payload {
		payload[n] = byte('a' + n%26)
	}
	for n := 0; n < 150; n++ {
		_, err := js.Publish(all, fmt.Sprintf("telemetry.truck%d", n%7), payload)
		if err != nil {
			counted["lost"]++
		} else {
			counted["stored"]++
		}
		time.Sleep(50 * time.Millisecond)
	}
	nc.Close()
}

// reminders are scheduled for later, in a stream that keeps what a consumer wants.
func reminders(retention jetstream.RetentionPolicy) {
	nc, js := conn("calendar")
	s := stream(js, jetstream.StreamConfig{Name: "reminders", Retention: retention, AllowMsgSchedules: true, AllowMsgTTL: true})
	c, err := s.CreateConsumer(all, jetstream.ConsumerConfig{Durable: "mailer", FilterSubject: "reminders.due.*", AckPolicy: jetstream.AckExplicitPolicy})
	check(err)
	for n := 0; n < 24; n++ {
		user := fmt.Sprintf("user%d", n%6)
		m := nats.NewMsg(fmt.Sprintf("reminders.later.%s-%d", user, n))
		m.Header.Set("Nats-Schedule", "@at "+time.Now().Add(1500*time.Millisecond).UTC().Format(time.RFC3339))
		m.Header.Set("Nats-Schedule-Target", "reminders.due."+user)
		m.Data = []byte(fmt.Sprintf("meeting %d", n))
		_, err := js.PublishMsg(all, m)
		check(err)
		counted["scheduled"]++
		batch, err := c.Fetch(4, jetstream.FetchMaxWait(300*time.Millisecond))
		check(err)
		for m := range batch.Messages() {
			counted["mailed"]++
			check(m.Ack())
		}
	}
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
		batch, err := c.Fetch(4, jetstream.FetchMaxWait(500*time.Millisecond))
		check(err)
		for m := range batch.Messages() {
			counted["mailed"]++
			check(m.Ack())
		}
	}
	nc.Close()
}

func ms(each ...int) (of []time.Duration) {
	for _, n := range each {
		of = append(of, time.Duration(n)*time.Millisecond)
	}
	return
}

func main() {
	map[string]func(){
		"deleted_lock_taken_by_a_put":   func() { imports(true) },
		"deleted_lock_taken_by_its_end": func() { imports(false) },
		"delays_fill_what_may_be_open":  func() { charges(8) },
		"delays_with_room":              func() { charges(500) },
		"backoff_below_the_work":        func() { thumbnails(ms(300, 1000, 5000)) },
		"backoff_above_the_work":        func() { thumbnails(ms(3000, 5000, 8000)) },
		"memory_full":                   func() { telemetry(-1) },
		"memory_within_the_limit":       func() { telemetry(48 << 10) },
		"schedules_of_no_interest":      func() { reminders(jetstream.InterestPolicy) },
		"schedules_of_a_work_queue":     func() { reminders(jetstream.WorkQueuePolicy) },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	check(err)
	fmt.Println(string(text))
}
