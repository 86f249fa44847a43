// A consumer that stores its offset by hand, in the seventh round of the blind test; prints what it counted as JSON.
package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

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

func publish(name, text string, from, count int) {
	env := environment()
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	p, err := env.NewProducer(name, nil)
	check(err)
	for n := from; n < from+count; n++ {
		check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf(text, n)))))
		if n%5 == 4 {
			time.Sleep(130 * time.Millisecond)
		}
	}
	time.Sleep(400 * time.Millisecond)
	check(p.Close())
	check(env.Close())
}

// One run: goes on after the stored offset, or begins where it is told, and stores after some messages.
func run(name, reference string, begin stream.OffsetSpecification, every int64) int64 {
	env := environment()
	if stored, err := env.QueryOffset(reference, name); err == nil {
		begin = stream.OffsetSpecification{}.Offset(stored + 1)
	}
	var got atomic.Int64
	c, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) {
		if got.Add(1)%every == 0 {
			_ = c.Consumer.StoreOffset()
		}
	}, stream.NewConsumerOptions().SetConsumerName(reference).SetOffset(begin))
	check(err)
	time.Sleep(900 * time.Millisecond)
	check(c.Close())
	check(env.Close())
	return got.Load()
}

func main() {
	name := os.Args[2]
	published, consumed := 0, int64(0)
	switch os.Args[1] {
	case "single": // a stream of one message, and a second one at last
		publish(name, "settings, revision %d", 0, 1)
		for n := 0; n < 5; n++ {
			consumed += run(name, "settings-reader", stream.OffsetSpecification{}.First(), 1)
			time.Sleep(150 * time.Millisecond)
		}
		publish(name, "settings, revision %d", 1, 1)
		consumed += run(name, "settings-reader", stream.OffsetSpecification{}.First(), 1)
		consumed += run(name, "settings-reader", stream.OffsetSpecification{}.First(), 1)
		published = 2
	case "middle": // begins in the middle of a stream
		publish(name, "position %d", 0, 120)
		for n := 0; n < 4; n++ {
			consumed += run(name, "position-reader", stream.OffsetSpecification{}.Offset(60), 10)
			publish(name, "position %d", 120+20*n, 20)
		}
		published = 200
	}
	fmt.Printf("{\"published\": %d, \"consumed\": %d}\n", published, consumed)
}
