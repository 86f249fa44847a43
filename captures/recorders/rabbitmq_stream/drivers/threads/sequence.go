// An import in three runs by the Go client, which numbers its messages; prints what it counted as JSON.
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
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetAddressResolver(stream.AddressResolver{Host: "broker", Port: 5553}).
		SetHost("broker").SetPort(5553).SetUser("guest").SetPassword("guest"))
	check(err)
	return env
}

func main() {
	name := os.Args[1]
	published, confirmed, read := 0, atomic.Int64{}, atomic.Int64{}
	for run := 0; run < 3; run++ {
		env := environment()
		if run == 0 {
			check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
		}
		p, err := env.NewProducer(name, stream.NewProducerOptions().SetProducerName("catalogue").SetClientProvidedName("catalogue"))
		check(err)
		go func() {
			for all := range p.NotifyPublishConfirmation() {
				confirmed.Add(int64(len(all)))
			}
		}()
		for i := 0; i < 60; i++ {
			check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("article %d of delivery %d", i, run)))))
			published++
			time.Sleep(25 * time.Millisecond)
		}
		time.Sleep(700 * time.Millisecond)
		check(p.Close())
		check(env.Close())
		time.Sleep(400 * time.Millisecond)
	}
	env := environment()
	c, err := env.NewConsumer(name, func(stream.ConsumerContext, *amqp.Message) { read.Add(1) },
		stream.NewConsumerOptions().SetClientProvidedName("shop").SetOffset(stream.OffsetSpecification{}.First()))
	check(err)
	time.Sleep(1200 * time.Millisecond)
	check(c.Close())
	check(env.Close())
	fmt.Printf("{\"published\": %d, \"confirmed\": %d, \"consumed\": %d}\n", published, confirmed.Load(), read.Load())
	os.Exit(0)
}
