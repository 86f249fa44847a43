// Plays programs for faults of readers, publishers and clusters: `PLAY STREAM`; prints what it counted as JSON.
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

func opened() *stream.Environment {
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetUris([]string{"rabbitmq-stream://guest:guest@broker:5552/%2f"}))
	check(err)
	return env
}

// reads reads a backlog from its first message.
func reads(name string) {
	env := opened()
	var consumed atomic.Int64
	consumer, err := env.NewConsumer(name, func(_ stream.ConsumerContext, _ *amqp.Message) { consumed.Add(1) },
		stream.NewConsumerOptions().SetClientProvidedName("archive").SetOffset(stream.OffsetSpecification{}.First()))
	check(err)
	time.Sleep(2 * time.Second)
	check(consumer.Close())
	check(env.Close())
	fmt.Printf("{\"consumed\": %d}\n", consumed.Load())
}

// floods publishes as fast as it can, and looks at no confirm before the end.
func floods(name string, number int) {
	env := opened()
	producer, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("meter"))
	check(err)
	for n := range number {
		check(producer.Send(amqp.NewMessage([]byte(fmt.Sprintf("value %d", n)))))
	}
	time.Sleep(5 * time.Second)
	check(producer.Close())
	check(env.Close())
	fmt.Printf("{\"published\": %d}\n", number)
}

// tries makes a consumer and a producer anew as long as that fails.
func tries(name string, seconds int) {
	env := opened()
	failures := 0
	for end := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(end); time.Sleep(4 * time.Second) {
		consumer, err := env.NewConsumer(name, func(_ stream.ConsumerContext, _ *amqp.Message) {},
			stream.NewConsumerOptions().SetClientProvidedName("archive").SetOffset(stream.OffsetSpecification{}.First()))
		if err != nil {
			failures++
			continue
		}
		time.Sleep(time.Second)
		_ = consumer.Close()
	}
	_ = env.Close()
	fmt.Printf("{\"failures\": %d}\n", failures)
}

// produces makes a producer anew as long as that fails.
func produces(name string, seconds int) {
	env := opened()
	failures := 0
	for end := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(end); time.Sleep(4 * time.Second) {
		producer, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("till"))
		if err != nil {
			failures++
			continue
		}
		_ = producer.Send(amqp.NewMessage([]byte("receipt")))
		time.Sleep(time.Second)
		_ = producer.Close()
	}
	_ = env.Close()
	fmt.Printf("{\"failures\": %d}\n", failures)
}

// fails publishes, and ends when a message is refused.
func fails(name string) {
	env := opened()
	producer, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("till"))
	check(err)
	closed := producer.NotifyPublishConfirmation()
	go func() {
		for all := range closed {
			for _, each := range all {
				if !each.IsConfirmed() {
					fmt.Printf("{\"refused\": 1}\n")
					panic(each.GetError())
				}
			}
		}
	}()
	for n := range 40 {
		_ = producer.Send(amqp.NewMessage([]byte(fmt.Sprintf("receipt %d", n))))
		time.Sleep(200 * time.Millisecond)
	}
	_ = producer.Close()
	fmt.Printf("{\"refused\": 0}\n")
}

func main() {
	switch os.Args[1] {
	case "reads":
		reads(os.Args[2])
	case "floods":
		floods(os.Args[2], 120000)
	case "floods_little":
		floods(os.Args[2], 2000)
	case "tries":
		tries(os.Args[2], 60)
	case "produces":
		produces(os.Args[2], 50)
	case "fails":
		fails(os.Args[2])
	}
}
