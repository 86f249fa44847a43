// Plays the fifth round of the blind test by the Go client; prints what it counted as JSON.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/message"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

// counts prints what was counted.
func counts(what string, n int64) {
	text, err := json.Marshal(map[string]int64{what: n})
	check(err)
	fmt.Println(string(text))
}

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

func publish(name, text string, from, count int) {
	env := environment()
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("source"))
	check(err)
	for n := from; n < from+count; n += 10 {
		all := []message.StreamMessage{}
		for i := n; i < n+10 && i < from+count; i++ {
			all = append(all, amqp.NewMessage([]byte(fmt.Sprintf(text, i))))
		}
		check(p.BatchSend(all))
		time.Sleep(40 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	check(p.Close())
	check(env.Close())
	counts("published", int64(count))
}

// start is what QueryOffset says, and the first message otherwise.
func start(env *stream.Environment, reference, name string) stream.OffsetSpecification {
	stored, err := env.QueryOffset(reference, name)
	if err == nil {
			return stream.OffsetSpecification{}.Offset(stored + 1)
	}
	if !errors.Is(err, stream.OffsetNotFoundError) {
		panic(err)
	}
	return stream.OffsetSpecification{}.First()
}

// One run of a report, which stores its offset at the end, or not.
func report(name, reference string, how *stream.ConsumerOptions, store bool) {
	env := environment()
	var got atomic.Int64
	c, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) }, how.SetConsumerName(reference).SetOffset(start(env, reference, name)).SetClientProvidedName("report"))
	check(err)
	time.Sleep(1100 * time.Millisecond)
	counts("consumed", got.Load())
	if !store {
		os.Exit(0) // killed
	}
	check(c.StoreOffset())
	time.Sleep(100 * time.Millisecond)
	check(c.Close())
	check(env.Close())
}

// A cache that is filled from the whole stream at each start, and has no name.
func cache(name string) {
	env := environment()
	var got atomic.Int64
	c, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) }, stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()).SetClientProvidedName("price-cache"))
	check(err)
	time.Sleep(1100 * time.Millisecond)
	counts("consumed", got.Load())
	check(c.Close())
	check(env.Close())
}

// A handler that cannot read message 17. Each run ends there, or the third sets the message aside.
func poison(name string, run int, parks bool) {
	env := environment()
	reference := "importer"
	done := make(chan bool, 1)
	var once sync.Once
	var last atomic.Int64
	last.Store(-1)
	stored, err := env.QueryOffset(reference, name)
	spec := stream.OffsetSpecification{}.First()
	if err == nil {
		last.Store(stored)
		spec = stream.OffsetSpecification{}.Offset(stored + 1)
	}
	before := last.Load()
	var parked *stream.Producer
	if parks {
		check(env.DeclareStream(name+"-parked", nil))
		parked, err = env.NewProducer(name+"-parked", stream.NewProducerOptions())
		check(err)
	}
	handled, failed := 0, false
	consumer, err := env.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) {
		if failed {
			return
		}
		if strings.Contains(string(m.GetData()), "\"id\": 17,,") {
			if !parks || run < 2 {
				failed = true
				if last.Load() > before {
					check(c.Consumer.StoreCustomOffset(last.Load()))
				}
				once.Do(func() { done <- true })
				return
			}
			check(parked.Send(amqp.NewMessage(m.GetData())))
		}
		handled++
		last.Store(c.Consumer.GetOffset())
	}, stream.NewConsumerOptions().SetConsumerName(reference).SetManualCommit().SetOffset(spec).SetClientProvidedName(reference))
	check(err)
	select {
	case <-done:
		time.Sleep(60 * time.Millisecond)
		counts("handled", int64(handled))
		os.Exit(0)
	case <-time.After(1200 * time.Millisecond):
	}
	counts("handled", int64(handled))
	check(consumer.StoreCustomOffset(last.Load()))
	time.Sleep(100 * time.Millisecond)
	check(consumer.Close())
	check(parked.Close())
	check(env.Close())
}

// Orders whose region is the key; two regions have no partition.
func unrouted(name string) {
	env := environment()
	check(env.DeclareSuperStream(name, stream.NewBindingsOptions([]string{"emea", "amer", "apac"}).SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	p, err := env.NewSuperStreamProducer(name, stream.NewSuperStreamProducerOptions(stream.NewKeyRoutingStrategy(func(m message.StreamMessage) string {
		return m.GetApplicationProperties()["region"].(string)
	})).SetClientProvidedName("shop"))
	check(err)
	regions := []string{"emea", "amer", "apac", "EMEA", "latam"}
	lost := 0
	for n := 0; n < 50; n++ {
		m := amqp.NewMessage([]byte(fmt.Sprintf("order %d", n)))
		m.ApplicationProperties = map[string]interface{}{"region": regions[n%5]}
		if err := p.Send(m); err != nil {
			lost++ // only logged
		}
		time.Sleep(30 * time.Millisecond)
	}
	time.Sleep(400 * time.Millisecond)
	counts("not_sent", int64(lost))
	check(p.Close())
	check(env.Close())
}

func superRead(name string, seconds int) {
	env := environment()
	var got atomic.Int64
	c, err := env.NewSuperStreamConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) }, stream.NewSuperStreamConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()).SetClientProvidedName("warehouse"))
	check(err)
	fmt.Println("ready")
	time.Sleep(time.Duration(seconds) * time.Second)
	counts("consumed", got.Load())
	check(c.Close())
	check(env.Close())
}

func superPublish(name string, from, count int, declare bool) {
	env := environment()
	if declare {
		check(env.DeclareSuperStream(name, stream.NewPartitionsOptions(3).SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	}
	p, err := env.NewSuperStreamProducer(name, stream.NewSuperStreamProducerOptions(stream.NewHashRoutingStrategy(func(m message.StreamMessage) string {
		return m.GetMessageProperties().MessageID.(string)
	})).SetClientProvidedName("shop"))
	check(err)
	for n := from; n < from+count; n++ {
		m := amqp.NewMessage([]byte(fmt.Sprintf("shipment %d", n)))
		m.Properties = &amqp.MessageProperties{MessageID: fmt.Sprintf("customer-%d", n%20)}
		check(p.Send(m))
		if n%10 == 9 {
			time.Sleep(150 * time.Millisecond)
		}
	}
	time.Sleep(400 * time.Millisecond)
	check(p.Close())
	check(env.Close())
	counts("published", int64(count))
}

func main() {
	name := os.Args[2]
	more := ""
	if len(os.Args) > 3 {
		more = os.Args[3]
	}
	number, _ := strconv.Atoi(more)
	switch os.Args[1] {
	case "publish":
		from, _ := strconv.Atoi(os.Args[4])
		count, _ := strconv.Atoi(os.Args[5])
		publish(name, more, from, count)
	case "report":
		report(name, more, stream.NewConsumerOptions().SetManualCommit(), true)
	case "killed":
		report(name, more, stream.NewConsumerOptions().SetAutoCommit(stream.NewAutoCommitStrategy().SetCountBeforeStorage(10000).SetFlushInterval(60*time.Second)), false)
	case "cache":
		cache(name)
	case "poison":
		poison(name, number, false)
	case "parks":
		poison(name, number, true)
	case "super_read":
		superRead(name, number)
	case "super_publish":
		from, _ := strconv.Atoi(os.Args[4])
		count, _ := strconv.Atoi(os.Args[5])
		superPublish(name, from, count, more == "declare")
	case "unrouted":
		unrouted(name)
	}
}
