// Plays the third round of the blind test by the Go client; prints what it counted as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/message"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

var counted = map[string]int64{}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func environment() *stream.Environment {
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	check(err)
	return env
}

func declare(env *stream.Environment, name string) {
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
}

func articles(name string) { // publishes AMQP 1.0
	env := environment()
	declare(env, name)
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("catalogue"))
	check(err)
	for n := 0; n < 12; n++ {
		check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("article %d", n)))))
		time.Sleep(40 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	counted["published"] = 12
	check(p.Close())
	check(env.Close())
}

func reads(name string) {
	env := environment()
	var got atomic.Int64
	c, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) },
		stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()).SetClientProvidedName("search"))
	check(err)
	time.Sleep(1500 * time.Millisecond)
	counted["read"] = got.Load()
	check(c.Close())
	check(env.Close())
}

func restarts(name string, keep bool) {
	env := environment()
	declare(env, name)
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("shop"))
	check(err)
	sent := 0
	publish := func(n int) {
		all := []message.StreamMessage{}
		for i := 0; i < n; i++ {
			all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("order %d", sent))))
			sent++
		}
		check(p.BatchSend(all))
		time.Sleep(150 * time.Millisecond)
	}
	var got atomic.Int64
	for round := 0; round < 4; round++ {
		own := environment()
		options := stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.Next())
		if keep {
			options = options.SetConsumerName("invoices").SetManualCommit().SetClientProvidedName("invoices")
		} else {
			options = options.SetClientProvidedName("dashboard")
		}
		c, err := own.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) }, options)
		check(err)
		publish(10)
		publish(10)
		time.Sleep(400 * time.Millisecond)
		if keep {
			check(c.StoreOffset())
			time.Sleep(100 * time.Millisecond)
		}
		check(c.Close())
		check(own.Close())
		publish(10) // while the consumer is away
	}
	counted["published"], counted["read"] = int64(sent), got.Load()
	check(p.Close())
	check(env.Close())
}

func filters(name string, value func(n int) string, wanted string) {
	env := environment()
	declare(env, name)
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("devices").SetFilter(stream.NewProducerFilter(
		func(m message.StreamMessage) string { return fmt.Sprint(m.GetApplicationProperties()["key"]) })))
	check(err)
	n := 0
	for batch := 0; batch < 20; batch++ {
		all := []message.StreamMessage{}
		for i := 0; i < 20; i++ {
			m := amqp.NewMessage([]byte(fmt.Sprintf("temperature %d", 15+n%9)))
			m.ApplicationProperties = map[string]any{"key": value(n)}
			all = append(all, m)
			n++
		}
		check(p.BatchSend(all))
		time.Sleep(60 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	check(p.Close())
	var got atomic.Int64
	filter := stream.NewConsumerFilter([]string{wanted}, false, func(m *amqp.Message) bool { return fmt.Sprint(m.ApplicationProperties["key"]) == wanted })
	c, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) },
		stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()).SetClientProvidedName("alarm").SetFilter(filter))
	check(err)
	time.Sleep(1500 * time.Millisecond)
	counted["published"], counted["read"] = int64(n), got.Load()
	check(c.Close())
	check(env.Close())
}

func main() {
	name := os.Args[2]
	map[string]func(){
		"articles":  func() { articles(name) },
		"reads":     func() { reads(name) },
		"restarts":  func() { restarts(name, true) },
		"live_tail": func() { restarts(name, false) },
		"filter_per_message": func() {
			filters(name, func(n int) string { return fmt.Sprintf("reading-%08d", n*7919) }, fmt.Sprintf("reading-%08d", 211*7919))
		},
		"filter_per_region": func() {
			filters(name, func(n int) string { return []string{"north", "south", "east", "west"}[n/20%4] }, "east")
		},
	}[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
