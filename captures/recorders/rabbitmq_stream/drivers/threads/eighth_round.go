// Plays the eighth round of the blind test by the Go client; prints what it counted as JSON.
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

// A service that stores its offset by itself every second and, without a stored one, begins a minute ago.
func minuteAgo(name string) (published int, consumed int64) {
	open := func() *stream.Environment {
		env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
		check(err)
		return env
	}
	source := open()
	check(source.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	p, err := source.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("doorbell"))
	check(err)
	var got atomic.Int64
	for start := 0; start < 4; start++ {
		env := open()
		begin := stream.OffsetSpecification{}.Timestamp(time.Now().Add(-time.Minute).UnixMilli())
		if stored, err := env.QueryOffset("doorkeeper", name); err == nil {
			begin = stream.OffsetSpecification{}.Offset(stored + 1)
		}
		c, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) }, stream.NewConsumerOptions().
			SetConsumerName("doorkeeper").SetOffset(begin).SetClientProvidedName("doorkeeper").
			SetAutoCommit(stream.NewAutoCommitStrategy().SetCountBeforeStorage(200).SetFlushInterval(1500*time.Millisecond)))
		check(err)
		time.Sleep(3600 * time.Millisecond)
		for n := 0; start > 0 && n < 12; n++ {
			check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("visitor %d", published)))))
			published++
			time.Sleep(110 * time.Millisecond)
		}
		time.Sleep(2100 * time.Millisecond)
		check(c.Close())
		check(env.Close())
	}
	check(p.Close())
	check(source.Close())
	return published, got.Load()
}

func main() {
	published, consumed := minuteAgo(os.Args[2])
	fmt.Printf("{\"published\": %d, \"consumed\": %d}\n", published, consumed)
}
