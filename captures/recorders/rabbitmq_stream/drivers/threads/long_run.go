// A service with reliable producers and consumers, for some two minutes: `long_run NAME`.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/ha"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/message"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

var lock sync.Mutex
var published, confirmed, consumed, grouped, wanted int

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func ask(what string) {
	fmt.Println(what)
	_, _ = os.Stdin.Read(make([]byte, 1))
}

func add(counter *int) {
	lock.Lock()
	defer lock.Unlock()
	*counter++
}

func status(all []*stream.ConfirmationStatus) {
	for _, each := range all {
		if each.IsConfirmed() {
			add(&confirmed)
		}
	}
}

func text(n int) message.StreamMessage {
	m := amqp.NewMessage([]byte(fmt.Sprintf("order %d", n)))
	m.ApplicationProperties = map[string]any{"region": []string{"emea", "amer", "apac"}[n%3]}
	return m
}

func member(env *stream.Environment, name string) *stream.Consumer {
	update := func(streamName string, active bool) stream.OffsetSpecification {
		if stored, err := env.QueryOffset("group", streamName); err == nil {
			return stream.OffsetSpecification{}.Offset(stored + 1)
		}
		return stream.OffsetSpecification{}.First()
	}
	handle := func(context stream.ConsumerContext, m *amqp.Message) {
		add(&grouped)
		if context.Consumer.GetOffset()%10 == 9 {
			_ = context.Consumer.StoreOffset()
		}
	}
	return must(env.NewConsumer(name, handle, stream.NewConsumerOptions().SetConsumerName("group").SetManualCommit().
		SetSingleActiveConsumer(stream.NewSingleActiveConsumer(update))))
}

func main() {
	orders, regions := os.Args[1]+"-orders", os.Args[1]+"-regions"
	env := must(stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).
		SetUser("guest").SetPassword("guest").SetRequestedHeartbeat(10 * time.Second)))
	for _, name := range []string{orders, regions} {
		check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.GB(1))))
	}
	producer := must(ha.NewReliableProducer(env, orders, stream.NewProducerOptions(), status))
	must(ha.NewReliableConsumer(env, orders, stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()),
		func(stream.ConsumerContext, *amqp.Message) { add(&consumed) }))
	region := func(m message.StreamMessage) string { return m.GetApplicationProperties()["region"].(string) }
	chosen := func(m *amqp.Message) bool { return m.ApplicationProperties["region"] == "emea" }
	for round := 0; round < 24; round++ {
		if round == 8 || round == 16 {
			ask("close")
			time.Sleep(9 * time.Second)
		}
		for n := 0; n < 15; n++ {
			check(producer.Send(text(published)))
			published++
		}
		if round%4 == 1 {
			filtered := must(env.NewProducer(regions, stream.NewProducerOptions().SetFilter(stream.NewProducerFilter(region))))
			for n := 0; n < 9; n++ {
				check(filtered.Send(text(n)))
			}
			time.Sleep(500 * time.Millisecond)
			check(filtered.Close())
		}
		if round == 22 {
			must(env.NewConsumer(regions, func(stream.ConsumerContext, *amqp.Message) { add(&wanted) },
				stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()).
					SetFilter(stream.NewConsumerFilter([]string{"emea"}, false, chosen))))
		}
		if round%8 == 2 {
			first, second := member(env, orders), member(env, orders)
			time.Sleep(time.Second)
			check(first.Close())
			time.Sleep(time.Second)
			third := member(env, orders)
			time.Sleep(500 * time.Millisecond)
			check(second.Close())
			time.Sleep(time.Second)
			check(third.Close())
		}
		time.Sleep(2 * time.Second)
	}
	time.Sleep(time.Second)
	check(producer.Close())
	check(env.Close())
	fmt.Printf("{\"sent\": %d, \"told_confirmed\": %d, \"handed\": %d, \"handed_to_the_group\": %d, \"handed_by_filter\": %d}\n",
		published, confirmed, consumed, grouped, wanted)
}
