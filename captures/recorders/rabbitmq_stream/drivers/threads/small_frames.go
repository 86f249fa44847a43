// Batches of small messages on connections whose frames may have 4096 bytes; prints what it counted as JSON.
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

func options() *stream.EnvironmentOptions {
	return stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest")
}

func main() {
	name := os.Args[1]
	size, err := strconv.Atoi(os.Args[2])
	check(err)
	env, err := stream.NewEnvironment(options())
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	var consumed, confirmed atomic.Int64
	c, err := env.NewConsumer(name, func(stream.ConsumerContext, *amqp.Message) { consumed.Add(1) },
		stream.NewConsumerOptions().SetClientProvidedName("watcher").SetOffset(stream.OffsetSpecification{}.First()))
	check(err)
	sent, failures := 0, 0
	for start := 0; start < 5; start++ {
		small, err := stream.NewEnvironment(options().SetRequestedMaxFrameSize(4096))
		check(err)
		p, err := small.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("gauge"))
		check(err)
		go func(from stream.ChannelPublishConfirm) {
			for all := range from {
				for _, each := range all {
					if each.IsConfirmed() {
						confirmed.Add(1)
					}
				}
			}
		}(p.NotifyPublishConfirmation())
		for batch := 0; batch < 6; batch++ {
			if batch == 3 { // a busy moment: what came in a second in one batch, or in parts
				for left := 300; left > 0; left -= size {
					var all []message.StreamMessage
					for n := 0; n < min(size, left); n++ {
						all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("%03d", n))))
					}
					if p.BatchSend(all) != nil {
						failures++
					}
					sent += len(all)
				}
			} else if p.BatchSend([]message.StreamMessage{amqp.NewMessage([]byte("a")), amqp.NewMessage([]byte("b"))}) != nil {
				failures++
			} else {
				sent += 2
			}
			time.Sleep(180 * time.Millisecond)
		}
		_ = p.Close()
		_ = small.Close()
		time.Sleep(300 * time.Millisecond)
	}
	check(c.Close())
	check(env.Close())
	fmt.Printf("{\"sent\": %d, \"confirmed_messages\": %d, \"consumed\": %d, \"failures\": %d}\n", sent, confirmed.Load(), consumed.Load(), failures)
}
