// Plays the seventh round of the blind test by the Go client; prints what it counted as JSON.
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

func environment(heartbeat time.Duration) *stream.Environment {
	options := stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest")
	if heartbeat > 0 {
		options.SetRequestedHeartbeat(heartbeat)
	}
	env, err := stream.NewEnvironment(options)
	check(err)
	return env
}

func declare(env *stream.Environment, name string) {
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
}

// Readings that come seldom, on connections with a short heartbeat.
func seldom(name string, heartbeat time.Duration) (published int, consumed int64) {
	env := environment(heartbeat)
	declare(env, name)
	var got atomic.Int64
	c, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) }, stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()).SetClientProvidedName("tank-display"))
	check(err)
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("tank-sensor"))
	check(err)
	for n := 0; n < 5; n++ {
		if err := p.Send(amqp.NewMessage([]byte(fmt.Sprintf("level %d", n)))); err == nil {
			published++
		}
		time.Sleep(2700 * time.Millisecond)
	}
	_ = p.Close()
	_ = c.Close()
	_ = env.Close()
	return published, got.Load()
}

// A named producer that goes on where it was after each start: at the last number, or after it.
func sequence(name string, step int64) int {
	number := 0
	for start := 0; start < 5; start++ {
		env := environment(0)
		if start == 0 {
			declare(env, name)
		}
		p, err := env.NewProducer(name, stream.NewProducerOptions().SetProducerName("bookings").SetClientProvidedName("bookings"))
		check(err)
		last, err := env.QuerySequence("bookings", name)
		check(err)
		next := last + step
		if start == 0 {
			next = 1
		}
		for n := 0; n < 8+start; n++ {
			m := amqp.NewMessage([]byte(fmt.Sprintf("booking %d", number)))
			m.SetPublishingId(next)
			check(p.Send(m))
			number++
			next++
			time.Sleep(25 * time.Millisecond)
		}
		time.Sleep(400 * time.Millisecond)
		check(p.Close())
		check(env.Close())
		time.Sleep(150 * time.Millisecond)
	}
	return number
}

// A producer for each web request, under a name of its own, or under one of a few.
func transient(name string, names int) int {
	env := environment(0)
	declare(env, name)
	for n := 0; n < 26; n++ {
		reference := fmt.Sprintf("request-%08x-%04x", 0x51f3a7*(n+7), 0x9c41*(n+3)&0xffff)
		if names > 0 {
			reference = fmt.Sprintf("worker-%d", n%names)
		}
		p, err := env.NewProducer(name, stream.NewProducerOptions().SetProducerName(reference).SetClientProvidedName("web"))
		check(err)
		check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("page view %d", n)))))
		time.Sleep(120 * time.Millisecond)
		check(p.Close())
	}
	check(env.Close())
	return 26
}

// A reader that begins in the middle and stores how many messages it has handled, not where they are.
func counted(name string) (published int, consumed int64) {
	env := environment(0)
	declare(env, name)
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("positions"))
	check(err)
	more := func(count int) {
		for n := 0; n < count; n++ {
			check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("position %d", published)))))
			published++
			if n%20 == 19 {
				time.Sleep(130 * time.Millisecond)
			}
		}
	}
	more(120)
	for start := 0; start < 4; start++ {
		begin := stream.OffsetSpecification{}.Offset(60)
		if stored, err := env.QueryOffset("position-reader", name); err == nil {
			begin = stream.OffsetSpecification{}.Offset(stored + 1)
		}
		var handled atomic.Int64
		c, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) {
			if n := handled.Add(1); n%10 == 0 {
				_ = c.Consumer.StoreCustomOffset(n - 1)
			}
		}, stream.NewConsumerOptions().SetConsumerName("position-reader").SetManualCommit().SetOffset(begin).SetClientProvidedName("position-reader"))
		check(err)
		time.Sleep(800 * time.Millisecond)
		consumed += handled.Load()
		check(c.Close())
		more(20)
	}
	time.Sleep(300 * time.Millisecond)
	check(p.Close())
	check(env.Close())
	return published, consumed
}

func main() {
	published, consumed := 0, int64(0)
	switch name := os.Args[2]; os.Args[1] {
	case "heartbeat_4s":
		published, consumed = seldom(name, 4*time.Second)
	case "counted":
		published, consumed = counted(name)
	case "sequence_again":
		published = sequence(name, 0)
	case "sequence_after":
		published = sequence(name, 1)
	case "names_of_their_own":
		published = transient(name, 0)
	case "names_of_four":
		published = transient(name, 4)
	}
	fmt.Printf("{\"published\": %d, \"consumed\": %d}\n", published, consumed)
}
