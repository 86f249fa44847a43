// What nats.go is made to do in the thirteenth round of the blind test; prints what it counted.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func conn(name string) *nats.Conn {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(250*time.Millisecond), nats.RetryOnFailedConnect(true))
	check(err)
	return nc
}

var published, tries, read, answered, timeouts atomic.Int64

// meters has three programs that publish a reading until it is acknowledged, with an id for the message or without one.
func meters(withID bool) {
	reader := conn("billing")
	js, err := jetstream.New(reader)
	check(err)
	c := context.Background()
	s, err := js.CreateStream(c, jetstream.StreamConfig{Name: "METERS", Subjects: []string{"meters.>"}, Storage: jetstream.FileStorage})
	check(err)
	consumer, err := s.CreateConsumer(c, jetstream.ConsumerConfig{Durable: "billing", AckPolicy: jetstream.AckExplicitPolicy})
	check(err)
	running, err := consumer.Consume(func(m jetstream.Msg) { read.Add(1); _ = m.Ack() })
	check(err)
	var wait sync.WaitGroup
	for meter := 0; meter < 3; meter++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			nc := conn(fmt.Sprintf("meter-%d", meter))
			own, err := jetstream.New(nc)
			check(err)
			for n := 0; n < 26; n++ {
				m := nats.NewMsg(fmt.Sprintf("meters.m%d", meter))
				m.Data = []byte(fmt.Sprintf("reading %d of meter %d: %d kWh", n, meter, 4000+7*n))
				if withID {
					m.Header.Set(nats.MsgIdHdr, fmt.Sprintf("m%d-%d", meter, n))
				}
				for {
					over, end := context.WithTimeout(c, 250*time.Millisecond)
					tries.Add(1)
					_, err := own.PublishMsg(over, m, jetstream.WithExpectStream("METERS"))
					end()
					if err == nil {
						published.Add(1)
						break
					}
					time.Sleep(20 * time.Millisecond)
				}
				time.Sleep(230 * time.Millisecond)
			}
			check(nc.Drain())
		}()
	}
	wait.Wait()
	time.Sleep(600 * time.Millisecond)
	running.Stop()
	reader.Close()
}

// asks a service of NestJS, as its own clients do or with the plain data alone.
func asks(packed bool) {
	nc := conn("gateway")
	time.Sleep(1500 * time.Millisecond)
	for n := 0; n < 14; n++ {
		body := map[string]any{"account": 100 + n, "currency": "EUR"}
		for _, subject := range []string{"accounts.balance", "accounts.owner"} {
			var sent any = body
			if packed {
				sent = map[string]any{"pattern": subject, "data": body, "id": fmt.Sprintf("%s-%d", subject, n)}
			}
			text, err := json.Marshal(sent)
			check(err)
			if _, err := nc.Request(subject, text, 450*time.Millisecond); err == nil {
				answered.Add(1)
			} else {
				timeouts.Add(1)
			}
		}
		check(nc.Publish("audit", []byte(fmt.Sprintf(`{"pattern": "audit", "data": "account %d looked at"}`, 100+n))))
		time.Sleep(120 * time.Millisecond)
	}
	nc.Close()
}

func main() {
	map[string]func(){
		"each_try_is_stored":     func() { meters(false) },
		"tries_of_one_id":        func() { meters(true) },
		"packet_without_an_id":   func() { asks(false) },
		"packet_as_it_should_be": func() { asks(true) },
	}[os.Args[1]]()
	fmt.Printf("{\"published\": %d, \"tries\": %d, \"read\": %d, \"answered\": %d, \"timeouts\": %d}\n", published.Load(), tries.Load(), read.Load(), answered.Load(), timeouts.Load())
}
