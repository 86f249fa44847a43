// Routes to a super stream by key or by hash, and offsets that a consumer stores at its end:
// `routes PLAY STREAM`.
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

func environment() *stream.Environment {
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	check(err)
	return env
}

func send(env *stream.Environment, name string, routing stream.RoutingStrategy, n int, make func(int) *amqp.AMQP10) {
	producer, err := env.NewSuperStreamProducer(name, stream.NewSuperStreamProducerOptions(routing))
	check(err)
	var done atomic.Int64
	channel := producer.NotifyPublishConfirmation(1)
	go func() {
		for all := range channel {
			done.Add(int64(len(all.ConfirmationStatus)))
		}
	}()
	for i := 0; i < n; i++ {
		check(producer.Send(make(i)))
		if i%3 == 2 {
			time.Sleep(60 * time.Millisecond)
		}
	}
	for i := 0; i < 100 && done.Load() < int64(n); i++ {
		time.Sleep(20 * time.Millisecond)
	}
	fmt.Printf("{\"confirmed\": %d}\n", done.Load())
	check(producer.Close())
}

func byKey(name string) {
	env := environment()
	keys := []string{"italy", "france", "spain"}
	check(env.DeclareSuperStream(name, stream.NewBindingsOptions(keys)))
	key := func(m message.StreamMessage) string { return fmt.Sprint(m.GetApplicationProperties()["country"]) }
	send(env, name, stream.NewKeyRoutingStrategy(key), 18, func(i int) *amqp.AMQP10 {
		m := amqp.NewMessage([]byte(fmt.Sprintf("invoice %d", i)))
		m.ApplicationProperties = map[string]any{"country": keys[i%3]}
		return m
	})
	check(env.Close())
}

func byHash(name string) {
	env := environment()
	check(env.DeclareSuperStream(name, stream.NewPartitionsOptions(3)))
	key := func(m message.StreamMessage) string { return fmt.Sprint(m.GetMessageProperties().MessageID) }
	send(env, name, stream.NewHashRoutingStrategy(key), 12, func(i int) *amqp.AMQP10 {
		m := amqp.NewMessage([]byte(fmt.Sprintf("order placed %d", i)))
		m.Properties = &amqp.MessageProperties{MessageID: fmt.Sprintf("order-%d", i)}
		return m
	})
	check(env.Close())
}

func storesAtClose(name string) {
	env := environment()
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	producer, err := env.NewProducer(name, stream.NewProducerOptions())
	check(err)
	consumed := int64(0)
	for round := 0; round < 3; round++ {
		if round < 2 {
			all := []message.StreamMessage{}
			for n := 0; n < 25; n++ {
				all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("event %d", 25*round+n))))
			}
			check(producer.BatchSend(all))
			time.Sleep(300 * time.Millisecond)
		}
		where := stream.OffsetSpecification{}.First()
		if stored, err := env.QueryOffset("mailer", name); err == nil {
			where = stream.OffsetSpecification{}.Offset(stored + 1)
		}
		var got atomic.Int64
		consumer, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) },
			stream.NewConsumerOptions().SetOffset(where).SetConsumerName("mailer").SetManualCommit())
		check(err)
		time.Sleep(800 * time.Millisecond)
		if got.Load() > 0 {
			check(consumer.StoreOffset())
		}
		consumed += got.Load()
		time.Sleep(100 * time.Millisecond)
		check(consumer.Close())
	}
	check(env.Close())
	fmt.Printf("{\"consumed\": %d}\n", consumed)
}

func main() {
	plays := map[string]func(string){"by_key": byKey, "by_hash": byHash, "stores_at_close": storesAtClose}
	plays[os.Args[1]](os.Args[2])
}
