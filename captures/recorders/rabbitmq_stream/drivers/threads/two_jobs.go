// Two jobs, each with a name of its own, read all of one stream: `two_jobs STREAM`.
package main

import (
	"fmt"
	"os"
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

func main() {
	name := os.Args[1]
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	producer, err := env.NewProducer(name, stream.NewProducerOptions())
	check(err)
	consumed := [2]atomic.Int64{}
	for round := 0; round < 3; round++ {
		all := []message.StreamMessage{}
		for n := 0; n < 20; n++ {
			all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("message %d", 20*round+n))))
		}
		check(producer.BatchSend(all))
		time.Sleep(300 * time.Millisecond)
		for job, reference := range []string{"audit", "export"} {
			where := stream.OffsetSpecification{}.First()
			if stored, err := env.QueryOffset(reference, name); err == nil {
				where = stream.OffsetSpecification{}.Offset(stored + 1)
			}
			consumer, err := env.NewConsumer(name,
				func(context stream.ConsumerContext, m *amqp.Message) {
					consumed[job].Add(1)
					if context.Consumer.GetOffset()%20 == 19 {
						check(context.Consumer.StoreOffset())
					}
				},
				stream.NewConsumerOptions().SetOffset(where).SetConsumerName(reference).SetManualCommit())
			check(err)
			for n := 0; n < 100 && consumed[job].Load() < int64(20*(round+1)); n++ {
				time.Sleep(20 * time.Millisecond)
			}
			time.Sleep(300 * time.Millisecond)
			check(consumer.Close())
		}
	}
	check(env.Close())
	fmt.Printf("{\"published\": 60, \"consumed\": [%d, %d]}\n", consumed[0].Load(), consumed[1].Load())
}
