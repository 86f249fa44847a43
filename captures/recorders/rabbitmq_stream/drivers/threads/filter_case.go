// Filter values that publisher and consumer write differently: `filter_case STREAM`.
package main

import (
	"fmt"
	"os"
	"strings"
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
	region := func(m message.StreamMessage) string {
		return strings.ToUpper(m.GetApplicationProperties()["region"].(string))
	}
	producer, err := env.NewProducer(name, stream.NewProducerOptions().SetFilter(stream.NewProducerFilter(region)))
	check(err)
	published := 0
	for _, each := range []string{"emea", "amer", "emea"} {
		for n := 0; n < 6; n++ {
			m := amqp.NewMessage([]byte(fmt.Sprintf("order %d", published)))
			m.ApplicationProperties = map[string]any{"region": each}
			check(producer.Send(m))
			published++
		}
		time.Sleep(400 * time.Millisecond)
	}
	var consumed atomic.Int64
	wanted := func(m *amqp.Message) bool { return m.ApplicationProperties["region"] == "emea" }
	_, err = env.NewConsumer(name, func(stream.ConsumerContext, *amqp.Message) { consumed.Add(1) },
		stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()).
			SetFilter(stream.NewConsumerFilter([]string{"emea"}, false, wanted)))
	check(err)
	time.Sleep(5 * time.Second)
	check(env.Close())
	fmt.Printf("{\"published\": %d, \"consumed\": %d}\n", published, consumed.Load())
}
