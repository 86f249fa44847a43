// Plays the fourth round of the blind test by the Go client; prints what it counted as JSON.
package main

import (
	"encoding/json"
	"errors"
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

// A connector that is stopped and started again; it stores the last offset, or the one that comes
// after it, as `more` says. With `manual` it takes two chunks in each run.
func connector(name, reference string, more int64, rounds, each int, options *stream.StreamOptions, away, size int, manual bool) {
	env := environment()
	check(env.DeclareStream(name, options))
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("shop"))
	check(err)
	sent, batch := 0, 50
	if manual {
		batch = 10
	}
	publish := func(n int) {
		for n > 0 {
			all := []message.StreamMessage{}
			for i := 0; i < batch && n > 0; i++ {
				all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("order %0*d", size, sent))))
				sent++
				n--
			}
			check(p.BatchSend(all))
			time.Sleep(15 * time.Millisecond)
		}
		time.Sleep(150 * time.Millisecond)
	}
	var got atomic.Int64
	publish(each)
	if manual {
		publish(each)
	}
	for round := 0; round < rounds; round++ {
		own := environment()
		spec := stream.OffsetSpecification{}.First()
		stored, err := own.QueryOffset(reference, name)
		if err == nil {
			spec = stream.OffsetSpecification{}.Offset(stored + 1)
		} else if !errors.Is(err, stream.OffsetNotFoundError) {
			panic(err)
		}
		how := stream.NewConsumerOptions().SetConsumerName(reference).SetManualCommit().SetOffset(spec).SetClientProvidedName(reference)
		if manual {
			how = how.SetCreditStrategy(stream.ManualCreditStrategy).SetInitialCredits(2)
		}
		c, err := own.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) { got.Add(1) }, how)
		check(err)
		time.Sleep(400 * time.Millisecond)
		publish(each)
		time.Sleep(500 * time.Millisecond)
		check(c.StoreCustomOffset(c.GetOffset() + more))
		time.Sleep(150 * time.Millisecond)
		check(c.Close())
		check(own.Close())
		publish(away)
	}
	check(p.Close())
	check(env.Close())
	text, err := json.Marshal(map[string]int64{"published": int64(sent), "consumed": got.Load()})
	check(err)
	fmt.Println(string(text))
}

func main() {
	name := os.Args[2]
	plain := stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))
	small := stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.KB(60)).SetMaxSegmentSizeBytes(stream.ByteCapacity{}.KB(20))
	map[string]func(){
		"stores_next": func() { connector(name, "warehouse-sink", 1, 5, 10, plain, 10, 6, true) },
		"stores_last": func() { connector(name, "warehouse-sink", 0, 5, 10, plain, 10, 6, true) },
		"overtaken":   func() { connector(name, "nightly-report", 0, 3, 100, small, 2500, 40, false) },
		"keeps_up":    func() { connector(name, "hourly-report", 0, 4, 100, small, 150, 40, false) },
	}[os.Args[1]]()
}
