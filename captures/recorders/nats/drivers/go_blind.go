// What nats.go is made to do in the blind test; prints what it counted as a line of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
)

var counted = map[string]int{}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func reconnectsWithBackoff() {
	back := make(chan bool, 1)
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name("sensor"), nats.MaxReconnects(20),
		nats.CustomReconnectDelay(func(attempts int) time.Duration {
			return 100 * time.Millisecond << attempts
		}),
		nats.ReconnectHandler(func(*nats.Conn) { back <- true }))
	check(err)
	_, err = nc.Subscribe("sensor.ask", func(msg *nats.Msg) { check(msg.Respond([]byte("21"))) })
	check(err)
	check(nc.Publish("sensor.value", []byte("20")))
	check(nc.Flush())
	time.Sleep(2 * time.Second)
	check(nc.Publish("sensor.value", []byte("buffered")))
	<-back
	for i := 0; i < 3; i++ {
		_, err = nc.Request("sensor.ask", nil, time.Second)
		check(err)
		counted["answers"]++
	}
	check(nc.Drain())
	time.Sleep(300 * time.Millisecond)
}

var plays = map[string]func(){"reconnects_with_backoff": reconnectsWithBackoff}

func main() {
	plays[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
