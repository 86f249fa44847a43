// Plays the eleventh round of the blind test by the Go client; prints what it counted as JSON.
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

// A worker that wants to go on where it was; without a stored offset it ends, or begins at the first one.
func worker(name string, fatal bool, consumed *atomic.Int64) error {
	env := environment()
	defer env.Close()
	begin := stream.OffsetSpecification{}.First()
	stored, err := env.QueryOffset("thumbnails", name)
	if err == nil {
		begin = stream.OffsetSpecification{}.Offset(stored + 1)
	} else if fatal {
		return err
	}
	c, err := env.NewConsumer(name, func(c stream.ConsumerContext, _ *amqp.Message) {
		if consumed.Add(1)%15 == 0 {
			_ = c.Consumer.StoreOffset()
		}
	}, stream.NewConsumerOptions().SetConsumerName("thumbnails").SetManualCommit().SetOffset(begin).SetClientProvidedName("thumbnails"))
	check(err)
	time.Sleep(2200 * time.Millisecond)
	return c.Close()
}

func main() {
	name, fatal := os.Args[2], os.Args[1] == "fatal"
	env := environment()
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("uploads"))
	check(err)
	var published int
	var consumed atomic.Int64
	over := make(chan bool)
	go func() {
		for n := 0; n < 70; n++ {
			check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("image %d of album %d", n, n%6)))))
			published++
			time.Sleep(120 * time.Millisecond)
		}
		over <- true
	}()
	time.Sleep(300 * time.Millisecond)
	starts, failed := 3, 0
	if fatal {
		starts = 11
	}
	for n := 0; n < starts; n++ {
		if worker(name, fatal, &consumed) != nil {
			failed++
		}
		time.Sleep(550 * time.Millisecond)
	}
	<-over
	check(p.Close())
	check(env.Close())
	fmt.Printf("{\"published\": %d, \"consumed\": %d, \"failed\": %d}\n", published, consumed.Load(), failed)
}
