// A producer for each request, never closed: `producers_left STREAM`.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	name := os.Args[1]
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).
		SetUser("guest").SetPassword("guest").SetRequestedHeartbeat(3 * time.Second))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
	for n := 0; n < 15; n++ {
		producer, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("request-handler"))
		check(err)
		check(producer.Send(amqp.NewMessage([]byte(fmt.Sprintf("request %d", n)))))
		time.Sleep(200 * time.Millisecond)
	}
	time.Sleep(4 * time.Second)
	fmt.Println("{\"published\": 15}")
}
