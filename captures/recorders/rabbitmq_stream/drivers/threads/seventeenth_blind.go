// Plays the seventeenth round of the blind test by the Go client; prints what it counted as JSON.
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

// Exports of 400 lines, by a producer each, which is closed right after the last line, or when all are confirmed.
func main() {
	waits, name := os.Args[1] == "confirmed", os.Args[2]
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	published, confirmed := 0, int64(0)
	for export := 0; export < 4; export++ {
		p, err := env.NewProducer(name, nil)
		check(err)
		if waits {
			all := p.NotifyPublishConfirmation()
			go func() {
				for some := range all {
					atomic.AddInt64(&confirmed, int64(len(some)))
				}
			}()
		}
		for n := 1; n <= 400; n++ {
			check(p.Send(amqp.NewMessage([]byte(fmt.Sprintf("export %d line %d of 400", export, n)))))
			published++
			time.Sleep(time.Millisecond)
		}
		for waits && atomic.LoadInt64(&confirmed) < int64(published) {
			time.Sleep(20 * time.Millisecond)
		}
		check(p.Close())
		time.Sleep(1500 * time.Millisecond)
	}
	time.Sleep(time.Second)
	_ = env.Close()
	if waits {
		fmt.Printf("{\"published\": %d, \"confirmed\": %d}\n", published, confirmed)
	} else {
		fmt.Printf("{\"published\": %d}\n", published)
	}
	os.Exit(0)
}
