// Eight environments, each with a consumer for a short time; prints what it counted as JSON.
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

func main() {
	name := os.Args[1]
	env := environment()
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("harbour"))
	check(err)
	published := 0
	var consumed atomic.Int64
	for trip := 0; trip < 8; trip++ {
		for n := 0; n < 9; n++ {
			check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("car %d of trip %d", n, trip)))))
			published++
		}
		time.Sleep(300 * time.Millisecond)
		own := environment()
		c, err := own.NewConsumer(name, func(stream.ConsumerContext, *amqp.Message) { consumed.Add(1) },
			stream.NewConsumerOptions().SetClientProvidedName(fmt.Sprintf("trip-%d", trip)).SetOffset(stream.OffsetSpecification{}.Offset(int64(9*trip))))
		check(err)
		time.Sleep(500 * time.Millisecond)
		check(c.Close())
		check(own.Close())
	}
	check(p.Close())
	check(env.Close())
	fmt.Printf("{\"published\": %d, \"consumed\": %d}\n", published, consumed.Load())
}
