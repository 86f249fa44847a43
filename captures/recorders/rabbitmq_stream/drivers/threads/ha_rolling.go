// A producer and consumers of the package ha, while each of three nodes restarts; prints what it counted as JSON.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/ha"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	name := os.Args[1]
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetUris([]string{
		"rabbitmq-stream://guest:guest@broker:5552/%2f",
		"rabbitmq-stream://guest:guest@broker:5553/%2f",
		"rabbitmq-stream://guest:guest@broker:5554/%2f"}))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	time.Sleep(3 * time.Second)
	var confirmed, consumed atomic.Int64
	p, err := ha.NewReliableProducer(env, name, stream.NewProducerOptions().SetClientProvidedName("clock"), func(all []*stream.ConfirmationStatus) {
		for _, each := range all {
			if each.IsConfirmed() {
				confirmed.Add(1)
			}
		}
	})
	check(err)
	var consumers []*ha.ReliableConsumer
	for _, who := range []string{"ledger", "board"} {
		c, err := ha.NewReliableConsumer(env, name, stream.NewConsumerOptions().SetConsumerName(who).SetClientProvidedName(who).SetOffset(stream.OffsetSpecification{}.First()).
			SetAutoCommit(stream.NewAutoCommitStrategy().SetCountBeforeStorage(40).SetFlushInterval(3*time.Second)),
			func(c stream.ConsumerContext, m *amqp.Message) { consumed.Add(1) })
		check(err)
		consumers = append(consumers, c)
	}
	published := 0
	publish := func(count int) {
		for n := 0; n < count; n++ {
			if p.Send(amqp.NewMessage([]byte(fmt.Sprintf("stroke %d", published)))) == nil {
				published++
			}
			time.Sleep(60 * time.Millisecond)
		}
	}
	in := bufio.NewReader(os.Stdin)
	for node := 0; node < 3; node++ {
		publish(40)
		fmt.Println("restart")
		_, _ = in.ReadString('\n')
		publish(60)
		time.Sleep(4 * time.Second)
	}
	publish(30)
	time.Sleep(2 * time.Second)
	_ = p.Close()
	for _, c := range consumers {
		_ = c.Close()
	}
	_ = env.Close()
	fmt.Printf("{\"published\": %d, \"confirmed\": %d, \"consumed\": %d}\n", published, confirmed.Load(), consumed.Load())
}
