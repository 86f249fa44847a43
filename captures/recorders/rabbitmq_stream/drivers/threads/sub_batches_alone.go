// Sub-batches of one message, and what is right beside them: `sub_batches_alone STREAM PER_SEND`.
package main

import (
	"fmt"
	"os"
	"strconv"
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
	each, err := strconv.Atoi(os.Args[2])
	check(err)
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	producer, err := env.NewProducer(name, stream.NewProducerOptions().SetSubEntrySize(10).SetBatchSize(100).
		SetCompression(stream.Compression{}.Gzip()))
	check(err)
	var confirmed atomic.Int64
	channel := producer.NotifyPublishConfirmation()
	go func() {
		for all := range channel {
			confirmed.Add(int64(len(all)))
		}
	}()
	published := 0
	rounds := 60
	if each > 1 {
		rounds = 4
	}
	for round := 0; round < rounds; round++ {
		all := []message.StreamMessage{}
		for n := 0; n < each; n++ {
			all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("order %d", published))))
			published++
		}
		check(producer.BatchSend(all))
		for n := 0; n < 100 && confirmed.Load() < int64(published); n++ {
			time.Sleep(10 * time.Millisecond)
		}
		if each > 1 {
			time.Sleep(500 * time.Millisecond)
		}
	}
	check(env.Close())
	fmt.Printf("{\"messages\": %d}\n", published)
}
