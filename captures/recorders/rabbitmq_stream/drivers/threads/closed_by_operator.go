// A reliable producer and consumer, whose connections an operator closes; prints what it counted as JSON.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/ha"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	name := os.Args[1]
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetUri("rabbitmq-stream://guest:guest@broker:5552/%2f"))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	var confirmed, consumed atomic.Int64
	p, err := ha.NewReliableProducer(env, name, stream.NewProducerOptions().SetClientProvidedName("meter").SetBatchSize(1), func(all []*stream.ConfirmationStatus) {
		for _, each := range all {
			if each.IsConfirmed() {
				confirmed.Add(1)
			}
		}
	})
	check(err)
	c, err := ha.NewReliableConsumer(env, name, stream.NewConsumerOptions().SetClientProvidedName("board").SetOffset(stream.OffsetSpecification{}.First()),
		func(c stream.ConsumerContext, m *amqp.Message) { consumed.Add(1) })
	check(err)
	published := 0
	publish := func(stop func() bool) {
		for !stop() {
			if p.Send(amqp.NewMessage([]byte(fmt.Sprintf("reading %d", published)))) == nil {
				published++
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	until := func(d time.Duration) func() bool {
		end := time.Now().Add(d)
		return func() bool { return time.Now().After(end) }
	}
	publish(until(500 * time.Millisecond))
	var closed atomic.Bool
	go func() {
		fmt.Println("close")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		closed.Store(true)
	}()
	publish(closed.Load)
	time.Sleep(7 * time.Second)
	publish(until(300 * time.Millisecond))
	time.Sleep(2 * time.Second)
	_ = p.Close()
	_ = c.Close()
	check(env.Close())
	fmt.Printf("{\"published\": %d, \"confirmed\": %d, \"consumed\": %d}\n", published, confirmed.Load(), consumed.Load())
}
