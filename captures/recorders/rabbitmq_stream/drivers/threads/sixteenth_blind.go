// Plays the sixteenth round of the blind test by the Go client; prints what it counted as JSON.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/ha"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

var published, confirmed, consumed, failed atomic.Int64

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func environment(heartbeat int) *stream.Environment {
	options := stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest")
	if heartbeat > 0 {
		options = options.SetRequestedHeartbeat(time.Duration(heartbeat) * time.Second)
	}
	env, err := stream.NewEnvironment(options)
	check(err)
	return env
}

func count(all []*stream.ConfirmationStatus) {
	for _, each := range all {
		if each.IsConfirmed() {
			confirmed.Add(1)
		}
	}
}

// What the recorder does is done meanwhile, or before it goes on.
func ask(what string) {
	fmt.Println(what)
	var line string
	_, _ = fmt.Scanln(&line)
}

// Four senders of one reliable producer, whose connections are lost once.
func senders(name string) {
	env := environment(0)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	p, err := ha.NewReliableProducer(env, name, stream.NewProducerOptions().SetClientProvidedName("telemetry"), count)
	check(err)
	stop := make(chan struct{})
	var all sync.WaitGroup
	for sender := 0; sender < 4; sender++ {
		all.Add(1)
		go func(sender int) {
			defer all.Done()
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				case <-time.After(60 * time.Millisecond):
				}
				if err := p.Send(amqp.NewMessage([]byte(fmt.Sprintf("value %d of engine %d", n, sender)))); err != nil {
					failed.Add(1)
				} else {
					published.Add(1)
				}
			}
		}(sender)
	}
	time.Sleep(4 * time.Second)
	ask("restart")
	time.Sleep(26 * time.Second)
	close(stop)
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	select {
	case <-done:
		_ = p.Close()
		_ = env.Close()
	case <-time.After(2 * time.Second):
	}
}

// A publisher and a consumer, while the broker hangs; the program takes the end of its connections for one that was asked for.
func hangs(name string) {
	env := environment(3)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("alarms"))
	check(err)
	c, err := env.NewConsumer(name, func(stream.ConsumerContext, *amqp.Message) { consumed.Add(1) },
		stream.NewConsumerOptions().SetConsumerName("board").SetClientProvidedName("board").SetOffset(stream.OffsetSpecification{}.First()))
	check(err)
	go func() {
		for all := range p.NotifyPublishConfirmation() {
			count(all)
		}
	}()
	var stopped atomic.Bool
	for _, closed := range []stream.ChannelClose{p.NotifyClose(), c.NotifyClose()} {
		go func(closed stream.ChannelClose) {
			<-closed
			stopped.Store(true)
		}(closed)
	}
	go func() {
		for n := 0; !stopped.Load(); n++ {
			if err := p.Send(amqp.NewMessage([]byte(fmt.Sprintf("alarm %d", n)))); err != nil {
				failed.Add(1)
			} else {
				published.Add(1)
			}
			time.Sleep(400 * time.Millisecond)
		}
	}()
	time.Sleep(5 * time.Second)
	ask("hang")
	ask("others")
	time.Sleep(4 * time.Second)
}

func main() {
	map[string]func(string){"senders": senders, "hangs": hangs}[os.Args[1]](os.Args[2])
	fmt.Printf("{\"published\": %d, \"confirmed\": %d, \"consumed\": %d, \"failed\": %d}\n", published.Load(), confirmed.Load(), consumed.Load(), failed.Load())
	os.Exit(0)
}
