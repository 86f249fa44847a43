// Plays the fifteenth round of the blind test by the Go client; prints what it counted as JSON.
package main

import (
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

// A program that publishes reliably; its consumer is a plain one, or a reliable one.
func service(how, name string) {
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	var confirmed, consumed atomic.Int64
	p, err := ha.NewReliableProducer(env, name, stream.NewProducerOptions().SetClientProvidedName("orders"), func(all []*stream.ConfirmationStatus) {
		for _, each := range all {
			if each.IsConfirmed() {
				confirmed.Add(1)
			}
		}
	})
	check(err)
	options := stream.NewConsumerOptions().SetConsumerName("invoices").SetClientProvidedName("invoices").SetOffset(stream.OffsetSpecification{}.First()).
		SetAutoCommit(stream.NewAutoCommitStrategy().SetCountBeforeStorage(20).SetFlushInterval(2 * time.Second))
	handle := func(stream.ConsumerContext, *amqp.Message) { consumed.Add(1) }
	var reliable *ha.ReliableConsumer
	if how == "plain" {
		_, err = env.NewConsumer(name, handle, options)
	} else {
		reliable, err = ha.NewReliableConsumer(env, name, options, handle)
	}
	check(err)
	published := 0
	send := func(rounds int) {
		for i := 0; i < rounds; i++ {
			check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("order %d", published)))))
			published++
			time.Sleep(100 * time.Millisecond)
		}
	}
	send(30)
	fmt.Println("restart")
	var line string
	_, _ = fmt.Scanln(&line)
	time.Sleep(1 * time.Second)
	send(90)
	time.Sleep(1 * time.Second)
	if reliable != nil {
		check(reliable.Close())
		check(p.Close())
		check(env.Close())
	}
	fmt.Printf("{\"published\": %d, \"confirmed\": %d, \"consumed\": %d}\n", published, confirmed.Load(), consumed.Load())
	os.Exit(0)
}

// A program that begins while the broker hangs, and gives up when the library does.
func begins(name string) {
	tried := 0
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	tried++
	if err == nil {
		check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
		check(env.Close())
	}
	fmt.Printf("{\"tries\": %d, \"refused\": %t}\n", tried, err != nil)
	os.Exit(0)
}

func main() {
	if os.Args[1] == "begins" {
		begins(os.Args[2])
	}
	service(os.Args[1], os.Args[2])
}
