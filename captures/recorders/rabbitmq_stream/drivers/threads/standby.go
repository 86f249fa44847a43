// Two consumers of a group take over from each other, twice: `standby STREAM`.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/message"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

var consumed atomic.Int64
var lock sync.Mutex

func member(env *stream.Environment, name string) *stream.Consumer {
	update := func(streamName string, active bool) stream.OffsetSpecification {
		if stored, err := env.QueryOffset("group", streamName); err == nil {
			return stream.OffsetSpecification{}.Offset(stored + 1)
		}
		return stream.OffsetSpecification{}.First()
	}
	take := func(context stream.ConsumerContext, m *amqp.Message) {
		lock.Lock()
		defer lock.Unlock()
		consumed.Add(1)
		if context.Consumer.GetOffset()%10 == 9 {
			check(context.Consumer.StoreOffset())
		}
	}
	consumer, err := env.NewConsumer(name, take, stream.NewConsumerOptions().SetConsumerName("group").SetManualCommit().
		SetSingleActiveConsumer(stream.NewSingleActiveConsumer(update)))
	check(err)
	return consumer
}

func main() {
	name := os.Args[1]
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	producer, err := env.NewProducer(name, stream.NewProducerOptions())
	check(err)
	active := member(env, name)
	for round := 0; round < 4; round++ {
		standby := member(env, name)
		all := []message.StreamMessage{}
		for n := 0; n < 10; n++ {
			all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("message %d", 10*round+n))))
		}
		check(producer.BatchSend(all))
		time.Sleep(1200 * time.Millisecond)
		check(active.Close())
		time.Sleep(500 * time.Millisecond)
		active = standby
	}
	check(env.Close())
	fmt.Printf("{\"published\": 40, \"consumed\": %d}\n", consumed.Load())
}
